/** The port that delivers alerts. An outcome names the next action. */
import type { Address } from './address.js';
import type { Picture, Theme } from './chart.js';
import type { Line, Link, Reply } from './reply.js';
import type { Crossing } from '../domain/crossing.js';
import type { FeedEvent } from '../domain/event.js';
import type { Decimal, Instant } from '../domain/scalars.js';

/** Extras of a message, off by default because each needs a further permission. */
export const EXTRAS = ['threads', 'publish'] as const;
export type Extra = (typeof EXTRAS)[number];

export type Outcome =
  /** `earlier` says what the platform found out about an earlier attempt that may have arrived. */
  | { readonly kind: 'sent'; readonly messageId: string; readonly earlier?: EarlierAttempt }
  /** Nothing was posted. Retry, after `afterMs` if given. */
  | { readonly kind: 'later'; readonly because: 'rate-limited' | 'unreachable' | 'server-error'; readonly afterMs?: number }
  /** The message may have arrived. */
  | { readonly kind: 'unclear'; readonly because: 'line-cut' | 'timeout' | 'server-error' }
  /** People in the chat can fix the cause. With `incomplete` a part of the message was posted. */
  | { readonly kind: 'not-permitted'; readonly because: string; readonly incomplete?: true }
  | { readonly kind: 'moved'; readonly to: Address }
  /** The chat was deleted, or the bot was blocked or removed. `asked` is when the request began. */
  | { readonly kind: 'gone'; readonly because: string; readonly asked?: Instant }
  | { readonly kind: 'refused'; readonly detail: string };

/** The outcome of a delivery. After an attempt that may have arrived it can also be `maybe-sent`. */
export type DeliveryOutcome =
  | Outcome
  | { readonly kind: 'later'; readonly because: 'not-read-back' }
  /** Nothing was posted, because `ifUnknown` is `hold`. */
  | { readonly kind: 'maybe-sent'; readonly because: string };

/** What is known of an attempt that may have arrived. */
export type EarlierAttempt =
  /** The attempt was repeated under the same id, and the platform shows one message of it. */
  | { readonly kind: 'recognised' }
  /** The attempt had arrived and was not repeated. */
  | { readonly kind: 'found' }
  /** The attempt had not arrived and was repeated. */
  | { readonly kind: 'absent' }
  /** The attempt was repeated, so the message may appear twice. */
  | { readonly kind: 'unknown'; readonly because: string };

/** The outcome of an edit. An edit that was cut off is repeated, because that does no harm. */
export type EditOutcome =
  | { readonly kind: 'edited' }
  /** The platform limits the edits of this message. */
  | {
      readonly kind: 'later';
      readonly because: 'rate-limited' | 'unreachable' | 'server-error' | 'edits-limited';
      readonly afterMs?: number;
    }
  /** `deleted` means that people deleted the message. */
  | { readonly kind: 'lost'; readonly because: 'deleted' | 'not-editable' }
  | Extract<Outcome, { kind: 'not-permitted' | 'moved' | 'gone' | 'refused' }>;

/** Converts an outcome to that of an edit. An unclear one becomes `later`, because a repeat does no harm. */
export function outcomeOfEdit(outcome: Outcome): EditOutcome {
  if (outcome.kind === 'sent') return { kind: 'edited' };
  if (outcome.kind === 'unclear') return { kind: 'later', because: outcome.because === 'server-error' ? 'server-error' : 'unreachable' };
  return outcome;
}

/** Notes when the request began, because a chat that came back since then is not gone. */
export const askedAt = <O extends DeliveryOutcome | EditOutcome>(outcome: O, asked: Instant): O =>
  outcome.kind === 'gone' ? { ...outcome, asked } : outcome;

/** The tags and the state of a message in places where it is a post. */
export interface MessagePost {
  readonly tags: readonly string[];
  /** True once the topic has its result; its post is then archived. */
  readonly isOver: boolean;
}

/** An edit holds the whole new message. A picture replaces the earlier one; without it that one stays. */
export interface EditRequest {
  /** The same at every attempt of this edit. */
  readonly id: string;
  readonly messageId: string;
  readonly reply: Reply;
  readonly picture?: Picture;
  readonly about?: MessageAbout<'update' | 'correction'>;
  /** Set if the message has a thread. It is archived once its topic is `over`. */
  readonly thread?: 'open' | 'over';
  /** Set for a live message. */
  readonly post?: MessagePost;
}

/** What a message reports, for platforms whose readers are programs. */
export interface MessageAbout<Kind> {
  readonly kind: Kind;
  /** When the message was composed; the same at every attempt. */
  readonly at: Instant;
  /** The number of events that the message reports. */
  readonly count: number;
  /** Reads the events from the store. Rejects with the store's error. */
  readonly events: () => Promise<readonly DeliveredEvent[]>;
}

type EventParts = 'id' | 'feed' | 'stage' | 'topic' | 'project' | 'wallet' | 'occurredAt' | 'detectedAt' | 'corrects' | 'facts';

export interface DeliveredEvent extends Pick<FeedEvent, EventParts> {
  readonly headline: Line;
  readonly links: readonly Link[];
  /** The size of the change, without a sign. */
  readonly size: {
    readonly usd?: Decimal | undefined;
    readonly percent?: Decimal | undefined;
    readonly amount?: Decimal | undefined;
    readonly symbol?: string | undefined;
    readonly metric?: string | undefined;
  };
  /** The target name of the entry that matched. */
  readonly entry?: string | undefined;
  /** The filter that the event passed, in words. */
  readonly rule?: string | undefined;
  readonly crossings?: readonly Crossing[] | undefined;
}

/** A message to deliver; the same at every attempt. */
export interface DeliveryRequest {
  /** The id of the delivery, stable across restarts. */
  readonly id: string;
  readonly reply: Reply;
  /** The picture; if absent, the message is text only. */
  readonly picture?: Picture;
  /** Set to send without a notification. A silent message mentions nobody. */
  readonly silent?: true;
  /** The message that this one replies to. If that was deleted, this one is posted without the reference. */
  readonly replyTo?: string;
  /** Open a thread on the message, or publish it to servers that follow the channel. A failure of an extra does not fail the message. */
  readonly extras?: readonly Extra[];
  /** Set for a live message. */
  readonly post?: MessagePost;
  /** The live message of the topic, if the message is about one topic only. Where messages are posts, this one goes into that post. */
  readonly within?: string;
  /** What the message reports; absent for a greeting. */
  readonly about?: MessageAbout<'alert' | 'sample' | 'digest'>;
  /** Set if an earlier attempt, first at `since`, may have arrived. `ifUnknown` says what to do if the platform cannot find out. */
  readonly earlier?: { readonly since: Instant; readonly ifUnknown: 'repeat' | 'hold' };
}

/** The kinds of requests, in order of priority. `prepared` is for digests. */
export type SlotKind = 'answer' | 'ringing' | 'silent' | 'prepared' | 'edit';

/** An alert that has waited since `since`. */
export interface AlertSlot {
  readonly kind: Exclude<SlotKind, 'answer'>;
  readonly since: Instant;
}

/** A slot permits one request. Ending it twice has no effect. */
export interface Slot {
  answered(): void;
  /** The request was rate limited; the next one may go after `milliseconds`. */
  refused(milliseconds?: number): void;
  unused(): void;
}

/** Ends a slot according to the outcome of its request. */
export function endSlot(slot: Slot | undefined, outcome: EditOutcome | DeliveryOutcome): void {
  if (outcome.kind === 'later' && outcome.because === 'rate-limited') slot?.refused(outcome.afterMs);
  else slot?.answered();
}

/** What prevents posting, as permissions or as a sentence with the remedy. */
export interface Probe {
  readonly missing: readonly string[];
  readonly blocked?: string;
  /** The missing permission without which alerts have no pictures. */
  readonly pictures?: string;
  /** What prevents each extra, as a sentence; undefined for one that is possible. Absent if the chat has no extras. */
  readonly extras?: Readonly<Record<Extra, string | undefined>>;
  /**
   * Set if messages can be pinned; `missing` names a permission that must be granted first. Absent if nothing can be pinned. `instead` is a
   * sentence about what people can do where the bot pins nothing.
   */
  readonly pin?: { readonly missing?: string; readonly instead?: string };
  /** Tags that are missing and cannot be created, so posts go without them. Absent if alerts are not posts. */
  readonly tags?: readonly string[];
}

export interface Notifier {
  readonly platform: string;
  /** True if the platform detects a repeated id, so that an unclear attempt can be repeated. */
  readonly knowsRepeats: boolean;
  /** Overrides `knowsRepeats` for one chat, on a platform whose chats differ. */
  knowsRepeatsAt?(to: Address): boolean;
  /** The theme of pictures; if absent, the platform takes no pictures or draws the chart itself. */
  readonly pictureTheme?: Theme;
  /** Waits for a slot. Resolves with undefined once `signal` aborts. Absent if there are no rate limits. */
  slot?(to: Address, alert: AlertSlot, signal: AbortSignal): Promise<Slot | undefined>;
  /** Until when the platform makes the bot wait in this chat; a time in the past if it does not. Absent if unknown. */
  pausedUntil?(to: Address): Instant;
  /** Delivers a message. Resolves within the platform's deadline, and does not reject for errors of the platform. */
  deliver(to: Address, delivery: DeliveryRequest): Promise<DeliveryOutcome>;
  /** Edits a message, and resolves as `deliver` does. Absent if the platform cannot edit. */
  revise?(to: Address, edit: EditRequest): Promise<EditOutcome>;
  /** Programs read its messages, and not all of them can be edited, so no board is kept there. */
  readonly toPrograms?: true;
  /** Pins a message of the bot without a notification, and resolves as `deliver` does. Pinning twice has no effect. If absent, nothing can be pinned. */
  pin?(to: Address, messageId: string): Promise<EditOutcome>;
  /** Tells whether alerts could be posted. */
  probe(to: Address): Promise<Probe>;
  /** Returns the state for `/status`. `problem` is a sentence about a partial failure. */
  diagnose(): Promise<Diagnosis>;
}

export interface Diagnosis {
  readonly ok: boolean;
  readonly says: string;
  readonly problem?: string;
  /** Set if the platform refuses the token, which people must replace. */
  readonly tokenRefused?: true;
}
