import { expect, test } from 'vitest';
import { absenceBehind, endedNow, lastAbsence, lateAfterAbsence } from '../../../src/alerts/watchlist/absence.js';
import { withoutEnded } from '../../../src/alerts/watchlist/ended-rules.js';
import { type Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { NOON } from '../../feeds/reading.js';
import { ALL, CHAT, entry, TIDE } from '../harness.js';
import { rules } from '../measurements.js';

const ABSENCE = { from: later(NOON, -DAY), to: NOON };
const chat = { absence: ABSENCE };

test('two absences with less than half an hour between them are one', () => {
  const stayed = (stay: number) => endedNow(ABSENCE, later(NOON, stay), later(NOON, DAY)).from;
  expect([stayed(0), stayed(30 * MINUTE - 1)]).toEqual([ABSENCE.from, ABSENCE.from]);
  expect([stayed(30 * MINUTE), stayed(-1), endedNow(undefined, NOON, later(NOON, DAY)).from]).toEqual([
    later(NOON, 30 * MINUTE),
    NOON - 1,
    NOON,
  ]);
});

test('an absence that ends in the future predates a clock that was set back, and is none', () => {
  expect([lastAbsence(chat, NOON), lastAbsence(chat, later(NOON, -1)), lastAbsence({}, NOON)]).toEqual([ABSENCE, undefined, undefined]);
});

test('an absence is behind a check until its subject has been checked after it', () => {
  const behind = (checkedAt: Parameters<typeof absenceBehind>[1]) => absenceBehind(chat, checkedAt, later(NOON, HOUR));
  expect([behind(later(NOON, -HOUR)), behind(NOON), behind(later(NOON, 1)), behind(undefined)]).toEqual([
    ABSENCE,
    ABSENCE,
    undefined,
    undefined,
  ]);
  expect(absenceBehind({}, NOON, NOON)).toBeUndefined();
  expect(lateAfterAbsence(chat, NOON, NOON)).toEqual({ because: 'absence', since: ABSENCE.from });
  expect(lateAfterAbsence(chat, later(NOON, 1), later(NOON, 2))).toBeUndefined();
});

test('a rule that ended is removed from its entry and its kind, and everything else stays', () => {
  const both = { ...rules('premium<-10 once premium>5'), ...rules('treasury runway<6') };
  const own: Chat = { address: CHAT, entries: [entry(TIDE, NOON, { rules: both }), entry(ALL, NOON, { rules: both }), entry(TIDE, NOON)] };
  const [rule] = both['premium']?.thresholds ?? [];
  if (rule === undefined) throw new Error('there is no rule');
  const after = withoutEnded(own, [{ entry: 'tide', kind: 'premium', rule }]);
  expect(after.entries).toEqual([
    { ...own.entries[0], rules: { ...both, premium: { filters: {}, thresholds: both['premium']?.thresholds.slice(1) } } },
    ...own.entries.slice(1),
  ]);
  for (const none of [[], [{ entry: 'tide', kind: 'treasury', rule }], [{ entry: 'heron', kind: 'premium', rule }]])
    expect(withoutEnded(own, none)).toBe(own);
  expect(withoutEnded(after, [{ entry: 'tide', kind: 'premium', rule }])).toBe(after);
});
