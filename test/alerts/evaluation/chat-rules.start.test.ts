/** Where a rule begins, which entry decides, and what is stored of it. */
import { expect, test } from 'vitest';
import { lastMeasurements } from '../../../src/alerts/checks/check-records.js';
import { decidingEntry } from '../../../src/alerts/evaluation/chat-rules.js';
import type { CheckedMeasurement, MeasuredCheck } from '../../../src/alerts/evaluation/evaluate.js';
import { targetName, type Entry } from '../../../src/alerts/watchlist/entry.js';
import type { Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE, SECOND, type Instant } from '../../../src/base/clock.js';
import { decimal } from '../../../src/domain/scalars.js';
import { NOON } from '../../feeds/reading.js';
import { ALL, CHAT, entry, TIDE } from '../harness.js';
import { evaluateKnown, newChat, statesIn, type KnownChat } from '../known-chat.js';
import { measurement, rules } from '../measurements.js';

const SINCE = later(NOON, -DAY);
const below = (since: Instant = SINCE, extra: Partial<Entry> = {}): Entry => entry(TIDE, since, { rules: rules('premium<-10'), ...extra });
const chat = (...entries: readonly Entry[]): Chat => ({ address: CHAT, entries });

/** One check of a chat; what was checked before it is in `before`. */
const checked = (queue: KnownChat, of: Chat, one: CheckedMeasurement, extra: Partial<MeasuredCheck> = {}) =>
  evaluateKnown(queue, of, { measurements: [one], before: [], first: false, now: one.at, ...extra });
const crossingsIn = ({ waiting }: KnownChat) => waiting.flatMap(({ crossings = [] }) => crossings);

test('a value that the service dates before the watch is where its rules begin, and no crossing', () => {
  const before = lastMeasurements([measurement(-5, later(NOON, -50 * SECOND))]);
  const old = measurement(-11, later(NOON, -20 * SECOND));
  const began = checked(newChat(CHAT), chat(below(NOON)), old, { before, now: later(NOON, SECOND) }).queue;
  expect(began.waiting).toEqual([]);
  const still = checked(began, chat(below(NOON)), measurement(-12, later(NOON, HOUR)), { before: lastMeasurements([old]) }).queue;
  expect(still.waiting).toEqual([]);
});

test('a value that others saw shortly before the watch is where its rules begin: the next crossing alerts', () => {
  const seen = (ago: number) => ({ before: lastMeasurements([measurement(-5, later(NOON, -ago))]) });
  const crossing = measurement(-11, later(NOON, MINUTE));
  const alerts = [30 * SECOND, HOUR].map((ago) => checked(newChat(CHAT), chat(below(NOON)), crossing, seen(ago)).queue.waiting.length);
  expect(alerts).toEqual([1, 0]);
});

test('a clock that was set back loses no crossing: the last value counts as the one just before', () => {
  const known = checked(newChat(CHAT), chat(below()), measurement(-5, NOON)).queue;
  const ahead = lastMeasurements([measurement(-6, later(NOON, DAY))]);
  const crossing = measurement(-11, later(NOON, 5 * MINUTE));
  const just = later(crossing.at, -1);
  expect(crossingsIn(checked(known, chat(below()), crossing, { before: ahead }).queue)).toMatchObject([{ was: { at: just, value: '-6' } }]);
  const future = checked(newChat(CHAT), chat(below()), measurement(-5, later(NOON, DAY))).queue;
  expect(crossingsIn(checked(future, chat(below()), crossing).queue)).toMatchObject([
    { was: { at: just, value: '-5' }, since: { at: just, value: '-5' } },
  ]);
});

test('a rule that begins after the clock was set back begins with what is measured now', () => {
  const ahead = lastMeasurements([measurement(-5, later(NOON, DAY))]);
  const { queue } = checked(newChat(CHAT), chat(below()), measurement(-11, NOON), { before: ahead });
  expect([queue.waiting, statesIn(queue).map(([, state]) => state)]).toEqual([[], [expect.objectContaining({ armed: false })]]);
});

test('a crossing of a z-score has the score and the year that it is taken from', () => {
  const year = Array.from({ length: 100 }, (_, day) => ({ at: later(NOON, (day - 100) * DAY), value: decimal(day % 2 === 0 ? -1 : 1) }));
  const own = chat(entry(TIDE, SINCE, { rules: rules('premium z>2') }));
  const { queue } = checked(newChat(CHAT), own, measurement(0, NOON, { history: year }));
  const after = checked(queue, own, measurement(5, later(NOON, HOUR), { history: year })).queue;
  expect(crossingsIn(after)).toMatchObject([{ side: 'high', zScore: expect.stringMatching(/^4\.9/u), year: expect.any(Object) }]);
});

test('only a rule that is to alert once ends with its alert', () => {
  const ended = (rule: string) => {
    const own = chat(entry(TIDE, SINCE, { rules: rules(rule) }));
    const { queue } = checked(newChat(CHAT), own, measurement(-5, NOON));
    const crossed = checked(queue, own, measurement(-11, later(NOON, HOUR)));
    return [crossed.alerts, crossed.ended.map(({ entry: name, kind }) => `${name} ${kind}`)];
  };
  expect(ended('premium<-10')).toEqual([1, []]);
  expect(ended('premium<-10 once')).toEqual([1, ['tide premium']]);
});

test('a rule that gets an end, or loses it, starts over', () => {
  const withRule = (rule: string) => chat(entry(TIDE, SINCE, { rules: rules(rule) }));
  const keys = ['premium<-10', 'premium<-10 once', 'premium<-10 until 2031-01-01'].map(
    (rule) => statesIn(checked(newChat(CHAT), withRule(rule), measurement(-5, NOON)).queue)[0]?.[0],
  );
  expect(new Set(keys).size).toBe(3);
});

test('what one series of a check begins is written, although nothing changes in another', () => {
  const all = chat(entry(ALL, SINCE, { rules: rules('premium<-10') }));
  const tide = checked(newChat(CHAT), all, measurement(-5, NOON)).queue;
  const both = [measurement(-5, later(NOON, HOUR)), measurement(-5, later(NOON, HOUR), { project: 'heron' })];
  const { queue } = evaluateKnown(tide, all, { measurements: both, before: [], first: false, now: later(NOON, HOUR) });
  expect(statesIn(queue)).toHaveLength(2);
});

test('a check forgets the states of a kind that is switched off', () => {
  const { queue } = checked(newChat(CHAT), chat(below()), measurement(-5, NOON));
  const next = (of: Entry) => checked(queue, chat(of), measurement(-5, later(NOON, HOUR))).queue;
  expect(statesIn(next(below()))).toHaveLength(1);
  expect(statesIn(next(below(SINCE, { modes: { premium: 'off' } })))).toEqual([]);
});

test('an entry that is younger than the value leaves the decision to the next, unless one of both has the kind off', () => {
  const off = { modes: { premium: 'off' as const } };
  const decides = (own: Partial<Entry>, all: Partial<Entry>, since = later(NOON, HOUR), now = later(NOON, 2 * HOUR)) => {
    const found = decidingEntry(measurement(-11, NOON), chat(entry(TIDE, since, own), entry(ALL, SINCE, all)), now);
    return found && targetName(found.target);
  };
  expect([decides({}, {}), decides(off, {}), decides({}, off)]).toEqual(['all', undefined, undefined]);
  expect(decides({}, {}, NOON)).toBe('tide');
  // A watch that begins in the future predates a clock that was set back.
  expect(decides({}, {}, later(NOON, DAY))).toBe('tide');
});
