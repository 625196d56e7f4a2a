/**
 * Watermarks, `mark/<feed>/<subject>`: how far a feed has told, **and** the news that follows from it and is not routed yet. Both become
 * durable in one write; losing either alone would lose an alert or tell it twice.
 */
import { z } from 'zod';
import { lateSchema } from '../alerts/queue/queue.js';
import { eventSchema, type NewsEvent } from '../domain/event.js';
import type { Collection, Store } from '../store/store.js';

const markSchema = z.object({
  /** The service it speaks of. Another service's ids mean other things, so its first look is a first look. */
  source: z.string(),
  /** The feed's own; its schema reads it back. Absent until the first look. */
  mark: z.unknown(),
  news: z.array(eventSchema).readonly(),
  /** That this news was seen late, and because of what. */
  late: lateSchema.optional(),
});
export type MarkDocument = z.infer<typeof markSchema>;

export type Marks = Collection<MarkDocument>;

export const openMarks = (store: Store): Marks => store.collection({ prefix: 'mark', schema: markSchema, version: 1 });

/** The new mark with its news behind what an earlier crash left unrouted. */
export function withNews(
  before: MarkDocument | undefined,
  { source, mark, events, late }: { source: string; mark: unknown; events: readonly NewsEvent[]; late?: MarkDocument['late'] },
): MarkDocument {
  const news = new Map<string, NewsEvent>();
  for (const event of [...(before?.news ?? []), ...events]) if (!news.has(event.id)) news.set(event.id, event);
  return { source, mark, news: [...news.values()], ...(late === undefined || news.size === 0 ? {} : { late }) };
}

/** A document as it comes back from the store, to compare it with what stands there: what is undefined is absent in JSON. */
export const asStored = (document: MarkDocument): unknown => JSON.parse(JSON.stringify(document));
