/** What a preset's thresholds would have alerted. Pure. */
import { evaluateRule, type RuleState } from '../../alerts/evaluation/threshold.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Instant } from '../../base/clock.js';
import type { Crossing, Point } from '../../domain/crossing.js';
import type { Measure } from '../../domain/measures.js';
import type { Decimal } from '../../domain/scalars.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';

export interface ThresholdPoint {
  readonly at: Instant;
  readonly values: Readonly<Partial<Record<Measure, Decimal | undefined>>>;
}

export interface CrossedPoint<P extends ThresholdPoint> {
  readonly point: P;
  readonly crossing: Crossing;
}

interface CrossingContext {
  readonly rules: readonly ThresholdRule[];
  readonly history: Readonly<Partial<Record<Measure, readonly Point[] | undefined>>>;
  readonly after: Instant;
}

/** Oldest first; the first known value only begins. */
export function crossedAfter<P extends ThresholdPoint>(
  points: readonly P[],
  { rules, history, after }: CrossingContext,
): readonly CrossedPoint<P>[] {
  const states = new Map<ThresholdRule, RuleState>();
  return points
    .toSorted((a, b) => a.at - b.at)
    .flatMap((point) =>
      rules.flatMap((rule): readonly CrossedPoint<P>[] => {
        const { at, values } = point;
        const input = { at, value: values[rule.measure], history: history[rule.measure] ?? [] };
        const { state, alert } = evaluateRule(rule, states.get(rule), input);
        if (state !== undefined) states.set(rule, state);
        if (alert === undefined || at <= after) return [];
        const { side, now, was, since, zScore, year } = alert;
        return [{ point, crossing: { rule, side, now, was, since, ...omitUndefined({ zScore, year }) } }];
      }),
    );
}
