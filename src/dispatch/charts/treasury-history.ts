/** The picture of what a treasury was worth, from zero up, so that a fall looks as large as it was. Pure. */
import type { ChartDraft } from '../../chat/chart.js';
import type { Point as Row } from '../period-ends.js';
import { numberOf, thinned } from './points.js';

/** Rows oldest first. Undefined for fewer than two. */
export function treasuryHistoryChart(rows: readonly Row[], title: string): ChartDraft | undefined {
  if (rows.length < 2) return undefined;
  const points = thinned(rows.map(({ at, value }) => [at, numberOf(value)]));
  return { kind: 'xy', title, series: [{ name: 'treasury', draw: 'area', unit: 'usd', points: [...points] }] };
}
