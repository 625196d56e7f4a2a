/** Live proposals for completion, cached: every letter asks. */
import type { Analytics } from '../analytics/analytics.js';
import { liveMarkets } from '../analytics/endpoints/dashboard.js';
import type { ProposalRow } from '../analytics/endpoints/proposals.js';
import { MINUTE, type Clock } from '../base/clock.js';

/** With a monthly budget a call costs more. */
const MAX_AGE = { open: MINUTE, limited: 30 * MINUTE } as const;
/** Shown at most. */
const LIMIT = 25;

/** Never rejects. Refreshes an old list behind. */
export type LiveProposals = () => Promise<readonly ProposalRow[]>;

export function createLiveProposals({ analytics, clock }: { readonly analytics: Analytics; readonly clock: Clock }): LiveProposals {
  let known: readonly ProposalRow[] | undefined;
  let askedAt: number | undefined;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    askedAt = clock.now();
    try {
      const { data } = await analytics.call(liveMarkets, { limit: LIMIT, page: 1 });
      known = data.rows;
    } catch {
      // The next letter after `MAX_AGE` asks again; projects are offered all the same.
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    const maxAge = analytics.state().budget.forChecks === undefined ? MAX_AGE.open : MAX_AGE.limited;
    if (asking === undefined && (askedAt === undefined || clock.now() - askedAt >= maxAge)) asking = ask();
    if (known === undefined) await asking;
    return known ?? [];
  };
}
