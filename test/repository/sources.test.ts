import { expect, test } from 'vitest';
import { commandFiles, files, read, sources } from './repository.js';

/** A file over 400 lines, and why it may be. */
const EXCUSED: Readonly<Record<string, string>> = {};

/** Test folders that mirror no module: suites for several members, stories of the whole bot, the repository itself, and what they lean on. */
const ACROSS = /^test\/(contracts|journeys|simulation|fuzz|torture|transcripts|repository|stand-ins|support|fixtures|bench|long-run)\//;

/** Tests about a whole table rather than one file, and what they walk over. */
const TOGETHER: Readonly<Record<string, string>> = {
  'test/analytics/rows.test.ts': 'every row of every endpoint file',
  'test/analytics/traps.test.ts': 'the traps of the interface, whichever row they stand in',
  'test/analytics/table.test.ts': 'the table as a whole against the list of operations',
  'test/analytics/every-row.test.ts': 'every row against the simulated service',
  'test/analytics/tolerance.test.ts': 'every row against answers in disorder',
  'test/analytics/wallets.test.ts': 'the traps of every operation about wallets',
  'test/simulator/wallets.test.ts': 'the operations about wallets as the simulated service answers them',
  'test/sources/every-figure.test.ts': 'the figures of every view of every command',
  'test/simulator/lifecycle.test.ts': 'how the embedded service starts, stops and starts again',
};

const lineCount = (file: string): number => read(file).trimEnd().split('\n').length;

test('no file is longer than 400 lines without an excuse', () => {
  const long = sources('src', 'commands', 'test').filter((file) => lineCount(file) > 400);
  expect(long.filter((file) => !(file in EXCUSED)).map((file) => `${file}: ${lineCount(file)} lines`)).toEqual([]);
  expect(Object.keys(EXCUSED).filter((file) => !long.includes(file))).toEqual([]);
});

test('every source file begins by saying what it is for', () => {
  const silent = sources('src', 'commands').filter((file) => !/^(?:#!.+\n)?(?:\/\*\*?\s*\S|\/\/ \S)/.test(read(file)));
  expect(silent).toEqual([]);
});

test('every command begins with the line a person types', () => {
  expect([...commandFiles].filter(([name, file]) => !read(file).startsWith(`/** /${name}`))).toEqual([]);
});

test('a test is at the path of the file it tests', () => {
  const lost = files
    .filter((file) => file.endsWith('.test.ts') && !ACROSS.test(file) && !(file in TOGETHER))
    // `gate.pace.test.ts` is about one side of `gate.ts`; `world.test.ts` may be about the folder `world`.
    .filter((file) => {
      const [, place = '', name = ''] = /^test\/(.*?)([^/.]+)(?:\.[^/]+)?\.test\.ts$/.exec(file) ?? [];
      const mirrored = place.startsWith('commands/') || place.startsWith('support/') ? `${place}${name}` : `src/${place}${name}`;
      return !files.some((other) => other === `${mirrored}.ts` || other.startsWith(`${mirrored}/`));
    });
  expect(lost).toEqual([]);
});

test('a test that is left out says why', () => {
  const silent = sources('test')
    .filter((file) => !file.startsWith('test/repository/'))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index, all) => (isUnexplained(line, all[index - 1]) ? [`${file}:${index + 1}`] : [])),
    );
  expect(silent).toEqual([]);
});

test('a test that is left out without a word is noticed', () => {
  expect(isUnexplained("test.skip('one', () => {});", '')).toBe(true);
  expect(isUnexplained("test.skip('one', () => {});", '// The service has no such row yet.')).toBe(false);
  expect(isUnexplained('skip(missing, REMEDY);', '')).toBe(false);
});

/** `test.skip`, `it.todo` and the like need a comment above; a condition (`runIf`) and the `skip` of a running test carry their reason. */
function isUnexplained(line: string, above = ''): boolean {
  return /\b(test|it|describe)\.(skip|todo|fails|only)\b/.test(line) && !/^\s*(\/\/|\*|\/\*\*) ?\S/.test(above);
}
