/** This module finds crossings in past values, for digest-only entries, which checks do not evaluate, and for fire drills. */
import type { CheckRecords } from '../../alerts/checks/check-records.js';
import { covering } from '../../alerts/watchlist/match.js';
import { DEFAULT_PRESET, isDigestOnly, isOff, presetRules } from '../../alerts/rules/presets.js';
import { calledHere, type Entry } from '../../alerts/watchlist/entry.js';
import type { Chat } from '../../alerts/watchlist/watchlists.js';
import type { Directory } from '../../analytics/directory.js';
import { instant, type Instant } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { yieldToEventLoop } from '../../base/yield.js';
import { backWords } from '../../domain/crossing-words.js';
import type { FeedEvent } from '../../domain/event.js';
import { measuresIn, thresholdKey, type ThresholdRule } from '../../domain/threshold-rule.js';
import type { Decimal, Slug } from '../../domain/scalars.js';
import { THRESHOLD_STAGE } from '../../feeds/feed.js';
import type { EventContent } from '../../feeds/event-content.js';
import { dayChange, premium } from '../../feeds/premium.js';
import { dayBefore } from '../../feeds/remembered-measurements.js';
import { treasury } from '../../feeds/treasury.js';
import { evaluateRule, type RuleState } from '../../alerts/evaluation/threshold.js';
import type { Crossing, Point } from '../../domain/crossing.js';
import { MEASURE_NAMES, type Measure, type MeasureOf } from '../../domain/measures.js';

export interface ThresholdContext {
  readonly checkRecords: Pick<CheckRecords, 'measurements'>;
  readonly directory: Pick<Directory, 'described'>;
  /** Returns a watermark; undefined if there is none or it is unreadable. */
  readonly watermarkOf: (key: string) => Promise<unknown>;
}

interface FoundPoint extends ThresholdPoint {
  readonly facts: FeedEvent['facts'];
}

const MEASURED = [
  {
    feed: premium,
    pointsOf: (watermark: unknown): readonly FoundPoint[] => {
      const { last, past = [] } = premium.spec.watermark.safeParse(watermark).data ?? {};
      return [...past, ...(last === undefined ? [] : [last])].map(({ at, ...facts }) => ({
        at,
        facts,
        values: {
          ...({ premium: facts.gap, price: facts.price } satisfies Record<Exclude<MeasureOf<'premium'>, 'price24h'>, unknown>),
          ...{ nav: facts.nav, runway: facts.runway, allowance: facts.allowance },
        },
      }));
    },
  },
  {
    feed: treasury,
    pointsOf: (watermark: unknown): readonly FoundPoint[] => {
      const { last, past = [] } = treasury.spec.watermark.safeParse(watermark).data ?? {};
      return [...past, ...(last === undefined ? [] : [last])].map(({ at, ...values }) => ({ at, values, facts: values }));
    },
  },
] as const;

const PROJECTS_AT_ONCE = 20;

export interface CrossedEvent {
  readonly event: FeedEvent;
  readonly content: EventContent;
  readonly entry: Entry;
}

interface WantedCrossings {
  readonly slugs: readonly Slug[];
  readonly from: Instant;
  /** Returns the rules to evaluate; undefined if the entry's values are not evaluated. */
  readonly rulesOf: (entry: Entry, feed: string) => readonly ThresholdRule[] | undefined;
  /** Also evaluates daily values in memory, before those of the watermark. */
  readonly withDays?: boolean;
}

/** Returns the default preset's rules for kinds that are reported in the digest only. */
export const digestOnlyRules: WantedCrossings['rulesOf'] = (entry, feed) =>
  isDigestOnly(entry, feed) ? presetRules(DEFAULT_PRESET, feed).thresholds : undefined;

/** Returns the crossings since `from` as events. */
export async function thresholdEvents(
  chat: Chat,
  { slugs, from, rulesOf, withDays = false }: WantedCrossings,
  { checkRecords, directory, watermarkOf }: ThresholdContext,
): Promise<readonly CrossedEvent[]> {
  const found: CrossedEvent[] = [];
  for (const [index, slug] of slugs.entries()) {
    if (index % PROJECTS_AT_ONCE === PROJECTS_AT_ONCE - 1) await yieldToEventLoop();
    for (const { feed, pointsOf } of MEASURED) {
      const [entry] = covering({ feed: feed.id, project: slug }, chat);
      if (entry === undefined || isOff(entry, feed.id)) continue;
      const rules = rulesOf(entry, feed.id);
      if (rules === undefined) continue;
      const [{ history = {} } = {}] = checkRecords.measurements(feed.id, slug);
      const latest = pointsOf(await watermarkOf(`${feed.id}/${slug}`));
      const points = withDays ? [...daysOf(history, Math.min(...latest.map(({ at }) => at))), ...latest] : latest;
      const after = withDays ? from : instant(Math.max(from, entry.since));
      const crossed = crossedAfter(withDayChanges(points, rules), { rules, history, after });
      for (const { point, crossing, back } of crossed) {
        const { name, symbol, mint } = await directory.described(slug);
        const id = `${feed.id}/${slug}/${point.at}/${thresholdKey(crossing.rule)}`;
        const event: FeedEvent = {
          id,
          topic: id,
          feed: feed.id,
          project: slug,
          stage: THRESHOLD_STAGE,
          occurredAt: point.at,
          detectedAt: point.at,
          facts: { ...point.facts, ...omitUndefined({ name, symbol, mint }) },
        };
        const content = feed.content(event, { name: calledHere(entry.target), crossings: [crossing] });
        found.push({ event, entry, content: overAlready(content, back) });
      }
    }
  }
  return found;
}

/** Marks a crossing that is over by the time of the digest, as an edited alert does. */
function overAlready(content: EventContent, back: Crossing | undefined): EventContent {
  const words = back && backWords(back);
  return words === undefined ? content : { ...content, tone: 'over', headline: [...content.headline, ` · ${words}`] };
}

/** Returns the daily values before `until`, joined by time. */
function daysOf(history: CrossingContext['history'], until: number): readonly FoundPoint[] {
  const points = new Map<Instant, Partial<Record<Measure, Decimal>>>();
  for (const measure of MEASURE_NAMES)
    for (const { at, value } of history[measure] ?? []) if (at < until) points.set(at, { ...points.get(at), [measure]: value });
  return [...points].map(([at, values]) => ({
    at,
    values,
    facts: omitUndefined({ gap: values.premium, price: values.price, nav: values.nav }),
  }));
}

/** A change over 24 h is not stored: it is computed from the prices, where a rule is about it. */
export function withDayChanges<P extends ThresholdPoint>(points: readonly P[], rules: readonly ThresholdRule[]): readonly P[] {
  if (!rules.some((rule) => measuresIn(rule).includes('price24h'))) return points;
  const prices = points.flatMap(({ at, values: { price } }) => (price === undefined ? [] : [{ at, price }]));
  return points.map((point) => {
    const { at, values } = point;
    return { ...point, values: { ...values, price24h: dayChange({ price: values.price, before: dayBefore(prices, at) }, at) } };
  });
}

interface ThresholdPoint {
  readonly at: Instant;
  readonly values: Readonly<Partial<Record<Measure, Decimal | undefined>>>;
}

interface CrossedPoint<P extends ThresholdPoint> {
  readonly point: P;
  readonly crossing: Crossing;
  /** The return, if the crossing is over. */
  readonly back?: Crossing | undefined;
}

interface CrossingContext {
  readonly rules: readonly ThresholdRule[];
  readonly history: Readonly<Partial<Record<Measure, readonly Point[] | undefined>>>;
  readonly after: Instant;
}

/** Returns what the rules would have alerted, oldest first. The first known value only begins the rules. */
export function crossedAfter<P extends ThresholdPoint>(
  points: readonly P[],
  { rules, history, after }: CrossingContext,
): readonly CrossedPoint<P>[] {
  const states = new Map<ThresholdRule, RuleState>();
  const returns = new Map<string, Crossing>();
  const keyOf = (rule: ThresholdRule, since: Point): string => `${thresholdKey(rule)}/${since.at}`;
  const crossed = points
    .toSorted((a, b) => a.at - b.at)
    .flatMap((point) =>
      rules.flatMap((rule): readonly CrossedPoint<P>[] => {
        const { at, values } = point;
        const input = { at, value: values[rule.measure], others: omitUndefined(values), history: history[rule.measure] ?? [] };
        const { state, alert, back } = evaluateRule(rule, states.get(rule), input);
        if (state !== undefined) states.set(rule, state);
        if (back !== undefined) returns.set(keyOf(rule, back.since), { rule, ...back });
        if (alert === undefined || at <= after) return [];
        const { side, now, was, since, zScore, year, others } = alert;
        return [{ point, crossing: { rule, side, now, was, since, ...omitUndefined({ zScore, year, others }) } }];
      }),
    );
  return crossed.map((one) => ({ ...one, back: returns.get(keyOf(one.crossing.rule, one.crossing.now)) }));
}
