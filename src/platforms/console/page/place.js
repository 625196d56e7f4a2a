// @ts-check
/** The reader's place in the conversation: the end, or where the newest message begins if it is longer than the window. */
import { need } from './dom.js';

const log = need('log', HTMLElement);
const scroll = need('scroll', HTMLElement);

/** So near to the end a reader counts as reading the end. */
const NEAR = 80;
/** Above the message that is scrolled to. */
const MARGIN = 12;

/** What the page last scrolled to by itself, and the place that it took. @type {{ start: Element, at: number } | undefined} */
let placed;

export const atEnd = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR;

export function toTheEnd() {
  scroll.scrollTop = scroll.scrollHeight;
}

/** A long reply is read from its top, with its question above it. */
export function toTheNewest() {
  const newest = log.lastElementChild;
  if (newest === null) return;
  const before = newest.previousElementSibling;
  const isAnswer = newest.classList.contains('reply') && before?.classList.contains('question');
  place(before && isAnswer && before.clientHeight < scroll.clientHeight / 4 ? before : newest);
}

/** The browser goes no further than the end. @param {Element} start */
function place(start) {
  scroll.scrollTop += start.getBoundingClientRect().top - scroll.getBoundingClientRect().top - MARGIN;
  placed = { start, at: scroll.scrollTop };
}

// Pictures, cues and banners change heights later: whoever has not scrolled since stays where the page took them.
const resized = new ResizeObserver(() => {
  if (placed !== undefined && scroll.scrollTop === placed.at && placed.start.isConnected) place(placed.start);
});
resized.observe(log);
resized.observe(scroll);
