/** Single flight: concurrent calls with the same key share one request. A caller that aborts does not affect the others. */
import type { Instant } from '../domain/scalars.js';

/** A request with all its callers. */
export interface Ride {
  /** Aborts when the last caller has left. */
  readonly signal: AbortSignal;
  /** The latest deadline of its callers. */
  readonly by: () => Instant;
  /** Whether a caller waits with priority `question`. */
  readonly urgent: () => boolean;
}

export interface Passenger {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly by: Instant;
  readonly urgent: boolean;
}

export interface Flights<T> {
  /** Rejects with the error of the shared call, or with the reason of the caller's signal. `start` runs unless the key is in flight. */
  join(passenger: Passenger, start: (ride: Ride) => Promise<T>): Promise<T>;
  /** Aborts all shared calls with `reason`. Resolves when they have ended. */
  close(reason: Error): Promise<void>;
}

interface Flight<T> {
  readonly control: AbortController;
  readonly answer: Promise<T>;
  by: Instant;
  urgent: boolean;
  aboard: number;
}

/** `hasten` gets the key of a poll that a question has joined. */
export function createFlights<T>(hasten: (key: string) => void): Flights<T> {
  const open = new Map<string, Flight<T>>();

  const depart = ({ key, by, urgent }: Passenger, start: (ride: Ride) => Promise<T>): Flight<T> => {
    const control = new AbortController();
    const wishes = { by, urgent };
    const answer = start({ signal: control.signal, by: () => wishes.by, urgent: () => wishes.urgent });
    answer.catch(() => {}); // The callers get the error; without callers it is ignored.
    const flight = Object.assign(wishes, { control, answer, aboard: 0 });
    open.set(key, flight);
    return flight;
  };

  return {
    async join(passenger, start) {
      const { key, signal, by, urgent } = passenger;
      signal.throwIfAborted();
      const flight = open.get(key) ?? depart(passenger, start);
      flight.aboard += 1;
      if (by > flight.by) flight.by = by;
      if (urgent && !flight.urgent) {
        flight.urgent = true;
        hasten(key);
      }
      try {
        return await unless(signal, flight.answer);
      } finally {
        flight.aboard -= 1;
        if (flight.aboard === 0) {
          if (open.get(key) === flight) open.delete(key);
          flight.control.abort(new Error('nobody waits for it any more'));
        }
      }
    },
    async close(reason) {
      const flights = [...open.values()];
      for (const { control } of flights) control.abort(reason);
      await Promise.allSettled(flights.map(async ({ answer }) => answer));
    },
  };
}

/** Settles as the promise, or rejects with the signal's reason if that is first. */
function unless<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason }));
    };
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', leave);
    });
  });
}
