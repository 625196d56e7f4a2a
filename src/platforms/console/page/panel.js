// @ts-check
/** The status strip (service, each feed's oldest check, budget, deliveries) and the banner for invented data. */
import { readPanel } from './api.js';
import { make, need } from './dom.js';
import { inWords, refreshTimes } from './times.js';

const rows = need('panel-rows', HTMLElement);
const title = need('panel-title', HTMLElement);
const lamp = need('lamp', HTMLElement);
const banner = need('demo', HTMLElement);
const dialog = need('demo-dialog', HTMLDialogElement);

/** @param {string} label @param {string | readonly (string | Node)[]} value @param {boolean} [bad] */
function row(label, value, bad = false) {
  const dd = make('dd');
  dd.append(...(bad ? ['⚠ '] : []), ...(typeof value === 'string' ? [value] : value));
  return make('div', { className: bad ? 'bad' : '' }, make('dt', { text: label }), dd);
}

const number = new Intl.NumberFormat('en');

export async function refreshPanel() {
  const state = await readPanel().catch(() => undefined);
  if (state === undefined) {
    show('bad', 'Bot not reachable');
    return;
  }
  const { service, feeds, budget, deliveries } = state;
  showDemo(service.invented);
  const failing = feeds.some((feed) => feed.failing > 0);
  const late = feeds.some(isLate);
  if (!service.ok) show('bad', 'Service problem');
  else if (failing) show('warning', 'Some checks failed');
  else if (late) show('warning', 'Alerts can come late');
  else show('good', 'All systems OK');
  rows.replaceChildren(
    row('service', service.says, !service.ok),
    ...feeds.map((feed) => row(feed.id, checkOf(feed), feed.failing > 0 || isLate(feed))),
    ...(budget === undefined
      ? []
      : [
          row(
            'budget',
            budget.limit === undefined
              ? `${number.format(budget.used)} calls`
              : `${number.format(budget.used)} of ${number.format(budget.limit)}`,
          ),
        ]),
    ...(deliveries === undefined
      ? []
      : [row('alerts', `${number.format(deliveries.sent)} sent, ${number.format(deliveries.waiting)} waiting`)]),
  );
  refreshTimes(rows);
}

/** @typedef {import('./api.js').PanelState['feeds'][number]} Feed */

/** Tells whether checks are late. `within` is null for paused checks, because JSON has no infinity. @param {Feed} feed */
const isLate = ({ expected }) => expected !== undefined && (expected.within ?? Infinity) > expected.useful;

/** @param {Feed} feed @returns {(string | Node)[]} */
function checkOf({ watched, oldestCheck, failing, expected }) {
  if (watched === 0) return ['not watched'];
  const when = make('time', { className: 'ago', text: 'not checked yet' });
  if (oldestCheck !== undefined) when.dateTime = new Date(oldestCheck).toISOString();
  const detected = expected === undefined ? '' : expected.within === null ? ' · paused' : ` · detected within ${inWords(expected.within)}`;
  return [failing > 0 ? `${failing} of ${watched} failed · ` : `${watched} watched · `, when, detected];
}

/** @param {'good' | 'warning' | 'bad'} how @param {string} says */
function show(how, says) {
  lamp.className = `lamp ${how}`;
  if (title.textContent !== says) title.textContent = says;
}

/** True while the bot runs on the embedded service with invented data. */
let invented = false;
export const isInvented = () => invented;

/** @param {boolean} is */
function showDemo(is) {
  invented = is;
  banner.hidden = !is;
}

need('demo-how', HTMLButtonElement).addEventListener('click', () => {
  dialog.showModal();
});
