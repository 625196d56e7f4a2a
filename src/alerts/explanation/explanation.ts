/** Explanation of one event in one chat. */
import type { Line } from '../../chat/reply.js';
import type { Crossing } from '../../domain/crossing.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Entry } from '../watchlist/entry.js';
import type { Member } from '../queue/queue.js';
import type { Disposition } from './disposition.js';

export interface Explanation {
  readonly event: FeedEvent;
  /** The event's id if its kind no longer exists. */
  readonly headline: Line;
  /** Undefined if none matched, as for a sample. */
  readonly entry: Entry | undefined;
  /** As of routing or now. Undefined: everything of its kind. */
  readonly rule?: string;
  /** Empty unless a threshold. */
  readonly crossings: readonly Crossing[];
  /** Of the cached response, in ms; 0: fresh. */
  readonly copyAge?: number;
  readonly late?: Member['late'];
  readonly sample: boolean;
  /** "Corrected: was 120, now 118". */
  readonly corrected?: string;
  readonly disposition: Disposition;
}
