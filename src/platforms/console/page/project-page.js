// @ts-check
/** The page of a project shows the answer of one command about it. The answers are not stored in the conversation. */
import { ApiError, readView } from './api.js';
import { hangPictures } from './charts.js';
import { make, need } from './dom.js';
import { known } from './projects.js';
import { addressOf, current, place } from './route.js';
import { watchTables } from './tables.js';
import { refreshTimes } from './times.js';

const section = need('project', HTMLElement);
const title = need('project-title', HTMLElement);
const tabs = need('project-tabs', HTMLElement);
const body = need('project-body', HTMLElement);

/** The tabs. The first one has no part in the URL. */
const VIEWS = new Map([
  ['project', 'Overview'],
  ['premium', 'Premium'],
  ['treasury', 'Treasury'],
  ['proposals', 'Proposals'],
  ['supply', 'Supply'],
  ['holders', 'Holders'],
  ['trading', 'Trading'],
  ['movements', 'Payments'],
  ['finances', 'Finances'],
  ['vesting', 'Vesting'],
]);

let asked = 0;
let shown = '';

/** Shows the project and the tab that the URL names. */
export function showProject() {
  const { view, project, part } = place();
  if (view !== 'project' || project === undefined) {
    section.hidden = true;
    shown = '';
    return;
  }
  section.hidden = false;
  const chosen = VIEWS.has(part) ? part : 'project';
  const line = `/${chosen} ${project}`;
  name(project);
  tabs.replaceChildren(...[...VIEWS].map(([command, label]) => tab(project, command, { label, isChosen: command === chosen })));
  tabs.append(link(addressOf({ view: 'alerts', project }), 'Alerts'));
  tabs.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (shown !== `${current()} ${line}`) void load(line);
  shown = `${current()} ${line}`;
}

/** @param {string} slug */
function name(slug) {
  const project = known().find((one) => one.slug === slug);
  title.textContent = project === undefined ? slug : project.symbol === undefined ? project.name : `${project.symbol} · ${project.name}`;
}

/** @param {string} project @param {string} command @param {{ label: string, isChosen: boolean }} how */
function tab(project, command, { label, isChosen }) {
  const made = link(addressOf({ view: 'project', project, part: command === 'project' ? '' : command }), label);
  if (isChosen) made.ariaCurrent = 'page';
  return made;
}

/** @param {string} href @param {string} text */
function link(href, text) {
  const made = make('a', { text });
  made.href = href;
  return made;
}

/** @param {string} line */
async function load(line) {
  asked += 1;
  const turn = asked;
  body.ariaBusy = 'true';
  try {
    const html = await readView(current(), line);
    if (turn === asked) fill(html);
  } catch (error) {
    if (turn !== asked) return;
    const again = make('button', { text: 'Try again' });
    again.type = 'button';
    again.addEventListener('click', () => void load(line));
    const says = error instanceof ApiError ? error.message : 'This view could not be shown.';
    body.replaceChildren(make('p', { className: 'trouble', text: says }), again);
  } finally {
    if (turn === asked) body.ariaBusy = 'false';
  }
}

/** Inserts the server's HTML, in which external text is escaped. @param {string} html */
function fill(html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  hangPictures(template.content, (key) => `/api/views/${key}`);
  watchTables(template.content);
  refreshTimes(template.content);
  body.replaceChildren(template.content);
  body.scrollTop = 0;
}

/** Tells whether a pressed line is shown on this page: another period or page of the same view. Every other line goes to the conversation. @param {string} line */
export function staysHere(line) {
  const { view, project } = place();
  const [command = '', subject] = line.slice(1).split(' ');
  if (view !== 'project' || subject !== project || !VIEWS.has(command)) return false;
  void load(line);
  return true;
}

document.addEventListener('navwatch-projects', () => {
  const { view, project } = place();
  if (view === 'project' && project !== undefined) name(project);
});
