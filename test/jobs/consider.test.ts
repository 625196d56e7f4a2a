/** What a list shows, held against the rules of a chat: it calls for a check and changes nothing. */
import { expect, test } from 'vitest';
import { treasuryOverview } from '../../src/analytics/endpoints/treasury.js';
import type { Analytics } from '../../src/analytics/analytics.js';
import { HOUR, later, type Instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { EMPTY_PROPOSAL } from '../../src/analytics/endpoints/proposals.js';
import { premium } from '../../src/feeds/premium.js';
import { proposals } from '../../src/feeds/proposals.js';
import { defineFeed } from '../../src/feeds/feed.js';
import { supply } from '../../src/feeds/supply.js';
import type { Listed } from '../../src/feeds/listed.js';
import { createBeginning, createConsider } from '../../src/jobs/consider.js';
import { poll } from '../../src/jobs/poll.js';
import type { Task } from '../../src/jobs/wanted-checks.js';
import { CHAT, TIDE } from '../alerts/harness.js';
import { rules } from '../alerts/measurements.js';
import { snapshotOf } from '../feeds/reading.js';
import { project, trouble } from './fake-service.js';
import { openJobsHarness } from './harness.js';

const TASK: Task = { feed: premium, subject: project('tide') };

/** A chat with one rule on premiums, and a service whose own endpoint gives the premium of a test. */
async function openWith(rule: string, runway?: string) {
  const harness = await openJobsHarness();
  const { clock } = harness;
  let own = 0;
  let says = false;
  const analytics: Analytics = {
    ...harness.poll.analytics,
    state: () => ({ budget: { used: 0, limit: 500, forChecks: 400, resetsAt: later(clock.now(), HOUR) } }),
    call: async (row) => {
      if (row.id !== treasuryOverview.id) throw trouble('forbidden');
      const body = {
        navPerAdjustedShare: '1',
        spotPrice: String(1 + own / 100),
        updatedAt: new Date(clock.now()).toISOString(),
        monthsOfRunway: runway,
      };
      return { data: row.data.parse(body), meta: {}, at: clock.now() };
    },
  };
  await harness.watch(TIDE, { preset: 'everything', rules: rules(rule) });
  const context = { ...harness.poll, analytics };
  const consider = createConsider(context);
  const listed = (value: number, extra: Partial<Listed> = {}): Listed => ({
    ...{ at: clock.now(), updatedAt: clock.now(), navPerShare: decimal('1'), price: decimal(String(1 + value / 100)) },
    ...extra,
  });
  return {
    ...harness,
    /** A check of the project's own endpoint. */
    async checks(value: number): Promise<void> {
      own = value;
      await clock.advance(2 * HOUR);
      await poll(TASK, context);
    },
    /** Whether the last list said anything of the project. */
    isTrusted: () => says,
    /** Why a list that shows this calls for a check. */
    async shows(value: number, extra: Partial<Listed> = {}) {
      await clock.advance(2 * HOUR);
      const before = JSON.stringify([harness.queues.read(CHAT), await harness.watermark('premium/tide'), harness.checkRecords.all()]);
      const considered = await consider(TASK, { now: listed(value, extra), base: undefined });
      says = considered !== undefined;
      expect(JSON.stringify([harness.queues.read(CHAT), await harness.watermark('premium/tide'), harness.checkRecords.all()])).toBe(before);
      return considered?.because;
    },
  };
}

test('a value beyond a threshold calls for a check, one on the same side does not, and neither is evaluated for good', async () => {
  const { checks, shows, waiting } = await openWith('premium below -10');
  await checks(-5);
  expect(await shows(-8)).toBeUndefined();
  expect(await shows(-12)).toBe('a rule of premium');
  expect(await shows(-8)).toBeUndefined();
  expect(waiting()).toEqual([]);
});

test('of joined conditions a list calls for a check when all hold in it, and one that lacks a value says nothing', async () => {
  const { checks, shows, isTrusted } = await openWith('premium<-10 and runway>12', '11');
  await checks(-5);
  expect(await shows(-12, { runway: decimal('11') })).toBeUndefined();
  expect(isTrusted()).toBe(true);
  expect(await shows(-12, { runway: decimal('14') })).toBe('a rule of premium');
  expect([await shows(-12), isTrusted()]).toEqual([undefined, false]);
});

test('a value that re-arms a rule set beyond its threshold calls for a check, although the rule has no state yet', async () => {
  const { checks, shows, waiting, watch, clock } = await openWith('premium above 500');
  const since = clock.now();
  await checks(-12);
  await watch(TIDE, { since, preset: 'everything', rules: rules('premium below -10') });
  expect(await shows(-11)).toBeUndefined();
  expect(await shows(-7)).toBe('a rule that re-arms');
  await checks(-7);
  expect(await shows(-12)).toBe('a rule of premium');
  await checks(-12);
  expect(waiting()).toHaveLength(1);
});

test('a stale 0% calls for a check and re-arms nothing: the next true value is no second alert', async () => {
  const { checks, shows, waiting } = await openWith('premium below -10');
  await checks(-5);
  await checks(-17);
  expect(waiting()).toHaveLength(1);
  // The alert would be over.
  expect(await shows(0)).toBe('a rule of premium');
  await checks(-17.1);
  expect(waiting()).toHaveLength(1);
});

test('a list that is older than the last check, or shows zeros, says nothing of a change', async () => {
  const { checks, shows, clock } = await openWith('premium below -10');
  const dated: Instant = clock.now();
  await checks(-5);
  expect(await shows(-12, { updatedAt: dated })).toBeUndefined();
  expect(await shows(-100, { price: undefined, navPerShare: undefined })).toBeUndefined();
});

test('a supply that changed calls for its ledger where some chat would be alerted of that much', async () => {
  const harness = await openJobsHarness();
  const { clock } = harness;
  await harness.watch(TIDE, { preset: 'everything', rules: rules('supply usd>1000') });
  const budget: { limit?: number } = { limit: 500 };
  const state = () => ({ budget: { used: 0, resetsAt: clock.now(), ...budget } });
  const consider = createConsider({ ...harness.poll, analytics: { ...harness.poll.analytics, state } });
  const at = clock.now();
  const base = { at, supply: decimal('1000000') };
  const shows = async (after: string) =>
    (await consider({ feed: supply, subject: project('tide') }, { now: { at, supply: decimal(after), price: decimal('0.5') }, base }))
      ?.because;
  await harness.firstChecks.begin('supply/tide', at);
  expect(await shows('1000000')).toBeUndefined();
  expect(await shows('998100')).toBeUndefined();
  expect(await shows('997000')).toBe('burn of supply');
  expect(await shows('1005000')).toBe('mint of supply');
  // Without a limit also what no chat is alerted of, so that it can be explained.
  delete budget.limit;
  expect(await shows('998100')).toBe('burn of supply');
});

test('a first check begins where the list began, as far as the history of the project agrees', async () => {
  const harness = await openJobsHarness();
  const { clock, firstChecks } = harness;
  await firstChecks.begin('premium/tide', clock.now());
  const at = later(clock.now(), 1_000);
  const beginOf = async (listed: string, history: string, now: string) => {
    const base = { at, price: decimal(listed), navPerShare: decimal('1') };
    const beginning = createBeginning({ base: () => base }, { analytics: harness.poll.analytics, firstChecks });
    const gap = (price: string) => decimal(String(Math.round((Number(price) - 1) * 1e4) / 100));
    const event = {
      id: `premium/tide/${later(at, HOUR)}`,
      feed: 'premium',
      topic: 't',
      stage: 'level',
      detectedAt: later(at, HOUR),
      facts: {},
    };
    const own = {
      at: later(at, HOUR),
      values: { premium: gap(now) },
      history: { premium: [{ at: later(at, -HOUR), value: gap(history) }] },
      event,
    };
    const found = await beginning(TASK, [own]);
    return [found?.before[0]?.values.premium, found?.isUnchanged];
  };
  expect(await beginOf('0.95', '0.96', '0.83')).toEqual(['-4', false]);
  expect(await beginOf('0.95', '0.96', '0.94')).toEqual(['-4', true]);
  expect(await beginOf('1.00', '0.83', '0.83')).toEqual([undefined, false]);
});

test.each(['trade>500', 'pass>9'])(
  'a volume that moved calls for the trades where the rule %s is, however little it moved',
  async (rule) => {
    const asked = async (text: string) => {
      const harness = await openJobsHarness();
      await harness.watch(TIDE, { preset: 'everything', rules: rules(`proposals ${text}`) });
      const { clock } = harness;
      const row = { ...EMPTY_PROPOSAL, publicKey: '9xQ', status: 'live', startsAt: later(clock.now(), -HOUR), margin: decimal('1') };
      const market = (volume: string) => ({ ...row, volume: decimal(volume) });
      const task: Task = {
        feed: defineFeed({ ...proposals.spec, read: async () => snapshotOf([market('90000')], { at: clock.now() }) }),
        subject: project('tide'),
      };
      await poll(task, harness.poll);
      await clock.advance(HOUR);
      const consider = createConsider(harness.poll);
      const shows = async (volume: string) =>
        (await consider(task, { now: { at: clock.now(), markets: [market(volume)] }, base: undefined }))?.because;
      return [await shows('90000'), await shows('90001')];
    };
    expect(await asked(rule)).toEqual([undefined, 'trades of proposals']);
    expect(await asked('margin>60')).toEqual([undefined, undefined]);
  },
);
