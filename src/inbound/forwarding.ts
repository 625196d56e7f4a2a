/** Forwards updates to the active process. */
import { HOUR, SECOND, type Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { ForwardedUpdate, Forwarding } from '../chat/forwarding.js';
import type { SharedEngine } from '../store/store.js';
import type { InboundRecords } from './records.js';

/** So many crashes may be due to the question. */
const MAX_TRIES = 2;
const CHECKED_EVERY = 5 * SECOND;
/** A killed process's lease goes on for 15 s. */
const MAX_CHECKS = 24;

export interface ForwardingDeps {
  readonly role: Forwarding['role'];
  readonly records: InboundRecords;
  readonly shared: Pick<SharedEngine, 'holder' | 'add'>;
  readonly clock: Clock;
  readonly log: Log;
}

export function createForwarding({ role, records, shared, clock, log }: ForwardingDeps): Forwarding {
  const nameOf = ({ platform, chat, id }: ForwardedUpdate): string => `tries/${platform}/${chat}/${id}`;
  return {
    role,
    keep: records.keep,
    drop: records.drop,
    waits: records.waits,
    async mayTry(update) {
      try {
        return (await shared.add(nameOf(update), 1, { limit: MAX_TRIES, ttlMs: HOUR })) !== undefined;
      } catch (error) {
        log.debug('inbound.tries-not-counted', { error });
        return true;
      }
    },
    async isStuck(update, signal) {
      try {
        let isFree = false;
        for (let checks = 0; checks < MAX_CHECKS; checks += 1) {
          await clock.sleep(CHECKED_EVERY, signal);
          if (!(await records.has(update))) return false;
          const wasFree = isFree;
          isFree = (await shared.holder()) === undefined;
          if (isFree && wasFree) return true;
        }
        return false;
      } catch {
        return false; // Stopping, or the engine is away: then nothing is known of the active process.
      }
    },
  };
}
