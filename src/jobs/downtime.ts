/** This module records outages of bot and service, and finds late events. `heartbeat/bot` is written every minute to measure downtime. */
import { z } from 'zod';
import { MINUTE, later, type Clock, type Instant } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { instantSchema } from '../domain/scalars.js';
import { StoreError, ifUnreadable, type Store } from '../store/store.js';
import type { CheckRecord } from '../alerts/checks/check-records.js';
import type { Member } from '../alerts/queue/queue.js';
import type { FeedEvent } from '../domain/event.js';

const heartbeatSchema = z.object({
  at: instantSchema,
  away: z.object({ from: instantSchema, to: instantSchema }).optional(),
});
type Beat = z.infer<typeof heartbeatSchema>;

const KEY = 'bot';

export interface Heartbeat {
  /** Returns the last downtime of half an hour or more. Kept over restarts. */
  away(): OutageOfBot | undefined;
  /** Writes the heartbeat. Time in which the machine slept counts as downtime. */
  beat(): Promise<void>;
}

const collectionIn = (store: Store) => store.collection({ prefix: 'heartbeat', schema: heartbeatSchema, version: 1 });

/** Returns when the bot last ran on this store; undefined if it never did or the document is unreadable. */
export const readLastSeen = async (store: Store): Promise<Instant | undefined> =>
  (await collectionIn(store).get(KEY).catch(ifUnreadable))?.at;

export async function openHeartbeat({ store, clock, log }: { store: Store; clock: Clock; log: Log }): Promise<Heartbeat> {
  const documents = collectionIn(store);
  let last = await read();
  const beat = async (): Promise<void> => {
    last = following(last, clock.now());
    await documents.set(KEY, last);
  };
  await beat();
  if (last?.away?.to === last?.at && last?.away !== undefined) log.info('bot.was-away', { milliseconds: last.away.to - last.away.from });
  return { away: () => last?.away, beat };

  async function read(): Promise<Beat | undefined> {
    try {
      return await documents.get(KEY);
    } catch (cause) {
      if (!(cause instanceof StoreError) || cause.trouble !== 'unreadable') throw cause;
      log.warn('heartbeat.unreadable', { cause });
      return undefined;
    }
  }
}

/** Returns the next heartbeat. A clock that was set back is not downtime. */
function following(last: Beat | undefined, now: Instant): Beat {
  if (last !== undefined && now - last.at >= OUTAGE) return { at: now, away: { from: last.at, to: now } };
  return { at: now, ...(last?.away === undefined || last.away.to > now ? {} : { away: last.away }) };
}

export const OUTAGE = 30 * MINUTE;

export interface OutageOfBot {
  readonly from: Instant;
  readonly to: Instant;
}

type Last = Pick<CheckRecord, 'okAt' | 'failingSince'>;

/** Says why a check's events are late: `bot` for the first success after a downtime in which it was due, `service` after long failures. */
export function lateCheck(
  last: Last | undefined,
  { away, triedAt, every }: { readonly away: OutageOfBot | undefined; readonly triedAt: Instant; readonly every: number },
): Member['late'] {
  if (away !== undefined && last?.okAt !== undefined && last.okAt < away.to && later(last.okAt, every) <= away.to)
    return { because: 'bot', since: away.from };
  return last?.failingSince !== undefined && triedAt - last.failingSince >= OUTAGE
    ? { because: 'service', since: last.failingSince }
    : undefined;
}

/** Marks an event as late that was found before the bot's downtime and routed after it. */
export const lateEvent = ({ detectedAt }: Pick<FeedEvent, 'detectedAt'>, away: OutageOfBot | undefined): Member['late'] =>
  away !== undefined && detectedAt < away.to ? { because: 'bot', since: away.from } : undefined;

/** Returns since when checks fail; never a time in the future. */
export function failingSince(last: Last | undefined, triedAt: Instant): Instant {
  const since = last?.failingSince ?? triedAt;
  return since < triedAt ? since : triedAt;
}
