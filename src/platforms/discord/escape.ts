/** Text from outside made harmless for Discord: nothing invisible, nothing that formats, mentions or links. Pure. */

/** Breaks of any kind, within what is one line to us. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/** Controls, direction marks, zero-width and filling characters. The joiner stays where it joins two emoji. */
const UNSEEN =
  /[^\P{Cf}\u200d]|\p{Cc}|[\u115f\u1160\u3164\uffa0]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
/** Marks piled on one letter reach into the lines above. */
const PILED = /(\p{M}{4})\p{M}+/gu;
const HALVES = /\p{Cs}/gu;

/** One line of visible text, clipped to so many UTF-16 units; no markdown is escaped. For labels, choices and code. */
export const visible = (text: string, most: number): string =>
  clip(text.replace(BREAKS, ' ').replace(UNSEEN, '').replace(PILED, '$1').replace(HALVES, '\ufffd'), most);

/** Emphasis, code, spoilers, headings, quotes, masked links and everything in angle brackets: mentions, moments, emoji, channels. */
const MARKUP = /[\\*_~`|<>[\]#@]/gu;
/** A bare address becomes a link by its scheme alone. */
const SCHEME = /:(?=\/\/)/gu;
/** A list where a line begins. */
const BULLET = /^(\s*)-(?=\s|$)/u;
const NUMBER = /^(\s*\d+)\.(?=\s|$)/u;

/** The same with its markdown taken away, so that it reads as it was written. It may come out longer than it was. */
export const plain = (text: string, most: number): string =>
  visible(text, most).replace(MARKUP, '\\$&').replace(SCHEME, '\\:').replace(BULLET, '$1\\-').replace(NUMBER, '$1\\.');

/** For code, where nothing is escaped: a backtick would end it, so it becomes a letter that looks like one. */
export const inCode = (text: string, most: number): string => visible(text, most).replaceAll('`', '\u02cb');

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
