/** Port for delivering alerts. An outcome names the next action. */
import type { Address } from './address.js';
import type { Picture, Theme } from './pictures.js';
import type { Line, Link, Reply } from './reply.js';
import type { Crossing } from '../domain/crossing.js';
import type { FeedEvent } from '../domain/event.js';
import type { Decimal, Instant } from '../domain/scalars.js';

export type Outcome =
  /** `earlier`: of an attempt that may have arrived, where the platform found out more than that it recognises the id. */
  | { readonly kind: 'sent'; readonly messageId: string; readonly earlier?: EarlierAttempt }
  /** Nothing was posted; retry, after `afterMs` if given. */
  | { readonly kind: 'later'; readonly because: 'rate-limited' | 'unreachable' | 'server-error'; readonly afterMs?: number }
  /** It may have arrived. */
  | { readonly kind: 'unclear'; readonly because: 'line-cut' | 'timeout' | 'server-error' }
  /** People in the chat can fix it. `incomplete`: a part of the message was posted. */
  | { readonly kind: 'not-permitted'; readonly because: string; readonly incomplete?: true }
  | { readonly kind: 'moved'; readonly to: Address }
  /** The chat was deleted, or the bot was blocked or removed. */
  | { readonly kind: 'gone'; readonly because: string }
  | { readonly kind: 'refused'; readonly detail: string };

/** Of a delivery that may have arrived before: it may also be that nobody knows. */
export type DeliveryOutcome =
  | Outcome
  | { readonly kind: 'later'; readonly because: 'not-read-back' }
  /** Nothing was posted, because `ifUnknown` is `hold`. */
  | { readonly kind: 'maybe-sent'; readonly because: string };

/** What is known of an attempt that may have arrived. */
export type EarlierAttempt =
  /** Repeated under the same id, of which the platform shows one message. */
  | { readonly kind: 'recognised' }
  /** It had arrived and was not repeated. */
  | { readonly kind: 'found' }
  /** It had not arrived and was repeated. */
  | { readonly kind: 'absent' }
  /** Repeated, so it may appear twice. */
  | { readonly kind: 'unknown'; readonly because: string };

/** A cut-off edit is repeated. */
export type EditOutcome =
  | { readonly kind: 'edited' }
  /** `edits-limited`: of this message. */
  | {
      readonly kind: 'later';
      readonly because: 'rate-limited' | 'unreachable' | 'server-error' | 'edits-limited';
      readonly afterMs?: number;
    }
  /** `deleted`: by people. */
  | { readonly kind: 'lost'; readonly because: 'deleted' | 'not-editable' }
  | Extract<Outcome, { kind: 'not-permitted' | 'moved' | 'gone' | 'refused' }>;

/** The outcome of an edit. One that was cut off counts as failed, because a repeat does no harm. */
export function outcomeOfEdit(outcome: Outcome): EditOutcome {
  if (outcome.kind === 'sent') return { kind: 'edited' };
  if (outcome.kind === 'unclear') return { kind: 'later', because: outcome.because === 'server-error' ? 'server-error' : 'unreachable' };
  return outcome;
}

/** The whole message; its picture stays. */
export interface EditRequest {
  /** The same at every attempt of this edit. */
  readonly id: string;
  readonly messageId: string;
  readonly reply: Reply;
  readonly about?: MessageAbout<'update' | 'correction'>;
}

/** What a message reports, for platforms whose readers are programs. */
export interface MessageAbout<Kind> {
  readonly kind: Kind;
  /** When it was composed: the same at every attempt. */
  readonly at: Instant;
  /** Events that it reports. */
  readonly count: number;
  /** Read from the store. Rejects with its error. */
  readonly events: () => Promise<readonly DeliveredEvent[]>;
}

type EventParts = 'id' | 'feed' | 'stage' | 'topic' | 'project' | 'wallet' | 'occurredAt' | 'detectedAt' | 'corrects' | 'facts';

export interface DeliveredEvent extends Pick<FeedEvent, EventParts> {
  readonly headline: Line;
  readonly links: readonly Link[];
  /** Unsigned. */
  readonly size: {
    readonly usd?: Decimal | undefined;
    readonly percent?: Decimal | undefined;
    readonly amount?: Decimal | undefined;
    readonly symbol?: string | undefined;
    readonly metric?: string | undefined;
  };
  /** The entry that matched, by target name. */
  readonly entry?: string | undefined;
  /** The filter that it passed, in words. */
  readonly rule?: string | undefined;
  readonly crossings?: readonly Crossing[] | undefined;
}

/** The same at every attempt. */
export interface DeliveryRequest {
  /** Stable across restarts. */
  readonly id: string;
  readonly reply: Reply;
  /** Absent: the text alone. */
  readonly picture?: Picture;
  /** Mentions nobody. */
  readonly silent?: true;
  /** Posted without it where that is deleted. */
  readonly replyTo?: string;
  /** Absent of a greeting. */
  readonly about?: MessageAbout<'alert' | 'sample' | 'digest'>;
  /** Present if an earlier attempt may have arrived. `since`: the first attempt. `ifUnknown`: where the platform cannot find out. */
  readonly earlier?: { readonly since: Instant; readonly ifUnknown: 'repeat' | 'hold' };
}

/** In order of priority. `prepared`: digests. */
export type SlotKind = 'answer' | 'ringing' | 'silent' | 'prepared' | 'edit';

/** `since`: since when the alert waits. */
export interface AlertSlot {
  readonly kind: Exclude<SlotKind, 'answer'>;
  readonly since: Instant;
}

/** Permission for one request. Ending it twice has no effect. */
export interface Slot {
  answered(): void;
  /** Rate limited: retry after `milliseconds`. */
  refused(milliseconds?: number): void;
  unused(): void;
}

/** What prevents posting, as permissions or a sentence with the remedy. */
export interface Probe {
  readonly missing: readonly string[];
  readonly blocked?: string;
  /** The permission without which alerts have no pictures. */
  readonly pictures?: string;
}

export interface Notifier {
  readonly platform: string;
  /** Whether a repeated id is detected, so that an unclear attempt can be repeated. */
  readonly knowsRepeats: boolean;
  /** Absent: it takes no pictures, or draws the chart itself. */
  readonly pictureTheme?: Theme;
  /** Waits for a slot; undefined once `signal` aborts. Absent: no rate limits. */
  slot?(to: Address, alert: AlertSlot, signal: AbortSignal): Promise<Slot | undefined>;
  /** Until when the platform has the bot wait before it posts there; in the past if it does not. Absent: unknown. */
  pausedUntil?(to: Address): Instant;
  /** Resolves within the platform's deadline. Does not reject for platform errors. */
  deliver(to: Address, delivery: DeliveryRequest): Promise<DeliveryOutcome>;
  /** As `deliver`. Absent: the platform edits no messages. */
  revise?(to: Address, edit: EditRequest): Promise<EditOutcome>;
  /** Whether alerts could be posted. */
  probe(to: Address): Promise<Probe>;
  /** For `/status`; `problem` is a sentence for a partial failure. */
  diagnose(): Promise<Diagnosis>;
}

export interface Diagnosis {
  readonly ok: boolean;
  readonly says: string;
  readonly problem?: string;
  /** The platform refuses the token: people have to replace it. */
  readonly tokenRefused?: true;
}
