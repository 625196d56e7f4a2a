// @ts-check
/** The alerts of a chat as a timeline: the newest first, by day, filtered by project, kind and time. */
import { ApiError, messageAddress, readAlerts } from './api.js';
import { hangPictures } from './charts.js';
import { make, need } from './dom.js';
import { addressOf, current, place } from './route.js';
import { watchTables } from './tables.js';
import { dayName, refreshTimes, setServerTime } from './times.js';

const section = need('alerts', HTMLElement);
const list = need('timeline', HTMLElement);
const more = need('more-alerts', HTMLButtonElement);
const empty = need('no-alerts', HTMLElement);
const byProject = need('alerts-project', HTMLSelectElement);
const byKind = need('alerts-kind', HTMLSelectElement);
const since = need('alerts-since', HTMLSelectElement);

let asked = 0;
let chat = '';

export function showTimeline() {
  const { view, project } = place();
  section.hidden = view !== 'alerts';
  if (view !== 'alerts') return;
  if (chat !== current()) {
    byKind.value = '';
    list.replaceChildren();
  }
  chat = current();
  // The URL may name a project without alerts.
  choose(byProject, project ?? '');
  void load();
}

/** @param {number} [before] reads on from this alert */
async function load(before) {
  asked += 1;
  const turn = asked;
  const filter = { since: since.value, ...(byProject.value && { project: byProject.value }), ...(byKind.value && { kind: byKind.value }) };
  try {
    const found = await readAlerts(chat, before === undefined ? filter : { ...filter, before: String(before) });
    if (turn !== asked) return;
    setServerTime(found.now);
    offer(byProject, found.projects);
    offer(byKind, found.kinds);
    if (before === undefined) list.replaceChildren();
    found.alerts.forEach(append);
    more.hidden = !found.isMore;
    empty.hidden = list.childElementCount > 0;
    const isFiltered = Object.keys(filter).length > 1 || filter.since !== 'all';
    empty.textContent = isFiltered
      ? 'No alerts match. Choose a longer time or all kinds.'
      : 'No alerts yet. Watch a project to get them here.';
  } catch (error) {
    if (turn !== asked) return;
    empty.hidden = false;
    empty.textContent = error instanceof ApiError ? error.message : 'The alerts could not be shown.';
  }
}

/** Adds an alert. The server has escaped external text in its HTML. @param {import('./api.js').Alerts['alerts'][number]} alert */
function append({ id, at, html }) {
  const day = dayName(Date.parse(at));
  const last = list.lastElementChild;
  const isSame = last?.querySelector('h3')?.textContent === day;
  const group = isSame && last !== null ? last : make('section', {}, make('h3', { className: 'day', text: day }));
  if (!isSame) list.append(group);
  const template = document.createElement('template');
  template.innerHTML = html;
  hangPictures(template.content, () => messageAddress(chat, id));
  for (const header of template.content.querySelectorAll('article > header')) header.remove();
  watchTables(template.content);
  refreshTimes(template.content);
  group.append(template.content);
}

/** @param {HTMLSelectElement} select @param {readonly string[]} names */
function offer(select, names) {
  const [all] = select.options;
  const chosen = select.value;
  select.replaceChildren(...(all === undefined ? [] : [all]), ...names.map((name) => option(name)));
  choose(select, chosen);
}

/** @param {HTMLSelectElement} select @param {string} value */
function choose(select, value) {
  if (![...select.options].some((one) => one.value === value)) select.append(option(value));
  select.value = value;
}

/** @param {string} value */
function option(value) {
  const made = make('option', { text: value });
  made.value = value;
  return made;
}

byProject.addEventListener('change', () => {
  const project = byProject.value === '' ? undefined : byProject.value;
  location.hash = addressOf({ view: 'alerts', project });
});
for (const select of [byKind, since]) select.addEventListener('change', () => void load());
more.addEventListener('click', () => void load(Number([...list.querySelectorAll('details')].at(-1)?.dataset['row'])));

document.addEventListener('navwatch-message', (event) => {
  if (section.hidden || !(event instanceof CustomEvent) || event.detail.kind !== 'alert' || !event.detail.isNew) return;
  // An alert that the reader has opened stays open.
  if (list.querySelector('details[open]') === null) void load();
});
