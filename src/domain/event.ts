/** Something that happened and may become an alert. The id is derived from its content, so processing it twice is harmless. */
import { z } from 'zod';
import { pastValuesSchema } from './past-values.js';
import { instantSchema, slugSchema } from './scalars.js';
import { walletAddressSchema } from './wallet.js';

/** Of an earlier event. Without values the service does not report it any more. */
export const correctionSchema = z.object({ event: z.string().min(1), was: z.string().optional(), now: z.string().optional() });
export type Correction = z.infer<typeof correctionSchema>;

export const eventSchema = z.object({
  /** `<feed>/<subject>/<what changed>`. */
  id: z.string().min(1),
  feed: z.string(),
  /** Absent where the service does not name one. */
  project: slugSchema.optional(),
  /** If set, only chats that watch this wallet match. */
  wallet: walletAddressSchema.optional(),
  /** `proposals/tide/9xQ…`; a single event is its own topic. */
  topic: z.string(),
  /** The feed's word for what happened: `mint`, `live`, `minimum`. */
  stage: z.string(),
  /** As the service dates it. Absent (a growth day): an entry's `since` does not apply. */
  occurredAt: instantSchema.optional(),
  /** When the response arrived. */
  detectedAt: instantSchema,
  /** It may have read a cached response. Absent in older documents. */
  checkedAt: instantSchema.optional(),
  /** For a chart. Unreadable ones count as absent: a chart must not cost the alert. */
  past: pastValuesSchema.optional().catch(undefined),
  /** It then has the facts of that event, unless its kind words it. */
  corrects: correctionSchema.optional(),
  facts: z.record(z.string(), z.unknown()),
});
export type FeedEvent = z.infer<typeof eventSchema>;
