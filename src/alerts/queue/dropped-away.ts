/**
 * Counts what was dropped for space while the bot was away. The count is kept until a message has reported it, because receipts may be
 * deleted before.
 */
import { z } from 'zod';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import type { Member } from './queued-event.js';

/** `newest` is when the newest of them was queued. */
export const droppedAwaySchema = z.array(z.object({ at: instantSchema, newest: instantSchema, count: z.int() })).readonly();
export type DroppedAway = z.infer<typeof droppedAwaySchema>;

const MAX_KEPT = 100;

/** The oldest is first; the two oldest become one when there are too many. */
export function withDropped(kept: DroppedAway = [], members: readonly Member[], at: Instant): DroppedAway {
  const newest = members.at(-1)?.queuedAt ?? at;
  const all = [...kept, { at, newest, count: members.length }];
  const [first, second, ...rest] = all;
  if (all.length <= MAX_KEPT || first === undefined || second === undefined) return all;
  return [{ ...second, count: first.count + second.count }, ...rest];
}

/** It counts those that are not too old to be alerted; `since` is their earliest moment. */
export const droppedSince = (kept: DroppedAway = [], since: number): number =>
  kept.reduce((sum, { newest, count }) => sum + (newest >= since ? count : 0), 0);

/** A message that was composed then has counted the earlier ones. */
export function droppedAfter(kept: DroppedAway = [], composedAt: Instant): DroppedAway | undefined {
  const left = kept.filter(({ at }) => at > composedAt);
  return left.length === 0 ? undefined : left;
}
