// @ts-check
/** The page "API keys", which creates and revokes keys. Text is never parsed as markup. */
import { make, need } from '/page/dom.js';
import { operatorForm, operatorRequest, timeText, wordsOf } from '/page/operator-page.js';

/** @typedef {{ id: string, name: string, scope: string, chat?: string, createdAt: string, usedAt?: string }} Key */

const scope = need('scope', HTMLSelectElement);
const chat = need('chat', HTMLInputElement);
const { form, label, trouble, count, list, showSecret } = operatorForm();
const request = operatorRequest('api/', '/operator/api');

/** @param {Key} key */
function item({ id, name, scope: does, chat: where, createdAt, usedAt }) {
  const revoke = make('button', { text: 'Revoke' });
  revoke.type = 'button';
  revoke.dataset['id'] = id;
  revoke.setAttribute('aria-label', `Revoke: ${name || id}`);
  const used = usedAt === undefined ? 'not used yet' : `used ${timeText(usedAt)}`;
  return make(
    'li',
    {},
    make(
      'article',
      {},
      make('h3', { text: name || id }),
      make('p', { text: does === 'read' ? `Reads ${where ?? 'every chat'}` : `Manages ${where ?? ''}` }),
      make('p', { className: 'hint', text: `Created ${timeText(createdAt)} · ${used}` }),
      revoke,
    ),
  );
}

async function refresh() {
  try {
    const { keys, max, isEnabled } = await request('keys');
    const state = isEnabled ? '' : ' The API is off, because the settings say API=false.';
    count.textContent = `${keys.length === 0 ? 'None yet. The API is off until there is one.' : `${keys.length} of at most ${max}.`}${state}`;
    list.replaceChildren(...keys.map(item));
  } catch (error) {
    count.textContent = wordsOf(error);
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  trouble.textContent = '';
  try {
    const { token } = await request('keys', { name: label.value, scope: scope.value, chat: chat.value });
    form.reset();
    showSecret(token);
    await refresh();
  } catch (error) {
    trouble.textContent = wordsOf(error);
  }
});

list.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-id]') : null;
  if (!(button instanceof HTMLButtonElement)) return;
  // A second press confirms, so that nobody revokes a key by accident.
  if (button.dataset['sure'] !== 'yes') {
    button.dataset['sure'] = 'yes';
    button.textContent = 'Press again to revoke';
    return;
  }
  button.disabled = true;
  try {
    await request(`keys/${button.dataset['id']}/revoke`, {});
    await refresh();
    count.focus();
  } catch (error) {
    trouble.textContent = wordsOf(error);
    button.disabled = false;
  }
});

void refresh();
