/** The words of a drawn SVG with the room they take, so that a test can say which of them nobody could read. */
import { typeface } from '../../src/charts/fonts.js';

export interface Text {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`, 'u').exec(tag)?.[1];

/** Every text that stands upright; words that are turned are left out. */
export function textsOf(svg: string): readonly Text[] {
  return [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/gu)].flatMap(([, tag = '', escaped = '']) => {
    const transform = attribute(tag, 'transform') ?? '';
    const [, moveX = '0', moveY = '0'] = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/u.exec(transform) ?? [];
    if (/rotate|matrix/u.test(transform)) return [];
    const text = escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    const style = attribute(tag, 'style') ?? '';
    const size = Number(/font-size:(\d+)px/u.exec(style)?.[1] ?? 12);
    const width = typeface(/font-weight:600/u.test(style) ? 'bold' : 'regular').width(text, size);
    const x = Number(moveX) + Number(attribute(tag, 'x') ?? 0);
    const y = Number(moveY) + Number(attribute(tag, 'y') ?? 0);
    const anchor = attribute(tag, 'text-anchor') ?? 'start';
    const left = anchor === 'middle' ? x - width / 2 : anchor === 'end' ? x - width : x;
    // The letters of a line are about as high as three quarters of its size.
    return [{ text, left, right: left + width, top: y - size * 0.38, bottom: y + size * 0.38 }];
  });
}

/** Sentences about words that leave the sheet or lie on one another. */
export function clashes(svg: string): readonly string[] {
  const [, width = '0', height = '0'] = /<svg[^>]*?width="(\d+)"[^>]*?height="(\d+)"/u.exec(svg) ?? [];
  const texts = textsOf(svg);
  const outside = texts.filter(({ left, right, top, bottom }) => left < 0 || top < 0 || right > Number(width) || bottom > Number(height));
  const pairs = texts.flatMap((one, index) =>
    texts
      .slice(index + 1)
      .filter((other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)
      .map((other) => `"${one.text}" lies on "${other.text}"`),
  );
  return [...outside.map(({ text }) => `"${text}" leaves the sheet`), ...pairs];
}
