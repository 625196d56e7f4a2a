// @ts-check
/** The operator view: finds a chat of any platform, shows it, and runs command lines for it. */
import { make, need } from './dom.js';
import { operatorRequest, wordsOf } from './operator-page.js';
import { refreshTimes } from './times.js';

const filter = need('filter', HTMLFormElement);
const search = need('search', HTMLInputElement);
const state = need('state', HTMLSelectElement);
const count = need('count', HTMLElement);
const found = need('found', HTMLUListElement);
const previous = need('previous', HTMLButtonElement);
const next = need('next', HTMLButtonElement);
const detail = need('detail', HTMLElement);
const title = need('chat-title', HTMLElement);
const facts = need('facts', HTMLElement);
const run = need('run', HTMLFormElement);
const line = need('line', HTMLInputElement);
const trouble = need('trouble', HTMLElement);
const result = need('result', HTMLElement);
const edits = need('edits', HTMLUListElement);

/** @typedef {{ address: string, platform: string, state: string, because?: string, entries: number, watches: string[], waiting: number, lastAlertAt?: string }} Chat */
/** @typedef {Chat & { missing?: string[], edits: { at: string, by: string, line: string }[] }} ChatDetail */

const STATES = new Map([
  ['active', 'Active'],
  ['muted', 'Muted'],
  ['not-permitted', 'Missing permissions'],
  ['absent', 'Absent'],
  ['moved', 'Moved'],
]);

let page = 1;
let chosen = '';

const request = operatorRequest('', '/operator');

/** @param {Chat} chat */
const stateText = ({ state: is, because }) => `${STATES.get(is) ?? is}${because === undefined ? '' : `: ${because}`}`;

async function list() {
  const query = new URLSearchParams({ search: search.value, page: String(page), ...(state.value === '' ? {} : { state: state.value }) });
  try {
    const { total, pages, chats } = await request(`chats?${query}`);
    count.textContent =
      total === 0 ? 'No chats found.' : `${total.toLocaleString('en')} ${total === 1 ? 'chat' : 'chats'}, page ${page} of ${pages}`;
    found.replaceChildren(...chats.map(item));
    previous.hidden = page <= 1;
    next.hidden = page >= pages;
  } catch (error) {
    count.textContent = wordsOf(error);
  }
}

/** @param {Chat} chat */
function item(chat) {
  const watches = chat.entries === 0 ? 'watches nothing' : `${chat.watches.join(', ')}${chat.entries > chat.watches.length ? ' …' : ''}`;
  const button = make(
    'button',
    {},
    make('bdi', { text: chat.address }),
    make('span', { text: `${watches} · ${chat.waiting} waiting` }),
    make('span', { className: chat.state === 'active' ? '' : 'bad', text: stateText(chat) }),
  );
  button.type = 'button';
  button.dataset['address'] = chat.address;
  button.ariaPressed = String(chat.address === chosen);
  return make('li', {}, button);
}

/** @param {string} address @param {{ focus: boolean }} how */
async function show(address, { focus }) {
  try {
    const { chat, watchlist, history } = await request(`chat?${new URLSearchParams({ address })}`);
    chosen = address;
    detail.hidden = false;
    title.textContent = address;
    showFacts(chat);
    put('watchlist', watchlist);
    put('history', history);
    refreshTimes(detail);
    for (const button of found.querySelectorAll('button')) button.ariaPressed = String(button.dataset['address'] === chosen);
    if (focus) title.focus();
  } catch (error) {
    trouble.textContent = wordsOf(error);
    count.textContent = wordsOf(error);
  }
}

/** @param {ChatDetail} chat */
function showFacts(chat) {
  const when = make('time', { className: 'ago' });
  if (chat.lastAlertAt !== undefined) when.dateTime = chat.lastAlertAt;
  const permissions =
    chat.missing === undefined
      ? 'the platform does not answer'
      : chat.missing.length === 0
        ? 'nothing is missing'
        : chat.missing.join(', ');
  facts.replaceChildren(
    row('State', stateText(chat), chat.state !== 'active'),
    row('Permissions', permissions, chat.missing?.length !== 0),
    row('Waiting alerts', String(chat.waiting), false),
    row('Last alert', chat.lastAlertAt === undefined ? 'none' : when, false),
  );
  edits.replaceChildren(
    ...(chat.edits.length === 0
      ? [make('li', { text: 'None.' })]
      : chat.edits.map(({ at, by, line: ran }) => {
          const moment = make('time', { className: 'ago' });
          moment.dateTime = at;
          return make('li', {}, make('code', { text: ran }), make('span', { text: ` by ${by}, ` }), moment);
        })),
  );
}

/** @param {string} label @param {string | Node} value @param {boolean} bad */
function row(label, value, bad) {
  const dd = make('dd', { className: bad ? 'bad' : '' });
  dd.append(value);
  return make('div', {}, make('dt', { text: label }), dd);
}

/** Inserts the server's HTML, in which external text is escaped. @param {string} id @param {string | undefined} html */
function put(id, html) {
  const template = document.createElement('template');
  template.innerHTML = html ?? '';
  need(id, HTMLElement).replaceChildren(template.content);
}

/** @param {string} text */
async function execute(text) {
  trouble.textContent = '';
  try {
    const { html } = await request('run', { address: chosen, line: text });
    put('result', html);
    await show(chosen, { focus: false });
    await list();
  } catch (error) {
    trouble.textContent = wordsOf(error);
  }
}

filter.addEventListener('submit', (event) => {
  event.preventDefault();
  page = 1;
  void list();
});
state.addEventListener('change', () => filter.requestSubmit());
for (const [button, step] of /** @type {const} */ ([
  [previous, -1],
  [next, 1],
]))
  button.addEventListener('click', () => {
    page += step;
    void list();
  });
found.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (button === null) return;
  result.replaceChildren();
  void show(button.dataset['address'] ?? '', { focus: true });
});
run.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = line.value;
  line.value = '';
  void execute(text);
});
detail.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-line]') : null;
  if (button instanceof HTMLElement && button.dataset['line'] !== undefined) void execute(button.dataset['line']);
});
detail.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form === run) return;
  event.preventDefault();
  const typed = form.querySelector('textarea')?.value.trim() ?? form.querySelector('input')?.value.trim() ?? '';
  const chosenLine = form.classList.contains('menu')
    ? form.querySelector('select')?.value
    : form.dataset['fill']?.replaceAll('{}', () => typed);
  if (chosenLine !== undefined && chosenLine !== '') void execute(chosenLine);
});

/** Adds links to the platforms' operator pages. */
async function links() {
  const { pages } = await request('pages').catch(() => ({ pages: [] }));
  for (const { title: name, path } of pages) {
    const link = make('a', { text: name });
    link.href = path;
    need('pages', HTMLElement).append(link);
  }
}

/** Shows the chat that another page named in the URL's fragment. */
function showNamed() {
  const named = location.hash.slice(1);
  if (named !== '') void show(named, { focus: true });
}

addEventListener('hashchange', showNamed);
void links();
showNamed();
void list();
