/** The port through which alerts are delivered on a platform. An outcome names the next action, not a status code. */
import type { Address } from './address.js';
import type { Reply } from './reply.js';
import type { Instant } from '../domain/scalars.js';

export type Outcome =
  | { readonly kind: 'sent'; readonly messageId: string }
  /** Nothing was posted; try again, after `afterMs` where the platform says so. */
  | { readonly kind: 'later'; readonly because: 'rate-limited' | 'unreachable' | 'server-error'; readonly afterMs?: number }
  /** It may have arrived. */
  | { readonly kind: 'unclear'; readonly because: 'line-cut' | 'timeout' | 'server-error' }
  /** People in the chat can correct this: a missing permission, a closed topic. */
  | { readonly kind: 'held'; readonly because: string }
  /** The chat has another address now; send it there. */
  | { readonly kind: 'moved'; readonly to: Address }
  /** The chat was deleted, the bot was blocked, or it was removed. */
  | { readonly kind: 'gone'; readonly because: string }
  /** The platform will never take this message. */
  | { readonly kind: 'refused'; readonly detail: string };

/** What a notifier delivers. Its content and id are the same at every attempt. */
export interface DeliveryRequest {
  /** The same after a restart, so that a platform that recognises ids recognises a repeat. */
  readonly id: string;
  readonly reply: Reply;
  /** The time of the first attempt, absent at it. A platform that forgets ids reads its channel back from then on. */
  readonly firstTriedAt?: Instant;
}

/** What a request is for: answers go before alerts, and alerts that ring before silent ones. */
export type SlotKind = 'answer' | 'ringing' | 'silent';

/** Permission to send one request now, within the platform's rate limits. It is ended once; ending it again changes nothing. */
export interface Slot {
  /** The platform has answered, or the answer is lost. */
  answered(): void;
  /** It was sent too fast; after so many milliseconds the chat may be tried again. */
  refused(milliseconds?: number): void;
  /** Nothing was sent. */
  unused(): void;
}

/** What prevents posting in a chat: missing permissions, as the platform names them, or another reason, as a sentence with the remedy. */
export interface Probe {
  readonly missing: readonly string[];
  readonly blocked?: string;
}

export interface Notifier {
  readonly platform: string;
  /** Whether a repeat under the same id is recognised, so that an unclear attempt can safely be repeated. */
  readonly knowsRepeats: boolean;
  /** Waits for a slot for an alert that is due since then; undefined once `signal` aborts. Absent: the platform has no limits. */
  slot?(
    to: Address,
    alert: { readonly kind: Exclude<SlotKind, 'answer'>; readonly since: Instant },
    signal: AbortSignal,
  ): Promise<Slot | undefined>;
  /** Resolves within the platform's own deadline, without waiting for a rate limit. Does not reject for errors of the platform. */
  deliver(to: Address, delivery: DeliveryRequest): Promise<Outcome>;
  /** Checks whether alerts could be posted there, without posting. */
  probe(to: Address): Promise<Probe>;
  /** Whether the platform works, in a few words for `/status`; `problem`: the sentence where it works in part. */
  diagnose(): Promise<Diagnosis>;
}

export interface Diagnosis {
  readonly ok: boolean;
  readonly says: string;
  readonly problem?: string;
}
