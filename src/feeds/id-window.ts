/** Seen row ids: the service promises no order, so a late row with a lower id is still an event. */
import { z } from 'zod';
import { instantSchema, type Instant } from '../domain/scalars.js';

/** Rows older than the dropped ones count as seen. */
export const WINDOW = 3_000;

const rowSchema = z.object({ id: z.string(), at: instantSchema });
type Row = z.infer<typeof rowSchema>;

export const windowSchema = z.object({
  seen: z.array(rowSchema).readonly(),
  /** The newest dropped date. */
  floor: instantSchema.optional(),
});
export type IdWindow = z.infer<typeof windowSchema>;

/** Unseen rows, each once, oldest first. Without a window all are fresh. */
export function slide<R extends Row>(
  before: IdWindow | undefined,
  rows: readonly R[],
): { readonly window: { readonly seen: readonly Row[]; readonly floor?: Instant | undefined }; readonly fresh: readonly R[] } {
  const seenIds = new Set(before?.seen.map((one) => one.id));
  const floor = before?.floor;
  const once = new Map(rows.toReversed().map((row) => [row.id, row]));
  const fresh = [...once.values()].filter((row) => !seenIds.has(row.id) && (floor === undefined || row.at > floor));
  const all = [...(before?.seen ?? []), ...fresh.map(({ id, at }) => ({ id, at }))].toSorted((a, b) => inOrder(b, a));
  const dropped = all[WINDOW];
  const window = dropped ? { seen: all.slice(0, WINDOW), floor: dropped.at } : { seen: all, floor };
  return { window, fresh: fresh.toSorted(inOrder) };
}

/** Ties by id, whatever the order of rows. */
const inOrder = (a: Row, b: Row): number => a.at - b.at || a.id.localeCompare(b.id, 'en', { numeric: true });
