/** An event in a chat's queue, with the entry and rule that matched. */
import { z } from 'zod';
import { crossingSchema } from '../../domain/crossing.js';
import { instantSchema } from '../../domain/scalars.js';

export const lateSchema = z.object({
  /** What was away: the service, the bot, or the bot from this chat. */
  because: z.enum(['service', 'bot', 'absence']),
  since: instantSchema,
});

export const memberSchema = z.object({
  event: z.string(),
  /** The target name of the watchlist entry that matched. */
  entry: z.string(),
  queuedAt: instantSchema,
  /** The filters in words; absent without filters. */
  rule: z.string().optional(),
  crossings: z.array(crossingSchema).readonly().optional(),
  /** Why it was detected late; it then goes into a summary. */
  late: lateSchema.optional(),
  /** A sample on request; it has no entry. */
  sample: z.boolean().optional(),
});
export type Member = z.infer<typeof memberSchema>;
