/** The explanation of one event in one chat, for "Why?". */
import type { Line } from '../../chat/reply.js';
import type { Crossing } from '../../domain/crossing.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Instant } from '../../domain/scalars.js';
import type { Entry } from '../watchlist/entry.js';
import type { Member } from '../queue/queue.js';
import type { Disposition } from './disposition.js';

export interface Explanation {
  readonly event: FeedEvent;
  /** The event's id if its kind no longer exists. */
  readonly headline: Line;
  /** The entry that matched, or would match. Undefined if the chat has none, as for a sample. */
  readonly entry: Entry | undefined;
  /** The rule in words as of routing ("at least $10,000"), else the current rule. Undefined: everything of its kind. */
  readonly rule?: string;
  /** Empty for events that are not thresholds. */
  readonly crossings: readonly Crossing[];
  /** When the check that found it ran. Unknown for old events. */
  readonly checkedAt?: Instant;
  /** Age of the cached response in milliseconds; 0 for a fresh one. */
  readonly copyAge?: number;
  /** Why it was detected late. */
  readonly late?: Member['late'];
  readonly sample: boolean;
  readonly disposition: Disposition;
}
