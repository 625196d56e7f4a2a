/** This module counts how often rules would have alerted over past checks, and suggests thresholds for more or fewer alerts. */
import { yieldToEventLoop } from '../../base/yield.js';
import type { Line } from '../../chat/reply.js';
import { DAY, instant } from '../../base/clock.js';
import type { Point } from '../../domain/crossing.js';
import { momentOf, type FeedEvent } from '../../domain/event.js';
import type { Measure } from '../../domain/measures.js';
import type { Decimal, Instant } from '../../domain/scalars.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import type { PastChecks } from '../../feeds/feed.js';
import { feedOf } from '../../feeds/index.js';
import { seriesOf as measuredSeriesOf } from '../checks/check-records.js';
import { passes, sizeOf } from '../rules/filter.js';
import { includesStage } from '../rules/kinds.js';
import type { KindRules, Rules } from '../rules/rule.js';
import { ladderOf } from './threshold-ladder.js';
import { EVENTS_AT_ONCE, replay, replayChecks, type Firing, type ReplayCheck } from './replay.js';
import { suggest, type SuggestedThreshold } from './suggest.js';
import type { Address } from '../../chat/address.js';
import type { Project } from '../../domain/project.js';

export interface BacktestOrder {
  readonly chat: Address;
  /** Undefined for an entry of several projects. */
  readonly project: Project | undefined;
  readonly rules: KindRules;
  readonly confirmed: boolean;
  /** Events alert too, as in an entry. By default only rules on measures are tried. */
  readonly withEvents?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type BacktestAnswer =
  /** No rule could be tried; `because` has sentences that say why. */
  | { readonly kind: 'no-history'; readonly because: readonly string[] }
  | { readonly kind: 'which-project' }
  | { readonly kind: 'busy' }
  /** Both numbers count requests, of which none was made yet. */
  | { readonly kind: 'costly'; readonly calls: number; readonly left: number }
  | {
      readonly kind: 'report';
      readonly report: BacktestReport;
      readonly calls: number;
      readonly resolution: 'day' | 'event';
      readonly without: readonly Measure[];
      /** Sentences that say what the history lacks. */
      readonly lacks: readonly string[];
    };

export const BACKTEST_DAYS = 365;
const PERIODS = [30, 90, BACKTEST_DAYS] as const;
const MAX_LATEST = 5;

export interface BacktestPeriod {
  readonly days: (typeof PERIODS)[number];
  /** Set if the history begins later than the period. */
  readonly since: Instant | undefined;
  readonly alerts: number;
  /** Number of events without a date that may be in the period. */
  readonly undated: number;
}

/** The points of the chart: past values of a measure, or sizes of events. */
export type BacktestSeries =
  | { readonly of: 'measure'; readonly measure: Measure; readonly points: readonly Point[] }
  | { readonly of: 'usd' | 'percent'; readonly points: readonly Point[] };

export interface BacktestReport extends Pick<PastChecks, 'at' | 'dataAt' | 'stale' | 'cut' | 'hidden' | 'broken'> {
  readonly rules: KindRules;
  /** When the rules would have begun. */
  readonly from: Instant;
  /** The time of the newest check, or of the response for dated events. */
  readonly until: Instant | undefined;
  /** Shortest period first. Each one after the first begins within the history. */
  readonly periods: readonly BacktestPeriod[];
  /** Oldest first. */
  readonly firings: readonly Firing[];
  readonly perRule: readonly { readonly rule: ThresholdRule; readonly alerts: number }[];
  /** Undefined without a flip of a topic whose end is known. */
  readonly flips: { readonly count: number; readonly held: number } | undefined;
  readonly series: BacktestSeries | undefined;
  /** Undefined unless the rules have exactly one threshold to vary. */
  readonly suggestions: readonly SuggestedThreshold[] | undefined;
  readonly evaluated: number;
  /** Sentences that say which events of the rules' stages have no date. */
  readonly lacks: readonly string[];
}

interface BacktestContext extends Pick<BacktestOrder, 'withEvents'> {
  readonly now: Instant;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a backtest. Rejects with the reason of `signal`. */
export async function backtest(
  asked: KindRules,
  past: PastChecks,
  { now, signal, withEvents = false }: BacktestContext,
): Promise<BacktestReport> {
  const rules: KindRules = { ...asked, thresholds: asked.thresholds.map(endless) };
  const begins = instant(now - BACKTEST_DAYS * DAY);
  const hasEvents = withEvents || rules.thresholds.length === 0;
  const checks = replayChecks(hasEvents ? past.checks : past.checks.map((one) => ({ ...one, events: [] })), begins);
  const measured = rules.thresholds.flatMap(({ measure }) => pointsOf(measure, checks));
  const from = startOf(!hasEvents ? measured.map(({ at }) => at) : past.since === undefined ? [] : [past.since], begins);
  const firings = await replay(rules, checks, signal);
  const events = await sizedEvents(rules, checks);
  const series = seriesOf(rules, checks, events);
  const ladder = ladderOf(rules, {
    measured: series?.of === 'measure' ? valuesIn(series.points) : [],
    usd: valuesIn(sizesOf(events, 'usd')),
    percent: valuesIn(sizesOf(events, 'percent')),
  });
  const alerts = async (other: Rules): Promise<number> => (await replay(other, checks, signal)).length;
  const { at, dataAt, stale, cut, hidden, broken } = past;
  const gaps = (past.gaps ?? []).filter((gap) => hasEvents && isConcerned(rules, gap));
  return {
    at,
    hidden,
    broken,
    rules,
    from,
    firings,
    ...(dataAt === undefined ? {} : { dataAt }),
    ...(stale === undefined ? {} : { stale }),
    ...(cut === undefined ? {} : { cut }),
    until: past.checks.at(-1)?.at,
    periods: periodsOf(firings, { from, now, missing: gaps.flatMap(({ missing }) => missing) }),
    lacks: gaps.map(({ says }) => says),
    perRule: rules.thresholds.map((rule) => ({
      rule,
      alerts: firings.filter(({ crossings }) => crossings.some((crossing) => crossing.rule === rule)).length,
    })),
    flips: flipsIn(firings),
    series,
    suggestions: ladder && (await suggest(ladder, { alerts, span: now - from })),
    evaluated: !hasEvents ? measured.length : checks.reduce((total, { events: all }) => total + all.length, 0),
  };
}

const startOf = (dates: readonly Instant[], begins: Instant): Instant => {
  const first = dates.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return first < begins + DAY || first === Number.POSITIVE_INFINITY ? begins : instant(first);
};

/** Tells whether a gap affects the rules. Without a filter of stages every gap does. */
const isConcerned = ({ kind, filters }: KindRules, { stages }: { readonly stages?: readonly string[] }): boolean =>
  filters.stages === undefined || stages === undefined || stages.some((stage) => includesStage(kind, filters.stages ?? [], stage));

const endless = ({ once: _once, until: _until, ...rule }: ThresholdRule): ThresholdRule => rule;

function periodsOf(
  firings: readonly Firing[],
  { from, now, missing }: { readonly from: Instant; readonly now: Instant; readonly missing: readonly Instant[] },
): BacktestReport['periods'] {
  const periods: BacktestPeriod[] = [];
  for (const days of PERIODS) {
    const begins = now - days * DAY;
    // A chart of daily values may begin up to a day late.
    const isCovered = from <= begins + DAY;
    const alerts = firings.filter(({ at }) => at >= begins).length;
    const undated = missing.filter((at) => at >= begins).length;
    periods.push({ days, since: isCovered ? undefined : from, alerts, undated });
    if (!isCovered) break;
  }
  return periods;
}

/** Counts flips whose market has a result. A flip held if that is the result and no other flip followed. */
function flipsIn(firings: readonly Firing[]): BacktestReport['flips'] {
  const flips = firings.flatMap(({ event, crossings }) => {
    const { outcome } = event.facts;
    return crossings.flatMap(({ rule, side }) => (rule.when === 'flip' ? [{ series: measuredSeriesOf({ event }), side, outcome }] : []));
  });
  const known = flips.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed');
  const last = new Map(known.map((flip) => [flip.series, flip]));
  const held = [...last.values()].filter(({ side, outcome }) => (side === 'high') === (outcome === 'passed')).length;
  return known.length === 0 ? undefined : { count: known.length, held };
}

/** Returns the latest firings, newest first, with a `headline` for events. */
export const latestFirings = (firings: readonly Firing[]): readonly { readonly firing: Firing; readonly headline?: Line }[] =>
  firings
    .slice(-MAX_LATEST)
    .toReversed()
    .map((firing) => ({ firing, ...headlineOf(firing) }));

function headlineOf({ event, crossings }: Firing): { readonly headline?: Line } {
  const content = crossings.length > 0 ? undefined : feedOf(event.feed)?.content(event);
  return content === undefined ? {} : { headline: content.headline };
}

/** Returns the events that pass all filters except those on size. */
async function sizedEvents({ filters }: Rules, checks: readonly ReplayCheck[]): Promise<readonly FeedEvent[]> {
  const { leastUsd: _usd, leastPercent: _percent, eitherSize: _either, ...others } = filters;
  const sized: FeedEvent[] = [];
  for (const { events } of checks)
    for (const [index, event] of events.entries()) {
      if (index % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) await yieldToEventLoop();
      if (passes(event, others).passes) sized.push(event);
    }
  return sized.toSorted((a, b) => momentOf(a) - momentOf(b));
}

const sizesOf = (events: readonly FeedEvent[], of: 'usd' | 'percent'): readonly Point[] =>
  events.flatMap((event) => {
    const value = sizeOf(event)[of];
    return value === undefined ? [] : [{ at: momentOf(event), value }];
  });

const valuesIn = (points: readonly Point[]): readonly Decimal[] => points.map(({ value }) => value);

const pointsOf = (measure: Measure, checks: readonly ReplayCheck[]): readonly Point[] =>
  checks.flatMap(({ measured: { measurements } }) =>
    measurements.flatMap(({ at, values: { [measure]: value } }) => (value === undefined ? [] : [{ at, value }])),
  );

function seriesOf(
  { filters, thresholds: [rule] }: Rules,
  checks: readonly ReplayCheck[],
  events: readonly FeedEvent[],
): BacktestReport['series'] {
  if (rule !== undefined) return { of: 'measure', measure: rule.measure, points: pointsOf(rule.measure, checks) };
  const byPercent = filters.leastPercent !== undefined && filters.leastUsd === undefined;
  const sizes = (byPercent ? (['percent', 'usd'] as const) : (['usd', 'percent'] as const)).map((of) => ({
    of,
    points: sizesOf(events, of),
  }));
  return sizes.find(({ points }) => points.length > 0);
}
