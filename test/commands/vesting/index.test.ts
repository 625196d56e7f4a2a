import { expect, test } from 'vitest';
import { openAppHarness } from '../../support/app-harness.js';

const PACKAGE = '/v1/project-overview/performance-package';
const LADDER = '/v1/project-overview/tranche-ladder';
const SCHEDULE = '/v1/project-overview/unlock-schedule';

const cliff = { timestamp: Date.parse('2027-03-12T00:00:00Z') / 1_000, passed: false, daysRemaining: 111 };
const pack = {
  totalInPackage: 2_400_000,
  locked: 1_920_000,
  claimableNow: 480_000,
  claimed: 0,
  tokenSymbol: 'TIDE',
  cliff: { ...cliff, date: '2027-03-12T00:00:00Z' },
};
const tranche = (order: number, state: string, more = {}) => ({
  order,
  tokens: 480_000,
  multiplier: 2 ** (order + 1),
  priceThreshold: String(0.3 * 2 ** (order + 1)),
  icoPrice: '0.3',
  cliff,
  state,
  ...more,
});
const schedule = (twap: number | null = 1) => ({
  scheduleData: [
    { date: '2026-11-19', twap: 0.9, cumulativeUnlocked: '480000' },
    { date: '2027-03-12', twap: null, cumulativeUnlocked: '960000' },
    { date: '2026-10-01', twap: 0.5, cumulativeUnlocked: '0' },
    { date: '2026-11-20', twap, cumulativeUnlocked: '480000' },
  ],
});
const ladder = [tranche(2, 'locked'), tranche(0, 'unlocked'), tranche(1, 'locked')];

test('the package says what the next tranche needs, and how far the time-weighted price is from it', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: { [PACKAGE]: pack, [LADDER]: ladder, [SCHEDULE]: schedule() } });
  const { text, reply } = await say('/vesting tide');
  expect(text.split('\n').slice(0, 3)).toEqual([
    'TIDE team tranche 2 of 3 unlocks at $1.200 (TWAP $1.000, must rise 20.0%)',
    'Package 2.4M TIDE · locked 1.92M (80.0%) · claimable now 480K (20.0%) · claimed 0',
    'Cliff ends Mar 12, 2027, 00:00 UTC',
  ]);
  expect(await deadButtons(reply)).toEqual([]);
});

test('a tranche whose price is there waits for the cliff, and the next price is one further', async () => {
  const { say } = await openAppHarness({ answers: { [LADDER]: ladder, [SCHEDULE]: schedule(1.5) } });
  const { text } = await say('/vesting tide tranches');
  expect(text.split('\n').slice(0, 6)).toEqual([
    'TIDE team tranche 3 of 3 unlocks at $2.400 (TWAP $1.500, must rise 60.0%)',
    '#  Tokens  x ICO   Target  vs TWAP  State',
    '1    480K   2.0x  $0.6000           unlocked',
    '2    480K   4.0x   $1.200  reached  locked',
    '3    480K   8.0x   $2.400   +60.0%  locked',
    'Cliff ends Mar 12, 2027, 00:00 UTC',
  ]);
  expect(text).toContain('1 tranche hit its price target');
});

test('without a time-weighted price there is no distance, and the latest one counts, not a projected one', async () => {
  const { say } = await openAppHarness({ answers: { [LADDER]: ladder } });
  const { text } = await say('/vesting tide tranches');
  expect(text).toMatch(/^TIDE team tranche 2 of 3 unlocks at \$1\.200\n/u);
  expect(text).toContain('⚠ TWAP: n/a: no data');
  const gap = await openAppHarness({ answers: { [LADDER]: ladder, [SCHEDULE]: schedule(null) } });
  expect((await gap.say('/vesting tide tranches')).text).toContain('(TWAP $0.9000, ');
});

test('a missing price target is the ICO price times the multiple, and an unknown state is unchanged', async () => {
  const { say } = await openAppHarness({
    answers: { [LADDER]: [tranche(0, 'napping', { priceThreshold: null })], [SCHEDULE]: schedule(0.5) },
  });
  const { text } = await say('/vesting tide tranches');
  expect(text).toMatch(/at \$0\.6000 \(TWAP \$0\.5000, must rise 20\.0%\)/u);
  expect(text).toContain('napping');
});

test('a package that does not agree with itself or with the schedule is said not to', async () => {
  const { say } = await openAppHarness({
    answers: { [PACKAGE]: { ...pack, claimableNow: 960_000 }, [LADDER]: ladder, [SCHEDULE]: schedule() },
  });
  const { text } = await say('/vesting tide');
  expect(text).toMatch(/⚠ .+2,400,000.+2,880,000/u);
  expect(text).toMatch(/⚠ .+ 480,000 .+ 960,000 /u);
});

test('what is not published is n/a, and a part that fails costs itself', async () => {
  const { say } = await openAppHarness({ answers: { [PACKAGE]: { totalInPackage: null }, [LADDER]: [] } });
  const { text } = await say('/vesting tide');
  expect(text).toContain('Package n/a TIDE · locked n/a · claimable now n/a · claimed n/a\nCliff n/a');
  expect(text).toContain('⚠ TWAP: n/a: no data');
});

test('unlocks are steps, projections are marked, and the chart keeps gaps', async () => {
  const { say } = await openAppHarness({ answers: { [SCHEDULE]: schedule() } });
  const { text, reply } = await say('/vesting tide unlocks');
  expect(text.split('\n').slice(0, 4)).toEqual([
    '480K TIDE unlocked, 960K projected by Mar 12, 2027',
    'When                      Unlocked  Total     TWAP',
    'Nov 19                        480K   480K  $0.9000',
    'Mar 12, 2027 (projected)      480K   960K',
  ]);
  expect(reply.chart).toMatchObject({
    kind: 'xy',
    title: '480K TIDE unlocked, 960K projected by Mar 12, 2027',
    series: [
      { draw: 'step', unit: 'tokens' },
      { name: 'TWAP', axis: 'below' },
    ],
    spans: [{ name: 'projected', to: Date.parse('2027-03-12T00:00:00Z') }],
  });
  const twap = reply.chart?.kind === 'xy' ? reply.chart.series[1]?.points.map(([, value]) => value) : [];
  expect(twap).toEqual([0.5, 0.9, 1, null]);
});

test('every view of the simulated service answers without a contradiction, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const slug of ['tide', 'alder', 'cinder-quay', 'spindrift'])
    for (const view of ['package', 'tranches', 'unlocks']) {
      const { reply, text } = await say(`/vesting ${slug} ${view}`);
      expect([slug, view, reply.tone, await deadButtons(reply)]).toEqual([slug, view, 'plain', []]);
      // The schedule of a project that ended stops with it, and the reply is as old as that.
      const ended = slug === 'cinder-quay';
      expect([slug, view, reply.old === true]).toEqual([slug, view, ended]);
      expect(text.replace(/\n⚠ Updated .*$/u, '')).not.toMatch(/undefined|NaN|\[object|⚠/u);
    }
});
