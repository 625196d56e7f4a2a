/** Health of the service in our calls. Logs changes. */
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { Instant } from '../domain/scalars.js';
import type { ServiceState } from './analytics.js';
import type { AnalyticsError, Trouble } from './errors.js';

export interface Report {
  exchange(what: { readonly row: string; readonly ms: number; readonly answer: string | number; readonly attempt: number }): void;
  good(): void;
  failed(error: AnalyticsError): void;
  away(): boolean;
  state(): ServiceState;
}

const ANSWERED: ReadonlySet<Trouble> = new Set(['unknown', 'rejected', 'forbidden']);

const isLeft = ({ used, limit }: ServiceState['budget']): boolean => limit === undefined || used < limit;

export function createReport({ clock, log, budget }: { clock: Clock; log: Log; budget: () => ServiceState['budget'] }): Report {
  let trouble: Trouble | undefined;
  let called = false;
  let lastOkAt: Instant | undefined;
  let lastMs: number | undefined;

  const good = (): void => {
    if (trouble !== undefined) log.info('analytics.recovered', { after: trouble });
    called = true;
    trouble = undefined;
    lastOkAt = clock.now();
  };

  return {
    exchange(what) {
      lastMs = what.ms;
      log.debug('analytics.exchange', what);
    },
    good,
    failed(error) {
      if (ANSWERED.has(error.trouble)) return good();
      // These do not concern the service: an allowance is used up, or only the checks' part of the budget.
      if (error.trouble === 'allowance-spent' || (error.trouble === 'budget-spent' && isLeft(budget()))) return;
      if (trouble !== error.trouble) log.warn('analytics.trouble', { trouble: error.trouble, detail: error.message, until: error.until });
      called = true;
      trouble = error.trouble;
    },
    away: () => trouble === 'unreachable' || trouble === 'timeout',
    state: () => ({
      ...(called ? { ok: trouble === undefined } : {}),
      ...(trouble === undefined ? {} : { trouble }),
      ...(lastOkAt === undefined ? {} : { lastOkAt }),
      ...(lastMs === undefined ? {} : { lastMs }),
      budget: budget(),
    }),
  };
}
