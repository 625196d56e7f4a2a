// @ts-check
/** Shows browser notifications of alerts while the page is in the background, if the reader switched them on. */
import { need } from './dom.js';

const button = need('notify', HTMLButtonElement);
const trouble = need('trouble', HTMLElement);

const CHOICE = 'navwatch-notifications';
const BLOCKED = 'This browser blocks notifications from this page. Allow them in its site settings, then press Notifications again.';

// The permission is checked first, because a browser that blocks storage throws at `localStorage` and has granted nothing.
const isOn = () => Notification.permission === 'granted' && localStorage.getItem(CHOICE) === 'on';

function draw() {
  button.ariaPressed = String(isOn());
  button.title = isOn() ? 'Stop browser notifications' : 'Show a browser notification when an alert arrives';
}

/** Shows an alert; pressing it opens the page. @param {string} chat @param {{ id: number, text: string }} alert */
export function notify(chat, { id, text }) {
  if (!('Notification' in window) || !isOn()) return;
  const [title = 'Alert', second = ''] = text.split('\n');
  // A second line in brackets holds the buttons and is left out.
  const body = second.startsWith('[') ? '' : second;
  try {
    // The tag identifies the alert, so a second tab replaces the notification of the first.
    const shown = new Notification(title, { body, tag: `navwatch-${chat}-${id}`, icon: '/page/icon.svg' });
    shown.addEventListener('click', () => {
      window.focus();
      shown.close();
    });
  } catch {
    // Chrome on Android allows notifications only from a service worker.
    switchTo(false);
    trouble.textContent = 'This browser shows notifications for installed apps only.';
  }
}

/** @param {boolean} on */
function switchTo(on) {
  localStorage.setItem(CHOICE, on ? 'on' : 'off');
  draw();
}

button.addEventListener('click', async () => {
  trouble.textContent = '';
  if (isOn()) return switchTo(false);
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') trouble.textContent = BLOCKED;
  switchTo(permission === 'granted');
});

if ('Notification' in window) {
  button.hidden = false;
  draw();
}
