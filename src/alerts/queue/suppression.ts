/** This module finds suppressions by mutes and quiet hours, and when they end. It is pure. */
import type { Instant } from '../../base/clock.js';
import { marketOf } from '../../domain/event.js';
import type { Entry } from '../watchlist/entry.js';
import { quietFrom, quietUntil } from './quiet-hours.js';
import type { Chat } from '../watchlist/watchlists.js';

export interface Suppression {
  readonly because: 'muted' | 'quiet hours';
  readonly what: 'chat' | 'kind' | 'topic' | 'entry' | 'entry kind' | 'project' | 'project kind';
  readonly endsAt: Instant;
}

/** The suppression that lasts longest. */
export interface ActiveSuppression extends Suppression {
  /** Later than `endsAt` if another suppression follows. */
  readonly until: Instant;
}

/** Returns the current suppression, if any. Without `entry`, only the chat's own suppressions count. */
export function suppressionOf(
  about: SuppressionQuery['about'],
  entry: Entry | undefined,
  chat: Chat,
  at: Instant,
): ActiveSuppression | undefined {
  const first = longest({ about, entry, chat }, at);
  let last = first;
  for (let next = first; next !== undefined; next = longest({ about, entry, chat }, next.endsAt)) last = next;
  return first && last && { ...first, until: last.endsAt };
}

export interface SuppressionQuery {
  /** Mutes of single proposals and launches count only if the id of an event or its topic is given. */
  readonly about: { readonly feed: string; readonly id?: string | undefined };
  readonly entry: Entry | undefined;
  readonly chat: Chat;
}

export interface PastSuppression extends ActiveSuppression {
  readonly from: Instant;
}

/** Returns the first suppression since `ready` of an item that still waits. Mutes count from `ready`. */
export function suppressionSince({ about, entry, chat }: SuppressionQuery, ready: Instant, now: Instant): PastSuppression | undefined {
  const suppression = suppressionOf(about, entry, chat, ready);
  if (suppression !== undefined) return { ...suppression, from: ready };
  const from = quietFrom(chat, ready);
  const quiet = from === undefined || from > now ? undefined : suppressionOf(about, entry, chat, from);
  return quiet && from && { ...quiet, from };
}

/** A quick test, because most chats have neither mutes nor quiet hours. */
const canSuppress = ({
  mutedUntil,
  mutedKinds,
  mutedTopics,
  quiet,
}: Partial<Pick<Chat, 'mutedUntil' | 'mutedKinds' | 'mutedTopics' | 'quiet'>>): boolean =>
  mutedUntil !== undefined || mutedKinds !== undefined || mutedTopics !== undefined || quiet !== undefined;

function longest({ about: { feed, id = '' }, entry, chat }: SuppressionQuery, at: Instant): Suppression | undefined {
  const exception = entry?.exception;
  if (![chat, entry, exception].some((one) => one !== undefined && canSuppress(one))) return undefined;
  const mutes = [
    ['chat', chat.mutedUntil],
    ['kind', chat.mutedKinds?.[feed]],
    ['topic', chat.mutedTopics?.[marketOf(id) ?? '']],
    ['entry', entry?.mutedUntil],
    ['entry kind', entry?.mutedKinds?.[feed]],
    ['project', exception?.mutedUntil],
    ['project kind', exception?.mutedKinds?.[feed]],
  ] as const;
  const quiet = quietUntil(chat, at);
  const suppressions: readonly Suppression[] = [
    ...mutes.flatMap(([what, end]) => (end !== undefined && end > at ? [{ because: 'muted' as const, what, endsAt: end }] : [])),
    ...(quiet === undefined ? [] : [{ because: 'quiet hours' as const, what: 'chat' as const, endsAt: quiet }]),
  ];
  return suppressions.toSorted((a, b) => b.endsAt - a.endsAt)[0];
}
