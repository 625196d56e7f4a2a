/** The port through which platforms get charts drawn. */
import type { Chart } from './chart.js';

export type Theme = 'light' | 'dark';

/** A PNG and its title. */
export interface Picture {
  readonly bytes: Uint8Array;
  readonly title: string;
}

/** Both reject where the chart cannot be drawn. Deterministic. */
export interface Pictures {
  /** A standalone document, safe to embed in a page. */
  svg(chart: Chart, theme: Theme): Promise<string>;
  png(chart: Chart, theme: Theme): Promise<Uint8Array>;
  /** Whether the first picture, which takes seconds, is still to be drawn. */
  isCold?(): boolean;
}
