/** Serves the picture of a message as an SVG. */
import { html } from 'hono/html';
import { z } from 'zod';
import { THEMES, chartHeight } from '../../charts/theme.js';
import { pictureKey } from '../../charts/pictures.js';
import type { Pictures } from '../../chat/pictures.js';
import type { Log } from '../../base/log.js';
import type { Chart } from '../../chat/chart.js';
import type { ConsoleMessage } from './conversation-log.js';

/** Opened alone, an SVG is a page. */
export const PICTURE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

const themeSchema = z.enum(THEMES).catch('light');

export const pictureFrame = (chart: Chart | undefined, words: string) =>
  chart === undefined
    ? html``
    : html`<picture data-picture="${pictureKey(chart)}"
        ><img alt="${`Picture: ${words}`}" width="800" height="${chartHeight(chart)}" loading="lazy" decoding="async"
      /></picture>`;

export interface PictureDeps {
  readonly pictures: Pictures;
  readonly log: Log;
  readonly found: ConsoleMessage | undefined;
  readonly theme: string | undefined;
}

/** It is undefined without a chart. */
export async function pictureOf({ pictures, log, found, theme }: PictureDeps): Promise<Response | undefined> {
  const chart = found?.reply?.chart;
  if (chart === undefined) return undefined;
  try {
    return new Response(await pictures.svg(chart, themeSchema.parse(theme)), {
      // The URL identifies the content, so it never changes.
      headers: { 'Content-Type': 'image/svg+xml; charset=utf-8', 'Cache-Control': 'private, max-age=31536000, immutable' },
    });
  } catch (error) {
    log.debug('console.no-picture', { message: found?.id, error });
    return undefined;
  }
}
