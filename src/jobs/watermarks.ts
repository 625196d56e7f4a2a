/** This module stores watermarks as `watermark/<feed>/<subject>`, together with unrouted events in one write. */
import { z } from 'zod';
import type { CheckRecord, CheckRecords } from '../alerts/checks/check-records.js';
import { lateSchema } from '../alerts/watchlist/absence.js';
import { eventSchema, type FeedEvent } from '../domain/event.js';
import { instantSchema } from '../domain/scalars.js';
import type { Store } from '../store/store.js';
import { writeBehind, type WriteBehind } from '../store/write-behind.js';

const watermarkSchema = z.object({
  /** The service, because ids differ between services. */
  source: z.string(),
  /** Parsed by the feed's schema. */
  watermark: z.unknown(),
  pending: z.array(eventSchema).readonly(),
  /** The dates of sent reminders, by topic, kind of date and offset, so that none is repeated. */
  reminded: z.record(z.string(), instantSchema).optional(),
  /** Why the pending events were detected late. */
  late: lateSchema.optional(),
});

export type WatermarkDocument = z.infer<typeof watermarkSchema>;

export type Watermarks = WriteBehind<WatermarkDocument>;

export const openWatermarks = (store: Store): Watermarks =>
  writeBehind(store.collection({ prefix: 'watermark', schema: watermarkSchema, version: 1 }));

/** Returns the document without the pending events that the check record has as routed. */
export function unrouted(document: WatermarkDocument, routed: CheckRecord['routed']): WatermarkDocument {
  if (routed === undefined) return document;
  const ids = new Set(routed.events);
  const pending = document.pending.filter(({ id, checkedAt }) => checkedAt !== routed.at || !ids.has(id));
  if (pending.length === document.pending.length) return document;
  const { late, ...rest } = document;
  return { ...rest, pending, ...(late === undefined || pending.length === 0 ? {} : { late }) };
}

export function withEvents(
  before: WatermarkDocument | undefined,
  {
    source,
    watermark,
    events,
    late,
  }: {
    source: string;
    watermark: unknown;
    events: readonly FeedEvent[];
    late?: WatermarkDocument['late'];
  },
): WatermarkDocument {
  const byId = new Map<string, FeedEvent>();
  for (const event of [...(before?.pending ?? []), ...events]) if (!byId.has(event.id)) byId.set(event.id, event);
  return {
    source,
    watermark,
    pending: [...byId.values()],
    ...(before?.reminded === undefined ? {} : { reminded: before.reminded }),
    ...(late === undefined || byId.size === 0 ? {} : { late }),
  };
}

/** Returns a document as it is stored. JSON drops undefined fields, which would otherwise make a comparison fail. */
export const asStored = (document: WatermarkDocument): unknown => JSON.parse(JSON.stringify(document));

/** Writes deferred documents of checks. Each record is written after its watermark. */
export async function flushChecks({
  checkRecords,
  watermarks,
}: {
  readonly checkRecords: Pick<CheckRecords, 'flush'>;
  readonly watermarks: Pick<Watermarks, 'flush'>;
}): Promise<void> {
  await checkRecords.flush();
  await watermarks.flush();
}
