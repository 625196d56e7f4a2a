/** When the monthly budget will be used up. Pure. */
import type { BudgetState } from '../analytics/analytics.js';
import { DAY, instant, type Instant } from '../base/clock.js';

export interface BudgetForecast {
  /** Undefined without a limit. */
  readonly left: number | undefined;
  /** At the recent rate; undefined where unknown. */
  readonly runsOutAt: Instant | undefined;
  /** `early`: by more than a day and a tenth of the rest. `close`: by less. */
  readonly verdict: 'unknown' | 'lasts' | 'close' | 'early' | 'spent';
}

const MIN_EARLY = DAY;
const EARLY_PART = 1 / 10;

export function budgetForecast({ used, limit, resetsAt, perDay }: BudgetState, now: Instant): BudgetForecast {
  if (limit === undefined) return { left: undefined, runsOutAt: undefined, verdict: 'unknown' };
  const left = Math.max(0, limit - used);
  if (left === 0) return { left, runsOutAt: now, verdict: 'spent' };
  if (perDay === undefined) return { left, runsOutAt: undefined, verdict: 'unknown' };
  if (perDay <= 0) return { left, runsOutAt: undefined, verdict: 'lasts' };
  const runsOutAt = instant(now + (left / perDay) * DAY);
  const early = resetsAt - runsOutAt;
  if (early <= 0) return { left, runsOutAt, verdict: 'lasts' };
  return { left, runsOutAt, verdict: early > Math.max(MIN_EARLY, (resetsAt - now) * EARLY_PART) ? 'early' : 'close' };
}
