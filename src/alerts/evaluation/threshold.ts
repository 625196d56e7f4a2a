/**
 * Whether a figure that a look has read is an alert for one rule of one entry. Pure: the state stands in the chat's queue document beside the alert
 * it causes, so a crash neither loses nor doubles one. A figure that wavers around its line is one alert, until it has come back by the dead-band.
 */
import { z } from 'zod';
import { DAY, later } from '../../base/clock.js';
import { COOLDOWN, pointSchema, sideSchema, type Point, type Side } from '../../domain/crossing.js';
import { absolute, add, compare, endsOf, isNegative, percentChange, subtract } from '../../domain/decimal.js';
import { defaultHysteresis, MEASURES, type Measure } from '../../domain/measures.js';
import { Z_HYSTERESIS, type ThresholdRule } from '../../domain/threshold-rule.js';
import { instantSchema, type Decimal, type Instant } from '../../domain/scalars.js';
import { zScoreOf } from '../../domain/z-score.js';

/** What a rule remembers between two readings. It is of no use to another rule: a rule that was edited begins anew. */
export const ruleStateSchema = z.object({
  /** Whether crossing the line is an alert; not before the figure has come back over it by the dead-band. */
  armed: z.boolean(),
  /** The last alerted value, or the first one read; `side` where it stood beyond the line. */
  anchor: pointSchema.extend({ side: sideSchema.optional() }),
  last: pointSchema,
  /** When it last was an alert. What is held back does not move it. */
  alertedAt: instantSchema.optional(),
});
export type RuleState = z.infer<typeof ruleStateSchema>;

/** One figure as one look read it. */
export interface RuleInput {
  /** Derived from what was read, so the same reading has the same id. */
  readonly id: string;
  readonly kind: string;
  /** The project, or the wallet with the token. */
  readonly subject: string;
  readonly at: Instant;
  /** In the unit of the rule's measure. Absent where it is not known: then it is no reading. */
  readonly value?: Decimal | undefined;
  /** Its own past in any order, for extremes and z-scores. */
  readonly history?: readonly Point[];
}

/** A rule with the name of the watchlist entry that carries it. */
export type EntryRule = ThresholdRule & { readonly entry: string };

export interface ThresholdAlert {
  /** `<kind>/<subject>/<entry>/<reading>`: rules of one entry that hear the same reading make one alert. */
  readonly id: string;
  readonly side: Side;
  readonly now: Point;
  /** The reading before this one. */
  readonly was: Point;
  /** The last alerted value, or the first one read. */
  readonly since: Point;
  /** Where the figure stands among its own year, in standard deviations. */
  readonly zScore?: Decimal;
}

export type RuleReason =
  | 'alert'
  | 'unknown'
  | 'older than the last reading'
  | 'first look'
  | 'history too short'
  | 'not reached'
  | 'back, armed again'
  | 'within the dead-band'
  | 'too soon after the last alert';

export interface RuleResult {
  /** Undefined until something known was read. */
  readonly state: RuleState | undefined;
  readonly alert?: ThresholdAlert;
  readonly reason: RuleReason;
}

/** What a rule makes of a value, whatever was alerted before. */
export interface ThresholdPosition {
  readonly beyond: Side | undefined;
  /** Whether it has come back over the line by the dead-band. */
  readonly back: boolean;
  readonly zScore?: Decimal;
}

export function evaluateRule(rule: EntryRule, state: RuleState | undefined, measurement: RuleInput): RuleResult {
  const { value, at } = measurement;
  if (value === undefined) return { state, reason: 'unknown' };
  if (state !== undefined && at <= state.last.at) return { state, reason: 'older than the last reading' };
  const now: Point = { at, value };
  const stand = positionOf(rule, state, { now, history: measurement.history ?? [] });
  if (state === undefined) {
    const side = stand?.beyond;
    return {
      state: { armed: side === undefined || rearmsAtOnce(rule), anchor: { ...now, ...(side && { side }) }, last: now },
      reason: 'first look',
    };
  }
  const seen: RuleState = { ...state, last: now };
  if (stand === undefined) return { state: seen, reason: 'history too short' };
  const { beyond, back, zScore } = stand;
  // Beyond the other side of a z-score is another crossing, however the first one ended.
  const armed = state.armed || back || (beyond !== undefined && state.anchor.side !== undefined && beyond !== state.anchor.side);
  if (beyond === undefined) {
    const reason = armed === state.armed ? (armed ? 'not reached' : 'within the dead-band') : 'back, armed again';
    return { state: { ...seen, armed }, reason };
  }
  if (!armed) return { state: seen, reason: 'within the dead-band' };
  // An extreme that is held back would be surpassed by itself at the next look; its own dead-band spaces its alerts.
  const soon = state.alertedAt !== undefined && at < later(state.alertedAt, COOLDOWN) && rule.when !== 'extreme';
  if (soon) return { state: { ...seen, armed }, reason: 'too soon after the last alert' };
  const alert: ThresholdAlert = {
    id: `${measurement.kind}/${measurement.subject}/${rule.entry}/${measurement.id}`,
    ...{ side: beyond, now, was: state.last, since: { at: state.anchor.at, value: state.anchor.value } },
    ...(zScore && { zScore }),
  };
  return { state: { armed: rearmsAtOnce(rule), anchor: { ...now, side: beyond }, last: now, alertedAt: at }, alert, reason: 'alert' };
}

/** What is measured from the last alerted value needs no coming back: the new anchor is its dead-band. */
const rearmsAtOnce = ({ when }: ThresholdRule): boolean => when === 'move' || when === 'change' || when === 'extreme';

interface Seen {
  readonly now: Point;
  readonly history: readonly Point[];
}

/** Undefined where the history does not reach far enough to tell. */
export function positionOf(rule: ThresholdRule, state: RuleState | undefined, { now, history }: Seen): ThresholdPosition | undefined {
  const { value } = now;
  switch (rule.when) {
    case 'above':
      return { beyond: compare(value, rule.level) > 0 ? 'high' : undefined, back: compare(value, subtract(rule.level, rule.band)) <= 0 };
    case 'below':
      return { beyond: compare(value, rule.level) < 0 ? 'low' : undefined, back: compare(value, add(rule.level, rule.band)) >= 0 };
    case 'move':
      return sinceAnchor(state, value, (anchor) => {
        const moved = movedBy(rule.measure, anchor, value);
        // From zero every change is a larger one than any percentage.
        return moved === undefined || compare(absolute(moved), rule.by) >= 0;
      });
    case 'change':
      return sinceAnchor(state, value, () => true);
    case 'extreme':
      return extreme(rule, state, { now, history });
    case 'z-score':
      return deviation(rule.least, { now, history });
  }
}

/** How far a value has moved, in the unit of its measure's moves; undefined from zero, where that is a percentage. */
export const movedBy = (measure: Measure, from: Decimal, to: Decimal): Decimal | undefined =>
  MEASURES[measure].move.by === 'difference' ? subtract(to, from) : percentChange(from, to);

function sinceAnchor(state: RuleState | undefined, value: Decimal, isFar: (anchor: Decimal) => boolean): ThresholdPosition {
  const anchor = state?.anchor.value ?? value;
  const order = compare(value, anchor);
  // What is measured from its anchor is always armed, also on the side of the last alert.
  return { beyond: order === 0 || !isFar(anchor) ? undefined : order > 0 ? 'high' : 'low', back: true };
}

type ExtremeRule = Extract<ThresholdRule, { when: 'extreme' }>;

/** When the days of an extreme begin that is read at this moment. */
export const startOf = ({ days }: ExtremeRule, at: Instant): number => at - Number(days) * DAY;

/** Whether a past is long enough to tell. A chart of 90 days begins some hours late. */
export const reachesBack = (rule: ExtremeRule, past: readonly Point[], at: Instant): boolean => isFrom(past, startOf(rule, at));
const isFrom = (past: readonly Point[], from: number): boolean => past.some(({ at }) => at <= from + DAY);

function extreme(rule: ExtremeRule, state: RuleState | undefined, { now, history }: Seen): ThresholdPosition | undefined {
  const from = startOf(rule, now.at);
  // A chart's newest points are this very reading; what came after the last look is not yet the past.
  const past = pastOf(history, { from, until: Math.min(state?.last.at ?? now.at - 1, now.at - 1) });
  if (!past.reachesBack) return undefined;
  const own = state === undefined ? [] : [state.last, state.anchor].filter(({ at }) => at >= from).map(({ value }) => value);
  const compared = [...past.ends, ...own].map((value) => compare(now.value, value));
  // At the first look the newest points may be this very value: then it stands at its extreme already, and going on is no other one.
  const least = state === undefined ? 0 : 1;
  const side = compared.every((order) => order >= least) ? 'high' : compared.every((order) => -order >= least) ? 'low' : undefined;
  const anchor = state?.anchor;
  const isTold = anchor?.side === side && anchor !== undefined && anchor.at >= from;
  const near = isTold && compare(absolute(subtract(now.value, anchor.value)), defaultHysteresis(rule.measure, anchor.value)) < 0;
  return { beyond: compared.length === 0 || near ? undefined : side, back: true };
}

interface HistoryPart {
  readonly reachesBack: boolean;
  /** The least and the greatest value; none where there is no point. */
  readonly ends: readonly Decimal[];
}

interface Span {
  readonly from: number;
  readonly until: number;
}

/** Parts of a history by when they begin and end: after a look every chat's rules ask for the same few. */
const pasts = new WeakMap<readonly Point[], Map<string, HistoryPart>>();
/** A chat whose rules heard nothing of the last look asks for a part of its own. */
const MAX_HISTORY_PARTS = 50;

function pastOf(history: readonly Point[], span: Span): HistoryPart {
  const known = pasts.get(history) ?? new Map<string, HistoryPart>();
  pasts.set(history, known);
  const key = `${span.from}/${span.until}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const past = partOf(history, span);
  if (known.size >= MAX_HISTORY_PARTS) known.clear();
  known.set(key, past);
  return past;
}

function partOf(history: readonly Point[], { from, until }: Span): HistoryPart {
  const before = history.filter(({ at }) => at <= until);
  const values = before.filter(({ at }) => at >= from).map(({ value }) => value);
  return { reachesBack: isFrom(before, from), ends: endsOf(values) };
}

function deviation(least: Decimal, { now, history }: Seen): ThresholdPosition | undefined {
  const zScore = zScoreOf(now, history);
  if (zScore === undefined) return undefined;
  const size = absolute(zScore);
  return {
    beyond: compare(size, least) < 0 ? undefined : isNegative(zScore) ? 'low' : 'high',
    back: compare(size, subtract(least, Z_HYSTERESIS)) <= 0,
    zScore,
  };
}
