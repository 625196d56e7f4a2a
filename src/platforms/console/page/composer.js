// @ts-check
/** The input line: completion while typing, earlier lines by arrow up, and sending. */
import { ApiError, complete, send } from './api.js';
import { putFile, takeFile } from './attachment.js';
import { showWaiting, toTheEnd } from './conversation.js';
import { make, need } from './dom.js';

const form = need('composer', HTMLFormElement);
const input = need('line', HTMLInputElement);
const list = need('suggestions', HTMLUListElement);
const trouble = need('trouble', HTMLElement);

const PAUSE = 60;

/** @type {import('./api.js').Suggestion[]} */
let suggestions = [];
let chosen = -1;
let asking = new AbortController();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {string[]} */
const said = [];
let recalled = 0;
let open = 0;
let chat = () => 'main';

/** @param {() => string} current the chat that lines go to */
export function startComposer(current) {
  chat = current;
  if (matchMedia('(pointer: fine)').matches) input.focus();
}

/** Sends a line as if it had been typed. @param {string} text @param {File} [file] that goes with it */
export async function say(text, file) {
  const line = text.trim();
  if (line === '') return;
  said.push(line);
  recalled = said.length;
  trouble.textContent = '';
  open += 1;
  toTheEnd();
  showWaiting(true);
  try {
    await send(chat(), line, file);
  } catch (error) {
    trouble.textContent = error instanceof ApiError ? error.message : 'That could not be sent.';
    if (input.value === '') input.value = line;
    if (file !== undefined) putFile(file);
  } finally {
    open -= 1;
    if (open === 0) showWaiting(false);
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const line = input.value;
  const file = takeFile();
  input.value = '';
  hide();
  if (line.trim() === '' && file !== undefined) {
    putFile(file);
    trouble.textContent = 'Type the command that the file is for, such as /watchlist import.';
    return;
  }
  void say(line, file);
});

input.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
});
input.addEventListener('blur', hide);

input.addEventListener('keydown', (event) => {
  const shown = suggestions.length > 0;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const step = event.key === 'ArrowDown' ? 1 : -1;
    if (shown) choose((chosen + step + suggestions.length + (chosen < 0 && step < 0 ? 1 : 0)) % suggestions.length);
    else if (!recall(step)) return;
    event.preventDefault();
  } else if (event.key === 'Tab' && shown && !event.shiftKey) {
    event.preventDefault();
    take(suggestions[Math.max(chosen, 0)]);
  } else if (event.key === 'Enter' && shown && chosen >= 0) {
    event.preventDefault();
    take(suggestions[chosen]);
  } else if (event.key === 'Escape' && shown) {
    event.preventDefault();
    hide();
  }
});

async function ask() {
  asking.abort();
  asking = new AbortController();
  const line = input.value;
  if (line.trim() === '') return hide();
  const found = await complete(chat(), line, asking.signal).catch(() => undefined);
  if (found !== undefined && input.value === line) show(found.filter(({ insert }) => insert.trim() !== line.trim()));
}

/** @param {import('./api.js').Suggestion[]} found */
function show(found) {
  suggestions = found;
  list.replaceChildren(
    ...found.map((suggestion, index) => {
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
    }),
  );
  list.hidden = found.length === 0;
  input.setAttribute('aria-expanded', String(found.length > 0));
  choose(-1);
}

function hide() {
  clearTimeout(timer);
  asking.abort();
  show([]);
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

/** @param {import('./api.js').Suggestion | undefined} suggestion */
function take(suggestion) {
  if (suggestion === undefined) return;
  input.value = suggestion.insert;
  input.focus();
  input.setSelectionRange(input.value.length, input.value.length);
  void ask();
}

/** Earlier lines, while the input holds one of them or nothing. @param {number} step */
function recall(step) {
  if (input.value !== '' && input.value !== said[recalled]) return false;
  recalled = Math.min(Math.max(recalled + step, 0), said.length);
  input.value = said[recalled] ?? '';
  return true;
}
