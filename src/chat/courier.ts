/** How a platform delivers what nobody asked for. An outcome is shaped like the next move, not like a status code. */
import type { Address } from './address.js';
import type { Reply } from './reply.js';
import type { Instant } from '../domain/scalars.js';

export type Outcome =
  | { readonly kind: 'sent'; readonly messageId: string }
  /** Nothing was posted; try again, after `afterMs` where the platform says so. */
  | { readonly kind: 'later'; readonly because: 'rate-limited' | 'unreachable' | 'server-error'; readonly afterMs?: number }
  /** It may stand there already. */
  | { readonly kind: 'unclear'; readonly because: 'line-cut' | 'timeout' | 'server-error' }
  /** People can mend this: a permission, a closed topic. */
  | { readonly kind: 'held'; readonly because: string }
  /** The chat has another address now; send it there. */
  | { readonly kind: 'moved'; readonly to: Address }
  /** The chat no longer exists for us: deleted, blocked, or we were removed. */
  | { readonly kind: 'gone'; readonly because: string }
  /** The platform will never take this message. */
  | { readonly kind: 'refused'; readonly detail: string };

/** A delivery as a courier sees it: sealed, so its content and its id never change between attempts. */
export interface Parcel {
  /** Stable over restarts; the key by which a platform that can will recognise a repeat. */
  readonly id: string;
  readonly reply: Reply;
  /** When it was first handed over; absent at the first attempt. A platform that forgets ids after a while reads its channel back by then. */
  readonly firstTriedAt?: Instant;
}

/** What a request is for: answers go before alerts, and alerts that ring before silent ones. */
export type SlotKind = 'answer' | 'ringing' | 'silent';

/** Permission to send one request now, in the platform's rate limits. It is ended once; ending it again changes nothing. */
export interface Slot {
  /** The platform has answered, or nobody knows whether it will. */
  answered(): void;
  /** It was sent too fast; after so many milliseconds the chat may be tried again. */
  refused(milliseconds?: number): void;
  /** Nothing was sent. */
  unused(): void;
}

/** What prevents posting in a chat: permissions that are missing, as the platform names them, or another reason, as sentences with the remedy. */
export interface Probe {
  readonly missing: readonly string[];
  readonly blocked?: string;
}

export interface Courier {
  readonly platform: string;
  /** Whether a repeat under the same id is recognised, so that an unclear attempt can safely be repeated. */
  readonly knowsRepeats: boolean;
  /** Waits for a slot for an alert that is due since then; undefined once `signal` aborts. Absent: the platform has no limits. */
  slot?(
    to: Address,
    alert: { readonly kind: Exclude<SlotKind, 'answer'>; readonly since: Instant },
    signal: AbortSignal,
  ): Promise<Slot | undefined>;
  /** Resolves within a time of the platform's own, without waiting for a limit; it does not reject for what a platform may do. */
  deliver(to: Address, parcel: Parcel): Promise<Outcome>;
  /** Looks whether alerts could be posted there, without posting. */
  probe(to: Address): Promise<Probe>;
  /** Whether the platform works, in a few words for `/status`; `problem`: the sentence where it works in part. */
  diagnose(): Promise<{ readonly ok: boolean; readonly says: string; readonly problem?: string }>;
}
