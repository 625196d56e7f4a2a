/** Escapes external text for Discord. */

import { truncateLine } from '../truncate.js';

const MARKUP = /[\\*_~`|<>[\]#@]/gu;
/** It alone makes a bare address a link. */
const SCHEME = /:(?=\/\/)/gu;
const BULLET = /^(\s*)-(?=\s|$)/u;
const NUMBER = /^(\s*\d+)\.(?=\s|$)/u;

export const plain = (text: string, most: number): string =>
  truncateLine(text, most).replace(MARKUP, '\\$&').replace(SCHEME, '\\:').replace(BULLET, '$1\\-').replace(NUMBER, '$1\\.');

/** Escapes do not work in code. */
export const inCode = (text: string, most: number): string => truncateLine(text, most).replaceAll('`', '\u02cb');
