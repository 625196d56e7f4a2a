/** Forwards updates to the active process, over records and counters of the shared engine. */
import { HOUR, SECOND, type Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { ForwardedUpdate, Forwarding } from '../chat/forwarding.js';
import type { SharedEngine } from '../store/shared.js';
import type { InboundRecords } from './records.js';

/** So many crashes may be due to the question. */
const MAX_TRIES = 2;
/** Longer than a takeover that was announced, shorter than people wait. */
const STUCK_AFTER = 5 * SECOND;

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
        await clock.sleep(STUCK_AFTER, signal);
        return (await records.has(update)) && (await shared.holder()) === undefined;
      } catch {
        return false; // Stopping, or the engine is away: then nothing is known of the active process.
      }
    },
  };
}
