/** SVG through resvg, with the bundled font and no other: to PNG, or to SVG whose words are outlines and need no font where they are shown. */
import { Resvg } from '@resvg/resvg-js';
import { FAMILY, fontFiles } from './fonts.js';

/** Pixels of the PNG for one of the sheet: sharp on the screens of phones. */
const ZOOM = 2;

const open = (svg: string): Resvg =>
  new Resvg(svg, {
    font: { fontFiles: [...fontFiles()], loadSystemFonts: false, defaultFontFamily: FAMILY },
    fitTo: { mode: 'zoom', value: ZOOM },
  });

export const pngOf = (svg: string): Uint8Array => open(svg).render().asPng();

/** Paths are written with six decimals; two are more than a screen shows. */
export const outlinedSvg = (svg: string): string =>
  open(svg)
    .toString()
    .replaceAll(
      / d="([^"]*)"/gu,
      (_, path: string) => ` d="${path.replaceAll(/-?\d+\.\d{3,}/gu, (number) => String(Number(Number(number).toFixed(2))))}"`,
    )
    .replaceAll(/>\s+</gu, '><');
