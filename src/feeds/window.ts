/** Bounded windows of seen row ids. Not a highest id: the service promises no order, and a late row with a lower id is still an event. */
import { z } from 'zod';
import { instantSchema, type Instant } from '../domain/scalars.js';

/** Ids per window. The oldest by event time are dropped first; rows older than a dropped one count as seen. */
export const WINDOW = 3_000;

const rowSchema = z.object({ id: z.string(), at: instantSchema });
type Row = z.infer<typeof rowSchema>;

export const windowSchema = z.object({
  seen: z.array(rowSchema).readonly(),
  /** The newest date that was dropped: rows up to it count as seen. */
  floor: instantSchema.optional(),
});
export type IdWindow = z.infer<typeof windowSchema>;

/** The new window, and the rows not seen before, each once, oldest first. Without a window all rows are fresh. */
export function slide<R extends Row>(
  before: IdWindow | undefined,
  rows: readonly R[],
): { readonly window: { readonly seen: readonly Row[]; readonly floor?: Instant | undefined }; readonly fresh: readonly R[] } {
  const told = new Set(before?.seen.map((one) => one.id));
  const floor = before?.floor;
  const once = new Map(rows.toReversed().map((row) => [row.id, row]));
  const fresh = [...once.values()].filter((row) => !told.has(row.id) && (floor === undefined || row.at > floor));
  const all = [...(before?.seen ?? []), ...fresh.map(({ id, at }) => ({ id, at }))].toSorted((a, b) => inOrder(b, a));
  const dropped = all[WINDOW];
  const window = dropped ? { seen: all.slice(0, WINDOW), floor: dropped.at } : { seen: all, floor };
  return { window, fresh: fresh.toSorted(inOrder) };
}

/** Ties are ordered by id, so that the window does not depend on the order of rows. */
const inOrder = (a: Row, b: Row): number => a.at - b.at || a.id.localeCompare(b.id, 'en', { numeric: true });
