/** The data of the console's status strip. */
import { duration } from '../domain/format.js';
import type { Instant } from '../domain/scalars.js';

/** How long the detection of a change takes on the present plan, for one kind. */
export interface ExpectedDelay {
  readonly kind: string;
  /** The longest delay of all watched subjects, in milliseconds; infinite while checks are paused. */
  readonly within: number;
  /** The delay of projects that a list shows, in milliseconds. Set if these are the majority and are faster than the others. */
  readonly mostly?: number;
  /** The value is in milliseconds. A later alert is of little use. */
  readonly useful: number;
  /** True if trusted lists of the service show changes of this kind, so that its alerts need no first check. */
  readonly isListed: boolean;
  /** Set for a kind whose topics can flip. */
  readonly flips?: FlipDelay;
}

/** How long a flip can go unseen, in milliseconds, and whether a list or a check of the project shows it. */
export interface FlipDelay {
  readonly within: number;
  readonly by: 'list' | 'checks' | 'checks, as the list has no margins';
}

/** Describes how late a flip can be seen, as a part of a sentence. */
export const flipDelayWords = ({ within, by }: FlipDelay): string =>
  `within about ${duration(within)}, ${
    {
      list: 'from the list of live markets',
      checks: 'by direct checks',
      'checks, as the list has no margins': 'by direct checks, because the list of live markets has no margins',
    }[by]
  }`;

/** Kinds whose delays differ by less than this factor are named together. */
const TOGETHER = 4;

/** Groups the kinds by delay, the shortest first. The delays must be finite. */
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
  /** `invented` is true for the embedded service. */
  readonly service: { readonly ok: boolean; readonly says: string; readonly invented: boolean };
  readonly feeds: readonly {
    readonly id: string;
    /** The number of watched subjects. */
    readonly watched: number;
    readonly oldestCheck?: Instant;
    /** The number of subjects whose last check failed. */
    readonly failing: number;
    /** The planned intervals in milliseconds; infinite while the budget is exhausted. */
    readonly every?: readonly [shortest: number, longest: number] | undefined;
    /** Set if there is a monthly limit. */
    readonly expected?: Pick<ExpectedDelay, 'within' | 'useful'> | undefined;
  }[];
  readonly budget: { readonly used: number; readonly limit?: number };
  readonly deliveries: { readonly waiting: number; readonly sent: number };
  /** Whether the database takes writes; without it no question is refused, but nothing is saved or alerted. */
  readonly store: { readonly ok: boolean; readonly problem?: string };
}

export interface Panel {
  read(): Promise<PanelState>;
}
