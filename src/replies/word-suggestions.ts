/** Suggestions for a mistyped word. */
import Fuse from 'fuse.js';

/** Fuse's threshold: 0 is an exact match, 1 matches anything. */
const UNLIKE = 0.45;
const MAX_SUGGESTIONS = 3;
const MAX_LENGTH = 64;

export const nearest = (word: string, words: readonly string[]): readonly string[] =>
  word.length > MAX_LENGTH
    ? []
    : new Fuse(words, { threshold: UNLIKE, ignoreLocation: true }).search(word, { limit: MAX_SUGGESTIONS }).map(({ item }) => item);
