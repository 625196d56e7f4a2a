// @ts-check
/** Keys of the input line: Tab and Enter take a completion, arrows move in the list or recall earlier lines, Escape closes the list. */
import { highlighted, isShown, offered, step } from './suggestions.js';

/**
 * @param {HTMLInputElement} input
 * @param {{ take: (suggestion: import('./api.js').Suggestion | undefined) => void, hide: () => void, recall: (step: number) => boolean }} actions
 */
export function startKeys(input, { take, hide, recall }) {
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const way = event.key === 'ArrowDown' ? 1 : -1;
      if (isShown()) step(way);
      else if (!recall(way)) return;
      event.preventDefault();
    } else if (event.key === 'Tab' && isShown() && !event.shiftKey) {
      event.preventDefault();
      take(offered());
    } else if (event.key === 'Enter' && highlighted() !== undefined && !event.isComposing) {
      event.preventDefault();
      take(highlighted());
    } else if (event.key === 'Escape' && isShown()) {
      event.preventDefault();
      hide();
    }
  });
}
