/** This module keeps live messages by topic, in a chat's queue document. It is pure. */
import { z } from 'zod';
import { DAY, HOUR, MINUTE, later, type Instant } from '../../base/clock.js';
import { instantSchema, slugSchema } from '../../domain/scalars.js';
import type { TopicStatus } from '../../domain/event.js';
import { memberSchema, type Member } from './queued-event.js';

export const liveMessageSchema = z.object({
  feed: z.string(),
  project: slugSchema.optional(),
  members: z.array(memberSchema).readonly(),
  /** The delivery's id, which the message's buttons contain. */
  delivery: z.string(),
  /** Absent while the message waits to be posted again, or if it is no longer edited. */
  messageId: z.string().optional(),
  postedAt: instantSchema,
  shownAt: instantSchema,
  /** The version of the status that is shown. */
  version: z.string(),
  step: z.string(),
  steps: z.array(z.string()).readonly().optional(),
  ended: z.literal(true).optional(),
  notBefore: instantSchema.optional(),
  failures: z.int().optional(),
  /** Set if the message must be posted again. One that people deleted is posted again only once. */
  again: z.object({ because: z.enum(['deleted', 'moved']), since: instantSchema }).optional(),
  recreated: z.literal(true).optional(),
});
export type LiveMessage = z.infer<typeof liveMessageSchema>;

export const shownStatusSchema = liveMessageSchema
  .pick({ feed: true, project: true, version: true, step: true, ended: true, recreated: true })
  .extend({ topic: z.string() });
type ShownStatus = z.infer<typeof shownStatusSchema>;

interface WithLiveMessages {
  readonly live?: Readonly<Record<string, LiveMessage>> | undefined;
}

/** Pauses between edits in the first hour and later: Discord limits edits of older messages (error 30046). */
export const EDIT_PAUSE = 5 * MINUTE;
export const LATER_EDIT_PAUSE = HOUR;
const YOUNG = HOUR;
/** Time that a message is kept after its topic ended. */
export const LIVE_KEPT = 7 * DAY;
const FORGOTTEN_AFTER = 60 * DAY;

const MAX_STEPS = 12;

/** Returns when a message is edited next; undefined if it is current or cannot be edited. */
export function editDue(message: LiveMessage, status: TopicStatus): Instant | undefined {
  const { messageId, postedAt, shownAt, version, step, steps = [], ended, notBefore } = message;
  if (messageId === undefined || ended === true || status.version === version) return undefined;
  const isYoung = shownAt + EDIT_PAUSE < postedAt + YOUNG;
  const isNewStep = status.step !== step && !steps.includes(status.step) && steps.length < MAX_STEPS;
  const due = isNewStep ? shownAt : later(shownAt, isYoung ? EDIT_PAUSE : LATER_EDIT_PAUSE);
  return notBefore !== undefined && notBefore > due ? notBefore : due;
}

export const shownStatus = ({ topic, feed, project, version, step, ended }: TopicStatus): ShownStatus => ({
  topic,
  feed,
  version,
  step,
  ...(project === undefined ? {} : { project }),
  ...(ended ? { ended } : {}),
});

export function edited(message: LiveMessage, status: TopicStatus, at: Instant): LiveMessage {
  const { notBefore: _, failures: _count, ...rest } = message;
  const { topic: _topic, ...shown } = shownStatus(status);
  const { step, steps = [] } = message;
  const earlier = step === shown.step ? steps : [...new Set([...steps, step])].slice(-MAX_STEPS);
  return { ...rest, ...shown, shownAt: at, ...(earlier.length === 0 ? {} : { steps: earlier }) };
}

/** Changes a topic's message. A `change` that returns undefined deletes it. */
export function withLive<Q extends WithLiveMessages>(
  queue: Q,
  topic: string,
  change: (message: LiveMessage) => LiveMessage | undefined,
): Q {
  const message = queue.live?.[topic];
  if (message === undefined) return queue;
  const changed = change(message);
  if (changed === message) return queue;
  const { [topic]: _, ...others } = queue.live ?? {};
  return { ...queue, live: changed === undefined ? others : { ...others, [topic]: changed } };
}

interface PostedLive {
  readonly shown: ShownStatus;
  readonly members: readonly Member[];
  readonly delivery: string;
  readonly messageId: string;
  readonly at: Instant;
}

export function posted<Q extends WithLiveMessages>(queue: Q, { shown, members, delivery, messageId, at }: PostedLive): Q {
  const { topic, ...status } = shown;
  const message: LiveMessage = { ...status, members, delivery, messageId, postedAt: at, shownAt: at };
  return { ...queue, live: bounded({ ...queue.live, [topic]: message }) };
}

export const MAX_LIVE = 200;

/** Drops messages above the limit: ended ones first, then the oldest. */
function bounded(live: NonNullable<WithLiveMessages['live']>): NonNullable<WithLiveMessages['live']> {
  const all = Object.entries(live);
  if (all.length <= MAX_LIVE) return live;
  const oldestFirst = all.toSorted(([, a], [, b]) => Number(b.ended ?? false) - Number(a.ended ?? false) || a.postedAt - b.postedAt);
  return Object.fromEntries(oldestFirst.slice(-MAX_LIVE));
}

/** Records that a message was not posted again. The topic's next event may post one. */
export const notPosted = <Q extends WithLiveMessages>(queue: Q, { topic = '' }: { readonly topic?: string | undefined }): Q =>
  withLive(queue, topic, (message) => {
    const { again: _, ...rest } = message;
    return rest;
  });

export function leftAlone(message: LiveMessage): LiveMessage {
  const { messageId: _, notBefore: _until, failures: _count, ...rest } = message;
  return rest;
}

/** Records that people deleted a message. It is posted again once. */
export function deletedAt(message: LiveMessage, now: Instant): LiveMessage {
  const rest = leftAlone(message);
  return message.recreated === true ? rest : { ...rest, again: { because: 'deleted', since: now } };
}

/** Prepares a message for the new address of a moved chat. The old message cannot be edited from there. */
export function leftBehind(message: LiveMessage): LiveMessage | undefined {
  if (message.ended === true) return undefined;
  const { messageId, notBefore: _, ...rest } = message;
  return messageId === undefined ? rest : { ...rest, again: { because: 'moved', since: message.shownAt } };
}

export function withoutOldLive<Q extends WithLiveMessages>(queue: Q, now: Instant): Q {
  const old = Object.entries(queue.live ?? {}).filter(
    ([, { ended, shownAt }]) => now - shownAt >= (ended === true ? LIVE_KEPT : FORGOTTEN_AFTER),
  );
  return old.reduce((rest, [topic]) => withLive(rest, topic, () => undefined), queue);
}
