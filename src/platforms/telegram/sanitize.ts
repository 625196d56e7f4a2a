/** Sanitises external text for Telegram. */

import { graphemes, truncateLine } from '../truncate.js';

const JOINER = '\u2060';
const MENTION = /@(?=[\p{L}\p{N}_])/gu;
const LINK = /(?<=[\p{L}\p{N}_-])\.(?=\p{L})|:(?=\/\/)/gu;

/** An invisible joiner breaks mentions and links. */
export const plain = (text: string, most: number): string =>
  truncateLine(text, most)
    .replace(MENTION, `@${JOINER}`)
    .replace(LINK, (mark) => (mark === '.' ? `${JOINER}.` : `:${JOINER}`));

const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115e\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** In columns of a fixed-width font. */
export const widthOf = (text: string): number => graphemes(text).reduce((width, one) => width + (WIDE.test(one) ? 2 : 1), 0);

/** https://core.telegram.org/bots/api#html-style */
export const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
