/**
 * This module keeps a chat's deliveries in one document, `queue/<address>`. After a crash each event is waiting, in a delivery or in a
 * receipt.
 */
import { omitUndefined } from '../../base/omit-undefined.js';
import { z } from 'zod';
import { addressSchema, type Address } from '../../chat/address.js';
import { inZone, storedReplySchema, type Mention, type Reply } from '../../chat/reply.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import { lastDigestSchema } from '../digest/setting.js';
import { deliveryId, memberSchema, withoutMessage, type Member } from './queued-event.js';
import { droppedAfter, droppedAwaySchema, withDropped } from './dropped-away.js';
import { leftBehind, liveMessageSchema, notPosted, posted, shownStatusSchema } from './live-message.js';
import { preparedPartSchema, preparedSchema, type PreparedMessage } from './prepared-message.js';
import { atOldAddress, countSent, pagesSchema, receiptSchema, sentSchema, type Receipt } from './receipts.js';

export type { Member } from './queued-event.js';
export type { Receipt } from './receipts.js';

const deliverySchema = z.object({
  id: z.string(),
  members: z.array(memberSchema).readonly(),
  reply: storedReplySchema,
  sealedAt: instantSchema,
  /** `sending` is written before the attempt. */
  state: z.enum(['sealed', 'sending']),
  attempts: z.int(),
  /** Attempts that the platform put off by a time of its own. They say nothing about how long other troubles last. */
  putOff: z.int().optional(),
  firstTriedAt: instantSchema.optional(),
  /** Attempts that may have arrived; counted only if the platform does not recognise repeats. */
  maybeSent: z.int().optional(),
  mayHaveArrived: z.boolean().optional(),
  notBefore: instantSchema,
  problem: z.string().optional(),
  /** The bot lacked a permission. The delivery is retried when people may have granted it. */
  notPermitted: z.boolean().optional(),
  /** Milliseconds from sealing; what was left of the maximum age then. */
  maxAge: z.int().optional(),
  /** When a reminder in the delivery is over. The other items are sealed again without it. */
  until: instantSchema.optional(),
  /** Text such as "Catching up: this chat was muted". */
  summary: z.string().optional(),
  chartOf: z.string().optional(),
  silent: z.literal(true).optional(),
  prepared: preparedPartSchema.optional(),
  shows: shownStatusSchema.optional(),
  replyTo: z.string().optional(),
});
export type Delivery = z.infer<typeof deliverySchema>;

export const queueSchema = z.object({
  address: addressSchema,
  waiting: z.array(memberSchema).readonly(),
  /** Oldest first. */
  prepared: z.array(preparedSchema).readonly().optional(),
  digest: lastDigestSchema.optional(),
  open: deliverySchema.optional(),
  /** Newest first; older ones are in pages. */
  receipts: z.array(receiptSchema).readonly(),
  pages: pagesSchema.optional(),
  droppedAway: droppedAwaySchema.optional(),
  sent: sentSchema.optional(),
  alertedAt: instantSchema.optional(),
  live: z.record(z.string(), liveMessageSchema).optional(),
  /** Events that an interrupted check may route again; newest first. */
  routed: z.array(z.string()).readonly(),
});
export type Queue = z.infer<typeof queueSchema>;

/** Every alert writes the whole document, so its size is limited. */
export const MAX_WAITING = 5_000;
/** Items that are kept for the catch-up message after an absence. */
const MAX_WAITING_AWAY = 500;
const DROPPED_PART = 1 / 10;
const ROUTED_KEPT = 1_500;

export const emptyQueue = (address: Address): Queue => ({ address, waiting: [], receipts: [], routed: [] });

/** Counts waiting events and messages. */
export const waitingIn = ({ waiting, prepared = [], open }: Queue): number =>
  waiting.length + prepared.length + (open?.prepared === undefined ? (open?.members.length ?? 0) : 1);

const routedTo = ({ routed, waiting, open }: Queue): Set<string> =>
  new Set([...routed, ...[...waiting, ...(open?.members ?? [])].map((member) => member.event)]);

/** Adds events to the queue. Idempotent. `awaySince` is when the chat's absence began. */
export function enqueue(queue: Queue, members: readonly Member[], awaySince?: Instant): Queue {
  const known = routedTo(queue);
  const fresh = members.filter((member) => {
    const isNew = !known.has(member.event);
    known.add(member.event);
    return isNew;
  });
  const latest = fresh.at(-1);
  if (latest === undefined) return queue;
  const added = {
    ...queue,
    waiting: [...queue.waiting, ...fresh],
    routed: [...fresh.map((member) => member.event).toReversed(), ...queue.routed].slice(0, ROUTED_KEPT),
  };
  const now = latest.queuedAt;
  const all = bounded(added, { of: () => true, most: MAX_WAITING, because: OVERFLOW, now });
  if (awaySince === undefined) return all;
  const kept = bounded(all, { of: ({ queuedAt }) => queuedAt >= awaySince, most: MAX_WAITING_AWAY, because: AWAY_OVERFLOW, now });
  const [receipt] = kept.receipts;
  return kept === all ? all : { ...kept, droppedAway: withDropped(all.droppedAway, receipt?.members ?? [], now) };
}

const OVERFLOW = `more than ${MAX_WAITING.toLocaleString('en')} alerts waited`;
const AWAY_OVERFLOW = `more than ${MAX_WAITING_AWAY} alerts waited while the bot was not in this chat`;

interface Bound {
  readonly of: (member: Member) => boolean;
  readonly most: number;
  readonly because: string;
  readonly now: Instant;
}

function bounded(queue: Queue, { of, most, because, now }: Bound): Queue {
  const waiting = queue.waiting.filter(of);
  if (waiting.length <= most) return queue;
  return drop(queue, { members: waiting.slice(0, waiting.length - most + most * DROPPED_PART), now, because });
}

export interface Sealing
  extends
    Partial<Pick<Delivery, 'id'>>,
    Pick<Delivery, 'members' | 'maxAge' | 'until' | 'summary' | 'silent' | 'chartOf' | 'shows' | 'replyTo'> {
  readonly reply: Reply;
  readonly now: Instant;
  readonly again?: Instant | undefined;
}

export function seal(
  queue: Queue,
  { id, again, members, reply, now, maxAge, until, summary, silent, chartOf, shows, replyTo }: Sealing,
): Queue {
  const taken = new Set(members.map((member) => member.event));
  const open: Delivery = omitUndefined({
    id: id ?? deliveryId(queue.address, members, again),
    members,
    reply,
    maxAge,
    until,
    summary,
    silent,
    chartOf,
    shows,
    replyTo,
    sealedAt: now,
    state: 'sealed',
    attempts: 0,
    notBefore: now,
  });
  return { ...queue, waiting: queue.waiting.filter((member) => !taken.has(member.event)), open };
}

const MAX_PREPARED = 5;

/** Queues a prepared message. Idempotent. Above the limit the oldest message is dropped. */
export function prepare(queue: Queue, message: PreparedMessage): Queue {
  const { prepared = [], open } = queue;
  if (open?.id === message.id || prepared.some(({ id }) => id === message.id)) return queue;
  const all = { ...queue, prepared: [...prepared, message] };
  const [oldest] = prepared;
  const isFull = prepared.length >= MAX_PREPARED && oldest !== undefined;
  return isFull ? dropPrepared(all, oldest.id, { now: message.queuedAt, because: `more than ${MAX_PREPARED} messages waited` }) : all;
}

/** Makes a prepared message the open delivery. No effect if the message is gone. */
export function sealPrepared(
  queue: Queue,
  id: string,
  { now, zone }: { readonly now: Instant; readonly zone?: string | undefined },
): Queue {
  const message = queue.prepared?.find((one) => one.id === id);
  if (message === undefined || queue.open !== undefined) return queue;
  const { queuedAt, until, summary, reply, silent } = message;
  const open: Delivery = omitUndefined({
    id,
    members: [],
    reply: inZone(reply, zone),
    summary,
    prepared: { queuedAt, until },
    maxAge: Math.max(0, until - now),
    silent,
    sealedAt: now,
    state: 'sealed',
    attempts: 0,
    notBefore: now,
  });
  return { ...withoutPrepared(queue, id), open };
}

/** Drops the message with a receipt. No effect if the message is gone. */
export function dropPrepared(queue: Queue, id: string, { now, because }: { readonly now: Instant; readonly because: string }): Queue {
  const message = queue.prepared?.find((one) => one.id === id);
  if (message === undefined) return queue;
  const receipt: Receipt = { id, members: [], end: 'dropped', endedAt: now, attempts: 0, because, summary: message.summary };
  return { ...withoutPrepared(queue, id), receipts: [receipt, ...queue.receipts] };
}

function withoutPrepared({ prepared = [], ...queue }: Queue, gone: string): Queue {
  const left = prepared.filter(({ id }) => id !== gone);
  return left.length === 0 ? queue : { ...queue, prepared: left };
}

const preparedAgain = ({ id, reply, silent, summary = '' }: Delivery, part: NonNullable<Delivery['prepared']>): PreparedMessage => ({
  id,
  summary,
  reply,
  ...part,
  ...(silent === undefined ? {} : { silent }),
});

/** Records that an attempt begins. No effect if the delivery is gone. */
export function begin(queue: Queue, id: string, now: Instant): Queue {
  const { open } = queue;
  if (open?.id !== id) return queue;
  return {
    ...queue,
    open: {
      ...open,
      state: 'sending',
      attempts: open.attempts + 1,
      firstTriedAt: open.firstTriedAt ?? now,
      // An earlier attempt was interrupted.
      ...(open.state === 'sending' ? { mayHaveArrived: true } : {}),
    },
  };
}

/** Puts the items of the delivery back into the queue, unless it may have arrived. */
export function unseal(queue: Queue, id: string): Queue {
  const { open } = queue;
  if (open?.id !== id || open.state !== 'sealed' || open.mayHaveArrived === true) return queue;
  if (open.prepared !== undefined)
    return { ...queue, open: undefined, prepared: [preparedAgain(open, open.prepared), ...(queue.prepared ?? [])] };
  return { ...queue, open: undefined, waiting: [...unsealed(queue), ...queue.waiting] };
}

const isShown = ({ end, members }: Receipt): boolean => (end === 'sent' || end === 'maybe sent') && members[0]?.sample !== true;

export const lastAlert = ({ alertedAt, receipts }: Pick<Queue, 'alertedAt' | 'receipts'>): Instant | undefined =>
  alertedAt ?? receipts.find(isShown)?.endedAt;

/** Ends the open delivery with a receipt. No effect if the chat was forgotten. */
export function close(queue: Queue, receipt: Receipt): Queue {
  if (queue.open?.id !== receipt.id) return queue;
  const { shows, summary, prepared, sealedAt } = queue.open;
  if (shows !== undefined) return closeLive(queue, queue.open, receipt);
  const sent = receipt.end === 'sent' ? { sent: countSent(queue.sent ?? {}, receipt.endedAt) } : {};
  const alerted = isShown(receipt) ? { alertedAt: receipt.endedAt } : {};
  const isCounted = isShown(receipt) && summary !== undefined && prepared === undefined;
  const counted = isCounted ? { droppedAway: droppedAfter(queue.droppedAway, sealedAt) } : {};
  return { ...queue, ...sent, ...alerted, ...counted, open: undefined, receipts: [receipt, ...queue.receipts] };
}

function closeLive(queue: Queue, { shows, ...delivery }: Delivery, receipt: Receipt): Queue {
  const after = close({ ...queue, open: delivery }, receipt);
  if (shows === undefined) return after;
  const { id, end, members, messageId, endedAt: at } = receipt;
  return end === 'sent' && messageId !== undefined
    ? posted(after, { shown: shows, members, delivery: id, messageId, at })
    : notPosted(after, shows);
}

export const reopen = (queue: Queue, open: Delivery): Queue =>
  queue.open?.id === open.id ? { ...queue, open: { ...open, reply: queue.open.reply } } : queue;

/** Removes mentions from the open delivery, whose id stays. */
export function mentioning(queue: Queue, stays: (mention: Mention) => boolean): Queue {
  const { open } = queue;
  if (open === undefined || open.reply.mentions.every(stays)) return queue;
  return { ...queue, open: { ...open, reply: { ...open.reply, mentions: open.reply.mentions.filter(stays) } } };
}

/** Makes a delivery due now that failed for lack of a permission. */
export const release = (queue: Queue, now: Instant): Queue =>
  queue.open?.notPermitted === true && queue.open.state === 'sealed' && queue.open.notBefore > now
    ? { ...queue, open: { ...queue.open, notBefore: now } }
    : queue;

/** `dropped` means not watched or unreadable; `expired` means too old. */
export interface Dropping {
  readonly members: readonly Member[];
  readonly now: Instant;
  readonly end?: 'dropped' | 'expired';
  readonly because: string;
}

export function drop(queue: Queue, { members, now, end = 'dropped', because }: Dropping): Queue {
  if (members.length === 0) return queue;
  const gone = new Set(members.map((member) => member.event));
  const receipt: Receipt = { id: deliveryId(queue.address, members), members, end, endedAt: now, attempts: 0, because };
  return {
    ...queue,
    waiting: queue.waiting.filter((member) => !gone.has(member.event)),
    receipts: [receipt, ...queue.receipts],
  };
}

export function rerouted(queue: Queue, members: readonly Member[]): Queue {
  if (members.length === 0) return queue;
  const updated = new Map(members.map((member) => [member.event, member]));
  return { ...queue, waiting: queue.waiting.map((member) => updated.get(member.event) ?? member) };
}

const movable = (queue: Queue): readonly Member[] => [...(queue.open?.state === 'sealed' ? unsealedUnclear(queue) : []), ...queue.waiting];

const unsealedUnclear = (queue: Queue): readonly Member[] =>
  queue.open?.mayHaveArrived === true ? unsealed(queue).map((member) => ({ ...member, mayHaveArrived: true })) : unsealed(queue);

const unsealed = ({ open, live }: Queue): readonly Member[] =>
  open?.shows !== undefined && live?.[open.shows.topic]?.again !== undefined ? [] : (open?.members ?? []);

const movablePrepared = ({ open, prepared = [] }: Queue): readonly PreparedMessage[] => [
  ...(open?.state === 'sealed' && open.prepared !== undefined ? [preparedAgain(open, open.prepared)] : []),
  ...prepared,
];

export const withLastDigest = (queue: Queue, { digest }: Pick<Queue, 'digest'>): Queue =>
  digest === undefined || (queue.digest?.dueAt ?? 0) >= digest.dueAt ? queue : { ...queue, digest };

export function adopt(queue: Queue, from: Queue): Queue {
  const messages = movablePrepared(from);
  const moved = movable(from).length + messages.length + from.receipts.length + from.routed.length;
  if (moved === 0 && from.digest === undefined && from.live === undefined) return queue;
  const live = Object.entries(from.live ?? {}).flatMap(([topic, message]) => {
    const posted = leftBehind(message);
    return posted === undefined ? [] : [[topic, posted] as const];
  });
  const known = new Set(queue.receipts.map(({ id }) => id));
  const waiting = enqueue(withLastDigest(queue, from), movable(from).map(withoutMessage));
  const joined = messages.filter(({ id }) => !known.has(id)).reduce(prepare, waiting);
  // A delivery that is being sent at the old address is moved later, and must not count as routed then.
  const staying = new Set(from.open?.state === 'sending' ? from.open.members.map(({ event }) => event) : []);
  return {
    ...joined,
    receipts: [...joined.receipts, ...atOldAddress(from.receipts, known)].toSorted((a, b) => b.endedAt - a.endedAt),
    ...(live.length === 0 ? {} : { live: { ...Object.fromEntries(live), ...joined.live } }),
    droppedAway: joined.droppedAway ?? from.droppedAway,
    routed: [...new Set([...joined.routed, ...from.routed.filter((event) => !staying.has(event))])].slice(0, ROUTED_KEPT),
  };
}

export function leave(queue: Queue, adopted: Queue): Queue {
  const moved = new Set(movable(adopted).map(({ event }) => event));
  const [ended, routed] = [new Set(adopted.receipts.map(({ id }) => id)), new Set(adopted.routed)];
  const messages = new Set(movablePrepared(adopted).map(({ id }) => id));
  const { address, open } = queue;
  const isAgain = open?.state === 'sealed' && open.members.length > 0 && unsealed(adopted).length === 0;
  const remains = open?.members.some(({ event }) => !moved.has(event)) === true && !isAgain;
  const stays = open?.prepared === undefined ? remains : !messages.has(open.id);
  const prepared = queue.prepared?.filter(({ id }) => !messages.has(id)) ?? [];
  const left: Queue = {
    address,
    waiting: queue.waiting.filter(({ event }) => !moved.has(event)),
    ...(prepared.length === 0 ? {} : { prepared }),
    ...(stays ? { open } : {}),
    receipts: queue.receipts.filter(({ id }) => !ended.has(id)),
    routed: queue.routed.filter((event) => !routed.has(event)),
  };
  const isSame =
    left.open === open &&
    prepared.length === (queue.prepared ?? []).length &&
    queue.digest === undefined &&
    queue.live === undefined &&
    queue.pages === undefined &&
    PARTS.every((part) => left[part].length === queue[part].length);
  return isSame ? queue : left;
}

const PARTS = ['waiting', 'receipts', 'routed'] as const;

/** Ends waiting items that a live message shows. */
export function showInLive(queue: Queue, { members, now }: { readonly members: readonly Member[]; readonly now: Instant }): Queue {
  const events = new Set(members.map(({ event }) => event));
  const shown = queue.waiting.filter(({ event }) => events.has(event));
  if (shown.length === 0) return queue;
  const receipt: Receipt = { id: deliveryId(queue.address, shown), members: shown, end: 'sent', endedAt: now, attempts: 0, live: true };
  return { ...queue, waiting: queue.waiting.filter((member) => !shown.includes(member)), receipts: [receipt, ...queue.receipts] };
}
