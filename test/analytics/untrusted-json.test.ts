/** Bodies that would cost too much: each is refused by its text, cut to a bound, or read in steps, and what was not read is counted. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { projectsLaunch } from '../../src/analytics/endpoints/dashboard.js';
import { supplyEvents } from '../../src/analytics/endpoints/supply.js';
import { tradingStatistics } from '../../src/analytics/endpoints/trading.js';
import { treasuryOverview } from '../../src/analytics/endpoints/treasury.js';
import { csv } from '../../src/analytics/csv.js';
import { parseJson, parsing, reader, readObject } from '../../src/analytics/field-reader.js';
import { bySlug, listOf, listSteps, MAX_ROWS } from '../../src/analytics/endpoint-row.js';
import { decimal, words } from '../../src/analytics/wire-values.js';
import { lineText } from '../../src/chat/plain-text.js';
import { serviceErrorText } from '../../src/dispatch/error-sentences.js';
import { caught, connect, reply, serve, tide } from '../support/service.js';
import { NOON } from '../feeds/reading.js';

const repeated = (count: number, text: string): string => Array.from({ length: count }, () => text).join();

/** How many steps a reading takes; each is a turn of the event loop. */
function stepsOf(steps: Iterator<unknown>): number {
  for (let count = 0; ; count += 1) if (steps.next().done === true) return count;
}

describe('a body is measured before it becomes objects', () => {
  test.each([
    ['rows', `[${repeated(200_001, '{}')}]`],
    ['strings', `[${repeated(200_001, '"a"')}]`],
    ['fields', `{${Array.from({ length: 200_001 }, (_, number) => `"k${number}":1`).join()}}`],
    ['lists in lists', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['lists that never end', '['.repeat(1_000_000)],
    ['objects in objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
  ])('too many %s are refused', (_, body) => expect(() => parseJson(body)).toThrow(/^more than|^nested/u));

  test('what stands in a string counts as nothing, however it is escaped', () => {
    const texts = ['[[{{,,::', '\\', '"', '\\"', '\\\\"', '"\\"\\\\"', '12345678901234567890', '{"a":1,"a":2}', '\u2028', '💧'];
    expect(parseJson(JSON.stringify({ texts, last: 1 }))).toEqual({ texts, last: 1 });
  });

  test('numbers keep every digit, and none is infinite', () => {
    const body = '[12345678901234567890, -0.12345678901234567890, 1e400, 1e-400, 0.1, -5, 1e3, 1.50]';
    const read = ['12345678901234567890', '-0.12345678901234567890', '1e400', '1e-400', 0.1, -5, 1000, 1.5];
    expect(parseJson(body)).toEqual(read);
    for (const digits of ['1e400', '1e999999', `1${'0'.repeat(1_000)}`, '9'.repeat(200_000)])
      expect([digits.length, decimal.safeParse(parseJson(digits)).success]).toEqual([digits.length, false]);
  });

  test.each(['{"a":1,"a":2}', '{"a":{"b":1,"c":2,"b":1}}', '[1', '{"a"}', '01', '1.', '-', '[1 2]', '"a', '12345678901234567890x', ''])(
    '%s is no JSON to us',
    (body) => expect(() => parseJson(body)).toThrow(SyntaxError),
  );

  test('a field called __proto__ is a field like any other, and lends nothing to the object', () => {
    const root = parseJson('{"__proto__": {"price": 5}, "constructor": 1, "name": "Tide"}');
    const from = reader(root);
    expect([from.get('name', words), Object.getPrototypeOf(root) === Object.prototype]).toEqual(['Tide', true]);
    expect(readObject((own) => own.get('name', words)).parse(root)).toBe('Tide');
    expect(({} as Record<string, unknown>)['price']).toBeUndefined();
  });

  test('a long body is gone through in steps, a short one at once', () => {
    const points = Array.from({ length: 20_000 }, (_, at) => ({ timestamp: at, navPerAdjustedShare: '1.0123456789', spotPrice: 0.85 }));
    expect(stepsOf(parsing(JSON.stringify(points)))).toBeGreaterThan(20);
    expect(stepsOf(parsing(JSON.stringify(points.slice(0, 100))))).toBe(0);
  });

  test('the reply to one that is refused says so in a sentence', async () => {
    const service = await serve((asked) => reply(asked, `{"data":[${repeated(250_000, '{}')}]}`));
    const { analytics } = await connect(service.url);
    const error = await caught(analytics.call(supplyEvents, tide));
    expect(error).toMatchObject({ trouble: 'malformed', tooLarge: true });
    expect(lineText(serviceErrorText(error), NOON)).toMatch(/too much data.*Try again later\.$/u);
    expect(service.asked).toHaveLength(1);
  });

  test('an object may hold less than a list', async () => {
    const fields = Array.from({ length: 30_001 }, (_, number) => `"k${number}":1`).join();
    const service = await serve((asked) => reply(asked, `{"data":{${fields}}}`));
    const { analytics } = await connect(service.url);
    expect(await caught(analytics.call(treasuryOverview, tide))).toMatchObject({ tooLarge: true });
  });
});

describe('a long list is read in steps', () => {
  const row = z.object({ id: z.number() });

  test('rows beyond the limit count as broken, and the first ones are read', () => {
    const items = Array.from({ length: MAX_ROWS + 7 }, (_, id) => ({ id }));
    const read = listOf(row).parse(items);
    expect([read.rows.length, read.broken, read.rows[0]]).toEqual([MAX_ROWS, 7, { id: 0 }]);
  });

  test('a step is a hundred rows, good or bad, and the same is read as at once', async () => {
    for (const items of [Array.from({ length: 5_000 }, () => ({})), Array.from({ length: 5_000 }, (_, id) => ({ id }))])
      expect(stepsOf(listSteps(items, row))).toBe(50);
    const service = await serve((asked) => reply(asked, `{"data":[${repeated(5_000, '{}')}]}`));
    const { analytics } = await connect(service.url);
    expect((await analytics.call(projectsLaunch, {})).data).toEqual({ rows: [], broken: 5_000 });
  });

  test('a row is tried once, and one with ten thousand values not at all', () => {
    let tried = 0;
    const counting = z.unknown().transform(() => (tried += 1));
    const huge = Array.from({ length: 10_001 }, () => 1);
    expect(listOf(counting).parse([{}, huge, { deep: [huge] }, 7])).toEqual({ rows: [1, 2], broken: 2 });
    expect(tried).toBe(2);
  });

  test('a file is parsed a few lines at a time, quoted lines included', async () => {
    const exported = csv({ id: 'test.export', path: '/v1/export/csv', spec: '§4.10', input: bySlug, freshFor: 0 });
    const lines = Array.from({ length: 3_000 }, (_, number) => `${number},"line one\nline ""two"", ${'x'.repeat(number % 50)}"`);
    const { records } = exported.data.parse(`id,note\n${lines.join('\r\n')}`);
    expect(records).toEqual(lines.map((_, number) => [String(number), `line one\nline "two", ${'x'.repeat(number % 50)}`]));
    const wide = `a,"${'x,\n'.repeat(7_000)}"\n1,2`;
    expect(exported.data.parse(wide).records).toEqual([['1', '2']]);
    for (const body of [`a,b\n1,"${'x,\n'.repeat(300_000)}`, `a,${'b'.repeat(600_000)}`, 'a\n'.repeat(200_002)])
      expect(exported.data.safeParse(body).success).toBe(false);
  });
});

describe('an object of thousands of objects', () => {
  const siblings = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [`k${number}`, { spotPrice: number }]));

  test('each of its values is read at most once, and a few of the places are reported', () => {
    const from = reader(Object.fromEntries(Array.from({ length: 2_000 }, (_, number) => [`k${number}`, { spotPrice: 1 }])));
    let read = 0;
    const counting = z.unknown().transform(() => (read += 1) && 'same');
    expect(from.get('spotPrice', counting)).toBe('same');
    expect(read).toBe(2_000);
    const several = reader(siblings(2_000));
    expect(several.get('spotPrice', decimal)).toBeUndefined();
    expect(several.doubts).toEqual(Array.from({ length: 6 }, (_, number) => `k${number}.spotPrice`));
  });

  test('a depth that is too wide is not read at all, and what stands nearer is', () => {
    const from = reader({ ...siblings(4_000), navPerShare: '1' });
    expect([from.get('navPerShare', decimal), from.get('spotPrice', decimal), from.doubts]).toEqual(['1', undefined, []]);
  });

  test('what is shown of an unknown layout is looked for in a thousand fields', () => {
    const { all } = tradingStatistics.data.parse(
      Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`k${n}`, n < 1_500 ? 'word' : n])),
    );
    expect(all).toEqual([]);
  });
});

test('text has a length that its place allows', () => {
  expect(words.safeParse('a'.repeat(20_000)).success).toBe(true);
  expect(words.safeParse('a'.repeat(20_001)).success).toBe(false);
});
