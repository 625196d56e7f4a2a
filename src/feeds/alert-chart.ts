/** This module draws the chart of a threshold alert: past values with the threshold. */
import { DAY } from '../base/clock.js';
import { type ChartDraft, axisNamesOf, chartUnitOf, thresholdLevels } from '../chat/chart.js';
import type { Crossing, Point } from '../domain/crossing.js';
import { duration } from '../domain/format.js';
import { MEASURES, type Measure } from '../domain/measures.js';
import { MAX_PAST_VALUES, type PastValues } from '../domain/event.js';
import type { Instant } from '../domain/scalars.js';

const SHOWN = 90 * DAY;
const MIN_VALUES = 3;

/** Returns the values of the last 90 days to `until`; undefined without a measure that can be drawn. */
export function pastValues(points: Readonly<Partial<Record<Measure, readonly Point[]>>>, until: Instant): PastValues | undefined {
  const all = Object.entries(points).flatMap(([measure, values]) => {
    const within = values.filter(({ at }) => at > until - SHOWN && at <= until).toSorted((a, b) => a.at - b.at);
    const last = [...new Map(within.map(({ at, value }) => [at, value]))].slice(-MAX_PAST_VALUES);
    return last.length < MIN_VALUES ? [] : [[measure, last] as const];
  });
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

/** Draws the first crossing that has enough past values. */
export function alertChart(past: PastValues | undefined, crossings: readonly Crossing[], who: string): ChartDraft | undefined {
  const drawn = crossings.flatMap((crossing) => {
    const values = past?.[crossing.rule.measure] ?? [];
    return values.length < MIN_VALUES ? [] : [{ crossing, values }];
  });
  const [first] = drawn;
  if (first === undefined) return undefined;
  const { crossing, values } = first;
  const { rule, now, since } = crossing;
  const spec = MEASURES[rule.measure];
  const [from, to] = [values[0]?.[0] ?? now.at, values.at(-1)?.[0] ?? now.at];
  const isShown = rule.when === 'move' && since.at >= from && since.at < to;
  return {
    kind: 'xy',
    title: `${who} ${spec.name}: ${spec.value(now.value)}`,
    subtitle: `last ${duration(to - from)}`,
    series: [
      {
        name: spec.name,
        draw: rule.measure === 'allowance' ? 'step' : 'line',
        unit: chartUnitOf(rule.measure),
        tone: crossing.side === 'high' ? 'up' : 'down',
        points: values.map(([at, value]) => [at, Number(value)]),
      },
    ],
    ...axisNamesOf(rule.measure),
    levels: thresholdLevels([rule]),
    marks: isShown ? [{ name: `before ${spec.brief(since.value)}`, series: 0, at: since.at, value: Number(since.value) }] : [],
  };
}
