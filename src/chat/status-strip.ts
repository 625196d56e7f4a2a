/** The app fills this data for the console's status strip. */
import { duration } from '../domain/format.js';
import type { Instant } from '../domain/scalars.js';

/** On the present plan, it takes so long until a change of a kind is detected. */
export interface ExpectedDelay {
  readonly kind: string;
  /** It is in milliseconds, the longest of all that is watched, and infinite while checks are paused. */
  readonly within: number;
  /** It is in milliseconds, for the projects that a list shows, where these are most of several and sooner than the others. */
  readonly mostly?: number;
  /** An alert that comes more than so many milliseconds late is of little use. */
  readonly useful: number;
  /** Believed lists of the service show changes of it, so its alerts need no first check. */
  readonly isListed: boolean;
  /** It is present for a kind whose topics can flip. */
  readonly flips?: FlipDelay;
}

/** So long may pass until a flip is seen, in milliseconds: in a list, or else by checks of the project itself. */
export interface FlipDelay {
  readonly within: number;
  readonly by: 'list' | 'checks' | 'checks, as the list has no margins';
}

/** Says how late a flip can be seen, as a part of a sentence. */
export const flipDelayWords = ({ within, by }: FlipDelay): string =>
  `within about ${duration(within)}, ${
    {
      list: 'from the list of live markets',
      checks: 'by direct checks',
      'checks, as the list has no margins': 'by direct checks, because the list of live markets has no margins',
    }[by]
  }`;

/** Kinds that take less than this factor longer are named together. */
const TOGETHER = 4;

/** The soonest group comes first. The delays must not be infinite. */
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
  /** It is `invented` if the service is the embedded one. */
  readonly service: { readonly ok: boolean; readonly says: string; readonly invented: boolean };
  readonly feeds: readonly {
    readonly id: string;
    /** So many subjects are watched. */
    readonly watched: number;
    readonly oldestCheck?: Instant;
    /** The last check of so many subjects failed. */
    readonly failing: number;
    /** It is in milliseconds, and infinite while the budget is exhausted. */
    readonly every?: readonly [shortest: number, longest: number] | undefined;
    /** It is present under a monthly limit. */
    readonly expected?: Pick<ExpectedDelay, 'within' | 'useful'> | undefined;
  }[];
  readonly budget: { readonly used: number; readonly limit?: number };
  readonly deliveries: { readonly waiting: number; readonly sent: number };
}

export interface Panel {
  read(): Promise<PanelState>;
}
