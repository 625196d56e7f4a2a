/** Keeps a store that is away or full from filling the log: one line when that begins, one an hour, one when it ends, and each kind of failure once. */
import { HOUR, MINUTE, type Clock, type Instant } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { StoreError, type StoreTrouble } from '../store/store.js';
import type { StoreCall } from './observed-store.js';

/** Of the whole store, not of a document. */
const OUTAGES: ReadonlySet<StoreTrouble> = new Set(['full', 'read-only', 'moved', 'unreachable', 'denied', 'locked']);
/** A full disk may take a small document and refuse the next. */
const CALM = MINUTE;
const MAX_CAUSES = 5;

interface Outage {
  readonly since: Instant;
  lastFailure: Instant;
  loggedAt: Instant;
  /** Lines that were left out. */
  hidden: number;
  readonly events: Set<string>;
}

export interface StoreOutageLog {
  /** For every other part of the process. */
  readonly log: Log;
  called(call: StoreCall): void;
}

export function createStoreOutageLog(log: Log, clock: Pick<Clock, 'now'>): StoreOutageLog {
  let outage: Outage | undefined;

  const failed = (error: StoreError): void => {
    const now = clock.now();
    const { trouble } = error;
    if (outage === undefined) {
      outage = { since: now, lastFailure: now, loggedAt: now, hidden: 0, events: new Set() };
      log.error('store.failing', { trouble, error });
      return;
    }
    outage.lastFailure = now;
    if (now - outage.loggedAt < HOUR) return;
    log.error('store.failing', { trouble, error, hidden: outage.hidden });
    outage.loggedAt = now;
  };
  const worked = (): void => {
    const now = clock.now();
    if (outage === undefined || now - outage.lastFailure < CALM) return;
    log.info('store.well-again', { seconds: Math.round((now - outage.since) / 1_000), hidden: outage.hidden });
    outage = undefined;
  };
  const writing =
    (level: 'error' | 'warn'): Log['error'] =>
    (event, fields = {}) => {
      if (outage !== undefined && isOfOutage(fields)) {
        if (outage.events.has(event)) {
          outage.hidden += 1;
          return;
        }
        outage.events.add(event);
      }
      log[level](event, fields);
    };

  return {
    log: { ...log, error: writing('error'), warn: writing('warn') },
    called({ operation, failure }) {
      if (failure instanceof StoreError && OUTAGES.has(failure.trouble)) failed(failure);
      // A full disk can still be read.
      else if (failure === undefined && operation !== 'get' && operation !== 'list') worked();
    },
  };
}

function isOfOutage({ error, cause = error }: Readonly<Record<string, unknown>>): boolean {
  let one = cause;
  for (let depth = 0; depth < MAX_CAUSES && one instanceof Error; depth += 1) {
    if (one instanceof StoreError) return OUTAGES.has(one.trouble);
    one = one.cause;
  }
  return false;
}
