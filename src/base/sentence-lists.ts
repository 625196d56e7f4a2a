/** Writes lists within sentences, and capitals at their beginning. */

export const either = (words: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);

export const both = (words: readonly string[]): string => new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(words);

const MAX_LISTED = 8;

/** Returns "a, b, c", or "a, b, c and 312 more". */
export const several = (words: readonly string[], most = MAX_LISTED): string =>
  words.length <= most ? words.join(', ') : `${words.slice(0, most).join(', ')} and ${words.length - most} more`;

export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
