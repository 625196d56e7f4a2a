/** A kept event in words as one chat hears it. An event of an older layout, or of a kind that no longer exists, is named rather than told. */
import type { Crossing } from '../domain/crossing.js';
import type { NewsEvent } from '../domain/event.js';
import type { Telling } from '../feeds/feed.js';
import { feedOf } from '../feeds/index.js';
import { calledHere, type Entry } from './entry.js';

export function tellingOf(
  event: NewsEvent,
  { entry, crossings }: { readonly entry?: Entry | undefined; readonly crossings?: readonly Crossing[] | undefined },
): Pick<Telling, 'tone' | 'headline' | 'details'> {
  const plain = { tone: 'plain', headline: [event.id], details: [] } as const;
  try {
    return feedOf(event.feed)?.tell(event, { called: entry && calledHere(entry.target), crossings }) ?? plain;
  } catch {
    // `/why` and `/history` must not fail over it.
    return plain;
  }
}
