/** This port delivers alerts. An outcome names the next action. */
import type { Address } from './address.js';
import type { Picture, Theme } from './chart.js';
import type { Line, Link, Reply } from './reply.js';
import type { Crossing } from '../domain/crossing.js';
import type { FeedEvent } from '../domain/event.js';
import type { Decimal, Instant } from '../domain/scalars.js';

/** It is off until somebody asks for it, because it needs a permission of its own. */
export const EXTRAS = ['threads', 'publish'] as const;
export type Extra = (typeof EXTRAS)[number];

export type Outcome =
  /** `earlier` tells of an attempt that may have arrived, where the platform found out more than that it recognises the id. */
  | { readonly kind: 'sent'; readonly messageId: string; readonly earlier?: EarlierAttempt }
  /** Nothing was posted, so retry, after `afterMs` if given. */
  | { readonly kind: 'later'; readonly because: 'rate-limited' | 'unreachable' | 'server-error'; readonly afterMs?: number }
  /** It may have arrived. */
  | { readonly kind: 'unclear'; readonly because: 'line-cut' | 'timeout' | 'server-error' }
  /** People in the chat can fix it. With `incomplete` a part of the message was posted. */
  | { readonly kind: 'not-permitted'; readonly because: string; readonly incomplete?: true }
  | { readonly kind: 'moved'; readonly to: Address }
  /** The chat was deleted, or the bot was blocked or removed. */
  | { readonly kind: 'gone'; readonly because: string }
  | { readonly kind: 'refused'; readonly detail: string };

/** If an earlier delivery may have arrived, the outcome may also be that nobody knows. */
export type DeliveryOutcome =
  | Outcome
  | { readonly kind: 'later'; readonly because: 'not-read-back' }
  /** Nothing was posted, because `ifUnknown` is `hold`. */
  | { readonly kind: 'maybe-sent'; readonly because: string };

/** It is what is known of an attempt that may have arrived. */
export type EarlierAttempt =
  /** The attempt was repeated under the same id, and the platform shows one message of it. */
  | { readonly kind: 'recognised' }
  /** It had arrived and was not repeated. */
  | { readonly kind: 'found' }
  /** It had not arrived and was repeated. */
  | { readonly kind: 'absent' }
  /** The attempt was repeated, so it may appear twice. */
  | { readonly kind: 'unknown'; readonly because: string };

/** A cut-off edit is repeated. */
export type EditOutcome =
  | { readonly kind: 'edited' }
  /** The platform limits the edits of this message. */
  | {
      readonly kind: 'later';
      readonly because: 'rate-limited' | 'unreachable' | 'server-error' | 'edits-limited';
      readonly afterMs?: number;
    }
  /** A `deleted` message was deleted by people. */
  | { readonly kind: 'lost'; readonly because: 'deleted' | 'not-editable' }
  | Extract<Outcome, { kind: 'not-permitted' | 'moved' | 'gone' | 'refused' }>;

/** It gives the outcome of an edit. One that was cut off counts as failed, because a repeat does no harm. */
export function outcomeOfEdit(outcome: Outcome): EditOutcome {
  if (outcome.kind === 'sent') return { kind: 'edited' };
  if (outcome.kind === 'unclear') return { kind: 'later', because: outcome.because === 'server-error' ? 'server-error' : 'unreachable' };
  return outcome;
}

/** It says what a message is about, for places in which it is a post with tags. */
export interface MessagePost {
  readonly tags: readonly string[];
  /** The topic has its result, so its post is archived. */
  readonly isOver: boolean;
}

/** An edit has the whole message, and its picture stays. */
export interface EditRequest {
  /** The id is the same at every attempt of this edit. */
  readonly id: string;
  readonly messageId: string;
  readonly reply: Reply;
  readonly about?: MessageAbout<'update' | 'correction'>;
  /** The message has a thread, which is archived once its topic is `over`. */
  readonly thread?: 'open' | 'over';
  /** A live message has it. */
  readonly post?: MessagePost;
}

/** It says what a message reports, for platforms whose readers are programs. */
export interface MessageAbout<Kind> {
  readonly kind: Kind;
  /** It is when the message was composed, so it is the same at every attempt. */
  readonly at: Instant;
  /** The message reports so many events. */
  readonly count: number;
  /** The events are read from the store, and it rejects with the store's error. */
  readonly events: () => Promise<readonly DeliveredEvent[]>;
}

type EventParts = 'id' | 'feed' | 'stage' | 'topic' | 'project' | 'wallet' | 'occurredAt' | 'detectedAt' | 'corrects' | 'facts';

export interface DeliveredEvent extends Pick<FeedEvent, EventParts> {
  readonly headline: Line;
  readonly links: readonly Link[];
  /** The size has no sign. */
  readonly size: {
    readonly usd?: Decimal | undefined;
    readonly percent?: Decimal | undefined;
    readonly amount?: Decimal | undefined;
    readonly symbol?: string | undefined;
    readonly metric?: string | undefined;
  };
  /** It is the entry that matched, by target name. */
  readonly entry?: string | undefined;
  /** It is the filter that the event passed, in words. */
  readonly rule?: string | undefined;
  readonly crossings?: readonly Crossing[] | undefined;
}

/** The request is the same at every attempt. */
export interface DeliveryRequest {
  /** The id is stable across restarts. */
  readonly id: string;
  readonly reply: Reply;
  /** Without it the message has the text alone. */
  readonly picture?: Picture;
  /** A silent message mentions nobody. */
  readonly silent?: true;
  /** The message is posted without it where that message is deleted. */
  readonly replyTo?: string;
  /** The message opens a thread, and is shared with servers that follow the channel. A failure of either is no failure of the message. */
  readonly extras?: readonly Extra[];
  /** A live message has it. */
  readonly post?: MessagePost;
  /** It is the live message of the only topic that the message is about. Where messages are posts, it goes into that post. */
  readonly within?: string;
  /** A greeting has none. */
  readonly about?: MessageAbout<'alert' | 'sample' | 'digest'>;
  /** It is present if an earlier attempt may have arrived, first at `since`. `ifUnknown` applies where the platform cannot find out. */
  readonly earlier?: { readonly since: Instant; readonly ifUnknown: 'repeat' | 'hold' };
}

/** The kinds are in order of priority. `prepared` is for digests. */
export type SlotKind = 'answer' | 'ringing' | 'silent' | 'prepared' | 'edit';

/** The alert waits since `since`. */
export interface AlertSlot {
  readonly kind: Exclude<SlotKind, 'answer'>;
  readonly since: Instant;
}

/** A slot permits one request. Ending it twice has no effect. */
export interface Slot {
  answered(): void;
  /** The request was rate limited, so retry after `milliseconds`. */
  refused(milliseconds?: number): void;
  unused(): void;
}

/** It tells a slot how its request ended. */
export function endSlot(slot: Slot | undefined, outcome: EditOutcome | DeliveryOutcome): void {
  if (outcome.kind === 'later' && outcome.because === 'rate-limited') slot?.refused(outcome.afterMs);
  else slot?.answered();
}

/** It says what prevents posting, as permissions or a sentence with the remedy. */
export interface Probe {
  readonly missing: readonly string[];
  readonly blocked?: string;
  /** Without this permission alerts have no pictures. */
  readonly pictures?: string;
  /** For each extra there is a sentence with what prevents it, or nothing if it is possible. It is absent where there are none. */
  readonly extras?: Readonly<Record<Extra, string | undefined>>;
  /** Messages can be pinned, once the permission that is named is granted. It is absent where nothing can be pinned. */
  readonly pin?: { readonly missing?: string };
  /** These tags are not there and cannot be made, so posts go without them. It is absent where alerts are no posts. */
  readonly tags?: readonly string[];
}

export interface Notifier {
  readonly platform: string;
  /** It says whether a repeated id is detected, so that an unclear attempt can be repeated. */
  readonly knowsRepeats: boolean;
  /** It says so for one chat, where the chats of a platform differ. */
  knowsRepeatsAt?(to: Address): boolean;
  /** If absent, the platform takes no pictures, or draws the chart itself. */
  readonly pictureTheme?: Theme;
  /** It waits for a slot, and gives undefined once `signal` aborts. If absent, there are no rate limits. */
  slot?(to: Address, alert: AlertSlot, signal: AbortSignal): Promise<Slot | undefined>;
  /** The platform has the bot wait until then before it posts there. It is in the past if it does not, and absent if unknown. */
  pausedUntil?(to: Address): Instant;
  /** It resolves within the platform's deadline, and does not reject for platform errors. */
  deliver(to: Address, delivery: DeliveryRequest): Promise<DeliveryOutcome>;
  /** It resolves as `deliver` does. If absent, the platform edits no messages. */
  revise?(to: Address, edit: EditRequest): Promise<EditOutcome>;
  /** Programs read its messages, and not all of them can be edited, so no board is kept there. */
  readonly toPrograms?: true;
  /** It pins a message of the bot without a notification, and resolves as `deliver` does. Pinning twice has no effect. If absent, nothing can be pinned. */
  pin?(to: Address, messageId: string): Promise<EditOutcome>;
  /** It tells whether alerts could be posted. */
  probe(to: Address): Promise<Probe>;
  /** It is for `/status`, and `problem` is a sentence for a partial failure. */
  diagnose(): Promise<Diagnosis>;
}

export interface Diagnosis {
  readonly ok: boolean;
  readonly says: string;
  readonly problem?: string;
  /** The platform refuses the token, so people have to replace it. */
  readonly tokenRefused?: true;
}
