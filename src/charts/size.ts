/** The height of a chart, for callers that reserve space before it is drawn. */
import type { Chart } from '../chat/chart.js';

/** In pixels; the PNG has twice that. Phones show it at less than half this width, so no text is smaller than 20. */
export const WIDTH = 800;
export const HEIGHT = 450;
export const PANEL_HEIGHT = 140;

/** Pixels. Long titles and names may increase it. */
export const chartHeight = (chart: Chart): number =>
  HEIGHT +
  (chart.kind === 'xy' && chart.series.some(({ axis }) => axis === 'below') && chart.series.some(({ axis }) => axis !== 'below')
    ? PANEL_HEIGHT
    : 0);
