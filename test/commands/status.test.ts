import { expect, test } from 'vitest';
import { instant } from '../../src/base/clock.js';
import { openAppHarness } from '../support/app-harness.js';

const now = Date.UTC(2026, 10, 20, 12);
const budget = { used: 212, limit: 500, resetsAt: instant(now + 9 * 86_400_000) };

test('without problems it says so first, then the budget and the age of the checks', async () => {
  const { say, deadButtons } = await openAppHarness({
    answers: {},
    status: {
      service: { name: 'the service', ok: true, lastMs: 98, budget },
      feeds: [
        { id: 'supply', watched: 14, oldestLook: instant(now - 130 * 60_000), failing: 0 },
        { id: 'growth', watched: 2, failing: 0 },
      ],
      watching: { projects: 14, chats: 22 },
      deliveries: { sent: 31, waiting: 0 },
    },
  });
  const { text, reply } = await say('/status');
  expect(text.split('\n').slice(0, 4)).toEqual([
    'All well.',
    'service ok (98 ms) · console ok · store ok · running for 1 min 30 s',
    'answers come from the service',
    'budget 212 of 500 this month, resets in 9 d',
  ]);
  expect(text).toContain('watching 14 projects for 22 chats · sent today 31, waiting 0, oldest look 2 h 10 min');
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
    /^⚠ The analytics service took too long to answer\. console does not work\. The disk of the database is full\. Free some space\.\n/u,
  );
  expect(text).toContain('service ⚠ too slow, last answer 5 min ago · console ⚠ page closed · store ⚠ disk full');
  expect(text).toContain('⚠ tide supply: your plan hides 70 rows');
});

test('failing checks are reported even if the service answers, and a service that was never called is no failure', async () => {
  const failing = await openAppHarness({
    answers: {},
    status: { service: { name: 's', ok: true, budget }, feeds: [{ id: 'growth', watched: 3, failing: 2 }] },
  });
  expect((await failing.say('/status')).text).toMatch(/^⚠ Some looks fail: growth \(2\)\.\n/u);
  const fresh = await openAppHarness({ answers: {}, status: { service: { name: 's', budget: { used: 0, resetsAt: budget.resetsAt } } } });
  expect((await fresh.say('/status')).text).toMatch(
    /^Nothing fails, but the service was not asked yet\.\nservice not asked yet[\s\S]*requests this month 0, no limit set/u,
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
        budget: { ...budget, questions: 12, reserved: 30, forLooks: 258 },
        pace: { now: 2.5, full: 5 },
        planLimits: { rows: 10, pages: 3, learnedAt: instant(now - 2 * HOURS) },
      },
      feeds: [{ id: 'supply', watched: 14, failing: 0, every: [HOURS, 72 * HOURS] }],
      plan: { limited: true, stretch: 2.1, lists: [6 * HOURS, 6 * HOURS], refreshes: [HOURS, Number.POSITIVE_INFINITY] },
    },
  });
  const { text } = await say('/status');
  expect(text).toContain(
    'budget 212 of 500 this month, resets in 9 d, 12 of them for questions · 288 left: 30 kept for questions, 258 for looks',
  );
  expect(text).toContain(
    'plan: lists that tell what changed every 6 h · wallets refreshed every 1 h to never until calls are left · the budget is too small to look at everything once a week',
  );
  expect(text).toContain('pace 2.5 requests a second, slowed from 5 requests a second because the service asked for it');
  expect(text).toContain('the plan gives at most 10 rows a request and 3 pages of a list, found out 2 h ago');
  expect(text).toMatch(/supply +14 +not yet +1 h to 3 d +0/u);
});

test('who does not run the bot sees none of it', async () => {
  const { ask } = await openAppHarness({ answers: {}, access: { open: true, listed: [], operators: [] } });
  const { text } = await ask({ ask: { line: '/status' }, circles: ['telegram/user/1'] });
  expect(text).not.toMatch(/budget|pace|requests/u);
});

test.each([
  ['ENOSPC', true, /^⚠ Log lines are dropped\.\n.*log ⚠ 12 lines dropped: its disk is full; free some space/u],
  ['ENOSPC', false, /^All well\.\n.*log 12 lines dropped earlier \(ENOSPC\)/u],
])('dropped log lines are shown with their reason (%s, still: %s)', async (because, failing, seen) => {
  const { say } = await openAppHarness({
    answers: {},
    status: { service: { name: 's', ok: true, budget }, log: { count: 12, because, failing } },
  });
  expect((await say('/status')).text).toMatch(seen);
});

test('checks that run late are named with since when, and to operators with what to do', async () => {
  const waiting = (checks: number, minutes: number) => ({ checks, since: instant(now - minutes * 60_000) });
  const said = async (forLooks: number | undefined) => {
    const { say } = await openAppHarness({
      answers: {},
      status: {
        service: { name: 'the service', ok: true, lastMs: 98, budget: { ...budget, forLooks } },
        overdue: { late: waiting(24, 12), first: waiting(5, 3) },
      },
    });
    return (await say('/status')).text.split('\n');
  };
  const lines = await said(undefined);
  expect(lines[0]).toBe(
    '⚠ Checks are running late: 24 overdue, the longest by 12 min. New checks are running late: 5 not run yet, the longest waiting for 3 min.',
  );
  expect(lines).toContain(
    'more checks are due than the service answers: raise POLL_MIN_SECONDS, or ANALYTICS_REQUESTS_PER_SECOND where your plan allows it, or watch less',
  );
  expect(await said(0)).toContain('checks go on when requests are left again, see the budget');
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
    /^⚠ On Discord its slash commands are not registered\. The service lists no project reef or kelp\. Correct PROJECTS and restart the bot\.\n/u,
  );
});
