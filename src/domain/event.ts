/** Something that happened and may alert. The id derives from its content. */
import { z } from 'zod';
import { decimalSchema, instantSchema, slugSchema, type Instant } from './scalars.js';
import { walletAddressSchema } from './wallet.js';

/** A correction without values says that the event is not reported any more. */
export const correctionSchema = z.object({
  event: z.string().min(1),
  was: z.string().optional(),
  now: z.string().optional(),
  /** In place of both texts, where the service dated the event again. */
  dates: z.object({ was: instantSchema, now: instantSchema }).optional(),
  /** Replace those of the event, with all that depends on the corrected value. */
  facts: z.record(z.string(), z.unknown()).optional(),
  occurredAt: instantSchema.optional(),
  /** The stage of the event, which words it. */
  stage: z.string().optional(),
});
export type Correction = z.infer<typeof correctionSchema>;

/** The past values of one measure that a stored event may have. */
export const MAX_PAST_VALUES = 120;

/** For an alert's chart: by measure, oldest first, as [Unix milliseconds, exact decimal]. */
export const pastValuesSchema = z.record(
  z.string(),
  z
    .array(z.tuple([instantSchema, decimalSchema]))
    .max(MAX_PAST_VALUES)
    .readonly(),
);
export type PastValues = z.infer<typeof pastValuesSchema>;

export const eventSchema = z.object({
  /** The id is `<feed>/<subject>/<what changed>`. */
  id: z.string().min(1),
  feed: z.string(),
  /** It is absent where the service does not name one. */
  project: slugSchema.optional(),
  /** If set, only chats that watch this wallet match. */
  wallet: walletAddressSchema.optional(),
  /** `proposals/tide/9xQ…`; a single event is its own topic. */
  topic: z.string(),
  /** It is the feed's word for what happened, such as `mint`, `live` or `minimum`. */
  stage: z.string(),
  /** The time that the service states. Absent: `since` does not apply. */
  occurredAt: instantSchema.optional(),
  /** The response arrived at this moment. */
  detectedAt: instantSchema,
  /** The response may be cached. */
  checkedAt: instantSchema.optional(),
  /** The list of the service that called for the check, and when it was read. */
  listed: z.object({ list: z.string(), at: instantSchema }).optional(),
  /** For a chart. Unreadable counts as absent. */
  past: pastValuesSchema.optional().catch(undefined),
  /** With that event's facts, unless its kind words it. */
  corrects: correctionSchema.optional(),
  facts: z.record(z.string(), z.unknown()),
});
export type FeedEvent = z.infer<typeof eventSchema>;

/** The event with the values that its correction gives. */
export const asCorrected = (event: FeedEvent, correction: Correction | undefined): FeedEvent => ({
  ...event,
  facts: { ...event.facts, ...correction?.facts },
  ...(correction?.occurredAt === undefined ? {} : { occurredAt: correction.occurredAt }),
});

/** When it happened, by the service, or else when it was seen. */
export const momentOf = ({ occurredAt, detectedAt }: Pick<FeedEvent, 'occurredAt' | 'detectedAt'>): Instant => occurredAt ?? detectedAt;

/** "Corrected: was 120, now 118", as a line of a reply. */
export function correctionLine({ was, now, dates }: Correction): readonly (string | { readonly at: Instant; readonly exact: boolean })[] {
  if (dates !== undefined) return ['Corrected: was ', { at: dates.was, exact: true }, ', now ', { at: dates.now, exact: true }];
  return [was === undefined || now === undefined ? 'Corrected: removed by the service' : `Corrected: was ${was}, now ${now}`];
}

export const topicStatusSchema = z.object({
  topic: z.string().min(1),
  feed: z.string(),
  /** It is absent where the service does not name one. */
  project: slugSchema.optional(),
  stage: z.string(),
  /** Changes where an edit must not wait. */
  step: z.string(),
  /** It is equal for equal words. */
  version: z.string(),
  ended: z.boolean(),
  /** It is the time of the snapshot. */
  at: instantSchema,
  facts: z.record(z.string(), z.unknown()),
});
/** The current state of a topic, shown in a live message. */
export type TopicStatus = z.infer<typeof topicStatusSchema>;
