// @ts-check
/** Logs in with the code of a link. The code is in the URL's fragment, which browsers do not send, so no proxy logs it. */
import { need } from './dom.js';

/** The form of a code. A redirect keeps another page's fragment, such as the name of a chat, which must not be sent as a code. */
const CODE = /^#[\w-]{43}$/u;

function enter() {
  if (!CODE.test(location.hash)) return;
  need('token', HTMLInputElement).value = location.hash.slice(1);
  // Removes the code from the browser's history.
  history.replaceState(null, '', location.pathname + location.search);
  need('login', HTMLFormElement).requestSubmit();
}

addEventListener('hashchange', enter);
enter();
