/**
 * One chat's deliveries, `queue/<address>`: what waits, the one that is under way, and receipts. All of it is one document with one writer, so
 * an event is either waiting, sealed into a delivery, or receipted, whatever moment a crash picks. Older receipts stand in pages (`receipts.ts`).
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { addressSchema, type Address } from '../../chat/address.js';
import { replySchema, type Mention, type Reply } from '../../chat/reply.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import { renameFields } from '../../store/rename-fields.js';
import { ruleStateSchema } from '../evaluation/threshold.js';
import { memberSchema, type Member } from './member.js';
import { countSent, pagesSchema, receiptSchema, sentSchema, type Receipt } from './receipts.js';

export { lateSchema, type Member } from './member.js';
export type { Receipt } from './receipts.js';

const deliverySchema = z.object({
  id: z.string(),
  members: z.array(memberSchema).readonly(),
  reply: replySchema,
  sealedAt: instantSchema,
  /** `sending` is written before each attempt: after a crash it may stand on the platform already. */
  state: z.enum(['sealed', 'sending']),
  attempts: z.int(),
  /** When it was first handed to the platform. */
  firstTriedAt: instantSchema.optional(),
  /** Attempts of which nobody knows whether they arrived, on a platform that recognises no repeat. */
  maybeSent: z.int().optional(),
  /** An attempt may have arrived, whether or not the platform would recognise it. */
  mayHaveArrived: z.boolean().optional(),
  notBefore: instantSchema,
  /** What stood in the way at the last attempt. */
  problem: z.string().optional(),
  /** That people can mend it: it is tried as soon as they seem to have. */
  notPermitted: z.boolean().optional(),
  /** So many milliseconds after it was sealed it is given up. */
  maxAge: z.int().optional(),
  /** What kept its news, in words, where it is a summary: "While this chat was quiet (9 h)". */
  summary: z.string().optional(),
});
export type Delivery = z.infer<typeof deliverySchema>;

export const queueSchema = z.object({
  address: addressSchema,
  waiting: z.array(memberSchema).readonly(),
  open: deliverySchema.optional(),
  /** The latest of them, latest first; older ones stand in pages. */
  receipts: z.array(receiptSchema).readonly(),
  pages: pagesSchema.optional(),
  /** Messages sent over the last day. */
  sent: sentSchema.optional(),
  /** When the last message of alerts ended that may stand in the chat, samples excepted. */
  alertedAt: instantSchema.optional(),
  /** What rules on figures remember, by `<feed>/<subject>/<entry>@<since>/<rule in words>`. */
  ruleStates: z.record(z.string(), ruleStateSchema).optional(),
  /** Ids of what was routed here and may be brought again by a routing that is interrupted, latest first. */
  routed: z.array(z.string()).readonly(),
});
export type Queue = z.infer<typeof queueSchema>;

const RENAMED_DELIVERY = new Map([
  ['held', 'notPermitted'],
  ['mayStand', 'mayHaveArrived'],
]);

/** A queue document of version 1 with the names of version 2. */
export function upgradeQueue(document: unknown): unknown {
  const { open, ...queue } = renameFields(document, new Map([['levels', 'ruleStates']]));
  return open === undefined ? queue : { ...queue, open: renameFields(open, RENAMED_DELIVERY) };
}

/** So many events wait at most, so that the document stays small enough to be written for every alert: weeks of a mute in a chat that watches everything. */
export const MAX_WAITING = 5_000;
/** So many of them may be of an absence, so that one catch-up holds them all; those dropped for it are counted in it. */
const MAX_WAITING_AWAY = 500;
/** This part is dropped beside what is too much. */
const DROPPED_PART = 1 / 10;
/** More than any interrupted routing can bring again: marks hand on fifty at a time, and few of them at once. Usually it is far fewer: `queues.ts`. */
const ROUTED_KEPT = 1_500;

export const emptyQueue = (address: Address): Queue => ({ address, waiting: [], receipts: [], routed: [] });

/** Adds what was not routed here before. Adding twice is adding once. `awaySince`: since when the chat is away, where it is. */
export function enqueue(queue: Queue, members: readonly Member[], awaySince?: Instant): Queue {
  const known = new Set([...queue.routed, ...[...queue.waiting, ...(queue.open?.members ?? [])].map((member) => member.event)]);
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
  return bounded(all, { of: ({ queuedAt }) => queuedAt >= awaySince, most: MAX_WAITING_AWAY, because: AWAY_OVERFLOW, now });
}

const OVERFLOW = `more than ${MAX_WAITING.toLocaleString('en')} alerts waited`;
const AWAY_OVERFLOW = `more than ${MAX_WAITING_AWAY} alerts waited while I was away from this chat`;

interface Bound {
  readonly of: (member: Member) => boolean;
  readonly most: number;
  readonly because: string;
  readonly now: Instant;
}

/** The oldest of too many that wait get a receipt, a good number at once, so that the receipts do not become too many instead. */
function bounded(queue: Queue, { of, most, because, now }: Bound): Queue {
  const waiting = queue.waiting.filter(of);
  if (waiting.length <= most) return queue;
  return drop(queue, { members: waiting.slice(0, waiting.length - most + most * DROPPED_PART), now, because });
}

/** What was dropped since then because too much waited for a chat that was away, as far as receipts remember. */
export const droppedAway = ({ receipts }: Pick<Queue, 'receipts'>, since: Instant): readonly Member[] =>
  receipts.filter(({ because, endedAt }) => because === AWAY_OVERFLOW && endedAt >= since).flatMap(({ members }) => members);

/** The id of a delivery, derived from where it goes and what it tells: sealing the same members again gives the same id. 22 characters. */
export const deliveryId = (address: Address, members: readonly Member[]): string =>
  createHash('sha256')
    .update(JSON.stringify([address, members.map((member) => member.event)]))
    .digest('base64url')
    .slice(0, 22);

/** What is to be sealed: `summary` and `maxAge` as the delivery keeps them. */
export interface Sealing extends Pick<Delivery, 'members' | 'maxAge' | 'summary'> {
  readonly reply: Reply;
  readonly now: Instant;
}

/** Takes members out of the waiting ones and seals them. A sealed delivery never changes its members, so its id stays good. */
export function seal(queue: Queue, { members, reply, now, maxAge, summary }: Sealing): Queue {
  const taken = new Set(members.map((member) => member.event));
  const open: Delivery = {
    id: deliveryId(queue.address, members),
    members,
    reply,
    ...(maxAge === undefined ? {} : { maxAge }),
    ...(summary === undefined ? {} : { summary }),
    sealedAt: now,
    state: 'sealed',
    attempts: 0,
    notBefore: now,
  };
  return { ...queue, waiting: queue.waiting.filter((member) => !taken.has(member.event)), open };
}

/** Notes that this delivery is about to be sent, unless the chat was forgotten meanwhile. */
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
      // What is found being sent was cut short.
      ...(open.state === 'sending' ? { mayHaveArrived: true } : {}),
    },
  };
}

/** Lets what is sealed wait again: a mute or quiet hours have begun since. Nothing of it may stand on the platform, or it would be told under two ids. */
export function unseal(queue: Queue, id: string): Queue {
  const { open } = queue;
  if (open?.id !== id || open.state !== 'sealed' || open.mayHaveArrived === true) return queue;
  return { ...queue, open: undefined, waiting: [...open.members, ...queue.waiting] };
}

const isShown = ({ end, members }: Receipt): boolean => (end === 'sent' || end === 'maybe sent') && members[0]?.sample !== true;

/** When this chat was last alerted. Queues of earlier versions know it by their receipts. */
export const lastAlert = ({ alertedAt, receipts }: Pick<Queue, 'alertedAt' | 'receipts'>): Instant | undefined =>
  alertedAt ?? receipts.find(isShown)?.endedAt;

/** Closes the open delivery with a receipt. A chat that was forgotten while it was sent is not remembered by it. */
export function close(queue: Queue, receipt: Receipt): Queue {
  if (queue.open?.id !== receipt.id) return queue;
  const sent = receipt.end === 'sent' ? { sent: countSent(queue.sent ?? {}, receipt.endedAt) } : {};
  const alerted = isShown(receipt) ? { alertedAt: receipt.endedAt } : {};
  return { ...queue, ...sent, ...alerted, open: undefined, receipts: [receipt, ...queue.receipts] };
}

/** The open delivery as it waits for the next attempt, unless the chat was forgotten meanwhile. What it says may have lost a name while it was sent. */
export const reopen = (queue: Queue, open: Delivery): Queue =>
  queue.open?.id === open.id ? { ...queue, open: { ...open, reply: queue.open.reply } } : queue;

/** The queue with the open delivery mentioning only those whom `stays` lets stay; what it tells, and so its id, is the same. */
export function mentioning(queue: Queue, stays: (mention: Mention) => boolean): Queue {
  const { open } = queue;
  if (open === undefined || open.reply.mentions.every(stays)) return queue;
  return { ...queue, open: { ...open, reply: { ...open.reply, mentions: open.reply.mentions.filter(stays) } } };
}

/** Lets a delivery that is held for people to mend something go at once; one that the platform wants to wait goes on waiting. */
export const release = (queue: Queue, now: Instant): Queue =>
  queue.open?.notPermitted === true && queue.open.state === 'sealed' && queue.open.notBefore > now
    ? { ...queue, open: { ...queue.open, notBefore: now } }
    : queue;

/** Why waiting members are not told: `dropped` because of what the chat watches or can be read, `expired` because of their age. */
export interface Dropping {
  readonly members: readonly Member[];
  readonly now: Instant;
  readonly end?: 'dropped' | 'expired';
  readonly because: string;
}

/** Takes waiting members out with a receipt that says why they are not told. */
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

/** The queue with waiting members told through other entries than they came by. */
export function rerouted(queue: Queue, members: readonly Member[]): Queue {
  if (members.length === 0) return queue;
  const anew = new Map(members.map((member) => [member.event, member]));
  return { ...queue, waiting: queue.waiting.map((member) => anew.get(member.event) ?? member) };
}

/** What may move to another address: everything that waits or is sealed, but not a message that may stand at the old one already. */
const movable = (queue: Queue): readonly Member[] => [...(queue.open?.state === 'sealed' ? queue.open.members : []), ...queue.waiting];

/** The queue with what another address of the same chat leaves behind: its members, its receipts, what its rules remember and what was routed. */
export function adopt(queue: Queue, from: Queue): Queue {
  if (movable(from).length + from.receipts.length + from.routed.length === 0 && from.ruleStates === undefined) return queue;
  const known = new Set(queue.receipts.map(({ id }) => id));
  const joined = enqueue(queue, movable(from));
  // What is being sent there may follow later, and must not be taken for known by then.
  const staying = new Set(from.open?.state === 'sending' ? from.open.members.map(({ event }) => event) : []);
  return {
    ...joined,
    receipts: [...joined.receipts, ...from.receipts.filter(({ id }) => !known.has(id))].toSorted((a, b) => b.endedAt - a.endedAt),
    ...(from.ruleStates === undefined ? {} : { ruleStates: { ...from.ruleStates, ...joined.ruleStates } }),
    routed: [...new Set([...joined.routed, ...from.routed.filter((event) => !staying.has(event))])].slice(0, ROUTED_KEPT),
  };
}

/** The queue without what another address adopted from it, as it was then; the very same where nothing of it is left. */
export function leave(queue: Queue, adopted: Queue): Queue {
  const moved = new Set(movable(adopted).map(({ event }) => event));
  const [told, routed] = [new Set(adopted.receipts.map(({ id }) => id)), new Set(adopted.routed)];
  const { address, open } = queue;
  const stays = open?.members.some(({ event }) => !moved.has(event)) === true;
  const left: Queue = {
    address,
    waiting: queue.waiting.filter(({ event }) => !moved.has(event)),
    ...(stays ? { open } : {}),
    receipts: queue.receipts.filter(({ id }) => !told.has(id)),
    routed: queue.routed.filter((event) => !routed.has(event)),
  };
  const isSame =
    left.open === open &&
    queue.ruleStates === undefined &&
    queue.pages === undefined &&
    PARTS.every((part) => left[part].length === queue[part].length);
  return isSame ? queue : left;
}

const PARTS = ['waiting', 'receipts', 'routed'] as const;
