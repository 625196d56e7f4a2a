/** The last value of each line, written at its end. */
import type { ChartSeries, XyChart } from '../chat/chart.js';
import { valueText } from './value-text.js';

export interface EndLabel {
  readonly series: ChartSeries;
  readonly at: number;
  readonly value: number;
  readonly text: string;
}

export const endLabelsOf = ({ series }: Pick<XyChart, 'series'>): readonly EndLabel[] =>
  series.flatMap((one) => {
    if (one.draw === 'bar' || one.stack !== undefined || one.axis !== 'left') return [];
    const last = one.points.toSorted(([a], [b]) => a - b).findLast(([, value]) => value !== null);
    return last === undefined || last[1] === null ? [] : [{ series: one, at: last[0], value: last[1], text: valueText(one.unit, last[1]) }];
  });
