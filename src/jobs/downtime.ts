/** `heartbeat/bot`, every minute: the next start knows the downtime. */
import { z } from 'zod';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { instantSchema, type Instant } from '../domain/scalars.js';
import { ifUnreadable, StoreError, type Store } from '../store/store.js';
import { OUTAGE, type OutageOfBot } from './late-events.js';

const heartbeatSchema = z.object({
  at: instantSchema,
  away: z.object({ from: instantSchema, to: instantSchema }).optional(),
});
type Beat = z.infer<typeof heartbeatSchema>;

const KEY = 'bot';

export interface Heartbeat {
  /** Half an hour or more; kept over restarts. */
  away(): OutageOfBot | undefined;
  /** A sleeping machine counts as downtime. */
  beat(): Promise<void>;
}

const collectionIn = (store: Store) => store.collection({ prefix: 'heartbeat', schema: heartbeatSchema, version: 1 });

/** When the bot last ran on this store; undefined: never, or it cannot be read. */
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

/** A clock set back is no downtime. */
function following(last: Beat | undefined, now: Instant): Beat {
  if (last !== undefined && now - last.at >= OUTAGE) return { at: now, away: { from: last.at, to: now } };
  return { at: now, ...(last?.away === undefined || last.away.to > now ? {} : { away: last.away }) };
}
