/** Platforms get charts drawn through this port. */
import type { Chart } from './chart.js';

export type Theme = 'light' | 'dark';

/** A PNG, and what it shows in words. */
export interface Picture {
  readonly bytes: Uint8Array;
  readonly title: string;
}

/** Both reject where the chart cannot be drawn, and are deterministic. */
export interface Pictures {
  /** It makes a standalone document, safe to embed in a page. */
  svg(chart: Chart, theme: Theme): Promise<string>;
  png(chart: Chart, theme: Theme): Promise<Uint8Array>;
  /** It tells whether the first picture, which takes seconds, is still to be drawn. */
  isCold?(): boolean;
}
