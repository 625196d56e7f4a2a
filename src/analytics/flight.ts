/** Single flight: whoever asks what is being asked already waits for the same answer. One who leaves does not take it from the others. */
import type { Instant } from '../domain/scalars.js';

/** What those who wait want together. */
export interface Ride {
  /** Aborted when the last one has left. */
  readonly signal: AbortSignal;
  /** When the most patient one gives up. */
  readonly by: () => Instant;
  /** Whether a person is among them. */
  readonly urgent: () => boolean;
}

export interface Passenger {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly by: Instant;
  readonly urgent: boolean;
}

export interface Flights<T> {
  /** Rejects with the flight's error, or with this passenger's signal's reason. `start` runs when nobody asks the same yet. */
  join(passenger: Passenger, start: (ride: Ride) => Promise<T>): Promise<T>;
  /** Ends every flight; those aboard reject with `reason`. Resolves when all have ended. */
  close(reason: Error): Promise<void>;
}

interface Flight<T> {
  readonly control: AbortController;
  readonly answer: Promise<T>;
  by: Instant;
  urgent: boolean;
  aboard: number;
}

/** `hasten` is told the key of a flight that a person joined after it began as a poll. */
export function createFlights<T>(hasten: (key: string) => void): Flights<T> {
  const open = new Map<string, Flight<T>>();

  const depart = ({ key, by, urgent }: Passenger, start: (ride: Ride) => Promise<T>): Flight<T> => {
    const control = new AbortController();
    const wishes = { by, urgent };
    const answer = start({ signal: control.signal, by: () => wishes.by, urgent: () => wishes.urgent });
    answer.catch(() => {}); // Whoever is aboard hears of it; if all have left, nobody needs to.
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

/** The promise's outcome, or the signal's reason when that comes first. */
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
