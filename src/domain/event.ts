/** Describes something that happened and may be alerted; its id derives from its content. */
import { z } from 'zod';
import { decimalSchema, instantSchema, slugSchema, type Instant } from './scalars.js';
import { walletAddressSchema } from './wallet.js';

/** A correction without values says that the event is not reported any more. */
export const correctionSchema = z.object({
  event: z.string().min(1),
  was: z.string().optional(),
  now: z.string().optional(),
  /** The dates replace both texts where the service dated the event again. */
  dates: z.object({ was: instantSchema, now: instantSchema }).optional(),
  /** These replace the event's facts, with all that depends on the corrected value. */
  facts: z.record(z.string(), z.unknown()).optional(),
  occurredAt: instantSchema.optional(),
  /** The event is worded by its stage, so the correction carries it. */
  stage: z.string().optional(),
});
export type Correction = z.infer<typeof correctionSchema>;

/** A stored event has at most so many past values of one measure. */
export const MAX_PAST_VALUES = 120;

/** These values are for an alert's chart: by measure, oldest first, as [Unix milliseconds, exact decimal]. */
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
  /** The project is absent where the service does not name one. */
  project: slugSchema.optional(),
  /** If set, only chats that watch this wallet match. */
  wallet: walletAddressSchema.optional(),
  /** If set, only chats with this saved screen match. */
  screen: z.string().optional(),
  /** An example is `proposals/tide/9xQ…`; an event without successors is its own topic. */
  topic: z.string(),
  /** This is the feed's word for what happened, such as `mint`, `live` or `minimum`. */
  stage: z.string(),
  /** The service states this time; without it `since` does not apply. */
  occurredAt: instantSchema.optional(),
  /** This is when the response arrived. */
  detectedAt: instantSchema,
  /** This is when the service was asked, which is earlier where the response was cached. */
  checkedAt: instantSchema.optional(),
  /** A list of the service can call for a check; this names it and says when it was read. */
  listed: z.object({ list: z.string(), at: instantSchema }).optional(),
  /** An alert's chart needs these; unreadable ones must not cost the alert, so they count as absent. */
  past: pastValuesSchema.optional().catch(undefined),
  /** A correction is an event of its own with the corrected facts, unless its kind words corrections itself. */
  corrects: correctionSchema.optional(),
  facts: z.record(z.string(), z.unknown()),
});
export type FeedEvent = z.infer<typeof eventSchema>;

/** Ids of these kinds begin with the proposal or launch that they are about, in so many parts. */
const TOPIC_PARTS: Readonly<Record<string, number>> = { proposals: 3, launches: 2 };

/** Takes an id or a topic and returns the proposal or launch of it, such as `proposals/tide/9xQ…`; undefined for other kinds. */
export function marketOf(id: string): string | undefined {
  const begin = id.indexOf('/');
  const count = begin === -1 ? undefined : TOPIC_PARTS[id.slice(0, begin)];
  if (count === undefined) return undefined;
  // It is asked for each chat that a check concerns, so it makes no list of the parts.
  let end = begin;
  for (let parts = 2; parts < count && end !== -1; parts += 1) end = id.indexOf('/', end + 1);
  if (end === -1) return undefined;
  const next = id.indexOf('/', end + 1);
  return next === -1 ? id : id.slice(0, next);
}

/** Gives the words by which a command names it: "tide on 9xQ…", or "launches on 4Fg…". They fit into a button of Telegram. */
export function marketWords(market: string): readonly string[] {
  const parts = market.split('/');
  return [parts.at(-2) ?? '', 'on', parts.at(-1) ?? ''];
}

/** Returns the event with the values that its correction gives. */
export const asCorrected = (event: FeedEvent, correction: Correction | undefined): FeedEvent => ({
  ...event,
  facts: { ...event.facts, ...correction?.facts },
  ...(correction?.occurredAt === undefined ? {} : { occurredAt: correction.occurredAt }),
});

/** An event happened when the service says, or else when it was detected. */
export const momentOf = ({ occurredAt, detectedAt }: Pick<FeedEvent, 'occurredAt' | 'detectedAt'>): Instant => occurredAt ?? detectedAt;

/** Gives "Corrected: was 120, now 118" as a line of a reply. */
export function correctionLine({ was, now, dates }: Correction): readonly (string | { readonly at: Instant; readonly exact: boolean })[] {
  if (dates !== undefined) return ['Corrected: was ', { at: dates.was, exact: true }, ', now ', { at: dates.now, exact: true }];
  return [was === undefined || now === undefined ? 'Corrected: removed by the service' : `Corrected: was ${was}, now ${now}`];
}

export const topicStatusSchema = z.object({
  topic: z.string().min(1),
  feed: z.string(),
  /** The project is absent where the service does not name one. */
  project: slugSchema.optional(),
  stage: z.string(),
  /** A live message is edited at once when this changes. */
  step: z.string(),
  /** Equal words have equal versions, which saves an edit. */
  version: z.string(),
  ended: z.boolean(),
  /** This is the time of the snapshot. */
  at: instantSchema,
  facts: z.record(z.string(), z.unknown()),
});
/** Describes the current state of a topic, which a live message shows. */
export type TopicStatus = z.infer<typeof topicStatusSchema>;
