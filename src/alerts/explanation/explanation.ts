/** This module defines an explanation: what happened to one event in one chat. */
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
  /** Undefined if the chat gets all events of the kind. */
  readonly rule?: string;
  readonly crossings: readonly Crossing[];
  /** Milliseconds; 0 means a fresh response. */
  readonly copyAge?: number;
  readonly late?: Member['late'];
  readonly sample: boolean;
  /** Text such as "Corrected: was 120, now 118". */
  readonly corrected?: Line;
  readonly disposition: Disposition;
}
