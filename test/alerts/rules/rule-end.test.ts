import { expect, test } from 'vitest';
import { isOver, lifetimeTyped, lifetimeWords, readUntil } from '../../../src/alerts/rules/rule-end.js';
import { instant, later } from '../../../src/base/clock.js';

const NOON = instant(Date.UTC(2026, 10, 20, 12));
const at = (text: string) => instant(Date.parse(text));

test.each([
  ['2026-12-01', '2026-12-02T00:00Z'],
  ['Dec 1', '2026-12-02T00:00Z'],
  ['1 December', '2026-12-02T00:00Z'],
  ['Nov 19', '2027-11-20T00:00Z'],
  ['Nov 20', '2026-11-21T00:00Z'],
  ['Dec 1, 2027', '2027-12-02T00:00Z'],
  ['7d', '2026-11-27T12:00Z'],
  ['14d', '2026-12-04T12:00Z'],
  ['2 w', '2026-12-04T12:00Z'],
  ['  Dec   1,   2027 ', '2027-12-02T00:00Z'],
  ['2026-12-01T14:05Z', '2026-12-01T14:05Z'],
  ['2028-11-19T12:00Z', '2028-11-19T12:00Z'],
])('"until %s" ends at %s', (text, end) => {
  expect(readUntil(text, NOON)).toEqual({ until: at(end) });
});

test.each(['2026-11-19', '2026-11-20T12:00Z', 'tomorrowish', 'Dec 32', '2028-11-19T12:01Z', '2031-01-01', ''])(
  '"until %s" is refused with a sentence',
  (text) => {
    expect(readUntil(text, NOON)).toEqual({ says: expect.any(String) });
  },
);

test('a date without a year is not read without the time', () => {
  expect(readUntil('Dec 1', undefined)).toEqual({ says: expect.any(String) });
  expect(readUntil('2026-12-01', undefined)).toEqual({ until: at('2026-12-02T00:00Z') });
});

test('what is typed is read as the same end', () => {
  for (const until of [at('2026-12-02T00:00Z'), at('2026-12-01T14:05Z')])
    expect(readUntil(lifetimeTyped({ until }).replace('until ', ''), NOON)).toEqual({ until });
  expect([lifetimeTyped({}), lifetimeWords({}), lifetimeTyped({ once: true })]).toEqual(['', [], 'once']);
});

test('a rule without a date never ends, and one with a date is over from that moment on', () => {
  expect([isOver({ once: true }, NOON), isOver({ until: later(NOON, 1) }, NOON)]).toEqual([false, false]);
  expect([isOver({ until: NOON }, NOON), isOver({ until: NOON }, later(NOON, 1))]).toEqual([true, true]);
});

test('both ends of a rule are named', () => {
  expect(lifetimeWords({ once: true, until: at('2026-12-02T00:00Z') })).toEqual([', once', ', until Dec 1, 2026']);
  expect(lifetimeWords({ until: at('2026-12-01T14:05Z') })).toEqual([', until ', { at: at('2026-12-01T14:05Z'), exact: true }]);
});
