// @ts-check
/** The conversation: messages in the order of their ids, the reader's place in it, and what arrived while they were away. */
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

/** So near to the end a reader counts as reading the end. */
const NEAR = 80;
/** So many pixels stay free above the message that is scrolled to. */
const MARGIN = 12;

/** What the page last scrolled to by itself, and the place that it took. @type {{ start: Element, at: number } | undefined} */
let placed;

let chat = 'main';
/** @type {number | undefined} */
let last;
/** Up to this id the messages are older than this visit. */
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
      // The chat has fewer messages than we have seen: the bot lost its memory, so begin with it again.
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

/** The server has escaped what came from outside, and the page's policy lets no script in it run. @param {import('./api.js').Message} message */
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

/** A long reply is read from its top, with its question above it. */
function toTheNewest() {
  const newest = log.lastElementChild;
  if (newest === null) return;
  const before = newest.previousElementSibling;
  const isAnswer = newest.classList.contains('reply') && before?.classList.contains('question');
  place(before && isAnswer && before.clientHeight < scroll.clientHeight / 4 ? before : newest);
}

/** The browser goes no further than the end. @param {Element} start */
function place(start) {
  scroll.scrollTop += start.getBoundingClientRect().top - scroll.getBoundingClientRect().top - MARGIN;
  placed = { start, at: scroll.scrollTop };
}

// Pictures, cues and banners change heights later: whoever has not scrolled since stays where the page took them.
const resized = new ResizeObserver(() => {
  if (placed !== undefined && scroll.scrollTop === placed.at && placed.start.isConnected) place(placed.start);
});
resized.observe(log);
resized.observe(scroll);

setInterval(() => {
  refreshTimes(document);
}, 1_000);
