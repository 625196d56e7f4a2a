/** What draws: a chart as data becomes a picture. The platforms take it as a port, so that none of them knows how it is done. */
import type { Chart } from './chart.js';

/** The ground that a picture stands on. */
export type Look = 'light' | 'dark';

/** Both reject where the picture cannot be drawn; the reply's words are whole without it. The same chart and look give the same picture. */
export interface Pictures {
  /** A document of its own, safe to show inside a page. */
  svg(chart: Chart, look: Look): Promise<string>;
  /** The bytes of a PNG file. */
  png(chart: Chart, look: Look): Promise<Uint8Array>;
  /** Whether what draws has yet to draw its first picture, which takes seconds. Absent: never. */
  isCold?(): boolean;
}
