/** The words nearest to a mistyped one. */
import Fuse from 'fuse.js';

/** How unlike a word may be and still be meant: 0 is the same, 1 anything. */
const UNLIKE = 0.45;
const MAX_SUGGESTIONS = 3;
/** A longer text is no mistyped word, and a search costs time with its length. */
const MAX_LENGTH = 64;

/** At most three of `words`, nearest first; empty when none is near, or when `word` is too long to be one of them. */
export const nearest = (word: string, words: readonly string[]): readonly string[] =>
  word.length > MAX_LENGTH
    ? []
    : new Fuse(words, { threshold: UNLIKE, ignoreLocation: true }).search(word, { limit: MAX_SUGGESTIONS }).map(({ item }) => item);
