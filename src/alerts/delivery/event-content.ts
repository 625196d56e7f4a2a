/** A kept event in words as one chat hears it. An event of an older layout, or of a kind that no longer exists, is named rather than told. */
import type { NewsEvent } from '../../domain/event.js';
import type { Heard, Telling } from '../../feeds/feed.js';
import { feedOf } from '../../feeds/index.js';
import { calledHere, type Entry } from '../watchlist/entry.js';

export function tellingOf(
  event: NewsEvent,
  { entry, crossings, now }: Pick<Heard, 'crossings' | 'now'> & { readonly entry?: Entry | undefined },
): Pick<Telling, 'tone' | 'headline' | 'details'> {
  const plain = { tone: 'plain', headline: [event.id], details: [] } as const;
  try {
    return feedOf(event.feed)?.tell(event, { called: entry && calledHere(entry.target), crossings, now }) ?? plain;
  } catch {
    // `/why` and `/history` must not fail over it.
    return plain;
  }
}
