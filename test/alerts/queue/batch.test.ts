import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  GATHER,
  LATE_AFTER,
  MAX_GATHER,
  MAX_SUMMARY_GATHER,
  MAX_IN_ONE,
  next,
  PAUSE,
  SUMMARY_GATHER,
  ageLeft,
  tooOld,
  type Next,
} from '../../../src/alerts/queue/batch.js';
import { targetName, type Entry } from '../../../src/alerts/watchlist/entry.js';
import { suppressionOf, suppressionSince } from '../../../src/alerts/queue/suppression.js';
import type { Member, Queue } from '../../../src/alerts/queue/queue.js';
import type { Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE, SECOND, type Instant } from '../../../src/base/clock.js';
import { NOON } from '../../feeds/reading.js';
import { ALL, CHAT, entry, TIDE } from '../harness.js';

const member = (id: string | number, queuedAt: Instant, extra: Partial<Member> = {}): Member => ({
  ...{ event: `supply/tide/${id}`, entry: 'tide', queuedAt },
  ...extra,
});
const LATE: Member['late'] = { because: 'service', since: later(NOON, -6 * HOUR) };
const chatWith = (extra: Partial<Chat> = {}, tide: Partial<Entry> = {}): Chat => ({
  ...{ address: CHAT, entries: [entry(TIDE, NOON, tide), entry(ALL, NOON)] },
  ...extra,
});
const from = (
  waiting: readonly Member[],
  now: Instant,
  { chat = chatWith(), alerted, running }: { chat?: Chat; alerted?: Instant; running?: Instant } = {},
): Next | undefined => {
  const receipts: Queue['receipts'] = alerted === undefined ? [] : [{ id: 'ID', members: [], end: 'sent', endedAt: alerted, attempts: 1 }];
  return next({ queue: { waiting, receipts }, chat, now, running });
};
const idsOf = (found: Next | undefined): readonly string[] => (found?.batch?.members ?? []).map(({ member: { event } }) => event.slice(12));

describe('fresh events', () => {
  test('waits three seconds after the latest of it, and twenty after the first at most', () => {
    const waiting = [member(1, NOON), member(2, later(NOON, 2 * SECOND))];
    expect(from(waiting, later(NOON, 2 * SECOND))).toMatchObject({ due: NOON + 5 * SECOND, batch: { kind: 'now' } });
    const steady = Array.from({ length: 19 }, (_, second) => member(second, later(NOON, second * SECOND)));
    expect(from(steady, later(NOON, 19 * SECOND))?.due).toBe(NOON + MAX_GATHER);
  });

  test('comes ten seconds after the last message at the earliest', () => {
    expect(from([member(1, NOON)], NOON, { alerted: later(NOON, -4 * SECOND) })?.due).toBe(NOON - 4 * SECOND + PAUSE);
    expect(from([member(1, NOON)], NOON, { alerted: later(NOON, -HOUR) })?.due).toBe(NOON + GATHER);
  });

  test('is taken a thousand at a time, and a thousand are not waited with', () => {
    const many = Array.from({ length: MAX_IN_ONE + 5 }, (_, index) => member(index, NOON));
    expect(from(many, NOON)).toMatchObject({ due: NOON, batch: { members: expect.objectContaining({ length: MAX_IN_ONE }) } });
    const late = many.map((one, index) => ({ ...one, queuedAt: later(NOON, -index) }));
    expect(from(late, NOON)?.batch?.members.map(({ member: { event } }) => event)).toEqual(
      late
        .toReversed()
        .slice(0, MAX_IN_ONE)
        .map(({ event }) => event),
    );
  });
});

describe('proposals and launches, which get a message each', () => {
  const begun = (count: number, extra: Partial<Member> = {}): readonly Member[] =>
    Array.from({ length: count }, (_, index) => member(index, NOON, { live: { topic: `supply/tide/${index}`, part: 'notice' }, ...extra }));
  const open = (waiting: readonly Member[], { chat = chatWith(), now = later(NOON, MINUTE), live = {} }: Partial<Opened> = {}) =>
    next({ queue: { waiting, receipts: [], live }, chat, now, isOpen: () => true });
  interface Opened {
    readonly chat: Chat;
    readonly now: Instant;
    readonly live: NonNullable<Queue['live']>;
  }

  test('up to five come one after another, more come as one message', () => {
    const five = open(begun(5));
    expect([five?.batch?.kind, idsOf(five)]).toEqual(['live', ['0']]);
    const six = open(begun(6));
    expect([six?.batch?.kind, idsOf(six)]).toEqual(['now', ['0', '1', '2', '3', '4', '5']]);
  });

  test('so do their next stages, which reply to their messages', () => {
    const shown = (id: number) => ({ members: [], delivery: `D${id}`, messageId: `${id}`, postedAt: NOON, shownAt: NOON });
    const live = Object.fromEntries(
      begun(6).map((_, id) => [`supply/tide/${id}`, { ...{ feed: 'supply', version: '1', step: 'live' }, ...shown(id) }]),
    );
    const one = open(begun(1), { live });
    expect([one?.batch?.kind, one?.batch?.topic]).toEqual(['now', 'supply/tide/0']);
    const six = open(begun(6), { live });
    expect([six?.batch?.topic, idsOf(six)]).toEqual([undefined, ['0', '1', '2', '3', '4', '5']]);
  });

  test('a stage that waits is followed by its correction in the same message, not preceded by it', () => {
    const shown = { members: [], delivery: 'D0', messageId: '0', postedAt: NOON, shownAt: NOON };
    const live = { 'supply/tide/0': { ...{ feed: 'supply', version: '1', step: 'live' }, ...shown } };
    const correction = member('0/restated', later(NOON, SECOND), { corrects: { event: 'supply/tide/0' } });
    const found = open([...begun(1), correction], { live });
    expect([found?.batch?.topic, idsOf(found)]).toEqual(['supply/tide/0', ['0', '0/restated']]);
  });

  test('after a mute many are in its summary, a few begin their messages', () => {
    const chat = chatWith({ mutedUntil: later(NOON, HOUR) });
    const now = later(NOON, HOUR + MINUTE);
    expect(open(begun(6), { chat, now })?.batch).toMatchObject({ kind: 'summary', members: expect.objectContaining({ length: 6 }) });
    expect(open(begun(2), { chat, now })?.batch).toMatchObject({ kind: 'live', topic: 'supply/tide/0' });
  });
});

describe('what came late', () => {
  test('waits for the rest of it: three quarters of a minute after the latest, five minutes after the first at most', () => {
    expect(from([member(1, NOON, { late: LATE })], NOON)).toMatchObject({ due: NOON + SUMMARY_GATHER, batch: { kind: 'summary' } });
    const steady = Array.from({ length: 30 }, (_, index) => member(index, later(NOON, index * 10 * SECOND), { late: LATE }));
    expect(from(steady, later(NOON, 290 * SECOND))?.due).toBe(NOON + MAX_SUMMARY_GATHER);
  });

  test('is not reported with what is fresh meanwhile', () => {
    const found = from([member(1, NOON, { late: LATE }), member(2, NOON)], later(NOON, SECOND));
    expect([found?.batch?.kind, idsOf(found)]).toEqual(['now', ['2']]);
  });

  test('is followed by its correction in the same message, not preceded by it', () => {
    const correction = member('1/vanished', later(NOON, SECOND), { corrects: { event: 'supply/tide/1' } });
    const found = from([member(1, NOON, { late: LATE }), correction], later(NOON, MINUTE));
    expect([found?.batch?.kind, idsOf(found)]).toEqual(['summary', ['1', '1/vanished']]);
    expect(idsOf(from([correction], later(NOON, MINUTE)))).toEqual(['1/vanished']);
  });

  test('because nothing could be sent for half an hour is one summary with all that waited behind it', () => {
    const now = later(NOON, HOUR);
    const found = from([member(1, NOON), member(2, later(now, -10 * MINUTE)), member(3, later(now, -5 * SECOND))], now);
    expect([found?.batch?.kind, idsOf(found)]).toEqual(['summary', ['1', '2']]);
    expect(from([member(1, later(now, 1 - LATE_AFTER))], now)?.batch?.kind).toBe('now');
  });

  test('was away since the outage began, however long ago it happened, and until it was found where a suppression kept it from there', () => {
    const awayOf = (found: Next | undefined) => found?.batch?.members.map(({ away }) => away);
    const now = later(NOON, MINUTE);
    const late: Member['late'] = { because: 'service', since: later(NOON, -35 * MINUTE) };
    expect(awayOf(from([member(1, NOON, { late })], now))).toEqual([{ from: late.since, to: now, because: late.because }]);
    const suppression = chatWith({ mutedUntil: later(NOON, 3 * DAY) });
    expect(awayOf(from([member(1, NOON, { late })], later(NOON, 3 * DAY), { chat: suppression }))).toEqual([
      { from: late.since, to: NOON, because: late.because },
    ]);
  });

  test('waits for the rest after a restart too', () => {
    const now = later(NOON, 6 * HOUR);
    expect(from([member(1, NOON)], now, { running: now })?.due).toBe(now + SUMMARY_GATHER);
    expect(from([member(1, NOON)], now, { running: NOON })?.due).toBeLessThanOrEqual(now);
  });
});

describe('what is suppressed', () => {
  test('is not free before the suppression ends, and then waits three seconds for the rest', () => {
    const end = later(NOON, HOUR);
    const chat = chatWith({ mutedUntil: end });
    expect(from([member(1, NOON)], NOON, { chat })).toEqual({ due: end + GATHER });
    const found = from([member(1, NOON), member(2, later(NOON, MINUTE))], end, { chat });
    expect(found).toMatchObject({ due: end + GATHER, batch: { kind: 'summary' } });
    expect(idsOf(found)).toEqual(['1', '2']);
  });

  test('through one entry does not hold what comes through another', () => {
    const chat = chatWith({}, { mutedUntil: later(NOON, HOUR) });
    const found = from([member(1, NOON), member(2, NOON, { entry: 'all' })], NOON, { chat });
    expect([found?.batch?.kind, found?.due, idsOf(found)]).toEqual(['now', NOON + GATHER, ['2']]);
  });

  test('is a summary where the suppression was ended early, and events after that end are fresh', () => {
    const ended = later(NOON, MINUTE);
    const chat = chatWith({ mutedUntil: ended });
    const found = from([member(1, NOON), member(2, later(ended, 1))], later(ended, GATHER), { chat });
    expect([found?.batch?.kind, idsOf(found)]).toEqual(['summary', ['1']]);
  });
});

test('samples come at once, whatever is muted, and by themselves', () => {
  const chat = chatWith({ mutedUntil: later(NOON, HOUR) });
  const found = from([member(1, NOON), member(2, NOON, { sample: true, entry: '' })], NOON, { chat });
  expect(found).toMatchObject({ due: NOON, batch: { kind: 'sample' } });
  expect(idsOf(found)).toEqual(['2']);
});

test('a clock that was set back keeps nothing back, and makes nothing late', () => {
  const ahead = later(NOON, 300 * DAY);
  expect(from([member(1, ahead)], NOON, { alerted: ahead, running: ahead })).toMatchObject({ batch: { kind: 'now' } });
  expect(from([member(1, ahead)], NOON, { alerted: ahead, running: ahead })?.due).toBeLessThanOrEqual(NOON);
  expect(from([member(1, ahead, { late: LATE })], NOON, { running: ahead })?.due).toBeLessThanOrEqual(NOON);
});

describe('how old events may be', () => {
  const hours = (count: number): number => count * HOUR;
  const free = ({
    waitedFor = 0,
    late,
    suppressedFor,
    maxAgeHours,
  }: {
    waitedFor?: number;
    late?: Member['late'];
    suppressedFor?: number;
    maxAgeHours?: number;
  }) => {
    const queuedAt = later(NOON, -waitedFor - (suppressedFor ?? 0));
    const own = entry(TIDE, NOON, maxAgeHours === undefined ? {} : { maxAgeHours });
    const chat = chatWith(suppressedFor === undefined ? {} : { mutedUntil: later(queuedAt, suppressedFor) });
    return {
      member: member(1, queuedAt, late === undefined ? {} : { late }),
      entry: own,
      since: later(queuedAt, suppressedFor ?? 0),
      suppression: suppressionSince({ about: { feed: 'supply' }, entry: own, chat }, queuedAt, NOON),
      away:
        late === undefined && waitedFor < LATE_AFTER
          ? undefined
          : { from: queuedAt, to: NOON, because: late?.because ?? ('sending' as const) },
    };
  };
  const seen = (ago: number) => ({ occurredAt: later(NOON, -ago), detectedAt: NOON });

  test('counts from when it happened, for what came late or could not be sent', () => {
    expect(tooOld(free({ late: LATE }), seen(hours(72)), NOON)).toBeUndefined();
    expect(tooOld(free({ late: LATE }), seen(hours(72) + 1), NOON)).toMatch(/older than 72 h/u);
    expect(tooOld(free({ waitedFor: hours(2), maxAgeHours: 3 }), seen(hours(4)), NOON)).toMatch(/older than 3 h/u);
  });

  test('does not count the time of the suppression', () => {
    expect(tooOld(free({ suppressedFor: hours(300), maxAgeHours: 1 }), seen(hours(301)), NOON)).toBeUndefined();
    expect(tooOld(free({ suppressedFor: hours(300), waitedFor: hours(2), maxAgeHours: 1 }), seen(hours(302)), NOON)).toMatch(
      /older than 1 h/u,
    );
    expect(tooOld(free({ suppressedFor: hours(3), late: LATE, maxAgeHours: 1 }), seen(hours(5)), NOON)).toMatch(/older than 1 h/u);
  });

  test('counts the time before a suppression as well as the time after it', () => {
    const [evening, morning] = [later(NOON, hours(10)), later(NOON, hours(19))];
    const chat = chatWith({ quiet: { from: '22:00', to: '07:00' } });
    const oneQueued = (queuedAt: Instant) => {
      const [first] = from([member(1, queuedAt)], morning, { chat })?.batch?.members ?? [];
      return first && { ...first, entry: entry(TIDE, NOON, { maxAgeHours: 6 }) };
    };
    const [soon, long] = [oneQueued(later(evening, -2 * SECOND)), oneQueued(later(evening, -hours(7)))];
    if (soon === undefined || long === undefined) throw new Error('nothing is due');
    expect(tooOld(soon, { detectedAt: soon.member.queuedAt }, morning)).toBeUndefined();
    expect(tooOld(long, { detectedAt: long.member.queuedAt }, morning)).toMatch(/older than 6 h/u);
  });

  test('is no question for what is fresh, however late the service dates it', () => {
    expect(tooOld(free({}), seen(hours(500)), NOON)).toBeUndefined();
  });

  test('leaves a message the rest of it: of news since it waits, else since it happened', () => {
    const fresh = free({ waitedFor: LATE_AFTER - SECOND, maxAgeHours: 1 });
    expect(ageLeft(fresh, seen(hours(500)), NOON)).toBe(hours(1) - LATE_AFTER + SECOND);
    expect(ageLeft(free({ late: LATE, maxAgeHours: 3 }), seen(hours(2)), NOON)).toBe(hours(1));
    expect(ageLeft(free({ suppressedFor: hours(300), maxAgeHours: 1 }), seen(hours(301)), NOON)).toBe(hours(1));
  });
});

test('whatever waits and is muted, something is due at last, and everything is reported once when its time has come', () => {
  const moment = fc.integer({ min: -2 * HOUR, max: 2 * HOUR }).map((away) => later(NOON, away));
  const someone = fc.record({
    queuedAt: moment,
    entry: fc.constantFrom('tide', 'all'),
    late: fc.constantFrom(undefined, LATE),
    sample: fc.constantFrom(undefined, undefined, true),
  });
  const mutes = fc.record({ mutedUntil: fc.option(moment, { nil: undefined }), mutedKinds: fc.constant({ supply: later(NOON, HOUR) }) });
  const quiet = fc.constantFrom(undefined, { from: '12:30', to: '13:00' }, { from: '13:00', to: '12:30' });
  fc.assert(
    fc.property(fc.array(someone, { minLength: 1, maxLength: 12 }), mutes, quiet, (some, of, hours) => {
      const chat: Chat = { ...chatWith(of), quiet: hours };
      let waiting = some.map(({ late, sample, ...one }, index) => ({
        ...member(index, one.queuedAt, { entry: one.entry }),
        ...(late === undefined ? {} : { late }),
        ...(sample === undefined ? {} : { sample }),
      }));
      const alerted: string[] = [];
      let now = NOON;
      for (let turns = 0; waiting.length > 0; turns += 1) {
        expect(turns).toBeLessThan(60);
        const found = from(waiting, now, { chat });
        expect(found).toBeDefined();
        if (found === undefined) return;
        if (found.due > now) {
          now = found.due;
          continue;
        }
        const { batch } = found;
        expect(batch).toBeDefined();
        for (const one of batch?.members ?? []) {
          alerted.push(one.member.event);
          expect(one.member.sample === true || suppressionOf({ feed: 'supply' }, one.entry, chat, now) === undefined).toBe(true);
          expect(one.entry && targetName(one.entry.target)).toBe(one.member.entry);
        }
        waiting = waiting.filter(({ event }) => !alerted.includes(event));
      }
      expect(alerted).toHaveLength(some.length);
    }),
  );
});
