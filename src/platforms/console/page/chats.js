// @ts-check
/** The chat switcher: lists the chats and marks the open one and those with new messages. */
import { listChats } from './api.js';
import { make, need } from './dom.js';
import { current, isChatName } from './route.js';

const list = need('chats', HTMLUListElement);
const dialog = need('new-chat-dialog', HTMLDialogElement);
const name = need('new-chat-name', HTMLInputElement);

const SEEN = 'navwatch-seen';

/** @returns {Record<string, number>} */
function seen() {
  try {
    return JSON.parse(localStorage.getItem(SEEN) ?? '{}');
  } catch {
    return {};
  }
}

/** @param {string} chat @param {number} last */
export function markSeen(chat, last) {
  localStorage.setItem(SEEN, JSON.stringify({ ...seen(), [chat]: last }));
}

/** Reads the chats and draws the switcher. The open chat is listed even if it has no messages. */
export async function refreshChats() {
  const known = await listChats().catch(() => undefined);
  if (known === undefined) return;
  const here = current();
  const all = known.some((chat) => chat.name === here) ? known : [...known, { name: here, last: 0 }];
  const before = seen();
  const items = all.map((chat) => {
    const link = make('a', {}, make('bdi', { text: chat.name }));
    link.title = chat.name;
    link.href = `#${chat.name}`;
    if (chat.name === here) link.ariaCurrent = 'page';
    else if (chat.last > (before[chat.name] ?? 0)) {
      link.append(make('span', { className: 'dot' }, make('span', { className: 'unseen', text: 'something new' })));
    }
    return make('li', {}, link);
  });
  const old = list.innerHTML;
  const fresh = make('ul', {}, ...items);
  // Drawing an unchanged list would lose the keyboard focus.
  if (fresh.innerHTML === old) return;
  list.replaceChildren(...fresh.children);
  list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  markSides();
}

/** Marks the sides where chats are scrolled out of sight. On a phone the chats are a strip that scrolls. */
function markSides() {
  const left = list.scrollWidth - list.clientWidth - list.scrollLeft;
  list.classList.toggle('more-before', list.scrollLeft > 1);
  list.classList.toggle('more-after', left > 1);
}

list.addEventListener('scroll', markSides, { passive: true });
new ResizeObserver(markSides).observe(list);

need('new-chat', HTMLButtonElement).addEventListener('click', () => {
  name.value = '';
  dialog.showModal();
});
need('new-chat-cancel', HTMLButtonElement).addEventListener('click', () => {
  dialog.close();
});
need('new-chat-form', HTMLFormElement).addEventListener('submit', () => {
  if (isChatName(name.value)) location.hash = name.value;
});
