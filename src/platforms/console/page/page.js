// @ts-check
/** Starts the page: opens the chat that the address names, and keeps the strip and the switcher fresh. */
import { current, markSeen, refreshChats } from './chats.js';
import { say, startComposer } from './composer.js';
import { openChat } from './conversation.js';
import { need } from './dom.js';
import { refreshPanel } from './panel.js';
import './preview.js';

const EVERY = 5_000;

function enter() {
  openChat(current(), markSeen);
  void refreshChats();
}

// A button carries the line it stands for.
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-line]') : null;
  if (button instanceof HTMLElement && button.dataset['line'] !== undefined) void say(button.dataset['line']);
});

addEventListener('hashchange', enter);
// On a narrow screen the strip begins closed.
if (matchMedia('(max-width: 760px)').matches) need('panel', HTMLDetailsElement).open = false;

startComposer(current);
enter();
void refreshPanel();
setInterval(() => {
  if (document.hidden) return;
  void refreshPanel();
  void refreshChats();
}, EVERY);
