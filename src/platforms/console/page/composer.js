// @ts-check
/** The input line: completion while typing, earlier lines by arrow up, and sending. */
import { ApiError, complete, send } from './api.js';
import { putFile, takeFile } from './attachment.js';
import { showEnd, showWaiting } from './conversation.js';
import { need } from './dom.js';
import { startKeys } from './keys.js';
import { highlightFirst, showSuggestions } from './suggestions.js';

const form = need('composer', HTMLFormElement);
const input = need('line', HTMLInputElement);
const trouble = need('trouble', HTMLElement);

const PAUSE = 60;

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

/** Earlier lines, while the input holds one of them or nothing. @param {number} step */
function recall(step) {
  if (input.value !== '' && input.value !== said[recalled]) return false;
  recalled = Math.min(Math.max(recalled + step, 0), said.length);
  input.value = said[recalled] ?? '';
  return true;
}
