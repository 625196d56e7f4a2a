/** Explanation of one event in one chat. */
import type { Line } from '../../chat/reply.js';
import type { Crossing } from '../../domain/crossing.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Entry } from '../watchlist/entry.js';
import type { Member } from '../queue/queue.js';
import type { Disposition } from './disposition.js';

export interface Explanation {
  readonly event: FeedEvent;
  readonly headline: Line;
  /** Undefined for a sample. */
  readonly entry: Entry | undefined;
  /** Undefined: everything of its kind. */
  readonly rule?: string;
  readonly crossings: readonly Crossing[];
  /** In ms; 0: fresh. */
  readonly copyAge?: number;
  readonly late?: Member['late'];
  readonly sample: boolean;
  /** "Corrected: was 120, now 118". */
  readonly corrected?: Line;
  readonly disposition: Disposition;
}
