// @ts-check
/** Shows the watched projects: price, premium, its last month and the next deadline, each with its age. Causes no request to the service. */
import { readProjects } from './api.js';
import { sparkline } from './charts.js';
import { make, need } from './dom.js';
import { addressOf, current, place } from './route.js';
import { ago, refreshTimes, serverNow, setServerTime } from './times.js';

const section = need('watched', HTMLElement);
const list = need('projects', HTMLUListElement);
const search = need('find-project', HTMLInputElement);
const empty = need('watched-empty', HTMLElement);
const rest = need('watched-more', HTMLElement);

/** Up to this length the list has no filter. */
const FEW = 15;
const PAUSE = 150;

/** @typedef {import('./api.js').WatchedProject} WatchedProject */

/** What is shown. An equal answer is not drawn, so that the focus and the scroll position stay. */
let shown = '';
/** @type {readonly WatchedProject[]} */
let latest = [];
let asked = 0;
/** @type {ReturnType<typeof setTimeout>} */
let timer;

/** The projects that were read last. */
export const known = () => latest;

export async function refreshProjects() {
  asked += 1;
  const [turn, chat, words] = [asked, current(), search.value];
  const found = await readProjects(chat, words).catch(() => undefined);
  // A failed or outdated answer changes nothing; the list stays with its ages.
  if (found === undefined || turn !== asked) return;
  setServerTime(found.now);
  latest = found.projects;
  section.hidden = false;
  search.parentElement?.toggleAttribute('hidden', found.total <= FEW && words === '');
  showEmpty(found);
  const left = found.total - found.projects.length;
  rest.hidden = left <= 0;
  rest.textContent = `${left.toLocaleString('en')} more; filter to find them.`;
  const text = JSON.stringify([chat, found.projects]);
  if (text !== shown) draw(found.projects);
  shown = text;
  markCurrent();
  document.dispatchEvent(new CustomEvent('navwatch-projects'));
}

/** @param {{ total: number, isAny: boolean }} found */
function showEmpty({ total, isAny }) {
  const [says, ...presses] = empty.children;
  empty.hidden = total > 0;
  if (says !== undefined)
    says.textContent = isAny ? 'No watched project has this in its name.' : 'No projects watched yet. Try one of these:';
  for (const press of presses) press.toggleAttribute('hidden', isAny);
}

/** @param {readonly WatchedProject[]} projects */
function draw(projects) {
  const focused = document.activeElement?.getAttribute('href');
  list.replaceChildren(...projects.map((project) => make('li', {}, row(project))));
  refreshTimes(list);
  for (const link of list.querySelectorAll('a')) if (link.getAttribute('href') === focused) link.focus();
}

/** @param {WatchedProject} project */
function row({ slug, name, symbol, price, premium, history, deadline }) {
  const link = make('a', {}, make('bdi', { className: 'symbol', text: symbol ?? name }));
  const age = make('span', {}, ' · ', ageOf(price?.at ?? premium?.at));
  const below = make('small', {}, make('span', {}, ...deadlineOf(deadline, name)), age);
  const sign = premium === undefined ? '' : premium.isDiscount ? 'down' : 'up';
  link.href = addressOf({ view: 'project', project: slug });
  link.append(sparkline(history), figure('price', 'Price', price), below, figure(`premium ${sign}`, 'Premium', premium));
  link.addEventListener('pointerenter', () => (link.title = agesOf({ name, price, premium, deadline })));
  return link;
}

/** @param {string} className @param {string} label @param {import('./api.js').Figure | undefined} value */
function figure(className, label, value) {
  return make('span', { className }, make('span', { className: 'unseen', text: `${label} ` }), value?.text ?? 'n/a');
}

const WHAT = { market: 'Vote', vesting: 'Unlock' };

/** @param {WatchedProject['deadline']} deadline @param {string} name @returns {(Node | string)[]} */
function deadlineOf(deadline, name) {
  if (deadline === undefined) return ['Deadline n/a'];
  return deadline === null ? [make('bdi', { text: name })] : [`${WHAT[deadline.kind]} `, time(deadline.endsAt)];
}

/** @param {number | undefined} at */
const ageOf = (at) => (at === undefined ? 'not checked' : time(at));

/** @param {number} at */
function time(at) {
  const made = make('time', { className: 'ago' });
  made.dateTime = new Date(at).toISOString();
  return made;
}

/** @param {Pick<WatchedProject, 'name' | 'price' | 'premium' | 'deadline'>} project */
function agesOf({ name, price, premium, deadline }) {
  const aged = (/** @type {string} */ what, /** @type {number | undefined} */ at) =>
    `${what}: ${at === undefined ? 'n/a' : ago(at, serverNow())}`;
  const checked = deadline === null ? 'No deadline' : aged('Deadline checked', deadline?.at);
  return [name, aged('Price', price?.at), aged('Premium', premium?.at), checked].join('\n');
}

export function markCurrent() {
  const { view, project } = place();
  const here = view === 'project' ? addressOf({ view, project }) : '';
  for (const link of list.querySelectorAll('a')) link.ariaCurrent = link.getAttribute('href') === here ? 'page' : null;
}

search.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(() => void refreshProjects(), PAUSE);
});
