/** The same measurements and events through the poller, as the bot runs it, and through a backtest. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backtest, BACKTEST_DAYS, type BacktestReport } from '../../../src/alerts/backtest/backtest.js';
import type { KindRules } from '../../../src/alerts/rules/rule.js';
import { DAY, HOUR, instant, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import { EMPTY_PROPOSAL, type ProposalRow } from '../../../src/analytics/endpoints/proposals.js';
import type { SupplyEvent } from '../../../src/analytics/endpoints/supply.js';
import { addDays, dayOf } from '../../../src/domain/day.js';
import { measuresOf } from '../../../src/domain/measures.js';
import { thresholdKey, type ThresholdRule } from '../../../src/domain/threshold-rule.js';
import { decimal } from '../../../src/domain/scalars.js';
import { defineFeed, type Feed, type FeedSpec, type PastSnapshots, type Snapshot } from '../../../src/feeds/feed.js';
import { growth, pastDays } from '../../../src/feeds/growth.js';
import { pastLedger } from '../../../src/feeds/ledger.js';
import { pastProposals } from '../../../src/feeds/past-proposals.js';
import { premium, type PremiumSeen } from '../../../src/feeds/premium.js';
import { proposals } from '../../../src/feeds/proposals.js';
import { supply } from '../../../src/feeds/supply.js';
import { poll } from '../../../src/jobs/poll.js';
import { CHAT, TIDE } from '../harness.js';
import { levelRules } from '../threshold-rules.js';
import { openJobsHarness } from '../../jobs/harness.js';
import { project } from '../../jobs/fake-service.js';
import { handClock } from '../../support/clock.js';
import { runs, seed } from '../../support/properties.js';

const START = instant(Date.UTC(2026, 0, 1));
const SUBJECT = project('tide');

/** An alert: when, of what, and what was crossed. */
type Alerted = readonly [event: string, crossings: unknown];

/** What a chat with these rules gets while the bot checks at these moments. */
async function live<M, S, F extends Record<string, unknown>>(
  spec: FeedSpec<M, S, F>,
  { rules: { kind, ...rules }, checks }: { readonly rules: KindRules; readonly checks: readonly Snapshot<S>[] },
): Promise<readonly Alerted[]> {
  const [first] = checks;
  const clock = handClock(first?.at ?? START);
  const office = await openJobsHarness({ clock });
  await office.watch(TIDE, { rules: { [kind]: rules }, modes: { [kind]: 'on' } });
  let next: Snapshot<S> | undefined;
  const feed: Feed = defineFeed({ ...spec, read: async () => next ?? Promise.reject(new Error('no check')) });
  for (const check of checks) {
    await clock.advance(check.at - clock.now());
    next = check;
    expect(await poll({ feed, subject: SUBJECT, every: DAY }, office.poll)).toBe(true);
  }
  return office.queues.read(CHAT).waiting.map(({ event, crossings = [] }): Alerted => [event, crossings]);
}

/** What a backtest reports of the same past. */
async function replayed<M, S, F extends Record<string, unknown>>(
  spec: FeedSpec<M, S, F>,
  { rules, past, now }: { readonly rules: KindRules; readonly past: PastSnapshots<S>; readonly now: Instant },
): Promise<{ readonly alerts: readonly Alerted[]; readonly report: BacktestReport }> {
  if ('unavailable' in spec.history) throw new Error('it has no history');
  const { history } = defineFeed({ ...spec, history: { ...spec.history, read: async () => past } });
  if ('unavailable' in history) throw new Error('it has no history');
  const from = later(now, -BACKTEST_DAYS * DAY);
  const nobody = {
    analytics: { call: refuse, walk: refuse, kept: refuse, state: () => ({ budget: { used: 0, resetsAt: now } }) },
    options: {},
  };
  const report = await backtest(rules, await history.read(SUBJECT, { ...nobody, now, from }), { now });
  return { report, alerts: report.firings.map(({ event: { id }, crossings }): Alerted => [id, crossings]) };
}

/** Daily values do not tell whether one lasted for hours. */
const lastingDays = (rule: ThresholdRule): ThresholdRule =>
  'lasts' in rule && rule.lasts !== undefined ? { ...rule, lasts: 2 * DAY } : rule;

const refuse = async (): Promise<never> => Promise.reject(new Error('nobody is asked'));

const whole = { complete: true, hidden: 0, broken: 0 } as const;

const APART = [10 * MINUTE, 40 * MINUTE, 2 * HOUR, 13 * HOUR, DAY, 3 * DAY] as const;
const tenths = (min: number, max: number) => fc.integer({ min: min * 10, max: max * 10 }).map((count) => count / 10);

interface Course {
  readonly steps: readonly { readonly apart: number; readonly price: number | undefined }[];
  readonly older: readonly number[];
}

/** Prices around a NAV/share of 1, with a year of history or hardly any. */
const courses: fc.Arbitrary<Course> = fc.record({
  steps: fc.array(fc.record({ apart: fc.constantFrom(...APART), price: fc.option(tenths(0.2, 2.5), { nil: undefined, freq: 12 }) }), {
    minLength: 2,
    maxLength: 30,
  }),
  older: fc.array(tenths(0.2, 2.5), { maxLength: 45 }),
});

function pricesOf({ steps, older }: Course) {
  const history = older.map((price, index) => ({ at: later(START, -(older.length - index) * 10 * DAY), price }));
  let at: Instant = START;
  const points = steps.map(({ apart, price }) => {
    at = later(at, apart);
    return { at, price };
  });
  const known = [...history, ...points].flatMap(({ at: moment, price }) =>
    price === undefined ? [] : [{ at: moment, price: decimal(price), navPerShare: decimal(1), nav: decimal(1_000) }],
  );
  const seenAt = ({ at: moment, price }: (typeof points)[number], past: PremiumSeen['past']): Snapshot<PremiumSeen> => ({
    ...whole,
    at: moment,
    data: {
      gap: price === undefined ? undefined : decimal(Math.round((price - 1) * 100)),
      ...{ reported: undefined, price: price === undefined ? undefined : decimal(price), navPerShare: decimal(1), nav: decimal(1_000) },
      ...{ updatedAt: moment, past },
    },
  });
  return {
    checks: points.map((point) =>
      seenAt(
        point,
        known.filter(({ at: moment }) => moment <= point.at),
      ),
    ),
    past: { at, since: history[0]?.at ?? points[0]?.at, hidden: 0, broken: 0, snapshots: points.map((point) => seenAt(point, known)) },
    now: later(at, HOUR),
  };
}

describe('a backtest alerts when the bot would have alerted', () => {
  test('by every form of threshold rule, whatever the values and the pauses between them', async () => {
    const forms = new Map<string, number>();
    const [level, band] = [decimal('10'), decimal('2')];
    // One that these values cross, beside any others.
    const crossed = fc.constantFrom<KindRules['thresholds'][number]>(
      { when: 'above', measure: 'premium', threshold: level, hysteresis: band },
      { when: 'below', measure: 'premium', threshold: level, hysteresis: band },
      { when: 'move', measure: 'premium', by: level },
    );
    const thresholds = fc
      .tuple(crossed, fc.array(levelRules(measuresOf('premium')).map(lastingDays), { maxLength: 2 }))
      .map(([first, others]) => [...new Map([first, ...others].map((rule) => [thresholdKey(rule), rule])).values()]);
    await fc.assert(
      fc.asyncProperty(courses, thresholds, async (course, rules) => {
        const { checks, past, now } = pricesOf(course);
        const kind: KindRules = { kind: 'premium', filters: {}, thresholds: rules };
        const [bot, { alerts }] = [
          await live(premium.spec, { rules: kind, checks }),
          await replayed(premium.spec, { rules: kind, past, now }),
        ];
        expect(alerts).toEqual(bot);
        for (const rule of rules) forms.set(rule.when, (forms.get(rule.when) ?? 0) + alerts.length);
      }),
      { numRuns: runs(150, 30), ...(seed === undefined ? {} : { seed }) },
    );
    // Else the property would hold of silence.
    expect([...forms].filter(([, count]) => count > 0).map(([form]) => form)).toEqual(expect.arrayContaining(['above', 'below', 'move']));
  });

  test('by extremes and z-scores of values with a year behind them', async () => {
    const older = Array.from({ length: 45 }, (_one, index) => 1 + (index % 5) / 50);
    const some = fc.constantFrom<KindRules['thresholds'][number]>(
      { when: 'extreme', measure: 'premium', days: decimal('90') },
      { when: 'extreme', measure: 'premium', days: decimal('365') },
      { when: 'z-score', measure: 'premium', least: decimal('1') },
    );
    const forms = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(courses, some, async ({ steps }, rule) => {
        const { checks, past, now } = pricesOf({ steps, older });
        const rules: KindRules = { kind: 'premium', filters: {}, thresholds: [rule] };
        const { alerts } = await replayed(premium.spec, { rules, past, now });
        expect(alerts).toEqual(await live(premium.spec, { rules, checks }));
        forms.set(rule.when, (forms.get(rule.when) ?? 0) + alerts.length);
      }),
      { numRuns: runs(100, 20), ...(seed === undefined ? {} : { seed }) },
    );
    expect([...forms.values()].filter((count) => count > 0)).toHaveLength(2);
  });

  test('by filters of mints and burns, however late the service lists them', async () => {
    const row = fc.record({
      apart: fc.constantFrom(...APART),
      type: fc.constantFrom('Mint', 'Burn', 'Rebase'),
      amount: fc.integer({ min: 1, max: 1_000 }),
      usd: fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined }),
      change: fc.option(tenths(0.1, 3), { nil: undefined }),
    });
    const filters = fc.record(
      {
        leastUsd: fc.constantFrom('500', '10000').map(decimal),
        leastPercent: fc.constantFrom('0.5', '2').map(decimal),
        eitherSize: fc.constant(true as const),
        stages: fc.constantFrom(['mint'], ['mint', 'burn']),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 25 }), filters, async (made, wanted) => {
        let at: Instant = START;
        const rows = made.map(({ apart, type, amount, usd, change }, index): SupplyEvent => {
          at = later(at, apart);
          return {
            ...{ id: String(index + 1), at, type, amount: decimal(amount), usd: usd === undefined ? undefined : decimal(usd) },
            ...{ change: change === undefined ? undefined : decimal(change), supplyAfter: undefined, price: undefined },
            ...{ signature: undefined, proposal: undefined },
          };
        });
        const rules: KindRules = { kind: 'supply', filters: wanted, thresholds: [] };
        // Each check finds what happened up to then; the first finds nothing.
        const checks = [START, ...rows.map((one) => one.at)].map((moment) => ({
          ...whole,
          at: moment,
          data: rows.filter((one) => one.at <= moment),
        }));
        const now = later(at, MINUTE);
        const past = pastLedger({ rows, at: now, ...whole }, { from: later(now, -BACKTEST_DAYS * DAY), now });
        const { alerts } = await replayed(supply.spec, { rules, past, now });
        expect(alerts).toEqual(await live(supply.spec, { rules, checks }));
      }),
      { numRuns: runs(60), ...(seed === undefined ? {} : { seed }) },
    );
  });

  test('by the stages of proposals, each at its moment', async () => {
    const market = fc.record({
      created: fc.integer({ min: 0, max: 100 }),
      draft: fc.integer({ min: 0, max: 72 }),
      twap: fc.integer({ min: 1, max: 40 }),
      days: fc.integer({ min: 2, max: 9 }),
      result: fc.constantFrom('passed', 'failed'),
    });
    const stages = fc.option(
      fc.constantFrom(['live'], ['twap', 'ending'], ['resolved'], ['created', 'passed']).map((some) => ({ stages: some })),
      { nil: {} },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(market, { minLength: 1, maxLength: 4 }), stages, async (made, filters) => {
        const rows = made.map(({ created, draft, twap, days, result }, index): ProposalRow => {
          // Odd minutes keep the moments of two markets apart, whose order within one check is that of the list.
          const createdAt = later(START, (created + 1) * HOUR + index * MINUTE);
          const startsAt = later(createdAt, draft * HOUR);
          const [twapStartsAt, endsAt] = [later(startsAt, twap * HOUR), later(startsAt, days * DAY)];
          return { ...EMPTY_PROPOSAL, publicKey: `key-${index}`, status: result, createdAt, startsAt, twapStartsAt, endsAt };
        });
        const asListed = (row: ProposalRow, at: Instant): readonly ProposalRow[] => {
          const { createdAt = at, startsAt = at, endsAt = at } = row;
          if (at < createdAt) return [];
          return [at >= endsAt ? row : { ...row, status: at >= startsAt ? 'live' : 'draft' }];
        };
        const end = later(START, 40 * DAY);
        const past = pastProposals(rows, { from: later(end, -BACKTEST_DAYS * DAY), now: end });
        // A bot that checks every minute would find the same at these.
        const stagesOf = ({
          createdAt = START,
          startsAt = START,
          twapStartsAt = START,
          endsAt = START,
        }: ProposalRow): readonly Instant[] => [
          ...[createdAt, startsAt, twapStartsAt, endsAt],
          later(endsAt, -Math.min(12 * HOUR, (endsAt - startsAt) / 4)),
        ];
        const moments = [START, ...new Set(rows.flatMap(stagesOf)), end].toSorted((one, other) => one - other);
        const checks = moments.map((at) => ({ ...whole, at, data: rows.flatMap((row) => asListed(row, at)) }));
        const rules: KindRules = { kind: 'proposals', filters, thresholds: [] };
        const { alerts } = await replayed(proposals.spec, { rules, past: { ...past, at: end, hidden: 0, broken: 0 }, now: end });
        const ids = (all: readonly Alerted[]) => all.map(([event]) => event).toSorted();
        expect(ids(alerts)).toEqual(ids(await live(proposals.spec, { rules, checks })));
      }),
      { numRuns: runs(40), ...(seed === undefined ? {} : { seed }) },
    );
  });

  test('by growth values of each day, compared with the days before', async () => {
    const values = fc.array(fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined, freq: 6 }), { minLength: 3, maxLength: 40 });
    const filters = fc.record(
      { leastPercent: fc.constantFrom('10', '60').map(decimal), metrics: fc.constant(['fees']) },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(values, filters, async (made, wanted) => {
        const first = dayOf(START);
        const days = made.flatMap((value, index) => (value === undefined ? [] : [{ day: addDays(first, index), value: decimal(value) }]));
        const metric = { id: 'fees', unit: 'usd', name: undefined, semantics: undefined, broken: 0 };
        const feedOf = (until: Instant) => ({
          published: true,
          broken: 0,
          metrics: [{ ...metric, days: days.filter(({ day }) => Date.parse(day) + DAY <= until) }].filter((one) => one.days.length > 0),
        });
        const ends = days.map(({ day }) => instant(Date.parse(day) + DAY));
        const checks = ends.map((at) => ({ ...whole, at, data: feedOf(at) }));
        const now = instant((ends.at(-1) ?? START) + HOUR);
        const rules: KindRules = { kind: 'growth', filters: wanted, thresholds: [] };
        const past = { ...pastDays(feedOf(now)), at: now };
        const { alerts } = await replayed(growth.spec, { rules, past, now });
        expect(alerts).toEqual(await live(growth.spec, { rules, checks }));
      }),
      { numRuns: runs(40), ...(seed === undefined ? {} : { seed }) },
    );
  });
});
