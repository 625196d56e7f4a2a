/** Current mutes and quiet hours of an entry as text. */
import type { Entry } from '../../src/alerts/watchlist/entry.js';
import { suppressionOf, type ActiveSuppression } from '../../src/alerts/queue/suppression.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import type { Line } from '../../src/chat/reply.js';
import type { Instant } from '../../src/domain/scalars.js';

interface ChatState {
  readonly chat: Chat;
  readonly now: Instant;
}

const COMES = ', alerts resume ';

const because = ({ because: reason, what }: ActiveSuppression): string => {
  if (reason === 'quiet hours') return 'quiet hours';
  return { chat: 'the whole chat is muted', kind: 'muted in the whole chat', entry: 'muted', 'entry kind': 'muted' }[what];
};

export function chatSuppression({ chat, now }: ChatState): Line | undefined {
  const suppression = suppressionOf({ feed: NO_KIND }, undefined, chat, now);
  return suppression && [because(suppression), COMES, { at: suppression.until }];
}

/** Undefined unless it outlasts the chat's. */
export function entrySuppression(entry: Entry, { chat, now }: ChatState): Line | undefined {
  const suppression = suppressionOf({ feed: NO_KIND }, entry, chat, now);
  const ofChat = suppressionOf({ feed: NO_KIND }, undefined, chat, now);
  return suppression === undefined || suppression.until === ofChat?.until
    ? undefined
    : [because(suppression), COMES, { at: suppression.until }];
}

/** Undefined unless it outlasts the entry's. */
export function kindSuppression(entry: Entry, kind: string, { chat, now }: ChatState): Line | undefined {
  const suppression = suppressionOf({ feed: kind }, entry, chat, now);
  const whole = suppressionOf({ feed: NO_KIND }, entry, chat, now);
  return suppression === undefined || suppression.until === whole?.until
    ? undefined
    : [because(suppression), COMES, { at: suppression.until }];
}

const NO_KIND = '';
