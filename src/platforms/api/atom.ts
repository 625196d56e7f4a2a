/** Writes a chat's alerts as an Atom feed. A correction changes the entry and its time. https://www.rfc-editor.org/rfc/rfc4287 */
import { createHash } from 'node:crypto';
import type { Instant } from '../../base/clock.js';
import { oneLine } from '../../base/one-line.js';
import type { Address } from '../../chat/address.js';
import type { SentAlert } from '../../chat/chat-data.js';
import { lineText } from '../../chat/plain-text.js';
import { correctionText } from './v1.js';

/** How many alerts the feed has, enough that a reader that fetches once a day misses none on a usual day. */
export const MAX_ALERTS = 100;

/** Builds an entry's id. It does not reveal the chat's address, and a correction does not change it. */
const idOf = (...parts: readonly string[]): string =>
  `urn:uuid:${uuidText(createHash('sha256').update(JSON.stringify(parts)).digest('hex'))}`;

/** Builds a UUID of version 8. https://www.rfc-editor.org/rfc/rfc9562#section-5.8 */
const uuidText = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');

interface AtomParts {
  readonly chat: Address;
  readonly alerts: readonly SentAlert[];
  readonly link: string;
}

export async function atomText({ chat, alerts, link }: AtomParts): Promise<string> {
  const { Feed } = await import('feed');
  const updatedAt = (alert: SentAlert): Instant => alert.correction?.at ?? alert.sentAt;
  const feed = new Feed({
    id: idOf(chat),
    title: 'Alerts of Navwatch',
    link,
    generator: 'Navwatch',
    author: { name: 'Navwatch' },
    // Without alerts the time is constant, so that an empty feed never changes.
    updated: new Date(Math.max(0, ...alerts.map(updatedAt))),
  });
  for (const alert of alerts) {
    const { event, sentAt, correction } = alert;
    const title = lineText(event.headline, event.detectedAt);
    const lines = [
      ...(correction === undefined ? [] : [correctionText(correction)]),
      title,
      ...(event.rule === undefined ? [] : [`Matched: ${event.rule}`]),
      ...event.links.map(({ label, url }) => `${label}: ${url}`),
    ];
    feed.addItem({
      id: idOf(chat, event.id),
      title: escaped(correction === undefined ? title : `⚠ ${title}`),
      link: event.links[0]?.url ?? link,
      published: new Date(sentAt),
      date: new Date(updatedAt(alert)),
      content: lines.map((line) => `<p>${escaped(line)}</p>`).join(''),
    });
  }
  return feed.atom1();
}

/** Escapes text, because the library puts it into CDATA sections, which end at "]]>". */
const escaped = (text: string): string =>
  oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
