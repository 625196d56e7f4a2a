/** What the console's live strip shows. Filled by app from the jobs, the client and the queues. */
import type { Instant } from '../domain/scalars.js';

export interface PanelState {
  readonly service: { readonly ok: boolean; readonly says: string };
  readonly feeds: readonly {
    readonly id: string;
    /** How many subjects are looked at. */
    readonly watched: number;
    /** The look that is longest ago among them. */
    readonly oldestLook?: Instant;
    /** How many subjects failed at their last look. */
    readonly failing: number;
    /** The shortest and the longest planned interval among them, in milliseconds; infinite while nothing is left to spend. */
    readonly every?: readonly [shortest: number, longest: number] | undefined;
  }[];
  readonly budget: { readonly used: number; readonly limit?: number };
  readonly deliveries: { readonly waiting: number; readonly sent: number };
}

export interface Panel {
  read(): Promise<PanelState>;
}
