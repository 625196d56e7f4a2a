// @ts-check
/** The strip that shows what the bot is doing: the service, each feed's oldest look, the budget and the deliveries. */
import { readPanel } from './api.js';
import { make, need } from './dom.js';
import { ago, serverNow } from './times.js';

const rows = need('panel-rows', HTMLElement);
const title = need('panel-title', HTMLElement);
const lamp = need('lamp', HTMLElement);

/** @param {string} label @param {string} value @param {boolean} [bad] */
const row = (label, value, bad = false) =>
  make('div', { className: bad ? 'bad' : '' }, make('dt', { text: label }), make('dd', { text: bad ? `⚠ ${value}` : value }));

const number = new Intl.NumberFormat('en');

export async function refreshPanel() {
  const state = await readPanel().catch(() => undefined);
  if (state === undefined) {
    tell('bad', 'No word from the bot');
    return;
  }
  const { service, feeds, budget, deliveries } = state;
  const failing = feeds.some((feed) => feed.failing > 0);
  if (!service.ok) tell('bad', 'Service in trouble');
  else if (failing) tell('warning', 'Some looks failed');
  else tell('good', 'All well');
  rows.replaceChildren(
    row('service', service.says, !service.ok),
    ...feeds.map((feed) => row(feed.id, look(feed), feed.failing > 0)),
    row(
      'budget',
      budget.limit === undefined
        ? `${number.format(budget.used)} calls`
        : `${number.format(budget.used)} of ${number.format(budget.limit)}`,
    ),
    row('alerts', `${number.format(deliveries.sent)} sent, ${number.format(deliveries.waiting)} waiting`),
  );
}

/** @param {{ watched: number, oldestLook?: number, failing: number }} feed */
function look({ watched, oldestLook, failing }) {
  if (watched === 0) return 'not watched';
  const when = oldestLook === undefined ? 'not looked yet' : ago(oldestLook, serverNow());
  return failing > 0 ? `${failing} of ${watched} failed · ${when}` : `${watched} watched · ${when}`;
}

/** @param {'good' | 'warning' | 'bad'} how @param {string} says */
function tell(how, says) {
  lamp.className = `lamp ${how}`;
  if (title.textContent !== says) title.textContent = says;
}
