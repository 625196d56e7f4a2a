/**
 * The month's calls. Each attempt is booked durably before it is made, also without a limit: a write costs a fraction of a millisecond and
 * one rule is easier to trust than two. So a crash can count a call that was never made, but never make one that is not counted.
 */
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { Clock } from '../base/clock.js';
import { instant } from '../base/clock.js';
import { lanes } from '../base/lanes.js';
import type { Log } from '../base/log.js';
import type { Instant } from '../domain/scalars.js';
import type { Store } from '../store/store.js';
import type { ServiceState } from './analytics.js';
import { AnalyticsError } from './errors.js';

export interface Budget {
  /**
   * Counts one attempt for this row. Rejects with `budget-spent` when the month is used up, and with a `StoreError` when a limit is set and
   * the booking cannot be made durable: an unbooked call could break the limit.
   */
  book(row: string): Promise<void>;
  state(): ServiceState['budget'];
  /** Resolves when the ledger of this month has been read. */
  ready(): Promise<void>;
}

const ledger = { prefix: 'ledger', version: 1, schema: z.object({ booked: z.int().min(0) }) };

const monthOf = (at: Instant): string => DateTime.fromMillis(at, { zone: 'utc' }).toFormat('yyyy-MM');
const nextMonth = (at: Instant): Instant =>
  instant(DateTime.fromMillis(at, { zone: 'utc' }).startOf('month').plus({ months: 1 }).toMillis());

export function createBudget({ store, clock, limit, log }: { store: Store; clock: Clock; limit: number | undefined; log: Log }): Budget {
  const documents = store.collection(ledger);
  // Two calls at once must not both book the last one.
  const lane = lanes();
  let page = { month: '', booked: 0 };

  const open = async (): Promise<typeof page> => {
    const month = monthOf(clock.now());
    if (page.month !== month) page = { month, booked: (await documents.get(month))?.booked ?? 0 };
    return page;
  };

  const write = async (row: string): Promise<void> => {
    const { month, booked } = await open();
    if (limit !== undefined && booked >= limit) {
      throw new AnalyticsError({
        trouble: 'budget-spent',
        row,
        detail: `all ${limit} calls of ${month} are used (ANALYTICS_REQUESTS_PER_MONTH)`,
        until: nextMonth(clock.now()),
      });
    }
    await documents.set(month, { booked: booked + 1 });
    page = { month, booked: booked + 1 };
  };

  return {
    async book(row) {
      try {
        await lane.run('ledger', async () => write(row));
      } catch (error) {
        if (limit !== undefined || error instanceof AnalyticsError) throw error;
        page = { ...page, booked: page.booked + 1 };
        log.warn('analytics.ledger-unwritten', { row, error });
      }
    },
    state() {
      const now = clock.now();
      const used = page.month === monthOf(now) ? page.booked : 0;
      return { used, ...(limit === undefined ? {} : { limit }), resetsAt: nextMonth(now) };
    },
    ready: async () => lane.run('ledger', async () => void (await open())),
  };
}
