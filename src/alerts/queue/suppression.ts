/**
 * What holds an alert back, and until when: mutes of the chat or of an entry, of everything or of a kind, and quiet hours. Pure; delivery, "Why?" and
 * the watchlist all ask here, so what is promised is what happens.
 */
import type { Instant } from '../../base/clock.js';
import type { Entry } from '../watchlist/entry.js';
import { quietFrom, quietUntil } from './quiet-hours.js';
import type { Chat } from '../watchlist/watchlists.js';

/** One thing that holds, and when it ends by itself. */
export interface Suppression {
  readonly because: 'muted' | 'quiet hours';
  /** What was muted: the whole chat, a kind in the whole chat, an entry, or a kind of an entry. Quiet hours are the chat's. */
  readonly what: 'chat' | 'kind' | 'entry' | 'entry kind';
  readonly endsAt: Instant;
}

/** `because` and `what` are of the hold that lasts longest of those in force. */
export interface ActiveSuppression extends Suppression {
  /** When it can be told. Later than `endsAt` where another hold is in force at that moment, such as quiet hours that have begun meanwhile. */
  readonly until: Instant;
  /** Each hold on the way there, one after another; the last ends at `until`. */
  readonly chain: readonly Suppression[];
}

/** What holds news of a kind back at a moment, or undefined. `entry` is the one it came through; without one the chat's own holds count. */
export function suppressionOf(
  about: { readonly feed: string },
  entry: Entry | undefined,
  chat: Chat,
  at: Instant,
): ActiveSuppression | undefined {
  const chain: Suppression[] = [];
  for (let hold = longest({ about, entry, chat }, at); hold !== undefined; hold = longest({ about, entry, chat }, hold.endsAt))
    chain.push(hold);
  const [first] = chain;
  const last = chain.at(-1);
  return first && last && { ...first, until: last.endsAt, chain };
}

/** What is heard, through which entry, in which chat. */
export interface SuppressionQuery {
  readonly about: { readonly feed: string };
  readonly entry: Entry | undefined;
  readonly chat: Chat;
}

/** A hold that has been in force; `from`: since when. */
export interface PastSuppression extends ActiveSuppression {
  readonly from: Instant;
}

/**
 * What first held news back that was ready at a moment and still waits now, or undefined. Quiet hours may have begun while it waited for something else; a
 * mute does not say when it began, so one that ended later counts from the first moment.
 */
export function suppressionSince({ about, entry, chat }: SuppressionQuery, ready: Instant, now: Instant): PastSuppression | undefined {
  const held = suppressionOf(about, entry, chat, ready);
  if (held !== undefined) return { ...held, from: ready };
  const from = quietFrom(chat, ready);
  const quiet = from === undefined || from > now ? undefined : suppressionOf(about, entry, chat, from);
  return quiet && from && { ...quiet, from };
}

function longest({ about: { feed }, entry, chat }: SuppressionQuery, at: Instant): Suppression | undefined {
  const mutes = [
    ['chat', chat.mutedUntil],
    ['kind', chat.mutedKinds?.[feed]],
    ['entry', entry?.mutedUntil],
    ['entry kind', entry?.mutedKinds?.[feed]],
  ] as const;
  const quiet = quietUntil(chat, at);
  const holds: readonly Suppression[] = [
    ...mutes.flatMap(([what, end]) => (end !== undefined && end > at ? [{ because: 'muted' as const, what, endsAt: end }] : [])),
    ...(quiet === undefined ? [] : [{ because: 'quiet hours' as const, what: 'chat' as const, endsAt: quiet }]),
  ];
  return holds.toSorted((a, b) => b.endsAt - a.endsAt)[0];
}
