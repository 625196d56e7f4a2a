// @ts-check
/** Pictures in cards. They follow the reader's scheme; one that cannot be had is removed, because the text is complete without it. */
import { pictureAddress } from './api.js';
import { make } from './dom.js';

/** Gives each picture of a message its addresses. @param {DocumentFragment} content @param {string} chat @param {number} message */
export function hangPictures(content, chat, message) {
  for (const picture of content.querySelectorAll('picture')) {
    const address = pictureAddress(chat, message, picture.dataset['picture'] ?? '');
    const dark = make('source');
    dark.media = '(prefers-color-scheme: dark)';
    dark.srcset = `${address}&theme=dark`;
    picture.prepend(dark);
    const image = picture.querySelector('img');
    if (image === null) continue;
    image.addEventListener('error', () => {
      picture.remove();
    });
    image.src = `${address}&theme=light`;
  }
}
