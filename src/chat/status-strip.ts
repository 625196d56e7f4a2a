/** For the console's status strip. Filled by app. */
import type { Instant } from '../domain/scalars.js';

/** How long it takes, on the present plan, until a change of a kind is detected. */
export interface ExpectedDelay {
  readonly kind: string;
  /** In ms, the longest of all that is watched; infinite while checks are paused. */
  readonly within: number;
  /** In ms, of the projects that a list shows, where these are most of several and sooner than the others. */
  readonly mostly?: number;
  /** In ms: detected later than this, an alert of the kind is of little use. */
  readonly useful: number;
  /** Believed lists of the service show changes of it, so its alerts need no first check. */
  readonly isListed: boolean;
}

/** Kinds that take less than this factor longer are named together. */
const TOGETHER = 4;

/** Soonest first; infinite delays are not for it. */
export function groupedDelays(delays: readonly ExpectedDelay[]): readonly { readonly within: number; readonly kinds: readonly string[] }[] {
  const groups: ExpectedDelay[][] = [];
  for (const one of delays.toSorted((a, b) => a.within - b.within)) {
    const group = groups.at(-1);
    if (group?.[0] !== undefined && one.within <= group[0].within * TOGETHER) group.push(one);
    else groups.push([one]);
  }
  return groups.map((group) => ({ within: group.at(-1)?.within ?? 0, kinds: group.map(({ kind }) => kind) }));
}

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
    /** Under a monthly limit. */
    readonly expected?: Pick<ExpectedDelay, 'within' | 'useful'> | undefined;
  }[];
  readonly budget: { readonly used: number; readonly limit?: number };
  readonly deliveries: { readonly waiting: number; readonly sent: number };
}

export interface Panel {
  read(): Promise<PanelState>;
}
