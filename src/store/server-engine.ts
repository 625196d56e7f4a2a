/** What the engines on a database server share: their port, their failures, the server's clock and its address. */
import type { KeyRange, StoredText } from './backend.js';
import type { Write } from './group-commit.js';
import { StoreError, type CounterLimit, type CounterRate, type LeaseHolder, type ServerFacts } from './store.js';
import { FORMAT } from './format.js';
import { parsedUrl } from '../base/parsed-url.js';

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
  /** Milliseconds. Nothing is written later, so that a paused server's statement undoes nothing newer. */
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
