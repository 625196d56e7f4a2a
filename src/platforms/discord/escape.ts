/** Makes external text harmless on Discord: no invisible characters, formatting, mentions or links. Pure. */

import { truncateLine } from '../truncate.js';

/** Emphasis, code, spoilers, headings, quotes, masked links and everything in angle brackets: mentions, moments, emoji, channels. */
const MARKUP = /[\\*_~`|<>[\]#@]/gu;
/** A bare address becomes a link by its scheme alone. */
const SCHEME = /:(?=\/\/)/gu;
/** A list where a line begins. */
const BULLET = /^(\s*)-(?=\s|$)/u;
const NUMBER = /^(\s*\d+)\.(?=\s|$)/u;

/** Visible text with its markdown taken away, so that it reads as it was written. It may come out longer than it was. */
export const plain = (text: string, most: number): string =>
  truncateLine(text, most).replace(MARKUP, '\\$&').replace(SCHEME, '\\:').replace(BULLET, '$1\\-').replace(NUMBER, '$1\\.');

/** For code, where escapes do not work: a backtick would end it, so a similar letter replaces it. */
export const inCode = (text: string, most: number): string => truncateLine(text, most).replaceAll('`', '\u02cb');
