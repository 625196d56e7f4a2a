import { expect, test } from 'vitest';
import { instant } from '../../src/base/clock.js';
import { GUEST, openAppHarness } from '../support/app-harness.js';

const now = Date.UTC(2026, 10, 20, 12);
const budget = { used: 212, limit: 500, resetsAt: instant(now + 9 * 86_400_000) };

test('without problems it says so first, then the budget and the age of the checks', async () => {
  const { say, deadButtons } = await openAppHarness({
    answers: {},
    status: {
      service: { name: 'the service', ok: true, lastMs: 98, budget },
      feeds: [
        { id: 'supply', watched: 14, oldestCheck: instant(now - 130 * 60_000), failing: 0 },
        { id: 'growth', watched: 2, failing: 0 },
      ],
      watching: { projects: 14, chats: 22 },
      deliveries: { sent: 31, waiting: 0 },
    },
  });
  const { text, reply } = await say('/status');
  expect(text.split('\n').slice(0, 4)).toEqual([
    'All systems OK',
    'service 98 ms · Console ok · database ok · up 1 min 30 s',
    'Data from the service',
    'API budget: 212 of 500 used, resets in 9 d',
  ]);
  expect(text).toContain('Watching 14 projects for 22 chats · 31 alerts today, 0 waiting · oldest check 2 h 10 min ago');
  expect(text).toMatch(/supply +14 +2 h ago +0/u);
  expect(text).toMatch(/growth +2 +not yet +0/u);
  expect(await deadButtons(reply)).toEqual([]);
});

test('problems are in the finding, one sentence each, with gaps below', async () => {
  const { say } = await openAppHarness({
    answers: {},
    status: {
      service: { name: 'the service', ok: false, trouble: 'timeout', lastOkAt: instant(now - 300_000), budget },
      platforms: [{ name: 'console', ok: false, says: 'page closed' }],
      store: { ok: false, says: 'disk full', problem: 'The disk of the database is full. Free some space.' },
      gaps: ['tide supply: your plan hides 70 rows'],
    },
  });
  const { text } = await say('/status');
  expect(text).toMatch(
    /^⚠ The analytics service took too long to answer\. Console isn't working\. The disk of the database is full\. Free some space\.\n/u,
  );
  expect(text).toContain('service ⚠ too slow, last response 5 min ago · Console ⚠ page closed · database ⚠ disk full');
  expect(text).toContain('⚠ tide supply: your plan hides 70 rows');
});

test('failing checks are reported even if the service answers, and a service that was never called is no failure', async () => {
  const failing = await openAppHarness({
    answers: {},
    status: { service: { name: 's', ok: true, budget }, feeds: [{ id: 'growth', watched: 3, failing: 2 }] },
  });
  expect((await failing.say('/status')).text).toMatch(/^⚠ Some checks are failing: growth \(2\)\.\n/u);
  const fresh = await openAppHarness({ answers: {}, status: { service: { name: 's', budget: { used: 0, resetsAt: budget.resetsAt } } } });
  expect((await fresh.say('/status')).text).toMatch(
    /^No problems so far\. .+\nservice not called yet[\s\S]*API requests this month: 0, no limit/u,
  );
});

test('whoever runs the bot sees the whole budget: what is kept for questions, the plan, the pace and the learned limits', async () => {
  const HOURS = 3_600_000;
  const { say } = await openAppHarness({
    answers: {},
    status: {
      service: {
        name: 'the service',
        ok: true,
        budget: { ...budget, questions: 12, reserved: 30, forChecks: 258 },
        pace: { now: 2.5, full: 5 },
        planLimits: { rows: 10, pages: 3, learnedAt: instant(now - 2 * HOURS) },
      },
      feeds: [{ id: 'supply', watched: 14, failing: 0, every: [HOURS, 72 * HOURS] }],
      plan: { limited: true, stretch: 2.1, refreshes: [HOURS, Number.POSITIVE_INFINITY] },
    },
  });
  const { text } = await say('/status');
  expect(text).toContain(
    'API budget: 212 of 500 used (12 for questions), resets in 9 d · 288 left: 30 reserved for questions, 258 for checks',
  );
  expect(text).toContain('Planned: wallet refresh every 1 h to paused · ⚠ the budget is too small to check everything once a week');
  expect(text).toContain('Request rate: up to 2.5 per second, slowed from 5 per second by the service');
  expect(text).toContain('Plan limits: 10 rows per request, 3 pages per list (seen 2 h ago)');
  expect(text).toMatch(/supply +14 +not yet +1 h to 3 d +0/u);
});

test('who does not run the bot sees none of it', async () => {
  const { ask } = await openAppHarness({ answers: {}, access: { open: true, listed: [], operators: [] } });
  const { text } = await ask({ ask: { line: '/status' }, circles: ['telegram/user/1'] });
  expect(text).not.toMatch(/budget|rate|requests/iu);
});

test.each([
  ['ENOSPC', true, /^⚠ Log lines are being lost\.\n.*log ⚠ 12 lines lost: .*disk/u],
  ['ENOSPC', false, /^All systems OK\n.*log 12 lines lost earlier \(ENOSPC\)/u],
])('dropped log lines are shown with their reason (%s, still: %s)', async (because, failing, seen) => {
  const { say } = await openAppHarness({
    answers: {},
    status: { service: { name: 's', ok: true, budget }, log: { count: 12, because, failing } },
  });
  expect((await say('/status')).text).toMatch(seen);
});

test('checks that run late are named with since when, and to operators with what to do', async () => {
  const waiting = (checks: number, minutes: number) => ({ checks, since: instant(now - minutes * 60_000) });
  const said = async (forChecks: number | undefined) => {
    const { say } = await openAppHarness({
      answers: {},
      status: {
        service: { name: 'the service', ok: true, lastMs: 98, budget: { ...budget, forChecks } },
        overdue: { late: waiting(24, 12), first: waiting(5, 3) },
      },
    });
    return (await say('/status')).text.split('\n');
  };
  const lines = await said(undefined);
  expect(lines[0]).toBe('⚠ Checks are late: 24 overdue, the longest by 12 min. First checks are late: 5 waiting, the longest for 3 min.');
  expect(lines).toContainEqual(expect.stringMatching(/POLL_MIN_SECONDS.*ANALYTICS_REQUESTS_PER_SECOND/u));
  expect(await said(0)).toContainEqual(expect.stringContaining('paused'));
});

test('slugs of PROJECTS that the service does not list, and a platform that works in part, are named with the remedy', async () => {
  const { say } = await openAppHarness({
    answers: {},
    status: {
      service: { name: 's', ok: true, budget },
      platforms: [{ name: 'discord', ok: false, says: 'in 1 server, but …', problem: 'On Discord its slash commands are not registered.' }],
      unknownProjects: ['reef', 'kelp'],
    },
  });
  expect((await say('/status')).text).toMatch(
    /^⚠ On Discord its slash commands are not registered\. PROJECTS names reef and kelp, .+ restart\.\n/u,
  );
});

test('alerts that wait much longer than planned are a problem, with how many chats and for how long', async () => {
  const { say } = await openAppHarness({
    answers: {},
    status: { service: { name: 's', ok: true, budget }, lateChats: { chats: 2, since: instant(now - 12 * 60_000) } },
  });
  expect((await say('/status')).text).toMatch(/^⚠ Alerts are late in 2 chats, the longest by 12 min\.\n/u);
});

test('a pause that the service asked for is said with its end and the next try, to everybody, in the timezone of the chat', async () => {
  const minutes = (count: number) => instant(now + count * 60_000);
  const say = async (
    pause: {
      askedUntil: ReturnType<typeof instant> | undefined;
      questionsFrom: ReturnType<typeof instant>;
      checksFrom: ReturnType<typeof instant>;
    },
    zone?: string,
  ) => {
    const harness = await openAppHarness({
      answers: {},
      status: { service: { name: 's', ok: false, trouble: 'limited', budget, pause } },
    });
    if (zone !== undefined) await harness.say(`/settings timezone ${zone}`);
    return (await harness.say('/status')).text.split('\n')[0];
  };
  const year = minutes(365 * 24 * 60);
  expect(await say({ askedUntil: year, questionsFrom: minutes(2), checksFrom: minutes(15) })).toBe(
    '⚠ The analytics service asked us to wait until Nov 20, 2027, 12:00 UTC. Next try: 12:02 UTC for questions, 12:15 UTC for checks.',
  );
  expect(await say({ askedUntil: year, questionsFrom: minutes(-1), checksFrom: minutes(15) })).toContain(
    'Next try: with the next question, 12:15 UTC for checks.',
  );
  expect(await say({ askedUntil: minutes(1), questionsFrom: minutes(1), checksFrom: minutes(1) })).toBe(
    '⚠ The analytics service asked us to wait until 12:01 UTC.',
  );
  expect(await say({ askedUntil: undefined, questionsFrom: minutes(1), checksFrom: minutes(1) })).toBe(
    '⚠ The analytics service is limiting requests. Next try: 12:01 UTC.',
  );
  expect(await say({ askedUntil: undefined, questionsFrom: minutes(-1), checksFrom: minutes(1) })).toBe(
    '⚠ The analytics service is limiting requests. Next try: with the next question, 12:01 UTC for checks.',
  );
  expect(await say({ askedUntil: minutes(1), questionsFrom: minutes(3), checksFrom: minutes(3) })).toBe(
    '⚠ The analytics service asked us to wait until 12:01 UTC. Next try: 12:03 UTC.',
  );
  expect(await say({ askedUntil: year, questionsFrom: minutes(2), checksFrom: minutes(15) }, 'Europe/Berlin')).toBe(
    '⚠ The analytics service asked us to wait until Nov 20, 2027, 13:00 CET. Next try: 13:02 CET for questions, 13:15 CET for checks.',
  );
});

test('a clock that is not followed is a problem, also for who is no operator', async () => {
  const clockDoubt = { since: instant(now - 60_000), ahead: 40 * 86_400_000 };
  const inStatus = async (isContradicted: boolean, zone = 'UTC') => {
    const { say } = await openAppHarness({
      answers: {},
      status: { service: { name: 's', ok: true, budget }, clockDoubt: { ...clockDoubt, isContradicted } },
    });
    await say(`/settings timezone ${zone}`);
    return (await say('/status', GUEST)).text.split('\n')[0];
  };
  expect([await inStatus(false), await inStatus(true), await inStatus(true, 'Europe/Berlin')]).toEqual([
    '⚠ The clock of this machine jumped 40 d ahead at 11:59 UTC. Nothing expires until another clock confirms it.',
    '⚠ The clock of this machine jumped 40 d ahead at 11:59 UTC, and other clocks disagree. Nothing expires by it; set it right.',
    '⚠ The clock of this machine jumped 40 d ahead at 12:59 CET, and other clocks disagree. Nothing expires by it; set it right.',
  ]);
});

const HOURS = 3_600_000;
const expecting = (id: string, within: number, useful: number) => ({
  ...{ id, watched: 3, failing: 0, oldestCheck: instant(now), every: [HOURS, 72 * HOURS] as const },
  expected: { within: within * HOURS, useful: useful * HOURS },
});
const planned = async (feeds: readonly ReturnType<typeof expecting>[], more = {}) =>
  openAppHarness({
    answers: {},
    access: { open: true, listed: [], operators: [] },
    status: {
      service: { name: 's', ok: true, budget: { ...budget, forChecks: 100 } },
      feeds,
      plan: { limited: true, stretch: 1 },
      ...more,
    },
  });

test('a plan that detects a kind later than its alerts are of use is a problem, with a remedy', async () => {
  const { say, ask } = await planned([expecting('proposals', 30, 24), expecting('premium', 40, 48), expecting('supply', 72, 48)]);
  const { text } = await say('/status');
  expect(text).toMatch(/^⚠ Alerts can come late on this plan: proposals up to 1 d 6 h, supply up to 3 d\.\n/u);
  expect(text).toContain(
    'An alert is of use within 1 d for proposals, 2 d for supply. Take a larger plan and raise ANALYTICS_REQUESTS_PER_MONTH, or watch fewer projects.',
  );
  expect(text).toMatch(/proposals .*⚠ 1 d 6 h/u);
  expect(text).toMatch(/premium .* 1 d 16 h/u);
  const stranger = await ask({ ask: { line: '/status' }, circles: ['telegram/user/1'] });
  expect(stranger.text).toMatch(/^⚠ Alerts can come late on this plan: proposals/u);
});

test('a plan that detects every kind in time is no problem, and one whose budget is used up is one', async () => {
  expect((await (await planned([expecting('proposals', 24, 24), expecting('growth', 300, 336)])).say('/status')).text).toMatch(
    /^All systems OK\n/u,
  );
  const paused = await (await planned([expecting('growth', Infinity, 336)])).say('/status');
  expect(paused.text).toMatch(/^⚠ Checks are paused until the API budget has requests left\.\n/u);
  expect(paused.text).not.toContain('of use');
});

test('a kind whose first checks are still to be made is in the table', async () => {
  const { say } = await planned([{ ...expecting('growth', 200, 336), watched: 0 }]);
  expect((await say('/status')).text).toMatch(/growth +0 /u);
});

test('whoever runs the bot sees when lists were read, how far they are believed, and what they leave out', async () => {
  const list = { list: 'projects', at: instant(now - 40 * 60_000), every: 14 * HOURS, isFailing: false };
  const { say } = await planned([], {
    lists: [
      { ...list, trust: [0.75, 0.98], uncovered: ['heron', 'orca'] },
      { ...list, list: 'markets', trust: undefined, uncovered: [], isFailing: true },
    ],
  });
  const { text } = await say('/status');
  expect(text).toContain('List of projects: read 40 min ago · every 14 h · believed 75% to 98% · checked by themselves: heron, orca');
  expect(text).toContain("⚠ List of live markets: can't be read, so each project is checked by itself");
  expect(text).not.toContain('discovery');
});

test('endpoints of webhooks that fail are in the first sentence, for everybody', async () => {
  const problem = 'Webhooks: 9 of 13 endpoints are failing.';
  const { say } = await openAppHarness({
    answers: {},
    status: {
      service: { name: 'the service', ok: true, budget },
      platforms: [{ name: 'webhook', ok: false, says: '13 endpoints, 9 failing', problem }],
    },
  });
  expect((await say('/status', GUEST)).text.split('\n')[0]).toBe(`⚠ ${problem}`);
  const { text } = await say('/status');
  expect(text.split('\n')[0]).toBe(`⚠ ${problem}`);
  expect(text).toContain('Webhook ⚠ 13 endpoints, 9 failing');
});
