/** Writes the body of a webhook, `{ type, timestamp, data }`, see docs/webhooks.md. `data.version` changes when receivers would misread a change. */
import { z } from 'zod';
import { cut } from '../../base/one-line.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { DeliveredEvent } from '../../chat/notifier.js';
import type { Link, Reply } from '../../chat/reply.js';
import { bareText, lineText } from '../../chat/plain-text.js';
import type { Correction } from '../../domain/event.js';
import type { Instant } from '../../domain/scalars.js';
import { amount, crossingOf, crossingSchema, iso } from '../program-data.js';

const PAYLOAD_VERSION = 1;

const TYPES = ['alert', 'alert.updated', 'alert.corrected', 'digest', 'test'] as const;
export type PayloadType = (typeof TYPES)[number];

const moment = z.iso.datetime();
const linkSchema = z.object({ label: z.string(), url: z.url() });
const eventSchema = z.object({
  id: z.string().describe('Derived from what happened: the same event has the same id in every webhook.'),
  kind: z.string().describe('Alert kind, as in /alerts.'),
  stage: z.string().describe('What happened, in a word of its kind; "level" is a threshold.'),
  topic: z.string().describe('A proposal or launch; a single event is its own topic.'),
  project: z.string().optional(),
  wallet: z.string().optional(),
  occurredAt: moment.optional().describe('As the service dates it. Absent where it does not.'),
  detectedAt: moment,
  text: z.string().describe('One line.'),
  figures: z
    .object({ usd: amount, percent: amount, amount, symbol: z.string(), metric: z.string() })
    .partial()
    .describe('How large it is, without a sign. Unknown ones are absent.'),
  crossings: z.array(crossingSchema).optional().describe('Of a threshold alert.'),
  correction: z
    .object({ event: z.string().describe('The id of the corrected event.'), was: z.string().optional(), now: z.string().optional() })
    .optional()
    .describe('Without values: the service no longer lists the event.'),
  watched: z.string().optional().describe('The watchlist entry that matched.'),
  rule: z.string().optional().describe('The filter that it passed.'),
  facts: z.record(z.string(), z.unknown()).describe('What the kind knows besides. Decimals are text; times are Unix milliseconds.'),
  links: z.array(linkSchema),
});

export const payloadSchema = z.object({
  type: z.enum(TYPES),
  timestamp: moment.describe('When the message was composed: the same at every attempt.'),
  data: z.object({
    version: z.literal(PAYLOAD_VERSION),
    id: z.string().describe('The same as the webhook-id header.'),
    endpoint: z.string(),
    refersTo: z.string().optional().describe('The webhook-id of the message that this one updates, corrects or follows.'),
    silent: z.boolean().describe('A chat would get it without a sound.'),
    text: z.string().describe('The message as a chat would show it.'),
    events: z.array(eventSchema),
    omitted: z.int().describe('Events of the message that are not in the list.'),
    links: z.array(linkSchema),
  }),
});
export type Payload = z.infer<typeof payloadSchema>;

export interface PayloadParts {
  readonly type: PayloadType;
  readonly id: string;
  readonly endpoint: string;
  readonly at: Instant;
  readonly refersTo?: string | undefined;
  readonly silent?: boolean | undefined;
  readonly reply: Reply;
  readonly events: readonly DeliveredEvent[];
  /** The number of events that the message reports. */
  readonly count: number;
}

/** The value is in bytes. Many receivers read 100 KB by default. */
export const MAX_BODY = 96 * 1024;
/** The most characters of a text. No chat message has more. */
const MAX_TEXT = 16_000;

/** Builds the body. Leaves out events from the end until it fits, the same ones at every attempt. */
export function bodyOf({ type, id, endpoint, at, refersTo, silent = false, reply, events, count }: PayloadParts): string {
  const shown = events.map((event) => eventOf(event));
  const payload = (kept: number): Payload => ({
    type,
    timestamp: iso(at),
    data: {
      version: PAYLOAD_VERSION,
      id,
      endpoint,
      ...omitUndefined({ refersTo }),
      silent,
      text: cut(bareText(reply, at), MAX_TEXT),
      events: shown.slice(0, kept),
      omitted: Math.max(0, count - kept),
      links: reply.links.map(linkOf),
    },
  });
  const sizes = shown.map((event) => Buffer.byteLength(JSON.stringify(event)) + 1);
  let left = MAX_BODY - Buffer.byteLength(JSON.stringify(payload(0)));
  const fitting = sizes.findIndex((size) => {
    left -= size;
    return left < 0;
  });
  return JSON.stringify(payload(fitting === -1 ? shown.length : fitting));
}

function eventOf(event: DeliveredEvent): Payload['data']['events'][number] {
  const { id, feed, stage, topic, project, wallet, occurredAt, detectedAt, headline, size, crossings, corrects, entry, rule, facts } =
    event;
  return {
    id,
    kind: feed,
    stage,
    topic,
    ...omitUndefined({ project, wallet }),
    ...(occurredAt === undefined ? {} : { occurredAt: iso(occurredAt) }),
    detectedAt: iso(detectedAt),
    text: lineText(headline, detectedAt),
    figures: omitUndefined(size),
    ...(crossings === undefined ? {} : { crossings: crossings.map(crossingOf) }),
    ...(corrects === undefined ? {} : { correction: correctionOf(corrects) }),
    ...omitUndefined({ watched: entry, rule }),
    facts,
    links: event.links.map(linkOf),
  };
}

const correctionOf = ({ event, was, now, dates }: Correction) => ({
  event,
  ...omitUndefined(dates === undefined ? { was, now } : { was: iso(dates.was), now: iso(dates.now) }),
});

const linkOf = ({ label, url }: Link) => ({ label, url });
