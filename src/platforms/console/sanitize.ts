/** Text from outside, before the `html` template escapes it. */
import { oneLine } from '../../base/one-line.js';

const UNWANTED = /[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const BEFORE_UNIT = /(?<=\d) (?=%|[KMBT]\b)/gu;

/** Without control and direction characters. Line breaks stay. */
export const bare = (text: string): string => text.replace(UNWANTED, '');

export const clean = (text: string): string => oneLine(text).replace(BEFORE_UNIT, '\u00a0');
