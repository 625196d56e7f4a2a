/** Splits a typed line into words, with quotes, and assigns words to options. */
import stringArgv from 'string-argv';
import { unread } from '../reply/index.js';
import { MAX_NAME_WORDS } from '../domain/project.js';
import { MAX_SCREEN_TESTS } from '../domain/screen.js';
import { looksLikeKey } from '../domain/wallet.js';
import { fitting, isClosed, type Option } from './command.js';

/** Replaces an apostrophe inside a word, so that it does not open a quote. */
const APOSTROPHE = '\u{F8F1}';
/** Appended to the line: if this word is missing after the split, a quote is open. */
const LAST = '\u{F8F2}';

/** Splits a line into words. Throws a `UserError` for an open quote. */
export function splitWords(line: string): readonly string[] {
  // Phones type curly quotes.
  const straight = line.includes('"') ? line : line.replace(/[“”„]/gu, '"');
  // Without an opening single quote, one after a letter is an apostrophe: "builders' pool".
  const apostrophe = /(?<!\p{L})'/u.test(straight) ? /(?<=\p{L})'(?=\p{L})/gu : /'/gu;
  const words = stringArgv(`${straight.replace(apostrophe, APOSTROPHE)} ${LAST}`);
  if (words.at(-1) !== LAST) throw unread('A quote is missing at the end. Add it, or leave both quotes out.');
  return words.slice(0, -1).map((word) => word.replaceAll(APOSTROPHE, "'"));
}

/** Matches `screen premium<-20 runway>12`, also with spaces around the signs, commas and "and". */
const SAVED_SCREEN = /^screen(?:[\s,;]+(?:and\s+)?[a-z-]+\s*(?:[<>]=?|[=!]=?)\s*[^\s,;<>=!]+,?)+$/iu;
/** A test of a screen has at most four words: "and premium < -20". */
const MAX_SCREEN_WORDS = 1 + 4 * MAX_SCREEN_TESTS;

/** Tells whether the text names a saved screen, which is named by its filter. */
export const namesScreen = (text: string): boolean => SAVED_SCREEN.test(text);

/** Joins the words of the first saved screen, because single ones may fit options: "premium" is also a kind. */
export function joinScreen(words: readonly string[]): readonly string[] {
  const from = words.findIndex((word) => /^screen(?:\s|$)/iu.test(word));
  if (from === -1) return words;
  for (let to = Math.min(words.length, from + MAX_SCREEN_WORDS); to > from; to -= 1) {
    const text = words.slice(from, to).join(' ');
    if (namesScreen(text)) return [...words.slice(0, from), spaced(text), ...words.slice(to)];
  }
  return words;
}

/** Puts a space before each test and nowhere else, so that the number of words is bounded. */
const spaced = (text: string): string =>
  text
    .replaceAll(/\s*([<>=!]+)\s*/gu, '$1')
    .replaceAll(/[\s,;]+(?:and\s+)?/giu, ' ')
    .trim();

interface AssignedWords {
  readonly options: Readonly<Record<string, string>>;
  readonly left: readonly string[];
}

/** Assigns to each closed option the last word that fits: in `/premium all 3M`, "all" is a project. */
export function assignClosed(words: readonly string[], options: readonly Option[]): AssignedWords {
  const closed = options.filter(isClosed).toSorted((a, b) => Number(b.choices !== undefined) - Number(a.choices !== undefined));
  const taken = new Map<number, readonly [string, string]>();
  for (const option of closed) {
    const isRule = (at: number): boolean => isOnMarket(words, at) && !closed.some((one) => fitting(one, words[at - 1] ?? '') !== undefined);
    const index = words.findLastIndex((word, at) => !taken.has(at) && fitting(option, word) !== undefined && !isRule(at));
    if (index >= 0) taken.set(index, [option.name, fitting(option, words[index] ?? '') ?? '']);
  }
  return { options: Object.fromEntries(taken.values()), left: words.filter((_, index) => !taken.has(index)) };
}

/** Tells whether "on" belongs to a rule, as in "margin<2 on 9xQ…", instead of switching something on. */
const isOnMarket = (words: readonly string[], at: number): boolean =>
  at > 0 && words[at]?.toLowerCase() === 'on' && looksLikeKey(words[at + 1] ?? '');

export type IsName = (text: string) => Promise<boolean>;

/** Assigns words to a free option: to a project the longest known name, to a single other option all words. */
export async function assignFree(words: readonly string[], options: readonly Option[], isName: IsName): Promise<AssignedWords> {
  const [option, ...others] = options;
  if (option === undefined || words.length === 0) return { options: {}, left: words };
  const names = option.complete === 'project' || option.complete === 'entry';
  // A public key is never part of a longer name, so no lookup is needed.
  const known = names && words.length > 1 && !looksLikeKey(words[0] ?? '') ? await longestName(words, isName) : 0;
  const length = option.rest || (names && known === 0 && others.length === 0) ? words.length : Math.max(known, 1);
  const after = await assignFree(words.slice(length), others, isName);
  return { options: { [option.name]: joined(words.slice(0, length), option), ...after.options }, left: after.left };
}

/** Joins words and quotes phrases again, because the split removed the quotes that end a phrase. */
const joined = (words: readonly string[], { phrases }: Option): string =>
  words.map((word) => (phrases === true ? word.replace(/(?<=^[a-z]+:).*\s.*$/isu, quotedPhrases) : word)).join(' ');

const quotedPhrases = (text: string): string =>
  text
    .split(',')
    .map((phrase) => (/\s/u.test(phrase.trim()) ? `"${phrase.trim()}"` : phrase))
    .join(',');

async function longestName(words: readonly string[], isName: IsName): Promise<number> {
  for (let length = Math.min(words.length, MAX_NAME_WORDS); length > 0; length -= 1)
    if (await isName(words.slice(0, length).join(' '))) return length;
  return 0;
}

/** Tells whether the words begin with a name or a public key. */
export const beginsWithName = async (words: readonly string[], isName: IsName): Promise<boolean> =>
  looksLikeKey(words[0] ?? '') || (await longestName(words, isName)) > 0;
