/** One event as it stands in a chat's queue: what it is, and through which entry and rule it came. */
import { z } from 'zod';
import { crossingSchema } from '../../domain/crossing.js';
import { instantSchema } from '../../domain/scalars.js';

export const lateSchema = z.object({
  /** Who was away: the service, the bot itself, or the bot from this chat. */
  because: z.enum(['service', 'bot', 'absence']),
  /** Since when. */
  since: instantSchema,
});

export const memberSchema = z.object({
  event: z.string(),
  /** The watchlist entry it came through, by its target's name. */
  entry: z.string(),
  queuedAt: instantSchema,
  /** The rule it came through, in words, where it is not everything of its kind. */
  rule: z.string().optional(),
  /** Which lines its figures crossed. */
  crossings: z.array(crossingSchema).readonly().optional(),
  /** It was seen late because of this: it comes in the summary that follows an outage. */
  late: lateSchema.optional(),
  /** Somebody asked for an example: no entry stands behind it. */
  sample: z.boolean().optional(),
});
export type Member = z.infer<typeof memberSchema>;
