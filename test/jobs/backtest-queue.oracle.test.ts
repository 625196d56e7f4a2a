/** Backtests of the simulated service, against counts that independent code makes from its raw responses. */
import { expect, onTestFinished, test } from 'vitest';
import { readRule } from '../../src/alerts/rules/read-rule.js';
import { presetRules } from '../../src/alerts/rules/presets.js';
import type { KindRules } from '../../src/alerts/rules/rule.js';
import type { BacktestReport } from '../../src/alerts/backtest/backtest.js';
import type { Analytics } from '../../src/analytics/analytics.js';
import { DAY, HOUR } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { FEEDS } from '../../src/feeds/index.js';
import { BacktestQueue } from '../../src/jobs/backtest-queue.js';
import { memoryJournal } from '../../src/simulator/journal.js';
import type { PagePlan } from '../../src/simulator/route.js';
import { startSimulator } from '../../src/simulator/server.js';
import { handClock, type HandClock } from '../support/clock.js';
import { runs } from '../support/properties.js';
import { connect } from '../support/service.js';
import {
  growthAlerts,
  ledgerAlerts,
  proposalAlerts,
  seriesOf,
  valueAlerts,
  type Measured,
  type OracleRule,
  type RawService,
  type Verdict,
} from './backtest-oracle.js';
import { project } from './fake-service.js';

const KEY = 'key-of-the-test';

interface World {
  readonly service: RawService;
  readonly analytics: Analytics;
  readonly clock: HandClock;
  readonly slugs: readonly string[];
  run(slug: string, rules: KindRules): Promise<BacktestReport>;
}

async function openWorld(seed: string, plan?: Partial<PagePlan>): Promise<World> {
  const clock = handClock();
  const simulator = await startSimulator({ seed, pace: 1, clock, journal: memoryJournal(), apiKey: KEY, plan });
  onTestFinished(async () => simulator.close());
  const saved = new Map<string, { readonly data: unknown }>();
  const ask = async (path: string) => {
    const known = saved.get(path);
    if (known !== undefined) return known;
    const response = await fetch(`${simulator.url}${path}`, { headers: { 'x-api-key': KEY } });
    const answer = (await response.json()) as { readonly data: unknown };
    saved.set(path, answer);
    return answer;
  };
  const service: RawService = {
    async rows(path) {
      if (path.includes('range=')) return (await ask(path)).data as Awaited<ReturnType<RawService['rows']>>;
      const all: Readonly<Record<string, unknown>>[] = [];
      const size = plan?.maxRows ?? 100;
      for (let page = 1; page <= (plan?.maxPages ?? 100); page += 1) {
        const found = (await ask(`${path}&limit=${size}&page=${page}`)).data as typeof all;
        if (found.length === 0) break;
        all.push(...found);
      }
      return all;
    },
    data: async (path) => (await ask(path)).data as Readonly<Record<string, unknown>>,
  };
  const { analytics } = await connect(simulator.url, { clock });
  const backtests = new BacktestQueue({ feeds: FEEDS, checkRecords: { read: () => undefined }, clock });
  const slugs = (await service.rows('/v1/global-dashboard/projects?')).map((row) => String(row['organizationSlug']));
  return {
    ...{ service, analytics, clock, slugs },
    async run(slug, rules) {
      const answer = await backtests.run({ chat: address('console', 'main'), project: project(slug), rules, confirmed: true, analytics });
      if (answer.kind !== 'report') throw new Error(`no report: ${answer.kind}`);
      return answer.report;
    },
  };
}

const read = (text: string): KindRules => {
  const found = readRule(text);
  if (!found.read) throw new Error(found.says);
  return found.rules;
};

/** As many as the most turns of `share` that a test's thresholds and projects are dealt out in. */
const WORLDS = Array.from({ length: runs(8, 2) }, (_, index) => `world-${index}`);
/** One in so many, in turn: each rule meets many projects, and each project several rules. */
const share = <T>(all: readonly T[], turn: number, of: number): readonly T[] => all.filter((_, index) => (index + turn) % of === 0);

const found = ({ firings, periods }: BacktestReport) => ({
  alerts: firings.map(({ at }) => Number(at)),
  undated: periods.at(-1)?.undated,
});
/** What a report must say of these alerts. */
const expectSame = (report: BacktestReport, { alerts, undated }: Verdict, { about, now }: { about: string; now: number }): void => {
  expect([about, found(report)]).toEqual([about, { alerts, undated }]);
  for (const { days, alerts: counted } of report.periods)
    expect([about, days, counted]).toEqual([about, days, alerts.filter((at) => at >= now - days * DAY).length]);
};

const STAGES: Readonly<Record<string, readonly string[]>> = {
  'proposals stages:live': ['live'],
  'proposals stages:ending': ['ending'],
  'proposals stages:created': ['created'],
  'proposals stages:twap': ['twap'],
  'proposals stages:passed,failed': ['passed', 'failed'],
  'proposals stages:live,ending,resolved': ['live', 'ending', 'passed', 'failed', 'removed'],
};

test('the stages of proposals, by the dates of every list that has them', async () => {
  let total = 0;
  for (const [turn, seed] of WORLDS.entries()) {
    const { service, slugs, clock, run } = await openWorld(seed);
    const now = clock.now();
    for (const [index, slug] of share(slugs, turn, 2).entries()) {
      for (const [rule, stages] of share(Object.entries(STAGES), index, 3)) {
        const verdict = await proposalAlerts(service, slug, { stages, now });
        total += verdict.alerts.length;
        expectSame(await run(slug, read(rule)), verdict, { about: `${seed} ${slug} ${rule}`, now });
      }
      // Flips have an oracle of their own.
      const important = { kind: 'proposals', ...presetRules('important', 'proposals'), thresholds: [] };
      const verdict = await proposalAlerts(service, slug, { stages: ['live', 'ending', 'passed', 'failed', 'removed'], now });
      expectSame(await run(slug, important), verdict, { about: `${seed} ${slug} important`, now });
    }
  }
  expect(total).toBeGreaterThan(100);
});

test('flips of the newest markets that were decided, by the charts of their margins', async () => {
  let total = 0;
  for (const [turn, seed] of WORLDS.entries()) {
    const { service, slugs, clock, run } = await openWorld(seed);
    for (const slug of share(slugs, turn, 3)) {
      const year = clock.now() - 365 * DAY;
      const rows = await service.rows(`/v1/proposal?slug=${slug}`);
      const decided = rows
        .filter((one) => ['passed', 'failed'].includes(String(one['state'])) || ['approved', 'rejected'].includes(String(one['result'])))
        .toSorted((a, b) => Date.parse(String(b['endDate'])) - Date.parse(String(a['endDate'])));
      const flips: number[] = [];
      let held = 0;
      for (const one of decided.slice(0, 12)) {
        const { threshold, chartData } = await service.data(`/v1/proposal/${String(one['publicKey'])}/threshold-chart?timeInterval=1h`);
        const points = (chartData as readonly Readonly<Record<string, unknown>>[]).filter(
          (point) => Number(point['timestamp']) * 1_000 >= year,
        );
        const found = flipsOf(points.map((point) => [Number(point['timestamp']) * 1_000, difference(point['twapPassEdge'], threshold)]));
        flips.push(...found.map(([at]) => at));
        const hasPassed = one['state'] === 'passed' || one['result'] === 'approved';
        if (found.at(-1)?.[1] === hasPassed) held += 1;
      }
      const report = await run(slug, read('flip'));
      expect(
        report.firings.map(({ at }) => at),
        slug,
      ).toEqual(flips.toSorted((a, b) => a - b));
      expect(report.flips, slug).toEqual(flips.length === 0 ? undefined : { count: flips.length, held });
      total += flips.length;
    }
  }
  expect(total).toBeGreaterThan(5);
});

/** Without the error of floating point, by which 1.8 − 1.8 can be above 0. */
const difference = (edge: unknown, threshold: unknown): number => Number((Number(edge) - Number(threshold)).toFixed(9));

/** Alerted from its first side: to the other side, an hour apart, and half a point away from 0 at the last alert or since. */
function flipsOf(points: readonly (readonly [at: number, margin: number])[]): readonly (readonly [at: number, isPassing: boolean])[] {
  const [[, first] = [0, 0]] = points;
  let side = first > 0;
  let isArmed = true;
  const flips: [number, boolean][] = [];
  for (const [at, margin] of points.slice(1)) {
    isArmed ||= Math.abs(margin) >= 0.5;
    if (margin > 0 === side || !isArmed || at < (flips.at(-1)?.[0] ?? 0) + HOUR) continue;
    side = margin > 0;
    isArmed = Math.abs(margin) >= 0.5;
    flips.push([at, side]);
  }
  return flips;
}

test('of a plan of ten rows and three pages only the starts that it shows are counted, and what it hides is said', async () => {
  const plan = { maxRows: 10, maxPages: 3 };
  const { service, slugs, clock, run } = await openWorld('world-0', plan);
  let undated = 0;
  for (const slug of slugs) {
    const verdict = await proposalAlerts(service, slug, { stages: ['live'], now: clock.now() });
    const report = await run(slug, read('proposals stages:live'));
    expectSame(report, verdict, { about: slug, now: clock.now() });
    undated += verdict.undated;
    expect(report.lacks.map((said) => /^\d+ of \d+ .* newest 30 decision markets/u.test(said))).toEqual(verdict.undated > 0 ? [true] : []);
  }
  expect(undated).toBeGreaterThan(0);
});

const VALUES: readonly (readonly [rule: string, measure: Measured, oracle: OracleRule])[] = [
  ['premium<-10 band 2', 'premium', { when: 'below', level: -10, band: 2 }],
  ['premium<0 band 1', 'premium', { when: 'below', level: 0, band: 1 }],
  ['premium>5 band 3', 'premium', { when: 'above', level: 5, band: 3 }],
  ['premium move 5', 'premium', { when: 'move', by: 5, in: 'difference' }],
  ['premium extreme 90', 'premium', { when: 'extreme', days: 90, apart: () => 2 }],
  ['premium extreme 20', 'premium', { when: 'extreme', days: 20, apart: () => 2 }],
  ['premium z 1.5', 'premium', { when: 'z-score', least: 1.5 }],
  ['price>0.5 band 0.01', 'price', { when: 'above', level: 0.5, band: 0.01 }],
  ['price<0.9 band 0.02', 'price', { when: 'below', level: 0.9, band: 0.02 }],
  ['price move 10%', 'price', { when: 'move', by: 10, in: 'percent' }],
  ['price extreme 60', 'price', { when: 'extreme', days: 60, apart: (last) => Math.abs(last) * 0.02 }],
  ['price z 2', 'price', { when: 'z-score', least: 2 }],
  ['price24h>5 band 2', 'price24h', { when: 'above', level: 5, band: 2 }],
  ['price24h<-4 band 1', 'price24h', { when: 'below', level: -4, band: 1 }],
  ['price24h move 6', 'price24h', { when: 'move', by: 6, in: 'difference' }],
  ['nav move 5%', 'nav', { when: 'move', by: 5, in: 'percent' }],
  ['nav<3m band 50k', 'nav', { when: 'below', level: 3_000_000, band: 50_000 }],
  ['nav extreme 90', 'nav', { when: 'extreme', days: 90, apart: () => 10_000 }],
  ['nav z 2', 'nav', { when: 'z-score', least: 2 }],
];

test('thresholds, moves, extremes and z-scores of premium, price, its day change and NAV', async () => {
  const met = new Set<string>();
  for (const [turn, seed] of WORLDS.entries()) {
    const { service, slugs, clock, run } = await openWorld(seed);
    const turns = share(slugs, turn, 8).flatMap((slug, index) => ['premium', 'treasury'].map((kind) => ({ slug, index, kind })));
    for (const { slug, index, kind } of turns) {
      const tried = share(VALUES, index, 3).filter(([, measure]) => (measure === 'nav') === (kind === 'treasury'));
      const rules = tried.flatMap(([rule]) => read(rule).thresholds);
      // Several rules at once take as long as one: only one has suggestions.
      const report = await run(slug, { kind, filters: {}, thresholds: rules });
      for (const [place, [rule, measure, oracle]] of tried.entries()) {
        const { alerts } = valueAlerts(await seriesOf(service, slug, measure), oracle, clock.now());
        const ofRule = report.firings.filter(({ crossings }) => crossings.some((one) => one.rule === report.rules.thresholds[place]));
        const about = `${seed} ${slug} ${rule}`;
        expect([about, ofRule.map(({ at }) => Number(at))]).toEqual([about, alerts]);
        expect([about, report.perRule[place]?.alerts]).toEqual([about, alerts.length]);
        for (const form of alerts.length > 0 ? [oracle.when, measure] : []) met.add(form);
      }
    }
  }
  // Else the rules would agree in silence.
  expect([...met].toSorted()).toEqual(['above', 'below', 'extreme', 'move', 'nav', 'premium', 'price', 'price24h', 'z-score']);
});

test('growth values by their change against the day before and the mean of the week', async () => {
  let total = 0;
  for (const [turn, seed] of WORLDS.entries()) {
    const { service, slugs, clock, run } = await openWorld(seed);
    const now = clock.now();
    for (const [index, slug] of share(slugs, turn, 15).entries())
      for (const percent of share([5, 20, 50], index, 3)) {
        const verdict = await growthAlerts(service, slug, { percent, now });
        total += verdict.alerts.length;
        expectSame(await run(slug, read(`growth percent>${percent}`)), verdict, { about: `${seed} ${slug} ${percent}`, now });
      }
  }
  expect(total).toBeGreaterThan(100);
});

test('mints, burns and movements by their size', async () => {
  let total = 0;
  for (const [turn, seed] of WORLDS.entries()) {
    const { service, slugs, clock, run } = await openWorld(seed);
    const now = clock.now();
    for (const slug of share(slugs, turn, 5)) {
      const [supply, movements] = [`/v1/dao/token-supply?slug=${slug}`, `/v1/movement?slug=${slug}`];
      for (const [rule, path, sizes] of [
        ['supply usd>10000', supply, { usd: 10_000 }],
        ['supply percent>0.5', supply, { percent: 0.5 }],
        ['supply usd>1000 percent>0.5', supply, { usd: 1_000, percent: 0.5 }],
        ['supply stages:mint', supply, { types: ['mint'] }],
        ['movements usd>20000', movements, { usd: 20_000 }],
        ['movements usd>1000', movements, { usd: 1_000 }],
      ] as const) {
        const verdict = await ledgerAlerts(service, path, { ...sizes, now });
        total += verdict.alerts.length;
        expectSame(await run(slug, read(rule)), verdict, { about: `${seed} ${slug} ${rule}`, now });
      }
    }
  }
  expect(total).toBeGreaterThan(100);
});
