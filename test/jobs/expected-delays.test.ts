/** How long changes take until they are detected, and what is shown of lists. */
import { expect, test } from 'vitest';
import type { CheckRecord } from '../../src/alerts/checks/check-records.js';
import { DAY, HOUR, instant, type Instant } from '../../src/base/clock.js';
import { slug } from '../../src/domain/scalars.js';
import { walletAddressSchema } from '../../src/domain/wallet.js';
import { FEEDS } from '../../src/feeds/index.js';
import { createObservation, delaysOfPlan, expectedDelays, type ObservationContext } from '../../src/jobs/expected-delays.js';
import { taskKey, type Task } from '../../src/jobs/wanted-checks.js';
import type { SweepFacts } from '../../src/sweeps/sweeps.js';
import { projectsList } from './planning.js';
import { project } from './fake-service.js';

const NOON = instant(Date.UTC(2026, 10, 20, 12));
const taskOf = (id: string, subject: Task['subject']): Task => {
  const feed = FEEDS.find((one) => one.id === id);
  if (feed === undefined) throw new Error(`there is no feed ${id}`);
  return { feed, subject };
};
const [tide, heron] = [project('tide'), project('heron')];
const noRecords = { read: () => undefined };

interface Planned {
  readonly intervals: Readonly<Record<string, number>>;
  readonly trust?: SweepFacts['trust'];
  readonly isRead?: boolean;
  readonly record?: (feed: string, subject: string) => CheckRecord | undefined;
}
const delays = (tasks: readonly Task[], { intervals, trust = () => 0.9, isRead = true, record = () => undefined }: Planned) =>
  expectedDelays(tasks, {
    cadence: { intervals: new Map(Object.entries(intervals)) },
    sweeps: [projectsList(trust)],
    isRead: () => isRead,
    checkRecords: { read: record },
  }).map(({ kind, within, isListed }) => [kind, within / HOUR, isListed]);

const INTERVALS = {
  'sweep/projects': 14 * HOUR,
  'supply/tide': 6 * DAY,
  'supply/heron': 5 * DAY,
  'growth/tide': 12 * DAY,
  'launches/all': 9 * HOUR,
};
const WATCHED = [taskOf('supply', tide), taskOf('supply', heron), taskOf('growth', tide), taskOf('launches', 'all')];

test('a kind that a believed list shows is detected by its sweep, others by their own checks', () => {
  expect(delays(WATCHED, { intervals: INTERVALS })).toEqual([
    ['supply', 14, true],
    ['growth', 12 * 24, false],
    ['launches', 9, false],
  ]);
});

test('one project that the list leaves out is what the kind is expected to take', () => {
  const trust: SweepFacts['trust'] = ({ subject }) => (subject === heron ? 0 : 0.9);
  expect(delays(WATCHED, { intervals: INTERVALS, trust })[0]).toEqual(['supply', 5 * 24, false]);
});

test('where the list shows most of several projects, what these take is stated beside the longest', () => {
  const alder = project('alder');
  const three = [taskOf('supply', tide), taskOf('supply', heron), taskOf('supply', alder)];
  const intervals = new Map(Object.entries({ ...INTERVALS, 'supply/alder': 7 * DAY }));
  const mostlyWithout = (...left: readonly unknown[]) =>
    expectedDelays(three, {
      cadence: { intervals },
      sweeps: [projectsList(({ subject }) => (left.includes(subject) ? 0 : 0.9))],
      isRead: () => true,
      checkRecords: { read: () => undefined },
    }).map(({ within, mostly }) => [within / HOUR, mostly === undefined ? undefined : mostly / HOUR]);
  expect(mostlyWithout()).toEqual([[14, undefined]]);
  expect(mostlyWithout(alder)).toEqual([[7 * 24, 14]]);
  expect(mostlyWithout(alder, heron)).toEqual([[7 * 24, undefined]]);
});

test('a list that is wrong more often than right shows nothing, and one that was not read yet is expected to', () => {
  expect(delays(WATCHED, { intervals: INTERVALS, trust: () => 0.4 })[0]).toEqual(['supply', 6 * 24, false]);
  expect(delays(WATCHED, { intervals: INTERVALS, trust: () => 0, isRead: false })[0]).toEqual(['supply', 14, true]);
});

test('a wallet changes with its refresh, and what the service does not have is not expected', () => {
  const address = walletAddressSchema.parse('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd');
  const wallet: Task = { ...taskOf('wallet', tide), subject: { address } };
  const intervals = { [taskKey(wallet)]: HOUR, [`refresh/${address}`]: 30 * HOUR };
  expect(delays([wallet], { intervals })).toEqual([['wallet', 30, false]]);
  const absent = { failures: 1, problem: 'unknown' } as CheckRecord;
  expect(delays([WATCHED[2] ?? wallet], { intervals: INTERVALS, record: () => absent })).toEqual([]);
});

test('a larger plan and fewer projects are detected sooner, in every kind', () => {
  const of = (limit: number, projects: number) =>
    delaysOfPlan({ feeds: FEEDS, limit, now: NOON, projects: Array.from({ length: projects }, (_, index) => slug(`p${index}`)) });
  const within = (limit: number, projects: number) => of(limit, projects).map((one) => one.within);
  const [small, large, few] = [within(500, 31), within(5_000, 31), within(500, 12)];
  expect(small.length).toBe(FEEDS.filter(({ scope }) => scope !== 'wallet' && scope !== 'screen').length);
  expect(large.every((one, index) => one < (small[index] ?? 0))).toBe(true);
  expect(few.every((one, index) => one < (small[index] ?? 0))).toBe(true);
  expect(of(500, 31).flatMap(({ kind, isListed }) => (isListed ? [kind] : []))).toEqual(
    FEEDS.flatMap(({ id, list }) => (list === undefined ? [] : [id])),
  );
});

test('a flip is seen in the list of live markets where that has margins, else by checks of the project', () => {
  const flipsOf = (hasMargins: boolean | undefined, trust = 0.9) =>
    expectedDelays([taskOf('proposals', tide), taskOf('supply', tide)], {
      cadence: { intervals: new Map(Object.entries({ 'sweep/markets': 3 * HOUR, 'proposals/tide': 2 * DAY, 'supply/tide': DAY })) },
      sweeps: [{ list: 'markets', trust: () => trust }],
      isRead: () => true,
      hasMargins: () => hasMargins,
      ...{ checkRecords: noRecords },
    }).map(({ kind, flips }) => [kind, flips]);
  expect(flipsOf(undefined)).toEqual([
    ['proposals', { within: 3 * HOUR, by: 'list' }],
    ['supply', undefined],
  ]);
  expect(flipsOf(true)[0]).toEqual(['proposals', { within: 3 * HOUR, by: 'list' }]);
  expect(flipsOf(false)[0]).toEqual(['proposals', { within: 2 * DAY, by: 'checks, as the list has no margins' }]);
  expect(flipsOf(true, 0)[0]).toEqual(['proposals', { within: 2 * DAY, by: 'checks' }]);
});

test('of each kind it is stated what its alerts are for', () => {
  const useful = Object.fromEntries(
    delaysOfPlan({ feeds: FEEDS, limit: 500, now: NOON, projects: [slug('tide')] }).map((one) => [one.kind, one.useful / DAY]),
  );
  expect(useful).toEqual({ growth: 14, launches: 1, movements: 14, premium: 2, proposals: 1, supply: 2, treasury: 2, vesting: 14 });
});

const observed = (state: ObservationContext['sweeps']['state'], { limited = true, at = NOON }: { limited?: boolean; at?: Instant } = {}) =>
  createObservation({
    tasks: () => WATCHED,
    cadence: () => ({ intervals: new Map(Object.entries(INTERVALS)), limited }),
    sweeps: {
      facts: () => [projectsList(({ subject }) => (subject === tide ? 0.9 : 0))],
      sweptAt: () => at,
      hasMargins: () => undefined,
      state,
    },
    checkRecords: noRecords,
  });
const standing: ObservationContext['sweeps']['state'] = ({ subject, feed }) =>
  feed.list === undefined ? undefined : { list: feed.list, at: NOON, state: subject === tide ? 'shown' : 'wrong' };

test('of a list it is shown when it was read, how far it is believed and whom it does not cover', () => {
  expect(observed(standing).lists()).toEqual([
    { list: 'projects', at: NOON, every: 14 * HOUR, isFailing: false, trust: [0.9, 0.9], uncovered: ['heron'] },
  ]);
  const failing = observed(({ feed }) => (feed.list === undefined ? undefined : { list: feed.list, at: NOON, state: 'failing' }));
  expect(failing.lists()).toMatchObject([{ list: 'projects', isFailing: true, trust: undefined, uncovered: [] }]);
});

test('of a check it is shown which way it is observed, and only what is watched has one', () => {
  const { check } = observed(standing);
  expect(check('supply', 'tide')).toEqual({ every: 6 * DAY, list: { name: 'projects', at: NOON, state: 'shown' } });
  expect(check('supply', 'heron')).toEqual({ every: 5 * DAY, list: { name: 'projects', at: NOON, state: 'wrong' } });
  expect(check('growth', 'tide')).toEqual({ every: 12 * DAY, list: undefined });
  expect(check('supply', 'orca')).toBeUndefined();
});

test('delays are those of what an entry watches, and none are stated without a monthly limit', () => {
  const { delays: of } = observed(standing);
  const within = (...args: Parameters<typeof of>) => of(...args)?.map(({ kind, within: time }) => [kind, time / HOUR]);
  expect(within([{ kind: 'project', slug: slug('tide') }])).toEqual([
    ['supply', 14],
    ['growth', 12 * 24],
    ['launches', 9],
  ]);
  expect(within([{ kind: 'project', slug: slug('heron') }])).toEqual([
    ['supply', 5 * 24],
    ['launches', 9],
  ]);
  expect(within([{ kind: 'launches' }])).toEqual([['launches', 9]]);
  expect(within()).toHaveLength(3);
  expect(observed(standing, { limited: false }).delays()).toBeUndefined();
});
