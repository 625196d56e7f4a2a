/** By how much later checks come of which a global list tells, and when a list misleads. Judged by the troubles of the world, not by what the bot made of them. */
import type { Scenario } from '../scenario/scenario.js';
import type { ListTrouble } from '../world/world.js';
import type { Span } from './chat-state.js';

const SECOND = 1_000;

/** Without a monthly limit a list puts the checks of which it tells off by up to so many of their intervals. */
export const PUT_OFF = 12;

/** A list that called in vain calls again after 32 of its sweeps at most, which come at the shortest interval. */
const LONGEST_PAUSE = 33;

/** It is believed, although it does not show what is true now. A refusal, an omission and zeros are noticed. */
const BELIEVED: ReadonlySet<ListTrouble['how']> = new Set(['lags', 'frozen', 'at NAV', 'below NAV']);

/** Times in which nothing but a planned check may show a change: while a list misleads, and until it calls again. */
export const misleadingOf = ({ world, pollSeconds }: Scenario, list: ListTrouble['list'], project: string): readonly Span[] =>
  (world.troubles ?? []).flatMap((one) =>
    one.list === list && (one.project ?? project) === project && BELIEVED.has(one.how)
      ? [{ from: one.from, to: one.to + LONGEST_PAUSE * pollSeconds * SECOND }]
      : [],
  );

/** Mints and burns between two readings of the list that leave the supply as it was show nothing there. */
function isCancelledOut(
  rows: Scenario['world']['rows'],
  { project, shownAt, within }: { readonly project: string; readonly shownAt: number; readonly within: number },
): boolean {
  const near = rows
    .filter((one) => one.ledger === 'supply' && one.project === project && Math.abs(one.shownAt - shownAt) <= within)
    .toSorted((a, b) => a.shownAt - b.shownAt);
  return near.some((first, begin) => {
    let sum = 0;
    return near.slice(begin).some((last) => {
      sum += last.direction === 'in' ? last.amount : -last.amount;
      return sum === 0 && first.shownAt <= shownAt && last.shownAt >= shownAt && last.shownAt - first.shownAt <= within;
    });
  });
}

/** Without a monthly limit: how much later than otherwise it is found, in ms. `every`: of the kind, in multiples of the shortest interval. */
export function foundLater(
  scenario: Scenario,
  { list, project, every, at, shownAt }: { list: ListTrouble['list']; project: string; every: number; at: number; shownAt: number },
): number {
  const { world, pollSeconds } = scenario;
  const poll = pollSeconds * SECOND;
  const longest = PUT_OFF * every * poll;
  const isMisled = misleadingOf(scenario, list, project).some(({ from, to }) => from < shownAt + longest && to > at);
  if (isMisled || (list === 'projects' && isCancelledOut(world.rows, { project, shownAt, within: 2 * poll }))) return longest;
  // Each call in vain is followed by a pause that is twice as long as the one before, so all of them are as long as the ledger was late.
  const isAhead = (world.troubles ?? []).some((one) => one.how === 'ahead' && one.from <= at && one.to >= at);
  return isAhead ? Math.min(longest, shownAt - at + 4 * poll) : 0;
}
