/** Lines of chat as words, and words as a line: what a button carries is read back by the same rules as what a person types. */
import stringArgv from 'string-argv';
import { UserError } from './user-error.js';

/** Stands for an apostrophe inside a word, which opens no quote. It is in no one's text. */
const APOSTROPHE = '\u{F8F1}';
/** Appended as a last word: when it does not come back by itself, a quote is still open. */
const LAST = '\u{F8F2}';

/** The words of a line; quotes hold several together. Throws a `UserError` when a quote is not closed. */
export function splitWords(line: string): readonly string[] {
  // Phones write curly quotes where straight ones are meant.
  const straight = line.includes('"') ? line : line.replace(/[“”„]/gu, '"');
  // Where no single quote opens one, one behind a letter closes none: "builders' pool".
  const apostrophe = /(?<!\p{L})'/u.test(straight) ? /(?<=\p{L})'(?=\p{L})/gu : /'/gu;
  const words = stringArgv(`${straight.replace(apostrophe, APOSTROPHE)} ${LAST}`);
  if (words.at(-1) !== LAST) throw new UserError('A quote was opened and not closed. Put one at the end of the name, or leave both out.');
  return words.slice(0, -1).map((word) => word.replaceAll(APOSTROPHE, "'"));
}

/** A command line from its words, without those that are undefined; what would not stay one word is quoted. */
export const commandLine = (command: string, ...words: readonly (string | undefined)[]): string =>
  [`/${command}`, ...words.filter((word) => word !== undefined).map(quoted)].join(' ');

const quoted = (word: string): string =>
  /^[^\s"'“”„]+$/u.test(word)
    ? word
    : word
        .split('"')
        .map((part) => `"${part}"`)
        .join(`'"'`);
