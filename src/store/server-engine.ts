/** Shared by the engines on a database server: their interface, errors, the server's clock and its URL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { backoff } from '../base/backoff.js';
import { parsedUrl } from '../base/parsed-url.js';
import { type KeyRange, type StoredText, FORMAT } from './backend.js';
import type { Write } from './group-commit.js';
import { StoreError, type CounterLimit, type CounterRate, type LeaseHolder, type ServerFacts, type StoreTrouble } from './store.js';

/** An engine on a database server. All methods reject with a `StoreError`. */
export interface ServerEngine {
  /** The server's name for people, without a password. */
  readonly place: string;
  get(key: string): Promise<string | undefined>;
  range(range: KeyRange): Promise<readonly StoredText[]>;
  /** Writes a batch in one transaction. */
  write(batch: ServerBatch): Promise<BatchResult>;
  /** Takes or extends the lease. Resolves with undefined if another owner holds it. */
  acquire(lease: LeaseRequest): Promise<LeaseGrant | undefined>;
  release(owner: string): Promise<void>;
  holder(): Promise<LeaseHolder | undefined>;
  take(counter: string, rate: CounterRate): Promise<number>;
  add(counter: string, amount: number, options: CounterLimit): Promise<number | undefined>;
  /** Deletes expired counters. */
  tidy(): Promise<void>;
  inspect(): Promise<ServerFacts>;
  close(): Promise<void>;
}

export interface ServerBatch {
  /** Undefined if any process may write. */
  readonly lease: { readonly owner: string; readonly epoch: number } | undefined;
  /** The writes, with each key once. */
  readonly writes: readonly Write[];
  /** The value is in milliseconds. The server refuses the batch afterwards, so that a delayed statement cannot overwrite newer writes. */
  readonly withinMs: number;
}

/** `kept` holds the keys at which `ifAbsent` found a document. `moved` means that it is another database. */
export type BatchResult =
  | { readonly kind: 'written'; readonly kept: ReadonlySet<string> }
  | { readonly kind: 'superseded' }
  | { readonly kind: 'moved' }
  | { readonly kind: 'late' };

export interface LeaseRequest {
  /** Unique for each opened store. */
  readonly owner: string;
  readonly holder: string;
  readonly ttlMs: number;
}

export interface LeaseGrant {
  readonly epoch: number;
}

export const moved = (place: string): StoreError =>
  new StoreError(
    'moved',
    `store: the data of Navwatch in ${place} was deleted or replaced while it was open, so nothing is saved; restore a backup if it was not you, then restart Navwatch`,
  );

export const newer = (place: string, format: number): StoreError =>
  new StoreError(
    'newer',
    `store: ${place} was written by a newer Navwatch (its format is ${format}, this Navwatch knows ${FORMAT}); run that one, or restore a backup made before it`,
  );

/** Estimates a server's clock from its replies. */
export interface ServerClock {
  /** Takes a reply's server time. `sentAt` and `receivedAt` are local times around it, all in milliseconds. */
  observe(reply: { readonly sentAt: number; readonly receivedAt: number; readonly serverMs: number }): void;
  /** Converts a local time to the server's clock. The result is never later than the server's time. */
  atServer(localMs: number): number;
}

/** Opens a server clock. Slow replies do not move its offset; a changed clock does. `onTime` gets each server time. */
export function openServerClock(onTime: (serverMs: number) => void = () => {}): ServerClock {
  let offset: number | undefined;
  return {
    observe({ sentAt, receivedAt, serverMs }) {
      const [low, high] = [serverMs - receivedAt, serverMs - sentAt];
      offset = offset === undefined ? low : Math.min(Math.max(offset, low), high);
      onTime(serverMs);
    },
    atServer: (localMs) => localMs + (offset ?? 0),
  };
}

/** Returns undefined for an invalid URL, whose error would quote the password, and for a password with unescaped characters that would end up in the host. */
export function parsedServerUrl(url: string): URL | undefined {
  const parsed = parsedUrl(url);
  return parsed?.hash === '' && !parsed.pathname.includes('@') ? parsed : undefined;
}

/** Parses a server URL. Throws a `StoreError` that does not quote it. */
export function serverUrl(scheme: string, rest: string): URL {
  const url = parsedServerUrl(`${scheme}://${rest}`);
  if (url !== undefined) return url;
  throw new StoreError(
    'failed',
    `store: the ${scheme}:// address in STORE_URL is not understood; use ${scheme}://<user>:<password>@<host>:<port>/<database>, with %40 for an @ in the password, %2F for a / and %23 for a #`,
  );
}

/** Returns the URL without password and options. */
export function placeOf(url: URL): string {
  const place = new URL(url);
  place.password = '';
  place.search = '';
  place.hash = '';
  return String(place);
}

/** Returns the passwords, encoded and decoded. */
export function passwordsOf({ password, searchParams }: URL): readonly string[] {
  const option = searchParams.get('password');
  return [password, decoded(password), ...(option === null ? [] : [option])].filter((text) => text !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // The text has a "%" that is no escape, so it is the password itself.
  }
}

export interface ServerOptions {
  /** How long a call waits for an unreachable server, in milliseconds; 5,000 by default. */
  readonly serverWaitMs?: number;
  /** Called with the server's time, in Unix milliseconds. */
  readonly onTime?: ((serverMs: number) => void) | undefined;
}

export const DEFAULT_SERVER_WAIT_MS = 5_000;

/** How long further calls wait once the server was found unreachable, in milliseconds. */
const AWAY_WAIT_MS = 1_000;

/** The value is in milliseconds. A longer gap between two ticks means that this process was late, and not the server. */
const OWN_DELAY_MS = 500;
const WATCH_MS = 100;

const PAUSE = { first: 50, most: 500 };

const PASSING: ReadonlySet<StoreTrouble> = new Set(['unreachable', 'locked']);

/** Runs `work` and retries it for a while. It gets the milliseconds left and the number of the attempt. */
export type Patience = <T>(work: (leftMs: number, attempt: number) => Promise<T>) => Promise<T>;

/** Waits up to `maxWaitMs` for an unreachable server. */
export function openPatience(maxWaitMs: number): Patience {
  let isAway = false;
  return async (work) => {
    let end = performance.now() + (isAway ? Math.min(AWAY_WAIT_MS, maxWaitMs) : maxWaitMs);
    for (let attempt = 0; ; attempt += 1) {
      const pause = backoff(PAUSE, attempt + 1);
      const delay = watchOwnDelay();
      try {
        const result = await work(Math.max(1, end - performance.now()), attempt).finally(delay.end);
        isAway = false;
        return result;
      } catch (error) {
        const isPassing = error instanceof StoreError && PASSING.has(error.trouble);
        // This process was paused or busy, so the server gets its full time again.
        if (attempt === 0 && delay.longestMs() > OWN_DELAY_MS) end = performance.now() + maxWaitMs;
        if (!isPassing || performance.now() + pause >= end) {
          isAway = isPassing;
          throw error;
        }
        await sleep(pause);
      }
    }
  };
}

/** Measures how long this process was too busy or paused to read answers. */
function watchOwnDelay(): { readonly end: () => void; readonly longestMs: () => number } {
  let last = performance.now();
  let longest = 0;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last - WATCH_MS);
    last = now;
  };
  const timer = setInterval(look, WATCH_MS).unref();
  const end = (): void => {
    clearInterval(timer);
    look();
  };
  return { end, longestMs: () => longest };
}
