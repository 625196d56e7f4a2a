// @ts-check
/** The page "API keys": keys are created and revoked here. Text is never markup. */

/** @typedef {{ id: string, name: string, scope: string, chat?: string, createdAt: string, usedAt?: string }} Key */

/**
 * @template {HTMLElement} T
 * @param {string} id @param {new () => T} kind
 * @returns {T}
 */
function need(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`page: ${id} is missing`);
  return found;
}

const form = need('new', HTMLFormElement);
const label = need('name', HTMLInputElement);
const scope = need('scope', HTMLSelectElement);
const chat = need('chat', HTMLInputElement);
const trouble = need('trouble', HTMLElement);
const secret = need('secret', HTMLElement);
const secretText = need('secret-text', HTMLElement);
const count = need('count', HTMLElement);
const list = need('keys', HTMLUListElement);

/** @param {string} path @param {object} [body] @returns {Promise<any>} */
async function request(path, body) {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/api/operator/api/${path}`, init).catch(() => undefined);
  if (response === undefined) throw new Error('The bot is not reachable. Is it running?');
  if (response.status === 401) location.assign('/login?to=/operator/api');
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(typeof answer.error === 'string' ? answer.error : `The bot answered with status ${response.status}.`);
  return answer;
}

/** @param {unknown} error */
const wordsOf = (error) => (error instanceof Error ? error.message : 'That did not work.');
/** @param {string} iso */
const time = (iso) => new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });

/** @param {Key} key */
function item({ id, name, scope: does, chat: where, createdAt, usedAt }) {
  const article = document.createElement('article');
  const title = document.createElement('h3');
  title.textContent = name || id;
  const says = document.createElement('p');
  says.textContent = does === 'read' ? `Reads ${where ?? 'every chat'}` : `Manages ${where ?? ''}`;
  const times = document.createElement('p');
  times.className = 'hint';
  times.textContent = `Created ${time(createdAt)} · ${usedAt === undefined ? 'not used yet' : `used ${time(usedAt)}`}`;
  const revoke = document.createElement('button');
  revoke.type = 'button';
  revoke.dataset['id'] = id;
  revoke.textContent = 'Revoke';
  revoke.setAttribute('aria-label', `Revoke: ${name || id}`);
  article.append(title, says, times, revoke);
  const made = document.createElement('li');
  made.append(article);
  return made;
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
    secret.hidden = false;
    secretText.textContent = token;
    need('secret-title', HTMLElement).focus();
    await refresh();
  } catch (error) {
    trouble.textContent = wordsOf(error);
  }
});

list.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-id]') : null;
  if (!(button instanceof HTMLButtonElement)) return;
  // A second press confirms, so that no key ends by a slip.
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

need('copy', HTMLButtonElement).addEventListener('click', () => {
  navigator.clipboard?.writeText(secretText.textContent ?? '').catch(() => getSelection()?.selectAllChildren(secretText));
});
need('hide', HTMLButtonElement).addEventListener('click', () => {
  secretText.textContent = '';
  secret.hidden = true;
});

void refresh();

// oxlint-disable-next-line unicorn/require-module-specifiers -- It makes this file a module, with names of its own.
export {};
