import fc from 'fast-check';
import { DateTime } from 'luxon';
import { expect, test } from 'vitest';
import { attempt, count, maybe, moment, UNREADABLE, words } from '../../src/analytics/wire-values.js';
import { runs } from '../support/properties.js';

test('a title that breaks its line or turns the reading direction comes in as one visible line', () => {
  expect(words.parse(' Fund the audit\n▼ TIDE fell below NAV \u202E')).toBe('Fund the audit ▼ TIDE fell below NAV');
});

test.each(['', ' \n ', '\u200b\u202e'])('words that show nothing are none: %j', (text) => {
  expect(words.safeParse(text).success).toBe(false);
});

test('a schema that refines another one keeps its own check, whichever is read first', () => {
  const even = count.refine((value) => value % 2 === 0);
  expect(attempt(count, '3')).toBe(3);
  expect(attempt(even, '3')).toBe(UNREADABLE);
  expect(attempt(even, '4')).toBe(4);
});

const two = (from: number, to: number) => fc.integer({ min: from, max: to }).map((value) => String(value).padStart(2, '0'));
const year = fc.integer({ min: 0, max: 9_999 }).map((value) => String(value).padStart(4, '0'));
/** ISO times, with days that no month has, hours that no day has, and every ending. */
const iso = fc
  .tuple(
    year,
    two(0, 13),
    two(0, 32),
    fc.constantFrom('T', 'T', 'T', 't', ' ', ''),
    fc.tuple(two(0, 25), two(0, 61), two(0, 61)),
    fc.constantFrom('', '.5', '.123', '.123456', '.', ',25'),
    fc.constantFrom('Z', 'Z', '', 'z', '+02:00', '-0330', '+99:99'),
  )
  .map(([y, month, day, between, time, part, zone]) => `${y}-${month}-${day}${between}${time.join(':')}${part}${zone}`);
const OTHERS = [
  ...[
    '2026',
    '2026-11',
    '202611',
    '20261120',
    '2026-324',
    '2026324',
    '2026-W47',
    '2026-W47-5',
    '2026W475',
    '2026-11-20',
    '20261120T120000Z',
  ],
  ...['2026-11-20T12', '2026-11-20T12:30', '2026-11-20T24:00:00Z', '2024-02-29T00:00:00Z', '2026-02-29T00:00:00Z', '2026-04-31T00:00:00Z'],
  ...['+002026-11-20', '2026-11-20T12:30:00Z ', '2026-11-20T12:30:00ZZ', '2026-11-20T', '2026-11-20Z', '2026-1-2', 'soon', '', '-', 'T'],
];

test('a time in ISO text after 1970 is what luxon takes it for, valid or not', () => {
  const isSame = (text: string): void => {
    const at = DateTime.fromISO(text.trim().replace(' ', 'T'), { zone: 'utc' }).toMillis();
    expect([text, attempt(moment, text)]).toEqual([text, at > 0 ? at : UNREADABLE]);
  };
  fc.assert(fc.property(iso, isSame), { numRuns: runs(5_000) });
  // A number alone counts seconds.
  for (const text of OTHERS.filter((one) => !/^\d+$/u.test(one))) isSame(text);
});

test.each(['12:30', 'T12:30', '12:30:15Z', '1230Z', '12Z', '123015+02:00'])(
  'the time of day %s alone is no moment: it names no day',
  (text) => {
    expect(attempt(moment, text)).toBe(UNREADABLE);
  },
);

test.each([0, -1, '0', '-0', '0.0', 1e-9, -1_763_640_000, '-1763640000000', '1970-01-01T00:00:00Z', '1970-01-01', '0001-01-01T00:00:00Z'])(
  'the time %s is unknown: the service has none',
  (value) => {
    expect(attempt(moment, value)).toBe(UNREADABLE);
    expect(maybe(moment).parse(value)).toBeUndefined();
  },
);

test('the first second after 1970 began is a time, as seconds, milliseconds and text', () => {
  expect([1, '1', '1970-01-01T00:00:01Z'].map((value) => attempt(moment, value))).toEqual([1_000, 1_000, 1_000]);
});
