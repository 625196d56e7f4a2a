// @ts-check
/** The list of completions above the input line: which are shown, and which of them Enter accepts. */
import { firstChoice } from './completion.js';
import { make, need } from './dom.js';

const input = need('line', HTMLInputElement);
const list = need('suggestions', HTMLUListElement);

/** @typedef {import('./api.js').Suggestion} Suggestion */

/** What the server found, the line itself included if it is complete. @type {Suggestion[]} */
let found = [];
/** @type {Suggestion[]} */
let shown = [];
let chosen = -1;

export const isShown = () => shown.length > 0;

/** The one that Enter accepts, if any. */
export const highlighted = () => shown[chosen];
/** The one that Tab accepts: the highlighted, else the first. */
export const offered = () => shown[Math.max(chosen, 0)];

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

/** After a key press, before the server has answered. */
export function highlightFirst() {
  const first = firstChoice(input.value, found);
  choose(first === undefined ? -1 : shown.indexOf(first));
}

/** @param {1 | -1} step */
export function step(step) {
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
  // Before the input loses its focus.
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
