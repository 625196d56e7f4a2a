/**
 * Watermarks, `watermark/<feed>/<subject>`: how far a feed has told, **and** the news that follows from it and is not routed yet. Both become
 * durable in one write; losing either alone would lose an alert or tell it twice.
 */
import { z } from 'zod';
import { upgradeEvent } from '../alerts/queue/events.js';
import { lateSchema } from '../alerts/queue/queue.js';
import { eventSchema, type FeedEvent } from '../domain/event.js';
import { renameFields } from '../store/rename-fields.js';
import type { Collection, Store } from '../store/store.js';

const watermarkSchema = z.object({
  /** The service it speaks of. Another service's ids mean other things, so its first look is a first look. */
  source: z.string(),
  /** The feed's own; its schema reads it back. Absent until the first look. */
  watermark: z.unknown(),
  pending: z.array(eventSchema).readonly(),
  /** That this news was seen late, and because of what. */
  late: lateSchema.optional(),
});
const RENAMED = new Map([
  ['mark', 'watermark'],
  ['news', 'pending'],
]);

/** Documents of version 1 had other names. */
function upgrade(document: unknown): unknown {
  const { pending, ...rest } = renameFields(document, RENAMED);
  return { ...rest, pending: z.array(z.unknown()).parse(pending).map(upgradeEvent) };
}

export type WatermarkDocument = z.infer<typeof watermarkSchema>;

export type Watermarks = Collection<WatermarkDocument>;

export const openWatermarks = (store: Store): Watermarks =>
  store.collection({ prefix: 'watermark', schema: watermarkSchema, version: 2, upgrade });

/** The new mark with its news behind what an earlier crash left unrouted. */
export function withEvents(
  before: WatermarkDocument | undefined,
  {
    source,
    watermark,
    events,
    late,
  }: { source: string; watermark: unknown; events: readonly FeedEvent[]; late?: WatermarkDocument['late'] },
): WatermarkDocument {
  const news = new Map<string, FeedEvent>();
  for (const event of [...(before?.pending ?? []), ...events]) if (!news.has(event.id)) news.set(event.id, event);
  return { source, watermark, pending: [...news.values()], ...(late === undefined || news.size === 0 ? {} : { late }) };
}

/** A document as it comes back from the store, to compare it with what stands there: what is undefined is absent in JSON. */
export const asStored = (document: WatermarkDocument): unknown => JSON.parse(JSON.stringify(document));
