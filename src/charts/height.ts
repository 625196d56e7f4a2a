/** How high a picture is, for who keeps room for it before it is drawn. */
import type { Chart } from '../chat/chart.js';

/** In pixels, drawn at twice that. A phone shows a picture at less than half this width, so nothing is set smaller than 20. */
export const WIDTH = 800;
export const HEIGHT = 450;
/** What a panel below adds. */
export const PANEL_HEIGHT = 140;

/** The height for a width of 800 pixels. Long titles and names may make it somewhat higher. */
export const chartHeight = (chart: Chart): number =>
  HEIGHT +
  (chart.kind === 'xy' && chart.series.some(({ axis }) => axis === 'below') && chart.series.some(({ axis }) => axis !== 'below')
    ? PANEL_HEIGHT
    : 0);
