/**
 * Delivers what waits in one chat, in order, one message at a time: seal, write "sending", send, settle. At-least-once; exactly-once where the
 * platform knows a delivery by its id. Elsewhere an attempt that was cut short may have arrived, and the operator chose what follows.
 */
import { SECOND, later, type Clock, type Instant } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { platformOf, type Address } from '../chat/address.js';
import type { Courier, Outcome } from '../chat/courier.js';
import { feedOf } from '../feeds/index.js';
import { StoreError } from '../store/store.js';
import type { Archive } from './archive.js';
import { compose, type Told } from './compose.js';
import { calledHere, targetName, type Entry } from './entry.js';
import { begin, close, deliveryId, drop, MOST_MEMBERS, reopen, seal, type Delivery, type Member, type Queue } from './queue.js';
import type { Queues } from './queues.js';
import { MAXIMUM_AGE, settle, type Repeats } from './settle.js';
import { mutedUntil, type Watchlists } from './watchlists.js';
import type { Whereabouts } from './whereabouts.js';

/** How long the first event of a message waits for company: what happens within a few seconds comes as one message. */
export const GATHER = 3 * SECOND;

export interface DeliverContext {
  readonly queues: Queues;
  readonly archive: Archive;
  readonly watchlists: Watchlists;
  readonly whereabouts: Whereabouts;
  readonly couriers: readonly Courier[];
  /** What follows an attempt that may have arrived, on a platform that recognises no repeat. */
  readonly ambiguous: Exclude<Repeats, 'recognised'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** When there is something to do for this chat: undefined while nothing waits. Pure. */
export function dueAt(queue: Queue, watchlists: Watchlists, now: Instant): Instant | undefined {
  const { left } = watchlists.read(queue.address);
  // What stands at an old address follows at once; a chat that is gone is left alone.
  if (left !== undefined && queue.open === undefined && queue.waiting.length === 0) return undefined;
  if (left !== undefined) return left.movedTo === undefined ? undefined : now;
  // A clock that was set back must not silence a chat until it has caught up.
  if (queue.open) return queue.open.sealedAt > now ? now : queue.open.notBefore;
  const gathered = ({ queuedAt }: Member): Instant => (queuedAt > now ? now : later(queuedAt, GATHER));
  const times = queue.waiting.map((member) => holdUntil(member, queue.address, watchlists, now) ?? gathered(member));
  return times.toSorted((a, b) => a - b)[0];
}

/** Delivers until nothing is due or `signal` says to stop; an attempt that has begun is finished. The caller sees to it that it runs once at a time per chat. */
export async function deliver(address: Address, context: DeliverContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = context.clock.now();
    const due = dueAt(context.queues.read(address), context.watchlists, now);
    if (due === undefined || due > now) return;
    const { left } = context.watchlists.read(address);
    const cut = context.queues.read(address).open;
    if (cut?.state === 'sending' && repeatsAt(address, context) !== 'recognised') {
      await conclude(address, { delivery: cut, outcome: { kind: 'unclear', because: 'line-cut' }, context });
      continue;
    }
    if (left?.movedTo !== undefined) return context.whereabouts.follow(address, left.movedTo);
    const open = context.queues.read(address).open ?? (await sealNext(address, context));
    // Nothing sealed although something was due: it was dropped, and what is left is looked at again.
    if (open === undefined) continue;
    await attempt(address, open, context);
  }
}

async function attempt(address: Address, open: Delivery, context: DeliverContext): Promise<void> {
  const { queues, clock } = context;
  const { open: sending = open } = await queues.change(address, (queue) => begin(queue, open, clock.now()));
  const outcome = await send(address, { delivery: sending, before: open }, context);
  await conclude(address, { delivery: sending, outcome, context });
}

/** Writes what follows from an attempt: a receipt, or the delivery as it waits for the next one. */
async function conclude(
  address: Address,
  { delivery, outcome, context }: { readonly delivery: Delivery; readonly outcome: Outcome; readonly context: DeliverContext },
): Promise<void> {
  const { queues, whereabouts, clock, random, log } = context;
  const settlement = settle(delivery, { outcome, now: clock.now(), jitter: random(), repeats: repeatsAt(address, context) });
  const fields = { address, delivery: delivery.id, events: delivery.members.length, attempts: delivery.attempts };
  if ('done' in settlement) {
    const { end, because = end } = settlement.done;
    const closed = (queue: Queue): Queue => close(queue, settlement.done);
    await queues.change(
      address,
      end === 'expired' ? (queue) => withoutStale(closed(queue), { because, now: clock.now(), context }) : closed,
    );
    log[settlement.done.end === 'sent' ? 'debug' : 'warn'](`delivery.${settlement.done.end}`, {
      ...fields,
      because: settlement.done.because,
    });
  } else {
    await queues.change(address, (queue) => reopen(queue, settlement.again));
    // Once per change of reason, not once per retry.
    if (delivery.problem !== settlement.again.problem) log.warn('delivery.again', { ...fields, because: settlement.again.problem });
    const { left } = settlement;
    if (left?.movedTo !== undefined) await whereabouts.take({ kind: 'moved', from: address, to: left.movedTo });
    else if (left !== undefined) await whereabouts.take({ kind: 'gone', chat: address, because: left.because });
  }
}

/** What stood behind a delivery that expired and is as old has no better prospects: without this a chat nobody can post in grows for ever. */
function withoutStale(queue: Queue, { because, now, context }: { because: string; now: Instant; context: DeliverContext }): Queue {
  const members = queue.waiting.filter(
    (member) => now - member.queuedAt > MAXIMUM_AGE && holdUntil(member, queue.address, context.watchlists, now) === undefined,
  );
  return drop(queue, { members, now, end: 'expired', because });
}

const courierOf = (address: Address, { couriers }: DeliverContext): Courier | undefined =>
  couriers.find((one) => one.platform === platformOf(address));

const repeatsAt = (address: Address, context: DeliverContext): Repeats =>
  courierOf(address, context)?.knowsRepeats === false ? context.ambiguous : 'recognised';

async function send(
  address: Address,
  { delivery, before }: { readonly delivery: Delivery; readonly before: Delivery },
  context: DeliverContext,
): Promise<Outcome> {
  const courier = courierOf(address, context);
  const { log } = context;
  if (courier === undefined) return { kind: 'held', because: `${platformOf(address)} is not connected` };
  try {
    return await courier.deliver(address, { id: delivery.id, reply: delivery.reply, firstTriedAt: before.firstTriedAt });
  } catch (cause) {
    // A courier turns what its platform does into outcomes; what it throws is our own mistake, and it may stand there already.
    log.error('delivery.threw', { address, delivery: delivery.id, cause });
    return { kind: 'unclear', because: 'server-error' };
  }
}

/** Seals what may be told now, at most ten events, oldest first. What can no longer be told is receipted with the reason, and blocks nothing. */
async function sealNext(address: Address, context: DeliverContext): Promise<Delivery | undefined> {
  const { queues, archive, watchlists, clock, log } = context;
  const now = clock.now();
  const free = queues.read(address).waiting.filter((member) => holdUntil(member, address, watchlists, now) === undefined);
  const [unwatched, wanted] = parted(free, (member) => entryOf(member, address, watchlists) === undefined);
  if (unwatched.length > 0) await queues.change(address, (queue) => drop(queue, { members: unwatched, now, because: 'no longer watched' }));
  const told = (
    await Promise.all(
      wanted.slice(0, MOST_MEMBERS).map(async (member) => tellingOf(member, entryOf(member, address, watchlists), { archive, log })),
    )
  ).filter((one) => one !== undefined);
  const lost = wanted.slice(0, MOST_MEMBERS).filter((member) => !told.some((one) => one.member === member));
  if (lost.length > 0)
    await queues.change(address, (queue) => drop(queue, { members: lost, now, because: 'the event can no longer be read' }));
  const [first, ...rest] = told;
  if (first === undefined) return undefined;
  const members = told.map((one) => one.member);
  const reply = compose(deliveryId(address, members), [first, ...rest]);
  const { open } = await queues.change(address, (queue) => seal(queue, { members, reply, now }));
  return open;
}

const parted = <T>(all: readonly T[], test: (one: T) => boolean): readonly [readonly T[], readonly T[]] => [
  all.filter(test),
  all.filter((one) => !test(one)),
];

async function tellingOf(
  member: Member,
  entry: Entry | undefined,
  { archive, log }: Pick<DeliverContext, 'archive' | 'log'>,
): Promise<Told | undefined> {
  try {
    const event = await archive.get(member.event);
    const telling = event && feedOf(event.feed)?.tell(event, { called: entry && calledHere(entry.target), crossings: member.crossings });
    if (event && telling) return { member, event, telling };
    log.error('delivery.event-missing', { member: member.event });
  } catch (cause) {
    // A store that is locked or full now is read again later; giving up over it would lose the alert.
    if (cause instanceof StoreError && cause.trouble !== 'unreadable') throw cause;
    log.error('delivery.event-unreadable', { member: member.event, cause });
  }
  return undefined;
}

const entryOf = (member: Member, address: Address, watchlists: Watchlists): Entry | undefined =>
  watchlists.read(address).entries.find((entry) => targetName(entry.target) === member.entry);

/** Until when a mute holds this event back; undefined when nothing does. */
const holdUntil = (member: Member, address: Address, watchlists: Watchlists, now: Instant): Instant | undefined =>
  mutedUntil(watchlists.read(address), entryOf(member, address, watchlists), now);
