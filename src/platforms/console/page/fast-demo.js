// @ts-check
/** Offers to mute the demo projects, whose days last minutes, after their first alerts. */
import { make, need } from './dom.js';

const FAST = 'fast demo';
const AFTER = 5;
const MUTED = 'navwatch-fast-demo';

const line = need('fast-demo', HTMLElement);

/** @param {{ isInvented: boolean, projects: readonly import('./api.js').WatchedProject[], chat: string, say: (line: string) => Promise<void> }} of */
export function offerMute({ isInvented, projects, chat, say }) {
  const alerts = document.querySelectorAll('#log article.alert').length;
  const fast = projects.filter(({ name }) => name.endsWith(FAST));
  line.hidden = !isInvented || alerts < AFTER || fast.length === 0 || answered().includes(chat);
  if (line.hidden || line.childElementCount > 0) return;
  const names = fast.map(({ name }) => name.slice(0, -FAST.length).trim()).join(' and ');
  const both = fast.length === 2 ? 'both' : 'them';
  const mute = button(`Mute ${both}`, async () => {
    for (const { slug } of fast) await say(`/mute ${slug} 30d`);
  });
  line.append(
    make('span', { text: `${names} run fast for the demo. ` }),
    mute,
    button('Keep', async () => {}),
  );

  /** @param {string} text @param {() => Promise<void>} then */
  function button(text, then) {
    const made = make('button', { className: 'quiet', text });
    made.type = 'button';
    made.addEventListener('click', async () => {
      line.hidden = true;
      line.replaceChildren();
      localStorage.setItem(MUTED, JSON.stringify([...answered(), chat]));
      await then();
    });
    return made;
  }
}

/** The chats in which the person answered the offer. @returns {string[]} */
function answered() {
  try {
    const chats = JSON.parse(localStorage.getItem(MUTED) ?? '[]');
    return Array.isArray(chats) ? chats : [];
  } catch {
    return [];
  }
}
