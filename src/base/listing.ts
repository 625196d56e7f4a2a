/** Several things in one breath. */

/** "a", "a or b", "a, b or c". */
export const either = (words: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);

/** "a", "a and b", "a, b and c". */
export const both = (words: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(words);

/** The most things that a sentence lists one by one. */
const MAX_LISTED = 8;

/** "a, b, c", or "a, b, c and 312 more" where there are too many to read. */
export const several = (words: readonly string[], most = MAX_LISTED): string =>
  words.length <= most ? words.join(', ') : `${words.slice(0, most).join(', ')} and ${words.length - most} more`;
