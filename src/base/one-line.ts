/** Text from outside as one line that a reader can see, as much of it as there is room for, so that whoever writes a title cannot write a line of ours. Pure. */

/** Breaks of any kind, within what is one line to us. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/** Controls, direction marks, zero-width and filling characters. The joiner stays where it joins two emoji. */
const UNSEEN =
  /[^\P{Cf}\u200d]|\p{Cc}|[\u115f\u1160\u3164\uffa0]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
/** Marks piled on one letter reach into the lines above. */
const PILED = /(\p{M}{4})\p{M}+/gu;
const HALVES = /\p{Cs}/gu;

/** Most texts have none of all that, and need no search for it. */
const PLAIN = /^[ -~]*$/u;

/** Without breaks, without what is invisible, and without what turns the reading direction or piles up. Doing it twice changes nothing more. */
export const oneLine = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(BREAKS, ' ').replace(UNSEEN, '').replace(PILED, '$1').replace(HALVES, '\ufffd');

/** At most so many characters, the last of them "…" where something is missing. */
export function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
}

/** The most characters that a sentence of ours quotes of what somebody wrote. */
const MAX_QUOTED = 60;

/** As much of somebody's text as a sentence quotes: its author knows the rest. */
export const brief = (text: string): string => cut(text, MAX_QUOTED);
