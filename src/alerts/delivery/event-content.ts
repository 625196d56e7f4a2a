/** This module returns the words of a stored event for a chat, or the event's id if it cannot be read. */
import type { FeedEvent } from '../../domain/event.js';
import type { AlertContext, EventContent } from '../../feeds/event-content.js';
import { feedOf } from '../../feeds/index.js';
import { calledHere, type Entry } from '../watchlist/entry.js';

export function contentOf(
  event: FeedEvent,
  { entry, crossings, now }: Pick<AlertContext, 'crossings' | 'now'> & { readonly entry?: Entry | undefined },
): Pick<EventContent, 'tone' | 'headline' | 'details'> {
  const plain = { tone: 'plain', headline: [event.id], details: [] } as const;
  try {
    return feedOf(event.feed)?.content(event, { name: entry && calledHere(entry.target), crossings, now }) ?? plain;
  } catch {
    // `/why` and `/history` must not fail because of one event.
    return plain;
  }
}
