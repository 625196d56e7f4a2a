/** Describes something that happened and may be alerted; its id derives from its content. */
import { z } from 'zod';
import { decimalSchema, instantSchema, slugSchema, type Instant } from './scalars.js';
import { walletAddressSchema } from './wallet.js';

/** The values before and after a correction. Without values, the service no longer reports the event. */
export const correctionSchema = z.object({
  event: z.string().min(1),
  was: z.string().optional(),
  now: z.string().optional(),
  /** Used instead of both texts if the service changed the date of the event. */
  dates: z.object({ was: instantSchema, now: instantSchema }).optional(),
  /** The new facts of the event, with everything that depends on the corrected value. */
  facts: z.record(z.string(), z.unknown()).optional(),
  occurredAt: instantSchema.optional(),
  /** The new stage, because the stage determines the wording of the event. */
  stage: z.string().optional(),
});
export type Correction = z.infer<typeof correctionSchema>;

/** The most past values of a measure in a stored event. */
export const MAX_PAST_VALUES = 120;

/** Values for an alert's chart: by measure, oldest first, as [Unix milliseconds, exact decimal]. */
export const pastValuesSchema = z.record(
  z.string(),
  z
    .array(z.tuple([instantSchema, decimalSchema]))
    .max(MAX_PAST_VALUES)
    .readonly(),
);
export type PastValues = z.infer<typeof pastValuesSchema>;

export const eventSchema = z.object({
  /** `<feed>/<subject>/<what changed>`. */
  id: z.string().min(1),
  feed: z.string(),
  /** The project is absent where the service does not name one. */
  project: slugSchema.optional(),
  /** If set, only chats that watch this wallet match. */
  wallet: walletAddressSchema.optional(),
  /** If set, only chats with this saved screen match. */
  screen: z.string().optional(),
  /** For example `proposals/tide/9xQ…`. An event without successors is its own topic. */
  topic: z.string(),
  /** The feed's word for what happened, such as `mint`, `live` or `minimum`. */
  stage: z.string(),
  /** The time that the service states. An event without it alerts even if it may be older than the `since` of an entry. */
  occurredAt: instantSchema.optional(),
  /** When the response arrived. */
  detectedAt: instantSchema,
  /** When the service was asked, which is earlier than `detectedAt` if the response was cached. */
  checkedAt: instantSchema.optional(),
  /** The list of the service that caused the check, and when it was read. */
  listed: z.object({ list: z.string(), at: instantSchema }).optional(),
  /** Values for the alert's chart. Unreadable ones count as absent, so that the alert is still sent. */
  past: pastValuesSchema.optional().catch(undefined),
  /** What this event corrects. A correction is a separate event with the corrected facts, unless its kind words corrections itself. */
  corrects: correctionSchema.optional(),
  facts: z.record(z.string(), z.unknown()),
});
export type FeedEvent = z.infer<typeof eventSchema>;

/** The number of id parts that name the proposal or launch, by kind. */
const TOPIC_PARTS: Readonly<Record<string, number>> = { proposals: 3, launches: 2 };

/** Returns the proposal or launch in an id or topic, such as `proposals/tide/9xQ…`; undefined for other kinds. */
export function marketOf(id: string): string | undefined {
  const begin = id.indexOf('/');
  const count = begin === -1 ? undefined : TOPIC_PARTS[id.slice(0, begin)];
  if (count === undefined) return undefined;
  // Called for each chat of each check, so it does not split the id into an array.
  let end = begin;
  for (let parts = 2; parts < count && end !== -1; parts += 1) end = id.indexOf('/', end + 1);
  if (end === -1) return undefined;
  const next = id.indexOf('/', end + 1);
  return next === -1 ? id : id.slice(0, next);
}

/** Returns the words that name the market in a command: "tide on 9xQ…" or "launches on 4Fg…". They fit into a Telegram button. */
export function marketWords(market: string): readonly string[] {
  const parts = market.split('/');
  return [parts.at(-2) ?? '', 'on', parts.at(-1) ?? ''];
}

/** Applies a correction to an event. */
export const asCorrected = (event: FeedEvent, correction: Correction | undefined): FeedEvent => ({
  ...event,
  facts: { ...event.facts, ...correction?.facts },
  ...(correction?.occurredAt === undefined ? {} : { occurredAt: correction.occurredAt }),
});

/** Returns when the event happened as stated by the service, or else when it was detected. */
export const momentOf = ({ occurredAt, detectedAt }: Pick<FeedEvent, 'occurredAt' | 'detectedAt'>): Instant => occurredAt ?? detectedAt;

/** Returns "Corrected: was 120, now 118" as a line of a reply. */
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
  /** The state of the topic. A change edits the live message at once. */
  step: z.string(),
  /** Changes with the wording: the message is not edited while the version is the same. */
  version: z.string(),
  ended: z.boolean(),
  /** The time of the snapshot. */
  at: instantSchema,
  facts: z.record(z.string(), z.unknown()),
});
/** The current state of a topic, which a live message shows. */
export type TopicStatus = z.infer<typeof topicStatusSchema>;
