// @ts-check
/** Logs in with the code of a link. It stands behind the #, so it is in no request line, no log of a proxy and no Referer. */
import { need } from './dom.js';

/** A redirect from another page keeps what stood behind its #, such as the name of a chat. */
const CODE = /^#[\w-]{43}$/u;

function enter() {
  if (!CODE.test(location.hash)) return;
  need('token', HTMLInputElement).value = location.hash.slice(1);
  // Nor does it stay in the history of the browser.
  history.replaceState(null, '', location.pathname + location.search);
  need('login', HTMLFormElement).requestSubmit();
}

addEventListener('hashchange', enter);
enter();
