/** The words nearest to a mistyped one. */
import Fuse from 'fuse.js';

/** How unlike a word may be and still be meant: 0 is the same, 1 anything. */
const UNLIKE = 0.45;
const MOST = 3;

/** At most three of `words`, nearest first; empty when none is near. */
export const nearest = (word: string, words: readonly string[]): readonly string[] =>
  new Fuse(words, { threshold: UNLIKE, ignoreLocation: true }).search(word, { limit: MOST }).map(({ item }) => item);
