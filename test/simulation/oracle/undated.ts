/** Whether a change that the service does not date must reach a chat: the first check stores what it finds, and later ones alert what is new. */
import { type Entry, entryFor, MOMENT, type Span, statesBetween } from './chat-state.js';
import type { ChatView } from './ledger.js';
import type { Tally } from './verdict.js';
import { boundsOf, knownFrom, settledBy } from './windows.js';

export type Verdict = 'yes' | 'no' | 'maybe';

export interface Undated {
  readonly project: string;
  /** When the service begins to show it. */
  readonly at: number;
  /** What a check asks. */
  readonly path: string;
  /** Of a check, in multiples of the shortest interval. */
  readonly every: number;
  /** When an entry began to watch it; undefined: it does not. */
  readonly watchedSince: (entry: Entry) => Span | undefined;
}

export function verdictOf({ played, wishes, troubles, skew }: ChatView, { project, at, path, every, watchedSince }: Undated): Verdict {
  const by = settledBy(at, boundsOf(played.scenario).delivery(every), troubles);
  const of = (entry: Entry | undefined): Verdict => {
    const since = entry && watchedSince(entry);
    if (since === undefined || by < since.from - skew) return 'no';
    // The first check comes before the answer that it is watched.
    const known = knownFrom(played, [path], { from: since.from, slug: project });
    return at > Math.max(known, since.to + skew) ? 'yes' : 'maybe';
  };
  const verdicts = new Set(statesBetween(wishes, at - MOMENT - skew, by + skew).map((state) => of(entryFor(state, project))));
  const [only] = verdicts;
  if (only === undefined || verdicts.size > 1) return 'maybe';
  return only === 'yes' && by >= played.givesUpAt ? 'maybe' : only;
}

export const count = (tally: Tally, verdict: Verdict): void => {
  tally[verdict === 'yes' ? 'must' : verdict === 'no' ? 'mustNot' : 'may'] += 1;
};
