/**
 * Which rows of a ledger were seen, within bounds: a window of ids, never a highest one. The service promises no order, and a late row with a lower
 * id is still news.
 */
import { z } from 'zod';
import { instantSchema, type Instant } from '../domain/scalars.js';

/** How many ids a window remembers. Beyond it the oldest by event time go, and rows older than those count as told. */
export const WINDOW = 3_000;

const rowSchema = z.object({ id: z.string(), at: instantSchema });
type Row = z.infer<typeof rowSchema>;

export const windowSchema = z.object({
  seen: z.array(rowSchema).readonly(),
  /** The newest date that fell out of the window: rows dated so or earlier count as told. */
  floor: instantSchema.optional(),
});
export type IdWindow = z.infer<typeof windowSchema>;

/** The window after these rows, and those among them that were never seen, each once, oldest first. Without a window all are fresh. */
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

/** Ties are decided by the id, so that the window is the same whatever order the rows came in. */
const inOrder = (a: Row, b: Row): number => a.at - b.at || a.id.localeCompare(b.id, 'en', { numeric: true });
