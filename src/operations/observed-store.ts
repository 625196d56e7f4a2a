/** Reports every store operation to metrics and the lease, and keeps a store outage from filling the log. */
import { StoreError, type Collection, type CollectionSpec, type Store, type StoreTrouble } from '../store/store.js';
import { HOUR, MINUTE, type Clock, type Instant } from '../base/clock.js';
import type { Log } from '../base/log.js';

export interface StoreCall {
  readonly operation: 'get' | 'set' | 'set-if-absent' | 'delete' | 'list' | 'check';
  readonly ms: number;
  /** The error with which the call rejected. */
  readonly failure?: unknown;
}

/** Wraps a store. Scans are not reported, because their duration includes the caller's work. */
export function observedStore(store: Store, called: (call: StoreCall) => void): Store {
  const observed = async <T>(operation: StoreCall['operation'], work: Promise<T>): Promise<T> => {
    const begun = performance.now();
    try {
      const result = await work;
      called({ operation, ms: performance.now() - begun });
      return result;
    } catch (failure) {
      called({ operation, ms: performance.now() - begun, failure });
      throw failure;
    }
  };
  return {
    ...store,
    collection<T>(spec: CollectionSpec<T>): Collection<T> {
      const documents = store.collection(spec);
      return {
        ...documents,
        get: async (key) => observed('get', documents.get(key)),
        set: async (key, document) => observed('set', documents.set(key, document)),
        setIfAbsent: async (key, document) => observed('set-if-absent', documents.setIfAbsent(key, document)),
        delete: async (key) => observed('delete', documents.delete(key)),
        list: async (under) => observed('list', documents.list(under)),
      };
    },
    check: async () => observed('check', store.check()),
  };
}

/** Troubles of the whole store, not of one document. */
const OUTAGES: ReadonlySet<StoreTrouble> = new Set(['full', 'read-only', 'moved', 'unreachable', 'denied', 'locked']);
/** The outage ends only after this time without a failure, because a full disk may accept a small document and refuse the next. */
const CALM = MINUTE;
const MAX_CAUSES = 5;

interface Outage {
  readonly since: Instant;
  lastFailure: Instant;
  loggedAt: Instant;
  /** The number of lines that were left out. */
  hidden: number;
  readonly events: Set<string>;
}

/** Limits the log during an outage: a line when it begins, one an hour, one when it ends, and each kind of failure once. */
interface StoreOutageLog {
  /** The log that every other part of the process must use. */
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
      // Reads do not end an outage, because a full disk can still be read.
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
