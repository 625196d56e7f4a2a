/** Rules with states in their one home give the same alerts as a state of each chat for each rule, whatever chats do and whatever dies in between. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastMeasurements, newerThan, seriesOf, withUnchanged, type LastMeasurement } from '../../../src/alerts/checks/check-records.js';
import { decidingEntry, evaluateForChat } from '../../../src/alerts/evaluation/chat-rules.js';
import type { CheckedMeasurement } from '../../../src/alerts/evaluation/evaluate.js';
import { routeCrossed, routeMeasurements } from '../../../src/alerts/evaluation/route-measurements.js';
import type { RuleState } from '../../../src/alerts/evaluation/threshold.js';
import { enqueue } from '../../../src/alerts/queue/queue.js';
import { ruleName, rulesFor, sharedRules } from '../../../src/alerts/rules/presets.js';
import { withEditedFollower, withExcluded, withFollowingKind, withIncluded } from '../../../src/alerts/watchlist/exceptions.js';
import { standsSince } from '../../../src/alerts/watchlist/standing.js';
import { withoutEnded } from '../../../src/alerts/watchlist/ended-rules.js';
import { muted, returned, withEntry, withoutEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, instant, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import { address, circleOf, type Address } from '../../../src/chat/address.js';
import type { Measure } from '../../../src/domain/measures.js';
import { decimal, slug } from '../../../src/domain/scalars.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { handClock, type HandClock } from '../../support/clock.js';
import { runs } from '../../support/properties.js';
import { crashStore, StoreCrash } from '../crash-store.js';
import { ALL, entry, openAlertsHarness, TIDE } from '../harness.js';
import { measurement, rules } from '../measurements.js';

const CHATS = ['1', '2', '3', '4', '5', '6'].map((name) => address('console', name));

/** What is measured: one of the kinds that have preset rules, which are of every sort. */
interface Series {
  readonly feed: string;
  readonly measure: Measure;
  /** Added to a value of the scenario. */
  readonly zero: number;
  /** A chat's own rules; some are of presets too, and some end. */
  readonly chosen: string;
  readonly ending: string;
}
const SERIES: readonly Series[] = [
  { feed: 'premium', measure: 'premium', zero: 0, chosen: 'premium<0 premium>3 for 2h premium move 5', ending: 'premium<0 once premium>0' },
  { feed: 'treasury', measure: 'nav', zero: 30, chosen: 'treasury nav move 5', ending: 'treasury nav move 10 once' },
  { feed: 'treasury', measure: 'runway', zero: 6, chosen: 'treasury runway<6 for 1h nav move 10', ending: 'treasury runway<6 once' },
  {
    feed: 'treasury',
    measure: 'allowance',
    zero: 30,
    chosen: 'treasury nav move 10; allowance changes',
    ending: 'treasury allowance changes once',
  },
  { feed: 'proposals', measure: 'margin', zero: 0, chosen: 'proposals margin<2 flip margin move 3', ending: 'proposals flip once' },
];

/** What two worlds have in common: the clock, what was measured, and what is remembered of checks. */
interface Service {
  readonly of: Series;
  readonly clock: HandClock;
  setBack(milliseconds: number): void;
  isSetBack(): boolean;
  latest: CheckedMeasurement | undefined;
  before: readonly LastMeasurement[];
  checkedAt: Instant | undefined;
}

interface Check {
  readonly measurements: readonly CheckedMeasurement[];
  readonly before: readonly LastMeasurement[];
  readonly first: boolean;
  readonly checkedAt: Instant | undefined;
}

type Harness = Awaited<ReturnType<typeof openAlertsHarness>>;

interface Death {
  readonly until: number;
  readonly written: boolean;
}

interface World {
  harness(): Harness;
  restart(): Promise<void>;
  check(check: Check, death?: Death): Promise<void>;
}

/** Routes checks as the poller does. */
async function openWorld(clock: HandClock, of: Series): Promise<World & { shared(): number }> {
  const store = await openStore('memory://');
  const key = `${of.feed}/tide`;
  const open = async (over: Store) => openAlertsHarness({ store: over, clock });
  const recover = async (harness: Harness, checkedAt: Instant | undefined): Promise<void> =>
    routeCrossed({ ...harness, key, now: clock.now(), checkedAt });
  const route = async (harness: Harness, check: Check): Promise<void> => {
    await recover(harness, check.checkedAt);
    await routeMeasurements(check, { ...harness, key, now: clock.now() });
  };
  let life = await open(store);
  return {
    harness: () => life,
    shared: () => Object.values(life.rules.of(key).shared).flatMap((all) => Object.values(all)).length,
    restart: async () => {
      life = await open(store);
    },
    async check(check, death) {
      if (death !== undefined) {
        try {
          await route(await open(crashStore(store, death)), check);
        } catch (cause) {
          if (!(cause instanceof StoreCrash)) throw cause;
        }
        life = await open(store);
        await recover(life, check.checkedAt);
      }
      await route(life, check);
    },
  };
}

/** The same without a store of states: each chat has one for each rule and the time since which it stands. */
async function openReference(clock: HandClock): Promise<World> {
  const store = await openStore('memory://');
  let life = await openAlertsHarness({ store, clock });
  const states = new Map<Address, Map<string, RuleState>>();
  const stateKey = (series: string, name: string, stands: Instant): string => `${series}/${name}/${stands}`;
  return {
    harness: () => life,
    restart: async () => {
      life = await openAlertsHarness({ store, clock });
    },
    async check(check) {
      const { watchlists, queues } = life;
      watchlists.evaluating(clock.now());
      const here = new Set(check.measurements.flatMap(({ event }) => [...watchlists.here.to(event)]));
      for (const of of here) {
        const chat = watchlists.read(of);
        const from = [of, ...watchlists.formerly(circleOf(of))].find((one) => states.has(one)) ?? of;
        const known = new Map(check.first ? [] : states.get(from));
        states.set(of, known);
        const evaluated = evaluateForChat(
          chat,
          { ...check, now: clock.now() },
          {
            states: (series, { entry: deciding, about, thresholds }) =>
              new Map(
                thresholds.flatMap((rule) => {
                  const name = ruleName(rule);
                  const state = known.get(stateKey(series, name, standsSince(deciding, about, name)));
                  return state === undefined ? [] : [[name, state] as const];
                }),
              ),
          },
        );
        for (const one of check.measurements) {
          const [series, deciding] = [seriesOf(one), decidingEntry(one, chat, clock.now())];
          if (deciding === undefined) continue;
          for (const [name, state] of evaluated.states.get(series) ?? []) {
            const key = stateKey(series, name, standsSince(deciding, one.event, name));
            if (name.endsWith(' once') && state.alertedAt !== undefined) known.delete(key);
            else known.set(key, state);
          }
          // A check forgets the rules that an entry has no longer.
          const names = new Set(rulesFor(deciding, one.event.feed).thresholds.map(ruleName));
          for (const key of known.keys())
            if (!names.has(key.split('/')[2] ?? '') && !sharedRules(one.event.feed).has(key.split('/')[2] ?? '')) known.delete(key);
        }
        // No message is sent here, so no alert has an end to tell.
        const alerts = evaluated.members.filter(({ crossings = [] }) => crossings.every(({ furthest }) => furthest === undefined));
        await queues.change(of, (queue) => enqueue(queue, alerts, chat.left?.at));
        await watchlists.change(of, (one) => withoutEnded(one, evaluated.ended));
      }
    },
  };
}

const wave = (now: Instant, zero: number) =>
  Array.from({ length: 100 }, (_, day) => ({
    at: instant(now - (100 - day) * DAY),
    value: decimal((zero + 4 * Math.sin(day)).toFixed(6)),
  }));

const chat = fc.constantFrom(...CHATS);
const value = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -16, max: 16 }));
const death = fc.option(fc.record({ until: fc.integer({ min: 1, max: 14 }), written: fc.boolean() }), { nil: undefined });
const checks = [
  { weight: 10, arbitrary: fc.record({ does: fc.constant('check' as const), value, minutes: fc.integer({ min: 1, max: 300 }), death }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('unchanged' as const), minutes: fc.integer({ min: 1, max: 120 }), death }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('another service' as const), value, death }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('restart', 'sweep', 'next day') }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('watch', 'watch all'), chat }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('exclude', 'include', 'except choose', 'except ending', 'except off', 'except on', 'follow'),
      chat,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('unwatch', 'mute', 'choose', 'choose ending', 'usual', 'important', 'everything', 'off', 'on', 'move'),
      chat,
    }),
  },
] as const;
/** After these a state goes on from its last value as it was written, which is at most a day old. */
const lapses = [
  { weight: 1, arbitrary: fc.record({ does: fc.constant('old' as const), value }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('unknown' as const), minutes: fc.integer({ min: 1, max: 120 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('back in time' as const), minutes: fc.integer({ min: 1, max: 300 }) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('leave', 'return'), chat }) },
] as const;
const operation = fc.oneof(...checks, ...lapses);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

async function act(
  world: World,
  { does, of, now, series }: { readonly does: string; readonly of: Address; readonly now: Instant; readonly series: Series },
): Promise<void> {
  const { watchlists, reachability } = world.harness();
  const edit = async (change: Parameters<typeof watchlists.change>[1]) => void (await watchlists.change(of, change));
  const editEntries = async (change: (one: ReturnType<typeof entry>) => ReturnType<typeof entry>) =>
    edit((one) => ({ ...one, entries: one.entries.map(change) }));
  const about = { project: slug('tide'), now };
  switch (does) {
    case 'watch':
      return edit((one) => withEntry(one, entry(TIDE, now)));
    case 'watch all':
      return edit((one) => withEntry(one, entry(ALL, now)));
    case 'unwatch':
      return edit((one) => withoutEntry(one, TIDE));
    case 'exclude':
      return edit((one) => withExcluded(one, about));
    case 'include':
      return edit((one) => withIncluded(one, about));
    case 'except choose':
      return edit((one) => withEditedFollower(one, about, (held) => ({ ...held, rules: rules(series.chosen) })));
    case 'except ending':
      return edit((one) => withEditedFollower(one, about, (held) => ({ ...held, rules: rules(series.ending) })));
    case 'except off':
      return edit((one) => withEditedFollower(one, about, (held) => ({ ...held, modes: { [series.feed]: 'off' } })));
    case 'except on':
      return edit((one) => withEditedFollower(one, about, (held) => ({ ...held, modes: { [series.feed]: 'on' } })));
    case 'follow':
      return edit((one) => withFollowingKind(one, about, series.feed));
    case 'leave':
      return edit((one) => (one.left === undefined ? { ...one, left: { at: now, because: 'removed' } } : one));
    case 'return':
      return edit((one) => returned(one, now));
    case 'mute':
      return edit((one) => muted(one, { until: later(now, DAY) }));
    case 'choose':
      return editEntries((one) => ({ ...one, rules: rules(series.chosen) }));
    case 'choose ending':
      return editEntries((one) => ({ ...one, rules: rules(series.ending) }));
    case 'usual':
      return editEntries((one) => ({ ...one, rules: undefined }));
    case 'off':
      return editEntries((one) => ({ ...one, modes: { [series.feed]: 'off' } }));
    case 'on':
      return editEntries((one) => ({ ...one, modes: undefined }));
    case 'important':
    case 'everything':
      return editEntries((one) => ({ ...one, preset: does }));
    case 'move':
      if (watchlists.read(of).entries.length === 0) return;
      return reachability.take({ kind: 'moved', from: of, to: address('console', `${of.slice('console/'.length)}m`) });
    default:
      throw new Error(does);
  }
}

async function perform(operations: readonly Operation[], worlds: readonly World[], service: Service): Promise<void> {
  const { clock, of } = service;
  const name = `${of.feed}/tide`;
  const read = (value: number | undefined, at: Instant, isCharted = false): CheckedMeasurement =>
    measurement(value === undefined ? undefined : value + of.zero, at, {
      ...{ feed: of.feed, measure: of.measure },
      ...(isCharted ? { history: wave(at, of.zero) } : {}),
    });
  const check = async (
    one: CheckedMeasurement,
    how: { readonly first?: boolean; readonly death?: { until: number; written: boolean } | undefined },
  ) => {
    const { before, checkedAt } = service;
    const first = how.first === true || checkedAt === undefined;
    const known = first ? [] : before;
    const measurements = newerThan(known, [one], clock.now());
    for (const [index, world] of worlds.entries())
      await world.check({ measurements, before: known, first, checkedAt }, index === 0 ? how.death : undefined);
    const isUnchanged = one.since !== undefined;
    service.before = isUnchanged ? withUnchanged(before, { same: [name], at: one.at }) : lastMeasurements(measurements, known);
    service.latest = isUnchanged ? service.latest : (measurements[0] ?? service.latest);
    service.checkedAt = clock.now();
  };
  for (const one of operations) {
    if ('minutes' in one && one.does !== 'back in time') await clock.advance(one.minutes * MINUTE);
    const now = clock.now();
    if (one.does === 'check') await check(read(one.value, now, true), one);
    else if (one.does === 'another service') await check(read(one.value, now, true), { first: true, death: one.death });
    else if (one.does === 'old') {
      // By a clock that was set back, a watch and its check may each be the later one. Either value may then be its first.
      if (!service.isSetBack()) await check(read(one.value, later(now, -HOUR)), {});
    } else if (one.does === 'unknown') await check(read(undefined, now), {});
    else if (one.does === 'back in time') service.setBack(one.minutes * MINUTE);
    else if (one.does === 'unchanged') {
      const { latest } = service;
      if (latest === undefined || latest.at >= now) continue;
      const id = `${name}/${now}`;
      await check({ ...latest, at: now, since: latest.at, event: { ...latest.event, id, topic: id, detectedAt: now } }, one);
    } else if (one.does === 'next day') await clock.advance(25 * HOUR);
    else if (one.does === 'restart') for (const world of worlds) await world.restart();
    else if (one.does === 'sweep') for (const world of worlds) await world.harness().reachability.sweep();
    else if ('chat' in one) for (const world of worlds) await act(world, { does: one.does, of: one.chat, now, series: of });
    await clock.advance(1000);
  }
}

const waiting = (world: World) =>
  Object.fromEntries(
    world
      .harness()
      .queues.all()
      .filter((queue) => queue.waiting.length > 0)
      .map((queue) => [queue.address, queue.waiting] as const)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );

/** Without the last values before the alerts, where those may be a day old. */
const withoutLast = (of: ReturnType<typeof waiting>) =>
  Object.fromEntries(
    Object.entries(of).map(([chatAddress, members]) => [
      chatAddress,
      members.map(({ crossings = [], ...member }) => ({
        ...member,
        crossings: crossings.map((crossing) => ({ ...crossing, was: undefined })),
      })),
    ]),
  );

test.each([
  { what: 'as long as every state is current', operations: fc.oneof(...checks), seen: waiting },
  { what: 'whatever lapses', operations: operation, seen: (world: World) => withoutLast(waiting(world)) },
])('states in one home give the same alerts as states of each chat, $what', async ({ operations: of, seen }) => {
  let [lists, alerts] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SERIES), fc.array<Operation>(of, { minLength: 10, maxLength: 45 }), async (series, operations) => {
      const hand = handClock();
      let behind = 0;
      const clock: HandClock = { ...hand, now: () => later(hand.now(), -behind) };
      const setBack = (milliseconds: number) => void (behind += milliseconds);
      const [shared, own] = [await openWorld(clock, series), await openReference(clock)];
      const isSetBack = (): boolean => behind > 0;
      const service: Service = { of: series, clock, setBack, isSetBack, latest: undefined, before: [], checkedAt: undefined };
      const watched = CHATS.slice(0, 4).map((one): Operation => ({ does: 'watch', chat: one }));
      await perform([...watched, ...operations], [shared, own], service);
      for (const [who, what] of Object.entries(seen(own))) expect([who, seen(shared)[who]]).toEqual([who, what]);
      expect(seen(shared)).toEqual(seen(own));
      lists += shared.shared();
      alerts += Object.values(waiting(own)).flat().length;
    }),
    { numRuns: runs(100) },
  );
  expect(lists).toBeGreaterThan(0);
  expect(alerts).toBeGreaterThan(0);
});
