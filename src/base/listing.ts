/** Several things in one breath. */

/** "a", "a or b", "a, b or c". */
export const either = (words: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);

/** "a", "a and b", "a, b and c". */
export const both = (words: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(words);
