// @ts-check
/** Shows the conversation in the order of message ids, keeps the reader's scroll position and counts unread alerts. */
import { earlier, fileAddress, follow, messageAddress } from './api.js';
import { hangPictures } from './charts.js';
import { make, need } from './dom.js';
import { notify } from './notifications.js';
import { watchTables } from './tables.js';
import { dayName, refreshTimes, setServerTime } from './times.js';

const log = need('log', HTMLElement);
const scroll = need('scroll', HTMLElement);
const greeting = need('greeting', HTMLElement);
const waiting = need('waiting', HTMLElement);
const toEnd = need('to-end', HTMLButtonElement);
const showEarlier = need('earlier', HTMLButtonElement);
const banner = need('banner', HTMLElement);

/** The value is in pixels: a reader this close to the end follows new messages. */
const NEAR = 80;
/** The value is in pixels, kept free above the message that is scrolled to. */
const MARGIN = 12;

/** The element that the page last scrolled to, and the resulting scroll position. @type {{ start: Element, at: number } | undefined} */
let placed;

let chat = 'main';
/** @type {number | undefined} */
let last;
/** Messages up to this id are older than this visit. */
let history = 0;
let unread = 0;
let below = 0;
let stop = () => {};
/** @type {(chat: string, last: number) => void} */
let onSeen = () => {};

const first = () => Number(log.querySelector('article')?.dataset['id'] ?? 0);

/** Shows a chat from its latest messages on. @param {string} name @param {(chat: string, last: number) => void} seen */
export function openChat(name, seen) {
  stop();
  chat = name;
  onSeen = seen;
  clear();
  stop = follow({
    chat,
    position: () => last,
    onHello: (hello) => {
      setServerTime(hello.now);
      // If the chat has fewer messages than we have seen, the bot's store was reset, so the chat is loaded anew.
      if (last !== undefined && hello.last < last) return openChat(chat, onSeen);
      greeting.hidden = hello.last > 0;
      if (last === undefined) history = hello.last;
      last ??= 0;
    },
    onMessage: add,
    onEdit: (message) => log.querySelector(`article[data-id="${message.id}"]`)?.replaceWith(parse(message)),
    onBeat: setServerTime,
    onReach: (reached) => {
      banner.hidden = reached;
      banner.textContent = reached ? '' : 'The bot is not reachable. Trying again; nothing is lost.';
    },
  });
}

function clear() {
  log.replaceChildren();
  last = undefined;
  history = 0;
  below = 0;
  greeting.hidden = true;
  showEarlier.hidden = true;
  showWaiting(false);
  count(0);
  tellBelow();
}

/** @param {import('./api.js').Message} message */
function add(message) {
  if (last !== undefined && message.id <= last) return;
  const isFollowed = atEnd() || message.id <= history || message.kind === 'question' || (message.kind === 'reply' && !waiting.hidden);
  append(message);
  last = message.id;
  greeting.hidden = true;
  showEarlier.hidden = first() <= 1;
  if (!isFollowed) below += 1;
  else if (message.id < history) toTheEnd();
  else toTheNewest();
  if (document.hidden && message.kind === 'alert' && message.id > history) {
    count(unread + 1);
    if (message.silent === undefined) notify(chat, message);
  }
  onSeen(chat, last);
  tellBelow();
  document.dispatchEvent(new CustomEvent('navwatch-message', { detail: { kind: message.kind, isNew: message.id > history } }));
}

/** @param {import('./api.js').Message} message */
function append(message) {
  const article = parse(message);
  const day = dayName(Date.parse(message.at));
  if (day !== lastDay()) log.append(make('p', { className: 'day', text: day }));
  log.append(article);
}

const lastDay = () => [...log.querySelectorAll('.day')].at(-1)?.textContent;

/** Parses a message. The server has escaped external text, and the page's policy blocks scripts. @param {import('./api.js').Message} message */
function parse(message) {
  const template = document.createElement('template');
  template.innerHTML = message.html;
  for (const link of template.content.querySelectorAll('a'))
    if (link.dataset['file'] !== undefined) link.href = fileAddress(chat, message.id, link.dataset['file']);
  hangPictures(template.content, () => messageAddress(chat, message.id));
  watchTables(template.content);
  refreshTimes(template.content);
  return template.content;
}

showEarlier.addEventListener('click', async () => {
  const messages = await earlier(chat, first()).catch(() => []);
  const height = scroll.scrollHeight;
  const rest = [...log.childNodes];
  log.replaceChildren();
  messages.forEach(append);
  const shown = lastDay();
  const [heading, ...others] = rest;
  log.append(...(heading instanceof HTMLElement && heading.className === 'day' && heading.textContent === shown ? others : rest));
  scroll.scrollTop += scroll.scrollHeight - height;
  showEarlier.hidden = messages.length === 0 || first() <= 1;
});

toEnd.addEventListener('click', showEnd);
scroll.addEventListener('scroll', () => {
  if (below > 0 && atEnd()) {
    below = 0;
    tellBelow();
  }
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) count(0);
});

export function showEnd() {
  toTheEnd();
  below = 0;
  tellBelow();
}

/** @param {boolean} shown */
export function showWaiting(shown) {
  waiting.hidden = !shown;
  if (shown) toTheEnd();
}

function tellBelow() {
  toEnd.hidden = below === 0;
  toEnd.textContent = `${below} new ↓`;
}

/** @param {number} alerts */
function count(alerts) {
  unread = alerts;
  document.title = `${alerts > 0 ? `(${alerts}) ` : ''}${chat === 'main' ? '' : `${chat} · `}Navwatch`;
}

const atEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR;

function toTheEnd() {
  scroll.scrollTop = scroll.scrollHeight;
}

/** Scrolls so that a long reply is read from its top, with its question above it. */
function toTheNewest() {
  const newest = log.lastElementChild;
  if (newest === null) return;
  const before = newest.previousElementSibling;
  const isAnswer = newest.classList.contains('reply') && before?.classList.contains('question');
  place(before && isAnswer && before.clientHeight < scroll.clientHeight / 4 ? before : newest);
}

/** Scrolls to an element, as far as the end of the list allows. @param {Element} start */
function place(start) {
  scroll.scrollTop += start.getBoundingClientRect().top - scroll.getBoundingClientRect().top - MARGIN;
  placed = { start, at: scroll.scrollTop };
}

// Pictures, cues and banners change heights later. A reader who has not scrolled since is kept at the same element.
const resized = new ResizeObserver(() => {
  if (placed !== undefined && scroll.scrollTop === placed.at && placed.start.isConnected) place(placed.start);
});
resized.observe(log);
resized.observe(scroll);

setInterval(() => {
  refreshTimes(document);
}, 1_000);
