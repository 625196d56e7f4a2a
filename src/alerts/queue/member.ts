/** Event in a chat's queue. */
import { z } from 'zod';
import { crossingSchema } from '../../domain/crossing.js';
import { instantSchema } from '../../domain/scalars.js';

export const lateSchema = z.object({
  /** `absence`: the bot from this chat. */
  because: z.enum(['service', 'bot', 'absence']),
  since: instantSchema,
});

/** Of an alert that this chat got. Without a message id it cannot be edited. */
const correctsSchema = z.object({
  event: z.string(),
  delivery: z.string().optional(),
  messageId: z.string().optional(),
  /** The message cannot be edited: this is a message of its own. */
  followsUp: z.literal(true).optional(),
  notBefore: instantSchema.optional(),
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
  corrects: correctsSchema.optional(),
  /** Of a kind with live messages. `notice`: a message beside it; `step`: it only edits it. */
  live: z.object({ topic: z.string(), part: z.enum(['step', 'notice']) }).optional(),
});
export type Member = z.infer<typeof memberSchema>;

/** Of a chat that moved: message ids are those of the old address. */
export const withoutMessage = ({ corrects, ...member }: Member): Member =>
  corrects === undefined ? member : { ...member, corrects: { event: corrects.event } };
