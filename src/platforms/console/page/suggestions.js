// @ts-check
/** The list of completions above the input line, the one that Enter accepts, and the keys that move in it. */
import { make, need } from './dom.js';

const input = need('line', HTMLInputElement);
const list = need('suggestions', HTMLUListElement);

/** @typedef {import('./api.js').Suggestion} Suggestion */

/** What the server found. Includes the line itself if it is complete. @type {Suggestion[]} */
let found = [];
/** @type {Suggestion[]} */
let shown = [];
let chosen = -1;

const isShown = () => shown.length > 0;

/** The suggestion that Enter accepts, if any. */
const highlighted = () => shown[chosen];
/** The suggestion that Tab accepts: the highlighted one, or else the first. */
const offered = () => shown[Math.max(chosen, 0)];

/** @param {Suggestion[]} all @param {(suggestion: Suggestion) => void} take what a click does */
export function showSuggestions(all, take) {
  found = all;
  const line = input.value.trim().toLowerCase();
  shown = all.filter(({ insert }) => insert.trim().toLowerCase() !== line);
  list.replaceChildren(...shown.map((suggestion, index) => option(suggestion, index, take)));
  list.hidden = shown.length === 0;
  input.setAttribute('aria-expanded', String(isShown()));
  highlightFirst();
}

/** Updates the highlight after a key press, before the server has answered. */
export function highlightFirst() {
  const first = firstChoice(input.value, found);
  choose(first === undefined ? -1 : shown.indexOf(first));
}

/** @param {1 | -1} step */
function step(step) {
  const from = chosen < 0 && step < 0 ? 0 : chosen;
  choose((from + step + shown.length) % shown.length);
}

/** @param {Suggestion} suggestion @param {number} index @param {(suggestion: Suggestion) => void} take */
function option(suggestion, index, take) {
  const item = make(
    'li',
    {},
    make('span', { className: 'label', text: suggestion.label }),
    make('span', { className: 'hint', text: suggestion.hint }),
  );
  item.id = `suggestion-${index}`;
  item.role = 'option';
  // `pointerdown` comes before the input loses its focus.
  item.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    take(suggestion);
  });
  return item;
}

/** @param {number} index */
function choose(index) {
  chosen = index;
  [...list.children].forEach((item, at) => {
    item.ariaSelected = String(at === index);
  });
  if (index < 0) input.removeAttribute('aria-activedescendant');
  else input.setAttribute('aria-activedescendant', `suggestion-${index}`);
  list.children[index]?.scrollIntoView({ block: 'nearest' });
}

/**
 * Tab and Enter take a completion, arrows move in the list or recall earlier lines, Escape closes the list.
 * @param {HTMLInputElement} input
 * @param {{ take: (suggestion: Suggestion | undefined) => void, hide: () => void, recall: (step: number) => boolean }} actions
 */
export function startKeys(input, { take, hide, recall }) {
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const way = event.key === 'ArrowDown' ? 1 : -1;
      if (isShown()) step(way);
      else if (!recall(way)) return;
      event.preventDefault();
    } else if (event.key === 'Tab' && isShown() && !event.shiftKey) {
      event.preventDefault();
      take(offered());
    } else if (event.key === 'Enter' && highlighted() !== undefined && !event.isComposing) {
      event.preventDefault();
      take(highlighted());
    } else if (event.key === 'Escape' && isShown()) {
      event.preventDefault();
      hide();
    }
  });
}

/**
 * Returns the first suggestion that continues the typed word; undefined if the line is complete, or if only similar spellings were found, so that
 * Enter never replaces an intended value. For an unknown command the nearest one is returned.
 * @param {string} line @param {readonly Suggestion[]} found @returns {Suggestion | undefined}
 */
function firstChoice(line, found) {
  const typed = line.trimStart().toLowerCase();
  if (typed === '' || /\s$/u.test(typed) || found.some(({ insert }) => isSame(insert, typed))) return undefined;
  const words = typed.split(/\s+/u);
  const [first] = found;
  if (words.length === 1 && typed.startsWith('/')) return first;
  return first !== undefined && continues(first, words) ? first : undefined;
}

/** @param {string} insert @param {string} typed */
const isSame = (insert, typed) => [typed, `/${typed}`].includes(insert.trim().toLowerCase());

/** Tells whether a suggestion continues the typed words. Names may have several words. @param {Suggestion} suggestion @param {readonly string[]} words */
function continues({ insert, label }, words) {
  const line = insert.toLowerCase();
  if ([words.join(' '), `/${words.join(' ')}`].some((start) => line.startsWith(start))) return true;
  return words.slice(1).some((_, index) => label.toLowerCase().startsWith(words.slice(index + 1).join(' ')));
}
