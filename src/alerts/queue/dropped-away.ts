/**
 * This module counts events dropped for space while the bot was away. Counts are kept until a message reports them: receipts may be
 * deleted before.
 */
import { z } from 'zod';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import type { Member } from './queued-event.js';

/** `newest` is when the newest dropped event was queued. */
export const droppedAwaySchema = z.array(z.object({ at: instantSchema, newest: instantSchema, count: z.int() })).readonly();
export type DroppedAway = z.infer<typeof droppedAwaySchema>;

const MAX_KEPT = 100;

/** Adds dropped events; oldest count first. If there are too many counts, the two oldest are joined. */
export function withDropped(kept: DroppedAway = [], members: readonly Member[], at: Instant): DroppedAway {
  const newest = members.at(-1)?.queuedAt ?? at;
  const all = [...kept, { at, newest, count: members.length }];
  const [first, second, ...rest] = all;
  if (all.length <= MAX_KEPT || first === undefined || second === undefined) return all;
  return [{ ...second, count: first.count + second.count }, ...rest];
}

/** Returns how many dropped events were queued at `since` or later; older ones are too old to be alerted. */
export const droppedSince = (kept: DroppedAway = [], since: number): number =>
  kept.reduce((sum, { newest, count }) => sum + (newest >= since ? count : 0), 0);

/** Returns the counts that a message composed at `composedAt` has not reported. */
export function droppedAfter(kept: DroppedAway = [], composedAt: Instant): DroppedAway | undefined {
  const left = kept.filter(({ at }) => at > composedAt);
  return left.length === 0 ? undefined : left;
}
