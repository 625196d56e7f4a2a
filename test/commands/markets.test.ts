import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const LIVE = '/v1/global-dashboard/projects/decision-markets';
const ALL = '/v1/global-dashboard/decision-markets';
const PROJECTS = '/v1/global-dashboard/projects';
const TOTALS = '/v1/global-dashboard/overview/decision-markets';
const market = (key: string, rest: Record<string, unknown>) => ({
  proposalPublicKey: key,
  proposalTitle: `Proposal ${key}`,
  organizationName: 'Tidewater',
  organizationSlug: 'tide',
  ...rest,
});

test('live markets come first, earliest end on top, drafts after them', async () => {
  const { say, deadButtons } = await openAppHarness({
    answers: {
      [LIVE]: [
        market('D', { status: 'initiated', proposalEndDate: '2026-11-20T13:00:00Z' }),
        market('L', { status: 'live', proposalEndDate: '2026-11-22T12:00:00Z', totalUniqueTraders: 42, totalTradeVolume: '18300' }),
        market('S', { status: 'pending', proposalEndDate: '2026-11-20T23:00:00Z' }),
        { title: 'no key' },
      ],
    },
  });
  const { text, reply } = await say('/markets');
  expect(text).toMatch(/^2 live proposals, 1 not live\n/u);
  expect(text.match(/Proposal [A-Z] \(.+/gu)?.map((row) => row.slice(0, 10))).toEqual(['Proposal S', 'Proposal L', 'Proposal D']);
  expect(text).toContain('$18.3K volume, 42 traders');
  expect(text).toMatch(/⚠ 1 row /u);
  expect(reply.actions.map(({ line }) => line)).toContain('/proposal S');
  expect(await deadButtons(reply)).toEqual([]);
});

test('all markets are paged as the service orders them', async () => {
  const rows = Array.from({ length: 10 }, (_, index) => ({
    publicKey: `K${index}`,
    proposal: `Title ${index}`,
    project: 'Tidewater',
    status: 'resolved',
    result: 'approved',
  }));
  const { say } = await openAppHarness({ answers: { [ALL]: { data: rows, meta: { totalItems: 31 } } } });
  const { text, reply } = await say('/markets all 2');
  expect(text).toMatch(/page 2 of 4\n○ Title 0 \(Tidewater\): passed/u);
  expect(reply.actions.map(({ line }) => line)).toEqual(expect.arrayContaining(['/markets all 1', '/markets all 3']));
});

test('activity is shown by project, and unknown values are n/a', async () => {
  const { say } = await openAppHarness({
    answers: {
      [PROJECTS]: [
        { organizationName: 'Tidewater', organizationSlug: 'tide', proposalCount: 14, activeProposals: 1, totalTradeVolume: '2500000' },
        { organizationName: 'Heron Flats', organizationSlug: 'heron' },
      ],
    },
  });
  const { text, reply } = await say('/markets projects');
  expect(text).toContain('2 projects, 1 with live proposals');
  expect(text).toMatch(/^Tidewater +14 +1 +\$2\.50M$/mu);
  expect(text).toMatch(/^Heron Flats +n\/a +n\/a +n\/a$/mu);
  expect(reply.actions.map(({ line }) => line)).toContain('/proposals tide');
});

test('totals under names nobody knows are shown under those names', async () => {
  const { say } = await openAppHarness({
    answers: { [TOTALS]: { totalProposals: 40, liveProposals: 2, totalVolume: '1250000', totalTrades: 9 } },
  });
  expect((await say('/markets totals')).text).toContain('Markets 40 · live 2 · trades 9 · traders n/a');
  const odd = await openAppHarness({ answers: { [TOTALS]: { stats: { marketsResolved: 38, capitalCommitted: '77.5' } } } });
  expect((await odd.say('/markets totals')).text).toContain('stats, markets resolved 38 · stats, capital committed 77.5');
});

test('empty lists and pages behind the last one say so', async () => {
  const { say } = await openAppHarness({ answers: { [LIVE]: [], [ALL]: [], [PROJECTS]: [] } });
  expect((await say('/markets')).text).toContain('No live proposals');
  expect((await say('/markets all')).text).toContain('No proposals yet');
  expect((await say('/markets projects')).text).toContain('No projects yet');
  expect((await say('/markets all 7')).text).toContain('Page 7 is empty');
});

test('every view of the simulated service answers, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const line of [
    '/markets',
    '/markets all',
    '/markets all 3',
    '/markets projects',
    '/markets projects 2',
    '/markets totals',
    '/markets 2',
  ]) {
    const { reply, text } = await say(line);
    expect([line, await deadButtons(reply), text.match(/undefined|NaN|\[object/u)]).toEqual([line, [], null]);
  }
});

test('a project is no list of markets, and the refusal says where its markets are', async () => {
  const { say } = await openAppHarness();
  expect((await say('/markets tide')).text).toContain(
    'Choose live, all, projects or totals. For the markets of one project write /proposals',
  );
});
