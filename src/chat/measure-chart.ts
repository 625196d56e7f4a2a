/** This file gives the units and thresholds of a measure on a chart. */
import { isZero } from '../domain/decimal.js';
import { MEASURES, thresholdOf, type Measure, type Unit } from '../domain/measures.js';
import { lineWords, type LineRule, type ThresholdRule } from '../domain/threshold-rule.js';
import type { ChartDraft, ChartUnit } from './chart.js';

type XyDraft = Extract<ChartDraft, { kind: 'xy' }>;

export const chartUnitOf = (measure: Measure): ChartUnit => UNITS[unitOf(measure)];

/** An axis has a name where the labels do not show the unit. */
export const axisNamesOf = (measure: Measure): Pick<XyDraft, 'axisNames'> =>
  unitOf(measure) === 'months' ? { axisNames: { left: 'months' } } : {};

/** Each rule that has a threshold gets a line. */
export const thresholdLevels = (rules: readonly ThresholdRule[]): NonNullable<XyDraft['levels']> =>
  rules.flatMap((rule) => ('threshold' in rule ? [{ name: levelName(rule), value: Number(rule.threshold) }] : []));

const levelName = (rule: LineRule): string => {
  const { zero } = thresholdOf(rule.measure);
  return isZero(rule.threshold) && zero !== undefined ? zero.name : `threshold ${lineWords(rule.measure, rule.threshold)}`;
};

const unitOf = (measure: Measure): Unit => MEASURES[measure].threshold?.unit ?? MEASURES[measure].move.unit;

const UNITS: Readonly<Record<Unit, ChartUnit>> = {
  $: 'usd',
  '%': 'percent',
  points: 'percent',
  months: 'count',
  days: 'count',
  places: 'count',
  '': 'count',
};
