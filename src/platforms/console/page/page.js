// @ts-check
/** Starts the page: opens the chat and the view that the URL names, and keeps the lists current. */
import { markSeen, refreshChats } from './chats.js';
import { say, startComposer } from './composer.js';
import { openChat, showEnd } from './conversation.js';
import { offerMute } from './fast-demo.js';
import { need } from './dom.js';
import { isInvented, refreshPanel } from './panel.js';
import './preview.js';
import { showProject, staysHere } from './project-page.js';
import { known, markCurrent, refreshProjects } from './projects.js';
import { addressOf, current, place } from './route.js';
import { showTimeline } from './timeline.js';

const EVERY = 5_000;

let opened = '';

function enter() {
  const { chat, view } = place();
  if (chat !== opened) {
    opened = chat;
    openChat(chat, markSeen);
    void refreshProjects();
  }
  const conversation = need('scroll', HTMLElement);
  const isBack = conversation.hidden && view === 'chat';
  conversation.hidden = view !== 'chat';
  // The conversation could not scroll while it was hidden.
  if (isBack) showEnd();
  for (const [id, name] of /** @type {const} */ ([
    ['to-chat', 'chat'],
    ['to-alerts', 'alerts'],
  ])) {
    const tab = need(id, HTMLAnchorElement);
    tab.href = addressOf({ view: name });
    tab.ariaCurrent = view === name ? 'page' : null;
  }
  showTimeline();
  showProject();
  markCurrent();
  void refreshChats();
}

// A button's `data-line` is the line that a press sends.
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button[data-line]') : null;
  if (!(button instanceof HTMLElement) || button.dataset['line'] === undefined) return;
  if (!staysHere(button.dataset['line'])) void say(button.dataset['line']);
});

document.addEventListener('navwatch-message', (event) => {
  if (!(event instanceof CustomEvent) || !event.detail.isNew) return;
  void refreshProjects();
  offerMute({ isInvented: isInvented(), projects: known(), chat: current(), say });
});
addEventListener('hashchange', enter);

startComposer(current);
enter();
void refreshPanel();
setInterval(() => {
  if (document.hidden) return;
  void refreshPanel();
  void refreshChats();
  void refreshProjects();
}, EVERY);
