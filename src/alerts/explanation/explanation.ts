/** One event, as a chat was or was not told of it: what "Why?" reads out. */
import type { Line } from '../../chat/reply.js';
import type { Crossing } from '../../domain/crossing.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Instant } from '../../domain/scalars.js';
import type { Entry } from '../watchlist/entry.js';
import type { Member } from '../queue/queue.js';
import type { Disposition } from './disposition.js';

export interface Explanation {
  readonly event: FeedEvent;
  /** The event in words; its id where its kind no longer exists. */
  readonly headline: Line;
  /** The entry it came through, or would have. Undefined where the chat has none for it, as for an example that somebody asked for. */
  readonly entry: Entry | undefined;
  /** The rule it came through, in words as they were when it was routed ("at least $10,000"), or would come through now. Undefined: everything of its kind. */
  readonly rule?: string;
  /** Old and new value for each line that a figure crossed here; empty for any other news. */
  readonly crossings: readonly Crossing[];
  /** When the look was made that saw it. Unknown for events of long ago. */
  readonly checkedAt?: Instant;
  /** How old the copy was that the look read, in milliseconds; 0 where the service was asked there and then. */
  readonly copyAge?: number;
  /** It was seen late because of this. */
  readonly late?: Member['late'];
  /** Somebody asked for an example. */
  readonly sample: boolean;
  /** With when it was queued and sent, and how many attempts that took. */
  readonly disposition: Disposition;
}
