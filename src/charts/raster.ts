/** SVG to PNG, or to SVG with text as outlines. */
import { Resvg } from '@resvg/resvg-js';
import { FAMILY, fontFiles } from './fonts.js';

const ZOOM = 2;

const open = (svg: string): Resvg =>
  new Resvg(svg, {
    font: { fontFiles: [...fontFiles()], loadSystemFonts: false, defaultFontFamily: FAMILY },
    fitTo: { mode: 'zoom', value: ZOOM },
  });

export const pngOf = (svg: string): Uint8Array => open(svg).render().asPng();

/** resvg writes coordinates with six decimals; two are enough. */
export const outlinedSvg = (svg: string): string =>
  open(svg)
    .toString()
    .replaceAll(
      / d="([^"]*)"/gu,
      (_, path: string) => ` d="${path.replaceAll(/-?\d+\.\d{3,}/gu, (number) => String(Number(Number(number).toFixed(2))))}"`,
    )
    .replaceAll(/>\s+</gu, '><');
