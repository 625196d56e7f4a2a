/** Makes untrusted text one visible line, so that a title cannot imitate a line of the bot. It is pure. */

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/** The joiner between two emoji is kept. */
const UNSEEN =
  /[^\P{Cf}\u200d]|\p{Cc}|[\u115f\u1160\u3164\uffa0]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
/** Combining marks reach into lines above. */
const PILED = /(\p{M}{4})\p{M}+/gu;
const HALVES = /\p{Cs}/gu;

const PLAIN = /^[ -~]*$/u;

/** It is idempotent. */
export const oneLine = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(BREAKS, ' ').replace(UNSEEN, '').replace(PILED, '$1').replace(HALVES, '\ufffd');

export function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
}

const MAX_QUOTED = 60;

export const brief = (text: string): string => cut(text, MAX_QUOTED);
