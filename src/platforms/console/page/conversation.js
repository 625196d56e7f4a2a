// @ts-check
/** The conversation: messages in the order of their ids, the reader's place in it, and what arrived while they were away. */
import { earlier, fileAddress, follow } from './api.js';
import { make, need } from './dom.js';
import { hangPictures } from './picture.js';
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

let chat = 'main';
/** @type {number | undefined} */
let last;
let unread = 0;
let below = 0;
let stop = () => {};
/** @type {(chat: string, last: number) => void} */
let onSeen = () => {};

const first = () => Number(log.querySelector('article')?.dataset['id'] ?? 0);
const atEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR;

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
      last ??= 0;
    },
    onMessage: add,
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
  const stay = !atEnd();
  append(message);
  last = message.id;
  greeting.hidden = true;
  showEarlier.hidden = first() <= 1;
  if (stay && message.kind !== 'question') below += 1;
  else scroll.scrollTop = scroll.scrollHeight;
  if (document.hidden && message.kind === 'alert') count(unread + 1);
  onSeen(chat, last);
  tellBelow();
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
  // A picture may be higher than the room kept for it: who read the end still reads the end.
  const reading = message.id > (last ?? 0) && atEnd();
  hangPictures(template.content, { chat, message: message.id, onSize: () => reading && toTheEnd() });
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

toEnd.addEventListener('click', toTheEnd);
scroll.addEventListener('scroll', () => {
  if (below > 0 && atEnd()) {
    below = 0;
    tellBelow();
  }
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) count(0);
});

export function toTheEnd() {
  scroll.scrollTop = scroll.scrollHeight;
  below = 0;
  tellBelow();
}

/** @param {boolean} shown */
export function showWaiting(shown) {
  waiting.hidden = !shown;
  if (shown) scroll.scrollTop = scroll.scrollHeight;
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

setInterval(() => {
  refreshTimes(document);
}, 1_000);
