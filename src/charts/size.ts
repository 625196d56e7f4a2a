/** Height of a chart, for space reserved before it is drawn. */
import type { Chart } from '../chat/chart.js';

/** Pixels; the PNG has twice that. Phones halve it, so no text is below 20. */
export const WIDTH = 800;
export const HEIGHT = 450;
export const PANEL_HEIGHT = 140;

/** Pixels. Long titles and names may increase it. */
export const chartHeight = (chart: Chart): number =>
  HEIGHT +
  (chart.kind === 'xy' && chart.series.some(({ axis }) => axis === 'below') && chart.series.some(({ axis }) => axis !== 'below')
    ? PANEL_HEIGHT
    : 0);
