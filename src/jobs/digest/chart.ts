/** Premiums at the beginning and the end of a digest's period. Pure. */
import type { ChartDraft } from '../../chat/chart.js';
import { shortened } from '../../alerts/delivery/event-totals.js';
import type { ProjectMove } from './moves.js';

const MAX_PROJECTS = 6;
const MAX_NAME = 12;

/** Undefined if no premium moved. */
export function movesChart(
  moves: readonly ProjectMove[],
  { from, to }: { readonly from: string; readonly to: string },
): ChartDraft | undefined {
  const known = moves.flatMap(({ called, gap, gapBefore }) =>
    gap === undefined || gapBefore === undefined ? [] : [{ name: shortened(called).slice(0, MAX_NAME), gap, gapBefore }],
  );
  const shown = known.slice(0, MAX_PROJECTS);
  if (shown.length === 0) return undefined;
  return {
    kind: 'xy',
    title: `Premium to NAV since ${from}`,
    categories: shown.map(({ name }) => name),
    series: [
      { name: from, draw: 'bar', unit: 'percent', tone: 'quiet', points: shown.map(({ gapBefore }, index) => [index, Number(gapBefore)]) },
      { name: to, draw: 'bar', unit: 'percent', tone: 'main', points: shown.map(({ gap }, index) => [index, Number(gap)]) },
    ],
  };
}
