/** The alerts of a chat as an Atom feed. A correction changes the entry and its time. https://www.rfc-editor.org/rfc/rfc4287 */
import { createHash } from 'node:crypto';
import type { Instant } from '../../base/clock.js';
import { oneLine } from '../../base/one-line.js';
import type { Address } from '../../chat/address.js';
import type { SentAlert } from '../../chat/chat-data.js';
import { lineText } from '../../chat/plain-text.js';
import { correctionText } from './v1.js';

/** Newer alerts push older ones out; a reader that asks once a day misses none of a usual day. */
export const MAX_ALERTS = 100;

/** The id reveals no address of a chat, and is the same before and after a correction. */
const idOf = (...parts: readonly string[]): string =>
  `urn:uuid:${uuidText(createHash('sha256').update(JSON.stringify(parts)).digest('hex'))}`;

/** A name-based UUID of the custom version. https://www.rfc-editor.org/rfc/rfc9562#section-5.8 */
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
    // An empty feed changes never.
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

/** The writer puts texts into CDATA sections, which end at "]]>"; escaped text has no ">" and formats nothing. */
const escaped = (text: string): string =>
  oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
