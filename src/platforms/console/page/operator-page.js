// @ts-check
/** Shared by the operator's pages: requests whose errors are sentences, and the form, the secret and the list of `operator-page.ts`. */
import { need } from './dom.js';

/**
 * Sends requests below `/api/operator/`. Without a login the browser goes to the login page, which leads back to `page`.
 * @param {string} base @param {string} page
 * @returns {(path: string, body?: object) => Promise<any>}
 */
export const operatorRequest = (base, page) => async (path, body) => {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/api/operator/${base}${path}`, init).catch(() => undefined);
  if (response === undefined) throw new Error('The bot is not reachable. Is it running?');
  if (response.status === 401) location.assign(`/login?to=${page}`);
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(typeof answer.error === 'string' ? answer.error : `The bot answered with status ${response.status}.`);
  return answer;
};

/** @param {unknown} error */
export const wordsOf = (error) => (error instanceof Error ? error.message : 'That did not work.');

/** @param {string} iso */
export const timeText = (iso) => new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Connects the elements of a page that `operator-page.ts` made. The secret can be copied and hidden. */
export function operatorForm() {
  const secret = need('secret', HTMLElement);
  const secretText = need('secret-text', HTMLElement);
  need('copy', HTMLButtonElement).addEventListener('click', () => {
    navigator.clipboard?.writeText(secretText.textContent ?? '').catch(() => getSelection()?.selectAllChildren(secretText));
  });
  need('hide', HTMLButtonElement).addEventListener('click', () => {
    secretText.textContent = '';
    secret.hidden = true;
  });
  return {
    form: need('new', HTMLFormElement),
    label: need('name', HTMLInputElement),
    trouble: need('trouble', HTMLElement),
    count: need('count', HTMLElement),
    list: need('all', HTMLUListElement),
    /** @param {string} text @param {string} [says] */
    showSecret(text, says = '') {
      const sentence = need('secret-says', HTMLElement);
      sentence.textContent = says;
      sentence.hidden = says === '';
      secret.hidden = false;
      secretText.textContent = text;
      need('secret-title', HTMLElement).focus();
    },
  };
}
