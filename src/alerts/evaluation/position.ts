/** This module compares a value with a rule: beyond its threshold, or back by its hysteresis. It is pure. */
import { RecentMap } from '../../base/bounded-cache.js';
import { DAY } from '../../base/clock.js';
import type { Point, Side, YearSpread } from '../../domain/crossing.js';
import { absolute, compare, endsOf, isNegative, percentChange, subtract } from '../../domain/decimal.js';
import { defaultHysteresis, MEASURES, type Measure } from '../../domain/measures.js';
import { flipHysteresis, isBack, isMet, Z_HYSTERESIS, type LineRule, type ThresholdRule } from '../../domain/threshold-rule.js';
import { decimal, type Decimal, type Instant } from '../../domain/scalars.js';
import { yearSpreadOf, zScoreOf } from '../../domain/z-score.js';

export interface ThresholdPosition {
  readonly beyond: Side | undefined;
  /** The value is back by the hysteresis. */
  readonly back: boolean;
  /** The position depends on a value that is not known. */
  readonly isOpen?: boolean;
  readonly zScore?: Decimal;
  readonly year?: YearSpread | undefined;
}

interface Seen {
  readonly now: Point;
  readonly history: readonly Point[];
  /** Values after this time were not seen; the state may be a day older. */
  readonly unseenSince?: Instant | undefined;
  /** Values of the other conditions, from the same response. */
  readonly others?: KnownValues | undefined;
}

export type KnownValues = Readonly<Partial<Record<Measure, Decimal>>>;

/** The values that a rule has seen and alerted. */
interface SeenBefore {
  readonly anchor: Point & { readonly side?: Side | undefined };
  readonly last: Point;
}

export function positionOf(
  rule: ThresholdRule,
  state: SeenBefore | undefined,
  { now, history, unseenSince, others }: Seen,
): ThresholdPosition | undefined {
  const { value } = now;
  switch (rule.when) {
    case 'above':
    case 'below':
      return lineOf(rule, value, others);
    case 'move':
      return rule.within === undefined
        ? sinceAnchor(state, value, (anchor) => isMovedBy(rule, anchor, value))
        : movedWithin({ ...rule, within: rule.within }, state, { now, history });
    case 'change':
      return sinceAnchor(state, value, () => true);
    case 'flip':
      return {
        beyond: state === undefined || isOver(state.anchor.value) === isOver(value) ? undefined : isOver(value) ? 'high' : 'low',
        back: compare(absolute(value), flipHysteresis(rule.measure)) >= 0,
      };
    case 'extreme':
      return extreme(rule, state, { now, history, unseenSince });
    case 'z-score':
      return deviation(rule.least, { now, history });
  }
}

/** Compares joined conditions: beyond if all hold, back if one is back. A condition that fails decides even if others are unknown. */
function lineOf(rule: LineRule, value: Decimal, others: KnownValues = {}): ThresholdPosition {
  const { and = [] } = rule;
  const side = rule.when === 'above' ? 'high' : 'low';
  const known = and.flatMap((condition) => {
    const other = others[condition.measure];
    return other === undefined ? [] : [{ condition, value: other }];
  });
  const all = [{ condition: rule, value }, ...known];
  const back = all.some((one) => isBack(one.condition, one.value));
  if (!all.every((one) => isMet(one.condition, one.value))) return { beyond: undefined, back };
  return known.length < and.length ? { beyond: undefined, back: false, isOpen: true } : { beyond: side, back };
}

/** A margin of exactly 0 is not over: a market at its threshold does not pass. */
const isOver = (value: Decimal): boolean => compare(value, ZERO) > 0;
const ZERO = decimal('0');

type MoveRule = Extract<ThresholdRule, { when: 'move' }>;

/** Tells whether the change reaches the rule's size. Any change from zero exceeds any percentage. */
function isMovedBy({ measure, by }: MoveRule, from: Decimal, to: Decimal): boolean {
  const moved = movedBy(measure, from, to);
  return moved === undefined || compare(absolute(moved), by) >= 0;
}

/** Compares with the values within the rule's time. Values before the last alert, or before the rule began, do not count. */
function movedWithin(
  rule: MoveRule & { readonly within: number },
  state: SeenBefore | undefined,
  { now, history }: Pick<Seen, 'now' | 'history'>,
): ThresholdPosition {
  if (state === undefined) return { beyond: undefined, back: true };
  const from = Math.max(now.at - rule.within, state.anchor.at);
  const points = [...history, state.last, state.anchor].filter(({ at }) => at >= from && at < now.at);
  const [least, most] = endsOf(points.map(({ value }) => value));
  const rose = least !== undefined && compare(now.value, least) > 0 && isMovedBy(rule, least, now.value);
  const fell = most !== undefined && compare(now.value, most) < 0 && isMovedBy(rule, most, now.value);
  return { beyond: rose ? 'high' : fell ? 'low' : undefined, back: true };
}

/** Earlier values of a measure, apart from those in a rule's state. */
export interface EarlierValues {
  readonly history: readonly Point[];
  readonly last: Point | undefined;
}

interface MovedFrom {
  readonly now: Point;
  /** The same object for all rules on this value. */
  readonly earlier: EarlierValues;
}

const sizes = new WeakMap<EarlierValues, Map<string, Decimal | undefined>>();
const MAX_SIZES = 50;

/** Tells whether a move may reach the rule's size. Values count that are too old for the rule, so that all rules share the result. */
export function mayHaveMoved(rule: MoveRule, { anchor, last }: SeenBefore, { now, earlier }: MovedFrom): boolean {
  const own = rule.within === undefined ? [anchor.value] : [anchor.value, last.value];
  const known = sizes.get(earlier) ?? new RecentMap<string, Decimal | undefined>(MAX_SIZES);
  sizes.set(earlier, known);
  const key = own.join(' ');
  if (!known.has(key)) {
    const { history, last: before } = earlier;
    const shared = rule.within === undefined ? [] : [...history, ...(before === undefined ? [] : [before])].map(({ value }) => value);
    known.set(key, largestMove(rule.measure, [...own, ...shared], now.value));
  }
  const size = known.get(key);
  return size === undefined || compare(size, rule.by) >= 0;
}

/** Returns the largest change to a value, in the move's unit. Undefined if it can be any percentage, as from zero. */
function largestMove(measure: Measure, from: readonly Decimal[], to: Decimal): Decimal | undefined {
  const [least = to, most = to] = endsOf(from);
  if (MEASURES[measure].move.by === 'percent' && compare(least, ZERO) <= 0) return undefined;
  const moves = [least, most].flatMap((value) => movedBy(measure, value, to) ?? []).map(absolute);
  return endsOf(moves).at(-1);
}

/** Returns the change in the move's unit; undefined for a percentage of zero. */
export const movedBy = (measure: Measure, from: Decimal, to: Decimal): Decimal | undefined =>
  MEASURES[measure].move.by === 'difference' ? subtract(to, from) : percentChange(from, to);

function sinceAnchor(state: SeenBefore | undefined, value: Decimal, isFar: (anchor: Decimal) => boolean): ThresholdPosition {
  const anchor = state?.anchor.value ?? value;
  const order = compare(value, anchor);
  // A rule that compares with its anchor is always armed.
  return { beyond: order === 0 || !isFar(anchor) ? undefined : order > 0 ? 'high' : 'low', back: true };
}

type ExtremeRule = Extract<ThresholdRule, { when: 'extreme' }>;

export const startOf = ({ days }: ExtremeRule, at: Instant): number => at - Number(days) * DAY;

/** Tells whether the history covers the rule's period. Charts may begin up to a day late. */
export const reachesBack = (rule: ExtremeRule, past: readonly Point[], at: Instant): boolean => isFrom(past, startOf(rule, at));
const isFrom = (past: readonly Point[], from: number): boolean => past.some(({ at }) => at <= from + DAY);

function extreme(rule: ExtremeRule, state: SeenBefore | undefined, { now, history, unseenSince }: Seen): ThresholdPosition | undefined {
  const from = startOf(rule, now.at);
  // The newest points of a chart are this measurement. Points after the last check are not part of the history.
  const past = pastOf(history, { from, until: Math.min(unseenSince ?? state?.last.at ?? now.at - 1, now.at - 1) });
  if (!past.reachesBack) return undefined;
  const points = state === undefined ? [] : unseenSince === undefined ? [state.last, state.anchor] : [state.anchor];
  const own = points.filter(({ at }) => at >= from).map(({ value }) => value);
  const compared = [...past.ends, ...own].map((value) => compare(now.value, value));
  // Without a state the newest point may be this value, so an equal value counts as an extreme.
  const least = state === undefined ? 0 : 1;
  const side = compared.every((order) => order >= least) ? 'high' : compared.every((order) => -order >= least) ? 'low' : undefined;
  const anchor = state?.anchor;
  const isAlerted = anchor?.side === side && anchor !== undefined && anchor.at >= from;
  const near = isAlerted && compare(absolute(subtract(now.value, anchor.value)), defaultHysteresis(rule.measure, anchor.value)) < 0;
  return { beyond: compared.length === 0 || near ? undefined : side, back: true };
}

interface HistoryPart {
  readonly reachesBack: boolean;
  /** The smallest and largest value, if there are any. */
  readonly ends: readonly Decimal[];
}

interface Span {
  readonly from: number;
  readonly until: number;
}

const pasts = new WeakMap<readonly Point[], Map<string, HistoryPart>>();
const MAX_HISTORY_PARTS = 50;

function pastOf(history: readonly Point[], span: Span): HistoryPart {
  const known = pasts.get(history) ?? new RecentMap<string, HistoryPart>(MAX_HISTORY_PARTS);
  pasts.set(history, known);
  const key = `${span.from}/${span.until}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const past = partOf(history, span);
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
    year: yearSpreadOf(now, history),
  };
}
