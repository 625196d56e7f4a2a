/** The picture of what a treasury was worth. Pure. */
import type { ChartDraft } from '../../chat/chart.js';
import type { DatedValue as Row } from '../period-ends.js';
import { numberOf, thinned } from './points.js';

/** Where the lowest value is less than so much of the highest, the picture stands on zero. */
const DEEP = 0.6;

/**
 * Rows oldest first. Undefined for fewer than two. A deep fall is drawn as an area from zero, so that it looks as deep as it was; a treasury
 * that hardly moves as a line on a scale of its own, or there would be nothing to see.
 */
export function treasuryHistoryChart(rows: readonly Row[], title: string): ChartDraft | undefined {
  if (rows.length < 2) return undefined;
  const points = thinned(rows.map(({ at, value }) => [at, numberOf(value)]));
  const values = points.flatMap(([, value]) => value ?? []);
  const draw = Math.min(...values) < DEEP * Math.max(...values) ? 'area' : 'line';
  return { kind: 'xy', title, series: [{ name: 'treasury', draw, unit: 'usd', points: [...points] }] };
}
