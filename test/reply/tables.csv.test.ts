import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { AnalyticsError } from '../../src/analytics/errors.js';
import { reply } from '../../src/chat/reply.js';
import { plainText } from '../../src/chat/plain-text.js';
import { csvFile, harmless, noExport } from '../../src/reply/tables.js';
import { UserError } from '../../src/reply/errors.js';
import { instant } from '../../src/base/clock.js';

const table = (...records: readonly (readonly string[])[]) => ({ columns: ['id', 'note'], records });
const noteOf = ({ note }: ReturnType<typeof csvFile>): string => plainText(reply({ finding: ['x'], blocks: [note] }), instant(0)).slice(2);

test('a cell that a spreadsheet would run becomes text, and numbers stay numbers', () => {
  for (const hostile of ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\tx', '\rx', '\n=1', ' =1', '\u200b=1', '＝1', '=-1'])
    expect(harmless(hostile)).toBe(`'${hostile.replace(/^([\t\r\n])(?=[=])/u, "$1'")}`);
  for (const tame of ['', '-12.5', '+3', '1e-7', 'a=b', 'x@y.example', 'a - b', '2026-11-21T10:00:00Z', 'DAO, OpCo'])
    expect(harmless(tame)).toBe(tame);
  expect(harmless('pay;=cmd()')).toBe("pay;'=cmd()");
});

test('whatever a cell holds, the file reads back cell for cell and no cell of it begins a formula', () => {
  const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\t\r\n ;,"=+@-]{0,4}[\w=;"']{0,6}$/u));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 12 }), (records) => {
      const { files } = csvFile({ name: 'x', table: table(...records) });
      const read: unknown = parse(files[0]?.text ?? '', { relax_column_count: false });
      expect(read).toEqual([['id', 'note'], ...records.map((record) => record.map(harmless))]);
      const texts = records
        .flat()
        .map(harmless)
        .filter((one) => Number.isNaN(Number(one)));
      for (const one of texts) expect(one).not.toMatch(/^[\t\r]/u);
      for (const piece of texts.flatMap((one) => one.split(';'))) expect(piece).not.toMatch(/^[=+\-@]/u);
    }),
  );
});

test('a file that would be too large ends with a whole record and says what is missing', () => {
  const records = Array.from({ length: 1_200 }, (_, id): readonly string[] => [String(id), 'é'.repeat(10)]);
  const made = csvFile({ name: 'tide movements/all', table: table(...records), most: 20_000 });
  const [file] = made.files;
  const lines = file?.text.trimEnd().split('\n') ?? [];
  expect(file).toMatchObject({ name: 'tide-movements-all.csv', type: 'text/csv' });
  expect(Buffer.byteLength(file?.text ?? '')).toBeLessThanOrEqual(20_000);
  expect(Buffer.byteLength(file?.text ?? '')).toBeGreaterThan(19_900);
  expect(lines.at(-1)).toBe(`${lines.length - 2},${'é'.repeat(10)}`);
  expect(noteOf(made)).toBe(`⚠ Only the first ${lines.length - 1} of 1,200 records fit in the file.`);
  expect(noteOf(csvFile({ name: 'x', table: table(['1', 'a']) }))).toBe('1 record in the file.');
});

test('a plan without exports has its own sentence, other failures keep theirs', () => {
  const failure = (trouble: 'forbidden' | 'timeout') => new AnalyticsError({ trouble, row: 'x', detail: 'x' });
  expect(noExport(failure('forbidden'))).toBeInstanceOf(UserError);
  expect(noExport(failure('forbidden')).message).toContain('CSV exports');
  const late = failure('timeout');
  expect(noExport(late)).toBe(late);
});
