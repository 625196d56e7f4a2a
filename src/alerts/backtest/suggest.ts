/** This module finds thresholds that would alert about once a month and once a week, by bisection. */
import { DAY } from '../../base/clock.js';
import type { Rules } from '../rules/rule.js';

export const PACES = { monthly: 30 * DAY, weekly: 7 * DAY } as const;
export type AlertPace = keyof typeof PACES;

export interface SuggestedThreshold {
  readonly pace: AlertPace;
  readonly found: { readonly rules: Rules; readonly alerts: number } | 'none' | 'history too short';
}

/** Accepted deviation, as a share of the wanted number of alerts. */
const TOLERANCE = 0.3;
const MIN_WANTED = 2;

interface SuggestionContext {
  readonly alerts: (rules: Rules) => Promise<number>;
  /** The span is in milliseconds. */
  readonly span: number;
}

/** Finds steps of the `ladder`, rarest alerts first, that give the wanted pace. Evaluates at most 24 steps. */
export async function suggest(ladder: readonly Rules[], { alerts, span }: SuggestionContext): Promise<readonly SuggestedThreshold[]> {
  const known = new Map<number, number>();
  const at = async (step: number): Promise<number> => {
    const rules = ladder[step];
    const count = known.get(step) ?? (rules === undefined ? 0 : await alerts(rules));
    known.set(step, count);
    return count;
  };
  const suggestions: SuggestedThreshold[] = [];
  for (const pace of ['monthly', 'weekly'] as const) {
    const wanted = span / PACES[pace];
    if (wanted >= MIN_WANTED) await bisect(ladder.length, { at, wanted });
    suggestions.push({ pace, found: wanted < MIN_WANTED ? 'history too short' : nearest(ladder, { known, wanted }) });
  }
  return suggestions;
}

async function bisect(length: number, { at, wanted }: { at: (step: number) => Promise<number>; wanted: number }): Promise<void> {
  let [low, high] = [0, length - 1];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    if ((await at(middle)) < wanted) low = middle + 1;
    else high = middle - 1;
  }
  // The number of alerts may fall again along the ladder, so the next step may be closer.
  await at(low + 1);
}

function nearest(
  ladder: readonly Rules[],
  { known, wanted }: { readonly known: ReadonlyMap<number, number>; readonly wanted: number },
): SuggestedThreshold['found'] {
  const close = [...known]
    .filter(([, count]) => Math.abs(count - wanted) <= Math.max(1, wanted * TOLERANCE))
    .toSorted(([a, one], [b, other]) => Math.abs(one - wanted) - Math.abs(other - wanted) || a - b);
  const [step, count] = close[0] ?? [];
  const rules = step === undefined ? undefined : ladder[step];
  return rules === undefined || count === undefined ? 'none' : { rules, alerts: count };
}
