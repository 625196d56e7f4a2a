/** Splits a typed line into words, and which signs are quotes. */
import stringArgv from 'string-argv';
import { UserError } from '../reply/index.js';

/** For an apostrophe inside a word, which opens no quote. */
const APOSTROPHE = '\u{F8F1}';
/** If it is missing after the split, a quote is open. */
const LAST = '\u{F8F2}';

/** Throws a `UserError` for an open quote. */
export function splitWords(line: string): readonly string[] {
  // Phones type curly quotes.
  const straight = line.includes('"') ? line : line.replace(/[“”„]/gu, '"');
  // If no single quote opens one, a quote after a letter closes none: "builders' pool".
  const apostrophe = /(?<!\p{L})'/u.test(straight) ? /(?<=\p{L})'(?=\p{L})/gu : /'/gu;
  const words = stringArgv(`${straight.replace(apostrophe, APOSTROPHE)} ${LAST}`);
  if (words.at(-1) !== LAST) throw new UserError('A quote is missing at the end. Add it, or leave both quotes out.');
  return words.slice(0, -1).map((word) => word.replaceAll(APOSTROPHE, "'"));
}
