/** Watermarks, `watermark/<feed>/<subject>`, with unrouted events, in one write. */
import { z } from 'zod';
import type { CheckRecord, CheckRecords } from '../alerts/checks/check-records.js';
import { lateSchema } from '../alerts/queue/queue.js';
import { sharedAlertSchema, sharedStatesSchema, type SharedAlert, type SharedStates } from '../alerts/evaluation/shared-states.js';
import { eventSchema, type FeedEvent } from '../domain/event.js';
import { ifUnreadable, type Store } from '../store/store.js';
import { writeBehind, type WriteBehind } from '../store/write-behind.js';
import type { FirstChecks } from '../alerts/checks/first-checks.js';
import type { Queues } from '../alerts/queue/queues.js';

const watermarkSchema = z.object({
  /** Ids differ between services. Empty during a first check. */
  source: z.string(),
  /** The feed's schema reads it. Absent until the first check. */
  watermark: z.unknown(),
  pending: z.array(eventSchema).readonly(),
  /** Why these events were detected late. */
  late: lateSchema.optional(),
  /** The states of default rules, for all chats that follow them. */
  shared: sharedStatesSchema.optional(),
  /** They have not reached every chat yet. */
  sharedAlerts: z.array(sharedAlertSchema).readonly().optional(),
});

export type WatermarkDocument = z.infer<typeof watermarkSchema>;

export type Watermarks = WriteBehind<WatermarkDocument>;

export const openWatermarks = (store: Store): Watermarks =>
  writeBehind(store.collection({ prefix: 'watermark', schema: watermarkSchema, version: 1 }));

/** The document without the events of which the check record says that they are routed. */
export function unrouted(document: WatermarkDocument, routed: CheckRecord['routed']): WatermarkDocument {
  if (routed === undefined) return document;
  const ids = new Set(routed.events);
  const pending = document.pending.filter(({ id, checkedAt }) => checkedAt !== routed.at || !ids.has(id));
  if (pending.length === document.pending.length) return document;
  const { late, ...rest } = document;
  return { ...rest, pending, ...(late === undefined || pending.length === 0 ? {} : { late }) };
}

/** True also after a crash in a first check. */
export const isNeverChecked = (document: WatermarkDocument | undefined): boolean =>
  document === undefined || document.source === NEVER_CHECKED.source;

export function withEvents(
  before: WatermarkDocument | undefined,
  {
    source,
    watermark,
    events,
    late,
    shared = {},
  }: {
    source: string;
    watermark: unknown;
    events: readonly FeedEvent[];
    late?: WatermarkDocument['late'];
    shared?: SharedStates | undefined;
  },
): WatermarkDocument {
  const byId = new Map<string, FeedEvent>();
  for (const event of [...(before?.pending ?? []), ...events]) if (!byId.has(event.id)) byId.set(event.id, event);
  return {
    source,
    watermark,
    pending: [...byId.values()],
    ...(late === undefined || byId.size === 0 ? {} : { late }),
    ...(Object.keys(shared).length === 0 ? {} : { shared }),
  };
}

/** Without undefined fields. */
export const asStored = (document: WatermarkDocument): unknown => JSON.parse(JSON.stringify(document));

/** The document of a first check, until there is a watermark. */
const NEVER_CHECKED: WatermarkDocument = { source: '', watermark: null, pending: [] };

/** Keeps the watermark. */
export const withShared = (
  before: WatermarkDocument | undefined,
  shared: SharedStates,
  sharedAlerts: readonly SharedAlert[],
): WatermarkDocument => ({
  ...(before ?? NEVER_CHECKED),
  shared,
  ...(sharedAlerts.length === 0 ? {} : { sharedAlerts }),
});

/** An unreadable one shares nothing. */
export const readShared = async (watermarks: Watermarks, key: string): Promise<SharedStates> =>
  (await watermarks.get(key).catch(ifUnreadable))?.shared ?? {};

interface Deferring {
  readonly queues: Pick<Queues, 'deferred'>;
  readonly watermarks: Pick<Watermarks, 'flush'>;
}

/** What a check defers becomes durable in this order: states of chats, watermark, record, end of a first check. */
export async function settleCheck(key: string, { queues, watermarks }: Deferring): Promise<void> {
  await queues.deferred.settle(key);
  await watermarks.flush(key);
}

interface Flushing extends Pick<Deferring, 'watermarks'> {
  /** Each record settles its check first. */
  readonly checkRecords: Pick<CheckRecords, 'flush'>;
  readonly firstChecks: Pick<FirstChecks, 'flush'>;
}

export async function flushChecks({ checkRecords, watermarks, firstChecks }: Flushing): Promise<void> {
  await checkRecords.flush();
  await watermarks.flush();
  await firstChecks.flush();
}
