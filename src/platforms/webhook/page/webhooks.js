// @ts-check
/** The Webhooks page, which creates, tests, edits, rotates, disables and removes endpoints. Text is never parsed as markup. */
import { need } from '/page/dom.js';
import { operatorForm, operatorRequest, timeText, wordsOf } from '/page/operator-page.js';

/** @typedef {{ id: string, address: string, name: string, url: string, format: string, createdAt: string, disabled?: string, failing?: { since: string, count: number, problem: string }, oldSecretUntil?: string }} Endpoint */

/**
 * @template {HTMLElement} T
 * @param {ParentNode} within @param {string} selector @param {new () => T} kind
 * @returns {T}
 */
function part(within, selector, kind) {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`page: ${selector} is missing`);
  return found;
}

const { form, label, trouble, count, list, showSecret } = operatorForm();
const url = need('url', HTMLInputElement);
const format = need('format', HTMLSelectElement);
const urlHint = need('url-hint', HTMLElement);
const template = need('endpoint', HTMLTemplateElement);
const sure = need('sure', HTMLDialogElement);
const edit = need('edit', HTMLDialogElement);
const editName = need('edit-name', HTMLInputElement);
const editUrl = need('edit-url', HTMLInputElement);
const editTrouble = need('edit-trouble', HTMLElement);

/** For each format an example URL, and a hint where to get one and what it can do. @type {Record<string, { example: string, hint: string }>} */
const FORMATS = {
  standard: {
    example: 'https://example.com/hooks/navwatch',
    hint: 'Alerts are sent there as signed JSON. It must answer with a 2xx status within 15 seconds.',
  },
  slack: {
    example: 'https://hooks.slack.com/services/…',
    hint: 'The URL of an incoming webhook. Slack cannot edit its messages, so corrections follow as new ones. A sample is posted at once.',
  },
  discord: {
    example: 'https://discord.com/api/webhooks/…',
    hint: 'Server settings, Integrations, Webhooks, Copy Webhook URL. Messages are kept up to date. A sample is posted at once.',
  },
  ntfy: {
    example: 'https://ntfy.sh/your-topic',
    hint: 'The address of a topic, with ?auth=… where it needs a login. Updates replace the notification. A sample is posted at once.',
  },
  apprise: {
    example: 'https://apprise.example.com/notify/your-key',
    hint: 'The address of a stored configuration of the Apprise API. It cannot edit messages. A sample is posted at once.',
  },
  matrix: {
    example: 'https://matrix.example.com/!room:example.com?access_token=…',
    hint: 'The homeserver, the room id and the access token of an account that is in the room. A sample is posted at once.',
  },
};

const request = operatorRequest('webhook/', '/operator/webhook');

/** @param {Endpoint} endpoint */
const titleOf = (endpoint) => endpoint.name || endpoint.id;

/** @param {Endpoint} endpoint */
function stateOf({ disabled, failing }) {
  if (disabled !== undefined) return { text: `Disabled: ${disabled}.`, bad: true };
  if (failing === undefined) return { text: 'Active', bad: false };
  const times = failing.count === 1 ? 'once' : `${failing.count} times`;
  return { text: `Failed ${times} since ${timeText(failing.since)}: ${failing.problem}. It is tried again.`, bad: true };
}

/** @param {Endpoint} endpoint */
function item(endpoint) {
  const made = part(document.importNode(template.content, true), 'li', HTMLLIElement);
  made.dataset['id'] = endpoint.id;
  part(made, 'h3', HTMLElement).textContent = titleOf(endpoint);
  const isSigned = endpoint.format === 'standard';
  part(made, 'code', HTMLElement).textContent = isSigned ? endpoint.url : `${endpoint.format}: ${endpoint.url}`;
  part(made, '[data-action="rotate"]', HTMLElement).hidden = !isSigned;
  const { text, bad } = stateOf(endpoint);
  const state = part(made, '.state', HTMLElement);
  state.textContent = text;
  state.classList.toggle('bad', bad);
  const old = part(made, '.old', HTMLElement);
  old.hidden = endpoint.oldSecretUntil === undefined;
  old.textContent = endpoint.oldSecretUntil === undefined ? '' : `The previous secret is valid until ${timeText(endpoint.oldSecretUntil)}.`;
  const alerts = part(made, '.alerts', HTMLAnchorElement);
  alerts.href = `/operator#${endpoint.address}`;
  part(made, '[data-action="disable"]', HTMLElement).hidden = endpoint.disabled !== undefined;
  part(made, '[data-action="enable"]', HTMLElement).hidden = endpoint.disabled === undefined;
  for (const button of made.querySelectorAll('.actions > *'))
    button.setAttribute('aria-label', `${button.textContent}: ${titleOf(endpoint)}`);
  return made;
}

/** @type {Map<string, Endpoint>} */
let known = new Map();

async function refresh() {
  try {
    const { endpoints, max } = await request('endpoints');
    known = new Map(endpoints.map((/** @type {Endpoint} */ endpoint) => [endpoint.id, endpoint]));
    count.textContent = endpoints.length === 0 ? 'None yet.' : `${endpoints.length} of at most ${max}`;
    list.replaceChildren(...endpoints.map(item));
  } catch (error) {
    count.textContent = wordsOf(error);
  }
}

/** @param {string} title @param {string} says @param {string} yes @returns {Promise<boolean>} */
async function isSure(title, says, yes) {
  need('sure-title', HTMLElement).textContent = title;
  need('sure-says', HTMLElement).textContent = says;
  need('sure-yes', HTMLElement).textContent = yes;
  sure.returnValue = 'no';
  sure.showModal();
  await new Promise((resolve) => {
    sure.addEventListener('close', resolve, { once: true });
  });
  return sure.returnValue === 'yes';
}

/** @param {Endpoint} endpoint @param {string} says @param {boolean} bad */
function say({ id }, says, bad) {
  const made = [...list.children].find((one) => one instanceof HTMLElement && one.dataset['id'] === id);
  if (made === undefined) return;
  const result = part(made, '.result', HTMLElement);
  result.textContent = says;
  result.classList.toggle('bad', bad);
}

/** @type {Record<string, (endpoint: Endpoint) => Promise<void>>} */
const actions = {
  async test(endpoint) {
    say(endpoint, 'Sending…', false);
    const { ok, problem, milliseconds } = await request(`endpoints/${endpoint.id}/test`, {});
    await refresh();
    say(endpoint, ok ? `Arrived after ${milliseconds} ms.` : `It did not arrive: ${problem}.`, !ok);
  },
  async edit(endpoint) {
    need('edit-title', HTMLElement).textContent = `Edit ${titleOf(endpoint)}`;
    edit.dataset['id'] = endpoint.id;
    editName.value = endpoint.name;
    const isSigned = endpoint.format === 'standard';
    editUrl.value = isSigned ? endpoint.url : '';
    editUrl.placeholder = isSigned ? '' : 'unchanged';
    need('edit-hint', HTMLElement).textContent = isSigned
      ? 'Waiting alerts go to the new URL, signed with the same secret. Rotate the secret if the old receiver should not know it.'
      : 'The URL is a secret, so it is not shown. Leave it empty to keep it; waiting alerts go to a new one.';
    editTrouble.textContent = '';
    edit.showModal();
  },
  async rotate(endpoint) {
    const says =
      'Requests are signed with both secrets for 24 hours; then the old one is no longer used. A secret from an earlier rotation ends now.';
    if (!(await isSure(`Rotate the secret of ${titleOf(endpoint)}?`, says, 'Rotate'))) return;
    const answer = await request(`endpoints/${endpoint.id}/rotate`, {});
    await refresh();
    showSecret(answer.secret, `The new secret of ${titleOf(endpoint)}.`);
  },
  async disable(endpoint) {
    await request(`endpoints/${endpoint.id}/disable`, {});
    await refresh();
  },
  async enable(endpoint) {
    await request(`endpoints/${endpoint.id}/enable`, {});
    await refresh();
  },
  async remove(endpoint) {
    const says = 'Its watchlist, its waiting alerts and its secret are deleted.';
    if (!(await isSure(`Remove ${titleOf(endpoint)}?`, says, 'Remove'))) return;
    await request(`endpoints/${endpoint.id}/remove`, {});
    await refresh();
    count.focus();
  },
};

function showFormat() {
  const { example = '', hint = '' } = FORMATS[format.value] ?? {};
  url.placeholder = example;
  urlHint.textContent = hint;
}
format.addEventListener('change', showFormat);

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  trouble.textContent = '';
  try {
    const given = { name: label.value, url: url.value, format: format.value };
    const { endpoint, secret: made, sample } = await request('endpoints', given);
    form.reset();
    showFormat();
    await refresh();
    if (made === undefined)
      say(
        endpoint,
        sample.ok ? 'Created. A sample was posted; next, press "Alerts".' : `Created, but the sample did not arrive: ${sample.problem}.`,
        !sample.ok,
      );
    else
      showSecret(
        made,
        `The secret of ${titleOf(endpoint)}. Next, choose its alerts: press "Alerts" below and run /watch all, for example.`,
      );
  } catch (error) {
    trouble.textContent = wordsOf(error);
  }
});

list.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-action]') : null;
  const endpoint = known.get(button?.closest('li')?.dataset['id'] ?? '');
  if (!(button instanceof HTMLButtonElement) || endpoint === undefined) return;
  button.disabled = true;
  try {
    await actions[button.dataset['action'] ?? '']?.(endpoint);
  } catch (error) {
    say(endpoint, wordsOf(error), true);
  } finally {
    button.disabled = false;
  }
});

need('edit-form', HTMLFormElement).addEventListener('submit', async (event) => {
  event.preventDefault();
  editTrouble.textContent = '';
  try {
    const { endpoint } = await request(`endpoints/${edit.dataset['id']}/edit`, { name: editName.value, url: editUrl.value });
    edit.close();
    await refresh();
    say(endpoint, 'Saved. Send a sample event to see whether it arrives.', false);
  } catch (error) {
    editTrouble.textContent = wordsOf(error);
  }
});
need('edit-cancel', HTMLButtonElement).addEventListener('click', () => edit.close());

void refresh();
