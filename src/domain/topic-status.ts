/** Current state of a topic, shown in a live message. */
import { z } from 'zod';
import { instantSchema, slugSchema } from './scalars.js';

export const topicStatusSchema = z.object({
  topic: z.string().min(1),
  feed: z.string(),
  /** Absent where the service does not name one. */
  project: slugSchema.optional(),
  stage: z.string(),
  /** Changes where an edit must not wait. */
  step: z.string(),
  /** Equal for equal words. */
  version: z.string(),
  ended: z.boolean(),
  /** Of the snapshot. */
  at: instantSchema,
  facts: z.record(z.string(), z.unknown()),
});
export type TopicStatus = z.infer<typeof topicStatusSchema>;
