// @ts-check
/** Menus and text fields in cards: what is chosen or typed becomes a line, sent as if it had been typed. */
import { say } from './composer.js';

/**
 * Whether the latest change of a menu may be one of many: arrow keys walk through its options, and each step is a change. Such a choice is
 * sent by Enter or by the button beside it; one that was picked from the open list is sent at once.
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

/** What a form of a card stands for; empty while nothing is chosen or typed, undefined for any other form. @param {HTMLFormElement} form */
function lineOf(form) {
  if (form.classList.contains('menu')) return form.querySelector('select')?.value ?? '';
  const line = form.dataset['fill'];
  if (line === undefined) return undefined;
  const lines = form.querySelector('textarea')?.value.trim();
  const typed = lines ?? form.querySelector('input')?.value.replace(/\s+/gu, ' ').trim() ?? '';
  return typed === '' ? '' : line.replaceAll('{}', () => typed);
}
