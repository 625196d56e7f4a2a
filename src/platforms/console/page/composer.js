// @ts-check
/** The input line: completes while typing, recalls earlier lines, attaches a file and sends. Menus and fields in cards send through it too. */
import { ApiError, complete, send } from './api.js';
import { showEnd, showWaiting } from './conversation.js';
import { make, need } from './dom.js';
import { addressOf, place } from './route.js';
import { highlightFirst, showSuggestions, startKeys } from './suggestions.js';

const form = need('composer', HTMLFormElement);
const input = need('line', HTMLInputElement);
const trouble = need('trouble', HTMLElement);

const PAUSE = 60;

let asking = new AbortController();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
const MAX_RECALLED = 100;
const LINES = 'navwatch-lines';
/** The earlier lines of this tab, the latest last. @type {string[]} */
const said = storedLines();
let recalled = said.length;
let open = 0;
let chat = () => 'main';

/** @param {() => string} current the chat that lines go to */
export function startComposer(current) {
  chat = current;
  if (matchMedia('(pointer: fine)').matches) input.focus();
}

/** Sends a line as if the person had typed it. @param {string} text @param {File} [file] that goes with it */
export async function say(text, file) {
  const line = text.trim();
  if (line === '') return;
  remember(line);
  trouble.textContent = '';
  open += 1;
  if (place().view !== 'chat') location.hash = addressOf({ view: 'chat' });
  showEnd();
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

function storedLines() {
  try {
    const lines = JSON.parse(sessionStorage.getItem(LINES) ?? '[]');
    return Array.isArray(lines) ? lines.filter((line) => typeof line === 'string').slice(-MAX_RECALLED) : [];
  } catch {
    return [];
  }
}

/** Adds a line to the recalled ones, unless it repeats the last one. @param {string} line */
function remember(line) {
  if (said.at(-1) !== line) said.push(line);
  if (said.length > MAX_RECALLED) said.shift();
  recalled = said.length;
  try {
    sessionStorage.setItem(LINES, JSON.stringify(said));
  } catch {
    // If the browser blocks storage, lines are recalled until the page is left.
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
  highlightFirst();
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
});
input.addEventListener('blur', hide);

startKeys(input, { take, hide, recall });

async function ask() {
  asking.abort();
  asking = new AbortController();
  const line = input.value;
  if (line.trim() === '') return hide();
  const found = await complete(chat(), line, asking.signal).catch(() => undefined);
  if (found !== undefined && input.value === line) showSuggestions(found, take);
}

function hide() {
  clearTimeout(timer);
  asking.abort();
  showSuggestions([], take);
}

/** @param {import('./api.js').Suggestion | undefined} suggestion */
function take(suggestion) {
  if (suggestion === undefined) return;
  input.value = suggestion.insert;
  input.focus();
  input.setSelectionRange(input.value.length, input.value.length);
  void ask();
}

/** Recalls an earlier line, if the input is empty or holds a recalled line. @param {number} step */
function recall(step) {
  if (input.value !== '' && input.value !== said[recalled]) return false;
  recalled = Math.min(Math.max(recalled + step, 0), said.length);
  input.value = said[recalled] ?? '';
  return true;
}

/** The file for the next line, shown until it is sent or removed. */
const choose = need('attach', HTMLButtonElement);
const chooser = need('file', HTMLInputElement);
const attached = need('attached', HTMLElement);

/** The value is in kilobytes, as the server's limit. */
const MAX_KB = 256;

/** @type {File | undefined} */
let file;

/** Takes the file for the line that is being sent, so that the next line has none. */
function takeFile() {
  const taken = file;
  putFile(undefined);
  return taken;
}

/** @param {File | undefined} chosen */
function putFile(chosen) {
  file = chosen;
  attached.hidden = file === undefined;
  attached.replaceChildren();
  if (file === undefined) return;
  const remove = make('button', { text: '×' });
  remove.type = 'button';
  remove.ariaLabel = `Do not send ${file.name}`;
  remove.addEventListener('click', () => {
    putFile(undefined);
    choose.focus();
  });
  attached.append(make('bdi', { text: file.name }), make('span', { text: `${Math.ceil(file.size / 1024)} KB` }), remove);
}

choose.addEventListener('click', () => {
  chooser.click();
});
chooser.addEventListener('change', () => {
  const chosen = chooser.files?.[0];
  // Cleared so that the same file can be chosen again after a change.
  chooser.value = '';
  if (chosen === undefined) return;
  const fits = chosen.size <= MAX_KB * 1024;
  trouble.textContent = fits ? '' : `${chosen.name} is larger than ${MAX_KB} KB. Split it and send the parts one after another.`;
  if (fits) putFile(chosen);
  input.focus();
});

/**
 * True while a person walks through a menu with arrow keys, where each step is a change event. Such a choice is
 * sent by Enter or by the button beside it; an option picked from the open list is sent at once.
 */
let walking = false;

document.addEventListener('pointerdown', () => {
  walking = false;
});
document.addEventListener('keydown', (event) => {
  walking = event.target instanceof HTMLSelectElement;
});

document.addEventListener('change', (event) => {
  const menu = event.target;
  if (walking || !(menu instanceof HTMLSelectElement)) return;
  menu.form?.requestSubmit();
});

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  const line = lineOf(form);
  if (line === undefined) return;
  event.preventDefault();
  form.reset();
  if (line !== '') void say(line);
});

/** Returns the line of a card's form; empty while nothing is chosen or typed, undefined for any other form. @param {HTMLFormElement} form */
function lineOf(form) {
  if (form.classList.contains('menu')) return form.querySelector('select')?.value ?? '';
  const line = form.dataset['fill'];
  if (line === undefined) return undefined;
  const lines = form.querySelector('textarea')?.value.trim();
  const typed = lines ?? form.querySelector('input')?.value.replace(/\s+/gu, ' ').trim() ?? '';
  return typed === '' ? '' : line.replaceAll('{}', () => typed);
}
