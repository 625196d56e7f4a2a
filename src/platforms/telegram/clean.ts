/** Text from outside made harmless: nothing invisible, nothing that turns the reading direction, rings a telephone or becomes a link. Pure. */

/** Breaks of any kind, within what is one line to us. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/** Controls, direction marks, zero-width and filling characters. The joiner stays where it joins two emoji. */
const UNSEEN =
  /[^\P{Cf}\u200d]|\p{Cc}|[\u115f\u1160\u3164\uffa0]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
/** Marks piled on one letter reach into the lines above. */
const PILED = /(\p{M}{4})\p{M}+/gu;
const HALVES = /\p{Cs}/gu;

const JOINER = '\u2060';
const MENTION = /@(?=[\p{L}\p{N}_])/gu;
const LINK = /(?<=[\p{L}\p{N}_-])\.(?=\p{L})|:(?=\/\/)/gu;

/** One line of visible text, clipped to so many UTF-16 units. */
export const clean = (text: string, most: number): string =>
  clip(text.replace(BREAKS, ' ').replace(UNSEEN, '').replace(PILED, '$1').replace(HALVES, '\ufffd'), most);

/** The same, so that Telegram finds neither a name to notify nor an address to link: an invisible joiner stands where it would begin. */
export const plain = (text: string, most: number): string =>
  clean(text, most)
    .replace(MENTION, `@${JOINER}`)
    .replace(LINK, (mark) => (mark === '.' ? `${JOINER}.` : `:${JOINER}`));

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** At most so many UTF-16 units, cut between what a reader takes for characters, with "…" where something is missing. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (kept.length + segment.length > most - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115e\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** How many columns of a fixed-width font a text takes. */
export const widthOf = (text: string): number =>
  [...graphemes.segment(text)].reduce((width, { segment }) => width + (WIDE.test(segment) ? 2 : 1), 0);

/** https://core.telegram.org/bots/api#html-style */
export const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
