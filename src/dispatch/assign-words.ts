/** Which word of a line is which option. Pure: a word goes where it fits, so their order matters only among free text. */
import { MAX_NAME_WORDS } from '../domain/project.js';
import { looksLikeKey } from '../domain/wallet.js';
import { fitting, isClosed, type Option } from './option.js';

export interface AssignedWords {
  readonly options: Readonly<Record<string, string>>;
  /** Words that no choice and no form claims, in their order. */
  readonly left: readonly string[];
}

/**
 * Gives every closed option (choices first, then forms) the last word that fits it: what is left over stands in front, where
 * names do, so `/premium all 3M` is about a project called "all".
 */
export function assignClosed(words: readonly string[], options: readonly Option[]): AssignedWords {
  const closed = options.filter(isClosed).toSorted((a, b) => Number(b.choices !== undefined) - Number(a.choices !== undefined));
  const taken = new Map<number, readonly [string, string]>();
  for (const option of closed) {
    const index = words.findLastIndex((word, at) => !taken.has(at) && fitting(option, word) !== undefined);
    if (index >= 0) taken.set(index, [option.name, fitting(option, words[index] ?? '') ?? '']);
  }
  return { options: Object.fromEntries(taken.values()), left: words.filter((_, index) => !taken.has(index)) };
}

/** Whether these words are, all of them, exactly the name of something that can be asked about. */
export type IsName = (text: string) => Promise<boolean>;

/**
 * Gives the words that are left to the free options. A project takes the longest name that the words begin with; where they begin with none, the
 * only free option takes all of them and one of several takes the first. `left` is what no option takes.
 */
export async function assignFree(words: readonly string[], options: readonly Option[], isName: IsName): Promise<AssignedWords> {
  const [option, ...others] = options;
  if (option === undefined || words.length === 0) return { options: {}, left: words };
  const names = option.complete === 'project' || option.complete === 'entry';
  // A public key is no part of a longer name, so nobody has to be asked.
  const known = names && words.length > 1 && !looksLikeKey(words[0] ?? '') ? await longestName(words, isName) : 0;
  const length = option.rest || (names && known === 0 && others.length === 0) ? words.length : Math.max(known, 1);
  const after = await assignFree(words.slice(length), others, isName);
  return { options: { [option.name]: words.slice(0, length).join(' '), ...after.options }, left: after.left };
}

/** How many words from the first on are a name; 0 where none are. It asks at most as often as a name has words. */
async function longestName(words: readonly string[], isName: IsName): Promise<number> {
  for (let length = Math.min(words.length, MAX_NAME_WORDS); length > 0; length -= 1)
    if (await isName(words.slice(0, length).join(' '))) return length;
  return 0;
}
