/** An explanation tells of one event in one chat. */
import type { Line } from '../../chat/reply.js';
import type { Crossing } from '../../domain/crossing.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Entry } from '../watchlist/entry.js';
import type { Member } from '../queue/queue.js';
import type { Disposition } from './disposition.js';

export interface Explanation {
  readonly event: FeedEvent;
  readonly headline: Line;
  /** It is undefined for a sample. */
  readonly entry: Entry | undefined;
  /** It is undefined where everything of the kind is alerted. */
  readonly rule?: string;
  readonly crossings: readonly Crossing[];
  /** It is in ms; 0 means a fresh response. */
  readonly copyAge?: number;
  readonly late?: Member['late'];
  readonly sample: boolean;
  /** It reads like "Corrected: was 120, now 118". */
  readonly corrected?: Line;
  readonly disposition: Disposition;
}
