// @ts-check
/** Pictures in cards: they follow the reader's scheme, and one that cannot be had goes without a trace, for the words say it all. */
import { pictureAddress } from './api.js';
import { make } from './dom.js';

/**
 * Gives each picture of a message its addresses.
 * @param {DocumentFragment} content
 * @param {{ chat: string, message: number, onSize: () => void }} of
 */
export function hangPictures(content, { chat, message, onSize }) {
  for (const picture of content.querySelectorAll('picture')) {
    const address = pictureAddress(chat, message, picture.dataset['picture'] ?? '');
    const dark = make('source');
    dark.media = '(prefers-color-scheme: dark)';
    dark.srcset = `${address}&theme=dark`;
    picture.prepend(dark);
    const image = picture.querySelector('img');
    if (image === null) continue;
    image.addEventListener('load', onSize);
    image.addEventListener('error', () => {
      picture.remove();
      onSize();
    });
    image.src = `${address}&theme=light`;
  }
}
