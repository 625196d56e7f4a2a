/** Text from outside as one line that a reader can see: nothing invisible, nothing that turns the reading direction or piles up. Pure. */

/** Breaks of any kind, within what is one line to us. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/** Controls, direction marks, zero-width and filling characters. The joiner stays where it joins two emoji. */
const UNSEEN =
  /[^\P{Cf}\u200d]|\p{Cc}|[\u115f\u1160\u3164\uffa0]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
/** Marks piled on one letter reach into the lines above. */
const PILED = /(\p{M}{4})\p{M}+/gu;
const HALVES = /\p{Cs}/gu;

/** Clipped to so many UTF-16 units. No markup is escaped: that is each platform's own. */
export const visible = (text: string, most: number): string =>
  clip(text.replace(BREAKS, ' ').replace(UNSEEN, '').replace(PILED, '$1').replace(HALVES, '\ufffd'), most);

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What a reader takes for characters. */
export const graphemes = (text: string): readonly string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** At most so many UTF-16 units, cut between what a reader takes for characters, with "…" where something is missing. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  let kept = '';
  // Lazily: of a text of any length only as much is taken apart as is kept.
  for (const { segment } of segmenter.segment(text)) {
    if (kept.length + segment.length > most - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
