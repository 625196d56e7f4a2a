import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const LIST = '/v1/proposal';
const OUTCOMES = '/v1/proposal/analytics';
const COMPARABLES = '/v1/proposal/analytics/proposal-comparables';
const LIVE = '/v1/global-dashboard/projects/decision-markets';

const live = {
  id: 1,
  publicKey: 'KeyOne',
  title: 'Fund the second audit',
  status: 'pending',
  startDate: '2026-11-19T09:00:00Z',
  twapStartDate: '2026-11-20T09:00:00Z',
  endDate: '2026-11-20T23:00:00Z',
  passEdge: '2.1',
  passedThresholdBps: 150,
  totalUniqueTraders: 42,
  totalTradeVolume: '18300',
};

test('a live market tells its window, its end, its edge against what it needs, and who trades', async () => {
  const { say, deadButtons } = await openAppHarness({
    answers: {
      [LIST]: {
        data: [
          {
            ...live,
            publicKey: 'Old',
            id: 2,
            title: 'Old',
            status: 'resolved',
            result: 'Approved',
            passEdge: null,
            passedThresholdBps: null,
            twapMargin: '-0.9',
            endDate: '2026-11-01T00:00:00Z',
          },
          live,
        ],
        meta: { totalItems: 2 },
      },
    },
  });
  const { text, reply } = await say('/proposals tide');
  const [finding, old, current] = text.split('\n');
  expect(finding).toBe('Tidewater: 1 live, 2 in total');
  expect(old).toMatch(/^○ Old: passed, margin −0\.9 pts, Nov 1 · /u);
  expect(current).toMatch(/: passing by 0\.6 pts · ends 23:00 UTC · \$18\.3K volume, 42 traders$/u);
  expect(reply.blocks[0]).toMatchObject({ kind: 'list', items: [{ tone: 'over' }, { tone: 'live' }] });
  expect(await deadButtons(reply)).toEqual([]);
});

test('a threshold may be negative, a word unknown, a title and an end missing', async () => {
  const bare = { id: '9223372036854775807', status: 'Hibernating' };
  const sponsored = { publicKey: 'Sponsored', status: 'live', passedThresholdBps: -300 };
  const draft = { publicKey: 'Draft', status: 'draft', stakedAmount: '477500', requiredStake: '500000' };
  const { say } = await openAppHarness({ answers: { [LIST]: [bare, sponsored, draft, { title: 'neither key nor number' }] } });
  const { text } = await say('/proposals tide');
  expect(text).toContain('○ Proposal 9223372036854775807: state "Hibernating"\n');
  expect(text).toContain('● Sponsored: live, needs pass less than 3.0% below fail\n');
  expect(text).toContain('Draft: draft, 478K of 500K staked\n');
  expect(text).toMatch(/⚠ 1 row /u);
});

test('without a project the live markets of all projects are listed, earliest end first', async () => {
  const { say } = await openAppHarness({
    answers: {
      [LIVE]: {
        data: [
          {
            proposalPublicKey: 'A',
            proposalTitle: 'Later',
            organizationName: 'Heron Flats',
            status: 'live',
            proposalEndDate: '2026-11-25T00:00:00Z',
          },
          { proposalPublicKey: 'B', proposalTitle: 'Begun', organizationName: 'Tidewater', status: 'initiated' },
          {
            proposalPublicKey: 'C',
            proposalTitle: 'Sooner',
            organizationName: 'Tidewater',
            status: 'live',
            proposalEndDate: '2026-11-21T00:00:00Z',
          },
        ],
        meta: {},
      },
    },
  });
  const { text } = await say('/proposals');
  expect(text).toContain('2 live proposals, 1 not live');
  expect(text.match(/^.+ \((Tidewater|Heron Flats)\)/gmu)).toEqual(['● Sooner (Tidewater)', '● Later (Heron Flats)', 'Begun (Tidewater)']);
});

test('outcomes are the words and counts of the service', async () => {
  const { say } = await openAppHarness({ answers: { [OUTCOMES]: { passed: 12, failed: '3', note: 'x' } } });
  expect((await say('/proposals tide outcomes')).text).toContain('\nPassed 12 · Failed 3');
});

test('what others are compared with comes a page at a time, and each leads to its own comparison', async () => {
  const key = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
  const rows = Array.from({ length: 13 }, (_, index) => ({
    ...live,
    id: index,
    publicKey: index === 10 ? key : `K${index}`,
    title: `Number ${index}`,
  }));
  const { say, deadButtons } = await openAppHarness({ answers: { [COMPARABLES]: [...rows, 'broken'] } });
  const { text, reply } = await say('/proposals tide comparables 2');
  expect(text).toMatch(/13 comparable .+ page 2 of 2/u);
  expect(text.match(/Number \d+/gu)?.slice(0, 3)).toEqual(['Number 10', 'Number 11', 'Number 12']);
  expect(reply.actions.map(({ line }) => line)).toContain(`/proposal ${key} against`);
  expect(await deadButtons(reply)).toEqual([]);
  expect((await say('/proposals comparables')).text).toMatch(/^⚠ Add a project/u);
});

test('a list leads to its proposals, those that are live first, and to none whose key cannot be one', async () => {
  const keys = ['9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd'];
  const old = { ...live, id: 2, publicKey: keys[0], status: 'resolved', result: 'approved' };
  const { say } = await openAppHarness({ answers: { [LIST]: [old, { ...live, publicKey: keys[1] }, { ...live, id: 3 }] } });
  const { reply } = await say('/proposals tide');
  expect(reply.actions.map(({ line }) => line).filter((line) => line.startsWith('/proposal '))).toEqual([
    `/proposal ${keys[1]}`,
    `/proposal ${keys[0]}`,
  ]);
});

test('nothing live, nothing at all, and nothing on this page are three things', async () => {
  const { say } = await openAppHarness({ answers: { [LIVE]: [], [LIST]: { data: [], meta: { totalItems: 0 } } } });
  expect((await say('/proposals')).text).toContain('No live proposals');
  expect((await say('/proposals tide')).text).toContain('Tidewater has no proposals');
  expect((await say('/proposals tide 4')).text).toContain('Tidewater: page 4 is empty');
});

test('every list of the simulated service answers, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const line of [
    '/proposals',
    '/proposals tide',
    '/proposals tide 2',
    '/proposals quarry-lane',
    '/proposals spindrift',
    '/proposals tide outcomes',
    '/proposals tide comparables',
    '/proposals marsh',
  ]) {
    const { reply, text } = await say(line);
    expect([line, await deadButtons(reply), text.match(/undefined|NaN|\[object/u)]).toEqual([line, [], null]);
  }
});

test('words of a title find proposals of all projects, or of one', async () => {
  const KEY = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
  const hits = { projects: [], proposals: [{ proposalTitle: 'Hire a steward', proposalPublicKey: KEY, organizationSlug: 'tide' }] };
  const own = [
    { id: 1, publicKey: KEY, title: 'Hire a steward' },
    { id: 2, publicKey: KEY, title: 'Fund the audit' },
  ];
  const { say, directory, deadButtons } = await openAppHarness({ answers: { '/v1/global-dashboard/search': hits, [LIST]: own } });
  await directory.refresh();
  for (const line of [
    '/proposals words:hire',
    '/proposals Hire',
    '/proposals hire a steward',
    '/proposals tide words:hire',
    '/proposals tide hire',
  ]) {
    const { text, reply } = await say(line);
    expect(text, line).toMatch(/^1 proposal .*matches ".*"\nHire a steward/iu);
    expect(reply.actions[0]?.line).toBe(`/proposal ${KEY}`);
    expect((await deadButtons(reply)).filter((dead) => dead !== `/proposal ${KEY}`)).toEqual([]);
  }
  expect((await say('/proposals words:zebra')).text).toMatch(/^No proposals match "zebra"/u);
  expect((await say('/proposals tidewtaer')).text).toMatch(/^Tidewater: 2 proposals[^]+\nRead as \/proposals tide\./u);
});

test('only what is passing or failing now is listed, everywhere or of a project, and what has no margin yet is counted', async () => {
  const market = (title: string, passEdge: string | null, rest: object = {}) => ({
    ...live,
    id: title,
    publicKey: title,
    title,
    organizationSlug: 'tide',
    passEdge,
    ...rest,
  });
  const { say, deadButtons } = await openAppHarness({
    answers: {
      [LIVE]: [
        market('Ahead', '2.1'),
        market('Behind', '1.4'),
        market('Level', '1.5', { organizationSlug: 'heron' }),
        market('Unopened', null),
        market('Over', '9', { status: 'resolved', result: 'Approved' }),
      ],
    },
  });
  const titles = (text: string) => [...text.matchAll(/^● (\w+)/gmu)].map(([, title]) => title);
  const failing = await say('/proposals failing');
  expect(failing.text.split('\n')[0]).toBe('2 of 4 live proposals failing');
  expect(new Set(titles(failing.text))).toEqual(new Set(['Behind', 'Level']));
  expect(failing.text).toContain('1 live proposal without a margin yet');
  expect(titles((await say('/proposals passing')).text)).toEqual(['Ahead']);
  expect(titles((await say('/proposals heron failing')).text)).toEqual(['Level']);
  expect((await say('/proposals heron passing')).text).toContain('0 of 1 live proposal passing');
  expect(new Set(titles((await say('which proposals are failing?')).text))).toEqual(new Set(['Behind', 'Level']));
  expect((await say('/proposals failing 9')).text).toContain('last page: 1');
  expect(await deadButtons(failing.reply)).toEqual([]);
});

test('among many proposals with the same title the live one comes first, and buttons name their projects', async () => {
  const keys = Array.from('345678', (digit) => `${digit}Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd`);
  const slugs = ['heron', 'alder', 'heron', 'alder', 'heron', 'tide'];
  const title = 'Lower the trading fee';
  const over = { ...live, title, status: 'resolved', result: 'Approved', endDate: '2026-10-02T00:00:00Z' };
  const own = keys.map((publicKey, at) => ({ ...(at === 5 ? { ...live, title } : over), publicKey, organizationSlug: slugs[at] }));
  const hits = {
    projects: [],
    proposals: keys.map((key, at) => ({ proposalTitle: title, proposalPublicKey: key, organizationSlug: slugs[at] })),
  };
  const { say, directory } = await openAppHarness({
    answers: {
      ...{ '/v1/global-dashboard/search': hits, [LIVE]: own.slice(5) },
      ...Object.fromEntries(own.map((row) => [`${LIST}/${row.publicKey}`, row])),
    },
  });
  await directory.refresh();
  const listed = await say('/proposals words:fee');
  expect(listed.text.split('\n')[1]).toMatch(/^● Lower the trading fee/u);
  const { reply } = await say('/proposal trading fee');
  expect(reply.actions[0]).toMatchObject({ label: expect.stringMatching(/^Lower.* · tide Nov \d+$/u), line: `/proposal ${keys[5]}` });
  expect(reply.actions.slice(0, 6).map(({ label }) => label.replace(/^.* · /u, ''))).toContain('heron Oct 2');
});
