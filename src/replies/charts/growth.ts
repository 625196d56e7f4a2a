/** Chart of one metric by day. */
import type { GrowthMetric } from '../../analytics/endpoints/project.js';
import type { ChartDraft } from '../../chat/chart.js';
import type { Day } from '../../domain/scalars.js';
import { capitalised } from '../../base/capitalised.js';
import { numberOf } from './points.js';

/** The name, else the id: "daily-traders" is "Daily traders". */
export const metricTitle = ({ id, name }: Pick<GrowthMetric, 'id' | 'name'>): string => name ?? capitalised(id.replaceAll(/[-_]+/gu, ' '));

export function growthChart(metric: GrowthMetric, days: readonly Day[], title: string): ChartDraft | undefined {
  const values = new Map(metric.days.map(({ day, value }) => [day, value]));
  const name = metricTitle(metric);
  if (days.filter((day) => values.has(day)).length < 2) return undefined;
  const { unit, axis } = measureOf(metric);
  return {
    kind: 'xy',
    title,
    series: [{ name, draw: 'line', unit, points: days.map((day) => [Date.parse(day), numberOf(values.get(day))]) }],
    axisNames: { left: axis === undefined ? name : `${name}, ${axis}` },
  };
}

function measureOf({ unit }: Pick<GrowthMetric, 'unit'>): {
  readonly unit: 'usd' | 'percent' | 'count' | 'tokens';
  readonly axis?: string;
} {
  const word = unit?.toLowerCase();
  if (word === 'usd') return { unit: 'usd' };
  if (word === 'percent' || word === '%') return { unit: 'percent' };
  if (word === undefined || word === 'count') return { unit: 'count' };
  return { unit: 'tokens', axis: unit };
}
