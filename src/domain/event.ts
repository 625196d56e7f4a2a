/** News: something that changed and that a chat may want to hear of. Its id is derived from what it says, so telling it twice is one event. */
import { z } from 'zod';
import { instantSchema, slugSchema } from './scalars.js';
import { walletAddressSchema } from './wallet.js';

export const eventSchema = z.object({
  /** Derived: `<feed>/<subject>/<what changed>`. */
  id: z.string().min(1),
  /** The alert kind, which is the id of the feed that saw it. */
  feed: z.string(),
  /** The project it concerns, where the service says which. */
  project: slugSchema.optional(),
  /** The wallet whose news it is: then only those who watch that wallet hear of it, whatever project it concerns. */
  wallet: walletAddressSchema.optional(),
  /** What it is a chapter of (`proposals/tide/9xQ…`); an event that stands alone is its own topic. */
  topic: z.string(),
  /** The feed's own word for what happened: `mint`, `live`, `minimum`. */
  stage: z.string(),
  /** When the service says it happened. Absent: it is news when it appears (a growth day), and no watcher's `since` hides it. */
  occurredAt: instantSchema.optional(),
  /** When the answer that showed it arrived here. */
  detectedAt: instantSchema,
  /** When the look was made that saw it; the copy it read is older by the time between the two. Absent in events of before this was kept. */
  checkedAt: instantSchema.optional(),
  /** What the feed needs to tell it; the feed's own schema reads it back. */
  facts: z.record(z.string(), z.unknown()),
});
export type FeedEvent = z.infer<typeof eventSchema>;
