/** Event in a chat's queue. */
import { z } from 'zod';
import { crossingSchema } from '../../domain/crossing.js';
import { instantSchema } from '../../domain/scalars.js';

export const lateSchema = z.object({
  /** `absence`: the bot from this chat. */
  because: z.enum(['service', 'bot', 'absence']),
  since: instantSchema,
});

export const memberSchema = z.object({
  event: z.string(),
  /** By target name. */
  entry: z.string(),
  queuedAt: instantSchema,
  /** Absent without filters. */
  rule: z.string().optional(),
  crossings: z.array(crossingSchema).readonly().optional(),
  /** It then goes into a summary. */
  late: lateSchema.optional(),
  sample: z.boolean().optional(),
  /** Of a kind with live messages. `notice`: a message beside it; `step`: it only edits it. */
  live: z.object({ topic: z.string(), part: z.enum(['step', 'notice']) }).optional(),
});
export type Member = z.infer<typeof memberSchema>;
