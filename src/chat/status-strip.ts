/** For the console's status strip. Filled by app. */
import type { Instant } from '../domain/scalars.js';

export interface PanelState {
  /** `invented`: the embedded service. */
  readonly service: { readonly ok: boolean; readonly says: string; readonly invented: boolean };
  readonly feeds: readonly {
    readonly id: string;
    /** Subjects. */
    readonly watched: number;
    readonly oldestCheck?: Instant;
    /** Subjects whose last check failed. */
    readonly failing: number;
    /** In ms; infinite while the budget is exhausted. */
    readonly every?: readonly [shortest: number, longest: number] | undefined;
  }[];
  readonly budget: { readonly used: number; readonly limit?: number };
  readonly deliveries: { readonly waiting: number; readonly sent: number };
}

export interface Panel {
  read(): Promise<PanelState>;
}
