import { expect, test } from 'vitest';
import fc from 'fast-check';
import type { LadderTranche } from '../../src/analytics/tranche-ladder.js';
import { DAY, HOUR, instant, later, type Instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { vesting, type Ladder } from '../../src/feeds/vesting.js';
import type { Snapshot } from '../../src/feeds/feed.js';
import { connect, serve } from '../support/service.js';
import { alertLines, background, found, idsOf, snapshotOf, NOON, TIDE, alerted } from './reading.js';

const spec = vesting.spec;
const CLIFF = instant(NOON + DAY);
const cliff = (passed: boolean | undefined, at: Instant | undefined = CLIFF) => ({ at, passed, daysRemaining: undefined });

/** A tranche whose price has to rise by so many percent. */
const rung = (order: number, distance?: number, extra: Partial<LadderTranche> = {}): LadderTranche => ({
  order,
  tokens: decimal('2000000'),
  multiplier: decimal('2'),
  threshold: decimal('0.8'),
  icoPrice: decimal('0.4'),
  cliff: cliff(false),
  state: 'locked',
  unlocked: extra.state === 'unlocked',
  reached: distance === undefined ? undefined : distance <= 0,
  distance: distance === undefined ? undefined : decimal(distance),
  ...extra,
});
const at = (rungs: readonly LadderTranche[], now: Instant = NOON): Snapshot<Ladder> =>
  snapshotOf({ rungs, twap: decimal('0.75'), at: now }, { at: now });
const far = rung(0, 50);

test('the first check returns no events, whatever the data', () => {
  const checkRecords = [at([rung(0, -5, { state: 'unlocked', cliff: cliff(true) }), rung(1, 3)]), at([])];
  expect(idsOf(spec, checkRecords)).toEqual([[], []]);
});

test('a tranche that is met later, or whose state was unknown, has not changed', () => {
  const checkRecords = [
    at([far]),
    at([far, rung(1, 2, { state: 'unlocked' })]),
    at([rung(2, 80, { state: undefined })]),
    at([rung(2, 80)]),
  ];
  expect(idsOf(spec, checkRecords).flat()).toEqual([]);
});

test('each state of a tranche is reported once, and one that comes back is no event', () => {
  const [locked, pending] = [rung(0, 50), rung(0, 50, { state: 'cliff-twap-pending' })];
  expect(idsOf(spec, [at([locked]), at([pending]), at([locked]), at([pending]), at([])])).toEqual([
    [],
    ['vesting/tide/0/cliff-twap-pending'],
    [],
    [],
    [],
  ]);
});

test('a cliff that all tranches share is reported once, by what the service says or, where it says nothing, by the date', () => {
  const both = (passed: boolean | undefined) => [rung(0, 50, { cliff: cliff(passed) }), rung(1, 80, { cliff: cliff(passed) })];
  const alerted = [`vesting/tide/cliff/${CLIFF}`];
  expect(idsOf(spec, [at(both(false)), at(both(true)), at(both(false)), at(both(true))])).toEqual([[], alerted, [], []]);
  const after = later(CLIFF, HOUR);
  expect(idsOf(spec, [at(both(undefined)), at(both(undefined), after), at(both(undefined), after)])).toEqual([[], alerted, []]);
});

test('a cliff whose time moves is the same date, so a calendar moves its event', () => {
  const datesAt = (time: Instant) => {
    const rungs = [
      rung(0, 50, { state: 'unlocked', cliff: cliff(true) }),
      ...[2, 1].map((order) => rung(order, 50, { cliff: cliff(false, time) })),
    ];
    return (spec.dates?.(TIDE, at(rungs), idle) ?? []).map(({ topic, at: date }) => [topic, date]);
  };
  const idle = { tranches: {}, cliffs: [] };
  expect(datesAt(CLIFF)).toEqual([['vesting/tide/cliff/1', CLIFF]]);
  expect(datesAt(later(CLIFF, DAY))).toEqual([['vesting/tide/cliff/1', later(CLIFF, DAY)]]);
});

test('a cliff that one tranche has behind it at the first check is not reported when another one says so later', () => {
  const passed = (...of: readonly boolean[]) => at(of.map((one, order) => rung(order, 50, { cliff: cliff(one) })));
  expect(idsOf(spec, [passed(true, false), passed(true, true)])).toEqual([[], []]);
  // A tranche that appears later, behind the same cliff, takes nothing from the others.
  expect(idsOf(spec, [passed(false), passed(false, true), passed(true, true)])).toEqual([[], [], [`vesting/tide/cliff/${CLIFF}`]]);
});

test('a cliff is dated by the service once that date is past, and not while it is ahead', () => {
  const [before, after] = [at([rung(0, 50)]), [rung(0, 50, { cliff: cliff(true) })]];
  const dateAt = (now: Instant) => found(spec, [before, at(after, now)])[1]?.map(({ occurredAt }) => occurredAt);
  expect([dateAt(later(CLIFF, -HOUR)), dateAt(CLIFF), dateAt(later(CLIFF, HOUR))]).toEqual([[undefined], [CLIFF], [CLIFF]]);
});

test('a cliff without a date is reported once', () => {
  const one = (passed: boolean) => at([rung(0, 50, { cliff: { at: undefined, passed, daysRemaining: undefined } })]);
  const [, events] = found(spec, [one(false), one(true), one(false), one(true)]);
  expect(events).toMatchObject([{ id: 'vesting/tide/cliff/undated', stage: 'cliff', facts: {} }]);
  expect(idsOf(spec, [one(false), one(true), one(false), one(true)]).flat()).toHaveLength(1);
  const none = (passed: boolean) => at([rung(0, 50, { cliff: passed ? cliff(true) : undefined })]);
  expect(idsOf(spec, [none(false), none(true)]).flat()).toEqual([]);
});

test('a cliff that is put off passes another time', () => {
  const one = (passed: boolean, date = CLIFF) => at([rung(0, 50, { cliff: cliff(passed, date) })]);
  const next = later(CLIFF, DAY);
  expect(idsOf(spec, [one(false), one(true), one(false, next), one(true, next)]).flat()).toEqual([
    `vesting/tide/cliff/${CLIFF}`,
    `vesting/tide/cliff/${next}`,
  ]);
});

test('a price that flaps forty times around "near" is reported once, and again only after it was clearly away', () => {
  const flaps = Array.from({ length: 40 }, (_, index) => at([rung(0, index % 2 === 0 ? 9.9 : 14.9)]));
  const checkRecords = [at([far]), ...flaps, at([rung(0, 15.1)]), at([rung(0, 10)]), at([rung(0, -3)])];
  expect(idsOf(spec, checkRecords).flat()).toEqual(['vesting/tide/0/near/1', 'vesting/tide/0/near/2']);
});

test('"near" is at most 10% away, and clearly away is above 15%', () => {
  const after = (first: number, ...distances: readonly number[]) =>
    idsOf(spec, [at([rung(0, first)]), ...distances.map((distance) => at([rung(0, distance)]))]).flat();
  expect(after(50, 10)).toHaveLength(1);
  expect(after(50, 10.1)).toEqual([]);
  expect(after(5, 15, 5)).toEqual([]);
  expect(after(5, 15.1, 5)).toHaveLength(1);
});

test('a tranche that unlocked and is locked again was near all the while', () => {
  const unlocked = rung(0, undefined, { state: 'unlocked' });
  expect(idsOf(spec, [at([far]), at([unlocked]), at([rung(0, 5)])]).flat()).toEqual(['vesting/tide/0/unlocked']);
});

test('a price that passes its threshold between two checks came near too', () => {
  expect(idsOf(spec, [at([far]), at([rung(0, -20)])]).flat()).toEqual(['vesting/tide/0/near/1']);
});

test('a price that is unknown for a while changes nothing', () => {
  expect(idsOf(spec, [at([far]), at([rung(0)]), at([rung(0, 5)]), at([rung(0)]), at([rung(0, 5)])]).flat()).toEqual([
    'vesting/tide/0/near/1',
  ]);
  expect(idsOf(spec, [at([rung(0)]), at([rung(0, 5)])]).flat()).toEqual([]);
});

const moment = fc.record({
  distance: fc.option(fc.integer({ min: -20, max: 40 }), { nil: undefined }),
  state: fc.constantFrom('locked', 'cliff-twap-pending', 'unlocked', 'paused', undefined),
  passed: fc.constantFrom(true, false, undefined),
});
type Moment = typeof moment extends fc.Arbitrary<infer T> ? T : never;
const DATED_APART = (order: number) => later(CLIFF, order * DAY);
const rungAt = (order: number, { distance, state, passed }: Moment) =>
  rung(order, distance, { state, unlocked: state === 'unlocked', cliff: cliff(passed, DATED_APART(order)) });
const histories = fc.array(fc.array(moment, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 });

/** What one tranche brings when it is checked alone, moment after moment. */
const alone = (order: number, history: readonly Moment[]) =>
  idsOf(spec, [at([]), ...history.map((one) => at([rungAt(order, one)]))]).flat();
const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b));

test('whatever the order of rows, the split into checks and the repetition, the same is reported, each once', () => {
  fc.assert(
    fc.property(histories, fc.array(fc.nat(3), { maxLength: 60 }), fc.infiniteStream(fc.boolean()), (all, turns, coin) => {
      const next = all.map(() => 0);
      const checkRecords: Snapshot<Ladder>[] = [at([])];
      // Each turn shows the next moment of one tranche, together with what others showed last, before or after it.
      const step = (order: number) => {
        const history = all[order];
        const index = next[order];
        if (history === undefined || index === undefined || index >= history.length) return;
        next[order] = index + 1;
        const others = all.flatMap((moments, other) => {
          const last = moments[(next[other] ?? 0) - 1];
          return other === order || last === undefined || coin.next().value === true ? [] : [rungAt(other, last)];
        });
        const shown = [...others, rungAt(order, history[index]!)];
        const check = at(coin.next().value === true ? shown : shown.toReversed());
        checkRecords.push(check, ...(coin.next().value === true ? [check] : []));
      };
      for (const turn of turns) step(turn);
      for (const order of all.keys()) for (let left = 0; left < 8; left += 1) step(order);
      const ids = idsOf(spec, checkRecords).flat();
      expect(sorted(ids)).toEqual(sorted(all.flatMap((history, order) => alone(order, history))));
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test('a service that says two things of one tranche is read the same in any order', () => {
  fc.assert(
    fc.property(
      fc.array(moment, { maxLength: 6 }).chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        const { watermark } = spec.diff(TIDE, undefined, at([far]));
        const read = (rows: readonly Moment[]) => spec.diff(TIDE, watermark, at(rows.map((one) => rungAt(0, one))));
        expect(read(shuffled)).toEqual(read(all));
      },
    ),
  );
});

const changeTo = (now: LadderTranche) => {
  const [, [event] = []] = found(spec, [at([far]), at([now], later(CLIFF, HOUR))]);
  return {
    facts: event?.facts,
    data: alerted(vesting, event!, later(CLIFF, HOUR)),
    headline: alertLines(vesting, event!, later(CLIFF, HOUR))[0],
  };
};

test('an unlock, a price that comes near and a cliff are reported with what they mean', () => {
  const unlock = changeTo(rung(0, -1, { state: 'unlocked', cliff: cliff(false) }));
  expect(unlock.facts).toMatchObject({ was: 'locked', state: 'unlocked' });
  expect(unlock.data).toBe(['● | 1', '$0.8000 | $0.7500 | 2,000,000 TIDE', '/vesting tide'].join('\n'));
  expect(unlock.headline).toMatch(/^Tidewater\b.*\bnow unlocked \(was locked\)/u);
  const near = changeTo(rung(0, 6.7));
  expect(near.data).toBe(['⚠ | 1 | 6.7%', '$0.8000 | $0.7500 | 2,000,000 TIDE', '/vesting tide'].join('\n'));
  expect(near.headline).toMatch(/\bunlock price\b/u);
  const passed = changeTo(rung(0, 50, { cliff: cliff(true) }));
  expect(passed.data).toMatch(/^⚠\n12:00 UTC/);
  expect(passed.headline).toMatch(/\bpassed\b.*\bcliff\b/u);
  expect(changeTo(rung(0, 50, { state: 'paused' })).headline).toMatch(/\bnow "paused" \(was locked\)/u);
});

test('a cliff within a week and a price that is near are under way; one that is far off, or behind, is not', () => {
  const priorityWindows = (...rungs: readonly LadderTranche[]) => spec.priorityWindows?.({ rungs, twap: undefined, at: NOON });
  expect(priorityWindows(far, rung(1, 80))).toEqual([{ kind: 'vesting', endsAt: CLIFF }]);
  const distant = { cliff: cliff(false, later(NOON, 30 * DAY)) };
  const week = later(NOON, 7 * DAY);
  expect(priorityWindows(rung(0, 50, { cliff: cliff(false, week) }), rung(1, 50, { cliff: cliff(false, later(week, 1)) }))).toEqual([
    { kind: 'vesting', endsAt: week },
  ]);
  // Behind already by what the service says, without a date, without a cliff, and of a tranche that is unlocked.
  expect(priorityWindows(rung(0, 50, { cliff: cliff(true) }), rung(1, 50, { cliff: cliff(undefined, later(NOON, -DAY)) }))).toEqual([]);
  expect(
    priorityWindows(
      rung(0, 50, { cliff: { at: undefined, passed: false, daysRemaining: 3 } }),
      rung(1, 50, { cliff: undefined }),
      rung(2, 50, { state: 'unlocked', cliff: cliff(false) }),
    ),
  ).toEqual([]);
  expect(priorityWindows(rung(0, -4, { cliff: cliff(true) }))).toEqual([]);
  expect(priorityWindows(rung(0, 50, distant))).toEqual([]);
  expect(priorityWindows(rung(0, 4, distant))).toEqual([{ kind: 'vesting' }]);
  expect(priorityWindows(rung(0, -4, { state: 'unlocked', cliff: cliff(true) }))).toEqual([]);
});

const ladderRow = (extra: Record<string, unknown> = {}) => ({
  order: 0,
  tokens: 10,
  multiplier: 2,
  priceThreshold: '0.8',
  icoPrice: '0.4',
  cliff: { timestamp: 1_900_000_000, passed: false, daysRemaining: 9 },
  state: 'locked',
  ...extra,
});

test('through the real client: the package is asked for a cliff that no tranche states, and a price that cannot be had costs only "near"', async () => {
  let rows = [ladderRow({ cliff: undefined })];
  let passed = false;
  let isScheduleDown = false;
  const service = await serve(({ path, response }) => {
    const answer = (data: unknown) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    if (path.endsWith('tranche-ladder')) answer(rows);
    else if (path.endsWith('performance-package')) answer({ tokenSymbol: 'TIDE', cliff: { timestamp: 1_700_000_000, passed } });
    else if (isScheduleDown) response.writeHead(403).end('{}');
    else answer({ scheduleData: [{ date: '2020-01-01', twap: 0.78, cumulativeUnlocked: '0' }] });
  });
  const { analytics } = await connect(service.url);
  const first = await vesting.check(TIDE, undefined, background(analytics));
  expect(first).toMatchObject({
    events: [],
    complete: true,
    priorityWindows: [{ kind: 'vesting', endsAt: 1_700_000_000_000 }, { kind: 'vesting' }],
  });
  passed = true;
  isScheduleDown = true;
  rows = [ladderRow({ cliff: undefined, state: 'cliff-twap-pending' })];
  const second = await vesting.check(TIDE, first.watermark, background(analytics));
  expect(second.events.map(({ stage }) => stage)).toEqual(['cliff', 'state']);
  rows = [ladderRow({ state: 'unlocked' })];
  const asked = service.asked.length;
  const third = await vesting.check(TIDE, second.watermark, background(analytics));
  expect(third.events.map(({ id }) => id)).toEqual(['vesting/tide/0/unlocked']);
  expect(service.asked.slice(asked).map(({ path }) => path)).toEqual([expect.stringMatching(/tranche-ladder$/)]);
});
