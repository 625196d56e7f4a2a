// @ts-check
/** The dialog that shows a reply side by side as Discord, Telegram and plain text would. */
import { ApiError, messageAddress, readPreviews } from './api.js';
import { make, need } from './dom.js';
import { current } from './route.js';
import { refreshTimes } from './times.js';

const dialog = need('preview-dialog', HTMLDialogElement);
const columns = need('preview-columns', HTMLElement);

/** The theme of each platform's pictures, if it is not light. @type {Record<string, string>} */
const THEMES = { discord: 'dark' };

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button.previewer') : null;
  const message = Number(button?.closest('article')?.dataset['id']);
  if (button !== null && message > 0) void open(current(), message);
});
need('preview-close', HTMLButtonElement).addEventListener('click', () => {
  dialog.close();
});

/** Counts the opened previews, so that a late answer to an earlier press is ignored. */
let latest = 0;

/** @param {string} chat @param {number} message */
async function open(chat, message) {
  latest += 1;
  const opened = latest;
  columns.replaceChildren(make('p', { className: 'small', text: 'Loading …' }));
  dialog.showModal();
  try {
    const previews = await readPreviews(chat, message);
    if (opened !== latest) return;
    columns.replaceChildren(...previews.map((preview) => column(preview, chat, message)));
    refreshTimes(columns);
  } catch (error) {
    if (opened !== latest) return;
    columns.replaceChildren(make('p', { text: error instanceof ApiError ? error.message : 'The preview could not be shown.' }));
  }
}

/** Builds a platform's column. The server has escaped external text in its HTML. @param {import('./api.js').Preview} preview @param {string} chat @param {number} message */
function column({ platform, title, html }, chat, message) {
  const section = make('section', { className: `as ${platform}` }, make('h3', { text: title }));
  const body = make('div', { className: 'screen' });
  body.innerHTML = html;
  body.tabIndex = 0;
  body.role = 'region';
  body.ariaLabel = `As ${title}`;
  for (const embed of body.querySelectorAll('.embed'))
    if (embed instanceof HTMLElement) embed.style.borderInlineStartColor = embed.dataset['colour'] ?? '';
  for (const picture of body.querySelectorAll('picture')) {
    const image = picture.querySelector('img');
    if (image === null) continue;
    image.alt = 'The chart of this message';
    image.addEventListener('error', () => picture.remove());
    image.src = `${messageAddress(chat, message)}/picture?of=${picture.dataset['picture'] ?? ''}&theme=${THEMES[platform] ?? 'light'}`;
  }
  section.append(body);
  return section;
}
