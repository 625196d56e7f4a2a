/** Makes the next message of a chat and seals it: what may be told is told, what may not gets a receipt that says why, in one write. */
import type { Instant } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Address } from '../chat/address.js';
import { feedOf } from '../feeds/index.js';
import { StoreError } from '../store/store.js';
import type { Archive } from './archive.js';
import { maxAgeOf, next, tooOld, type Batch, type Free } from './batch.js';
import { compose, type Told } from './compose.js';
import { calledHere } from './entry.js';
import { headOf } from './head.js';
import { byAge, byImportance } from './importance.js';
import { deliveryId, drop, seal, type Delivery, type Dropping, type Queue } from './queue.js';
import type { Queues } from './queues.js';
import type { Watchlists } from './watchlists.js';

export interface SealingContext {
  readonly queues: Queues;
  readonly archive: Archive;
  readonly watchlists: Watchlists;
  readonly log: Log;
  /** Since when the process delivers. */
  readonly running?: Instant | undefined;
}

/** Seals what is due now. Undefined where nothing is, or where all that was due cannot be told: then there is a receipt for it, and less waits. */
export async function sealNext(address: Address, now: Instant, context: SealingContext): Promise<Delivery | undefined> {
  const { queues, watchlists, running } = context;
  const { batch } = next({ queue: queues.read(address), chat: watchlists.read(address), now, running }) ?? {};
  if (batch === undefined || batch.due > now) return undefined;
  const { told, drops } = await sorted(batch, { now, context });
  const { open } = await queues.change(address, (queue) => {
    // The chat may have moved meanwhile, and taken along what waited.
    const waiting = new Set(queue.waiting.map(({ event }) => event));
    if (!batch.members.every(({ member }) => waiting.has(member.event))) return queue;
    return sealed(drops.reduce(drop, queue), { told, batch, now });
  });
  return open;
}

interface Readable extends Told {
  readonly one: Free;
}

function sealed(queue: Queue, { told, batch, now }: { told: readonly Readable[]; batch: Batch; now: Instant }): Queue {
  const [first, ...rest] = told.toSorted((a, b) => (batch.kind === 'now' ? byImportance(a.event, b.event) : byAge(a.event, b.event)));
  if (first === undefined) return queue;
  const all = [first, ...rest] as const;
  const members = all.map(({ member }) => member);
  const head = batch.kind === 'summary' ? headOf([first.one, ...rest.map(({ one }) => one)]) : undefined;
  return seal(queue, {
    ...{ members, now, summary: head?.words },
    reply: compose({ id: deliveryId(queue.address, members), kind: batch.kind, told: all, head }),
    maxAge: Math.max(...all.map(({ entry }) => maxAgeOf(entry))),
  });
}

/** What of a batch can be told, and what cannot, each with its reason. */
async function sorted(
  batch: Batch,
  { now, context }: { now: Instant; context: SealingContext },
): Promise<{ readonly told: readonly Readable[]; readonly drops: readonly Dropping[] }> {
  const unwatched = batch.members.filter(({ member, entry }) => entry === undefined && member.sample !== true);
  const read = await Promise.all(
    batch.members.filter((one) => !unwatched.includes(one)).map(async (one) => ({ one, told: await readable(one, context) })),
  );
  const lost = read.filter(({ told }) => told === undefined).map(({ one }) => one);
  const verdicts = read.flatMap(({ one, told }) => (told === undefined ? [] : [{ told, because: tooOld(one, told.event, now) }]));
  const old = [...new Set(verdicts.flatMap(({ because }) => (because === undefined ? [] : [because])))].map((because) => ({
    ...{ end: 'expired' as const, now, because },
    members: verdicts.flatMap((verdict) => (verdict.because === because ? [verdict.told.member] : [])),
  }));
  const membersOf = (all: readonly Free[]) => all.map(({ member }) => member);
  return {
    told: verdicts.flatMap(({ told, because }) => (because === undefined ? [told] : [])),
    drops: [
      { members: membersOf(unwatched), now, because: 'no longer watched' },
      { members: membersOf(lost), now, because: 'the event can no longer be read' },
      ...old,
    ],
  };
}

async function readable(one: Free, { archive, log }: SealingContext): Promise<Readable | undefined> {
  const { member, entry } = one;
  try {
    const event = await archive.get(member.event);
    const telling = event && feedOf(event.feed)?.tell(event, { called: entry && calledHere(entry.target), crossings: member.crossings });
    if (event && telling) return { one, member, entry, event, telling };
    log.error('delivery.event-missing', { member: member.event });
  } catch (cause) {
    // A store that is locked or full now is read again later; giving up over it would lose the alert.
    if (cause instanceof StoreError && cause.trouble !== 'unreadable') throw cause;
    log.error('delivery.event-unreadable', { member: member.event, cause });
  }
  return undefined;
}
