/** Makes untrusted text one visible line, so that a title cannot imitate a line of the bot. Pure. */

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/** Matches invisible characters, except the joiner between two emoji. */
const UNSEEN =
  /[^\P{Cf}\u200d]|\p{Cc}|[\u115f\u1160\u3164\uffa0]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
/** Matches stacked combining marks, which would reach into the lines above. */
const PILED = /(\p{M}{4})\p{M}+/gu;
const HALVES = /\p{Cs}/gu;

const PLAIN = /^[ -~]*$/u;

/** Makes one visible line of a text. Idempotent. */
export const oneLine = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(BREAKS, ' ').replace(UNSEEN, '').replace(PILED, '$1').replace(HALVES, '\ufffd');

export function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
}

const MAX_QUOTED = 60;

export const brief = (text: string): string => cut(text, MAX_QUOTED);
