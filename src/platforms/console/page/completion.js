// @ts-check
/** Which completion is highlighted without an arrow key. Pure. */

/** @typedef {import('./api.js').Suggestion} Suggestion */

/**
 * The first that continues the word being typed; undefined when the line is complete, or when only similar spellings were found, so that
 * Enter never replaces a value that was meant. An unknown command cannot be meant: there the nearest one is highlighted.
 * @param {string} line @param {readonly Suggestion[]} found @returns {Suggestion | undefined}
 */
export function firstChoice(line, found) {
  const typed = line.trimStart().toLowerCase();
  if (typed === '' || /\s$/u.test(typed) || found.some(({ insert }) => isSame(insert, typed))) return undefined;
  const words = typed.split(/\s+/u);
  const [first] = found;
  if (words.length === 1 && typed.startsWith('/')) return first;
  return first !== undefined && continues(first, words) ? first : undefined;
}

/** @param {string} insert @param {string} typed */
const isSame = (insert, typed) => [typed, `/${typed}`].includes(insert.trim().toLowerCase());

/** Names may have several words. @param {Suggestion} suggestion @param {readonly string[]} words */
function continues({ insert, label }, words) {
  const line = insert.toLowerCase();
  if ([words.join(' '), `/${words.join(' ')}`].some((start) => line.startsWith(start))) return true;
  return words.slice(1).some((_, index) => label.toLowerCase().startsWith(words.slice(index + 1).join(' ')));
}
