/** What the engines on a database server share: their port, their failures, the server's clock and its address. */
import { setTimeout as sleep } from 'node:timers/promises';
import { backoff } from '../base/backoff.js';
import { parsedUrl } from '../base/parsed-url.js';
import { type KeyRange, type StoredText, FORMAT } from './backend.js';
import type { Write } from './group-commit.js';
import { StoreError, type CounterLimit, type CounterRate, type LeaseHolder, type ServerFacts, type StoreTrouble } from './store.js';

/** All methods reject with a `StoreError`. */
export interface ServerEngine {
  /** It never contains a password. */
  readonly place: string;
  get(key: string): Promise<string | undefined>;
  range(range: KeyRange): Promise<readonly StoredText[]>;
  /** The batch is one transaction. */
  write(batch: ServerBatch): Promise<BatchResult>;
  /** It is undefined if another owner has the lease. */
  acquire(lease: LeaseRequest): Promise<LeaseGrant | undefined>;
  release(owner: string): Promise<void>;
  holder(): Promise<LeaseHolder | undefined>;
  take(counter: string, rate: CounterRate): Promise<number>;
  add(counter: string, amount: number, options: CounterLimit): Promise<number | undefined>;
  /** Deletes counters that are over. */
  tidy(): Promise<void>;
  inspect(): Promise<ServerFacts>;
  close(): Promise<void>;
}

export interface ServerBatch {
  /** It is undefined where any process may write. */
  readonly lease: { readonly owner: string; readonly epoch: number } | undefined;
  /** Each key is there once. */
  readonly writes: readonly Write[];
  /** It is in milliseconds. Nothing is written later, so that a paused server's statement undoes nothing newer. */
  readonly withinMs: number;
}

/** `kept` has the keys at which `ifAbsent` found a document, and `moved` means another database. */
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
  /** `sentAt` and `receivedAt` are local times and `serverMs` is in between, all in milliseconds. */
  observe(reply: { readonly sentAt: number; readonly receivedAt: number; readonly serverMs: number }): void;
  /** The time as the server's clock shows it, and never later. */
  atServer(localMs: number): number;
}

/** A slow reply does not move the offset, a changed clock does. `onTime` gets each time that the server shows. */
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

/** Undefined: not a URL (Node's own error would hold the password), or a password with signs that end it: its rest would be shown as the host. */
export function parsedServerUrl(url: string): URL | undefined {
  const parsed = parsedUrl(url);
  return parsed?.hash === '' && !parsed.pathname.includes('@') ? parsed : undefined;
}

/** Throws a `StoreError` that does not repeat the address. */
export function serverUrl(scheme: string, rest: string): URL {
  const url = parsedServerUrl(`${scheme}://${rest}`);
  if (url !== undefined) return url;
  throw new StoreError(
    'failed',
    `store: the ${scheme}:// address in STORE_URL is not understood; use ${scheme}://<user>:<password>@<host>:<port>/<database>, with %40 for an @ in the password, %2F for a / and %23 for a #`,
  );
}

/** No password, and no options. */
export function placeOf(url: URL): string {
  const place = new URL(url);
  place.password = '';
  place.search = '';
  place.hash = '';
  return String(place);
}

/** The passwords, as they are written and as they are. */
export function passwordsOf({ password, searchParams }: URL): readonly string[] {
  const option = searchParams.get('password');
  return [password, decoded(password), ...(option === null ? [] : [option])].filter((text) => text !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A % that begins no escape: the password is what is written.
  }
}

export interface ServerOptions {
  /** This is how long a call waits for a server that is away. The default is 5,000. */
  readonly serverWaitMs?: number;
  /** Gets the time that the server shows with its replies, in Unix milliseconds. */
  readonly onTime?: ((serverMs: number) => void) | undefined;
}

export const DEFAULT_SERVER_WAIT_MS = 5_000;

/** This is how long to wait while the server has not been reached. */
const AWAY_WAIT_MS = 1_000;

/** A gap longer than this between two moments of reading means that this process, not the server, was late. */
const OWN_DELAY_MS = 500;
const WATCH_MS = 100;

const PAUSE = { first: 50, most: 500 };

const PASSING: ReadonlySet<StoreTrouble> = new Set(['unreachable', 'locked']);

/** `work` gets the milliseconds left, and the number of the attempt. */
export type Patience = <T>(work: (leftMs: number, attempt: number) => Promise<T>) => Promise<T>;

/** A server that is away is waited for `maxWaitMs`. */
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
        // This process was paused or busy, so the server did not have the time.
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

/** The process could not read answers in time because it was busy or paused. */
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
