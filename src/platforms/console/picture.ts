/** Serves the picture of a message as an SVG. */
import { html, raw } from 'hono/html';
import { z } from 'zod';
import { THEMES, chartHeight } from '../../charts/theme.js';
import { pictureKey } from '../../charts/pictures.js';
import { plotIn, pointedValues } from '../../charts/pointed-values.js';
import type { Log } from '../../base/log.js';
import type { Pictures, Chart } from '../../chat/chart.js';
import type { Instant } from '../../domain/scalars.js';

/** A policy for the SVG, because a browser treats one that is opened alone as a page. */
export const PICTURE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

const themeSchema = z.enum(THEMES).catch('light');

export const pictureFrame = (chart: Chart | undefined, words: string) =>
  chart === undefined
    ? html``
    : html`<picture data-picture="${pictureKey(chart)}" ${chart.kind === 'xy' ? raw('data-axes') : ''}
        ><img alt="${`Picture: ${words}`}" width="800" height="${chartHeight(chart)}" loading="lazy" decoding="async"
      /></picture>`;

export interface PictureDeps {
  readonly pictures: Pictures;
  readonly log: Log;
  readonly chart: Chart | undefined;
  readonly theme: string | undefined;
}

/** Draws a chart. Returns undefined without one. */
export async function pictureOf({ pictures, log, chart, theme }: PictureDeps): Promise<Response | undefined> {
  if (chart === undefined) return undefined;
  try {
    return new Response(await pictures.svg(chart, themeSchema.parse(theme)), {
      // The URL identifies the content, so caches may keep it forever.
      headers: { 'Content-Type': 'image/svg+xml; charset=utf-8', 'Cache-Control': 'private, max-age=31536000, immutable' },
    });
  } catch (error) {
    log.debug('console.no-picture', { title: chart.title, error });
    return undefined;
  }
}

/** Returns the values that the page shows at the pointer; undefined for a chart without axes. */
export async function valuesOf({ pictures, log, chart, now }: Omit<PictureDeps, 'theme'> & { readonly now: Instant }) {
  if (chart === undefined) return undefined;
  try {
    return pointedValues(chart, plotIn(await pictures.svg(chart, 'light')), now);
  } catch (error) {
    log.debug('console.no-picture', { title: chart.title, error });
    return undefined;
  }
}
