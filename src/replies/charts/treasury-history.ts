/** Chart of a treasury's value. */
import type { ChartDraft } from '../../chat/chart.js';
import type { DatedValue as Row } from '../period-ends.js';
import { numberOf, thinned } from './points.js';

/** Below it the axis starts at zero. */
const DEEP = 0.6;

/** Oldest first; undefined below two. A large fall is an area. */
export function treasuryHistoryChart(rows: readonly Row[], title: string): ChartDraft | undefined {
  if (rows.length < 2) return undefined;
  const points = thinned(rows.map(({ at, value }) => [at, numberOf(value)]));
  const values = points.flatMap(([, value]) => value ?? []);
  const draw = Math.min(...values) < DEEP * Math.max(...values) ? 'area' : 'line';
  return { kind: 'xy', title, series: [{ name: 'treasury', draw, unit: 'usd', points: [...points] }] };
}
