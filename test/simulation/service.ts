/** A service with ledgers of burns and with proposals, and the feeds that read them; rows may appear later than they are dated. */
import { AnalyticsError } from '../../src/analytics/errors.js';
import { instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { EMPTY_PROPOSAL, type ProposalRow } from '../../src/analytics/endpoints/proposals.js';
import { defineFeed, subjectKey, type Feed, type Snapshot } from '../../src/feeds/feed.js';
import { proposals } from '../../src/feeds/proposals.js';
import { supply } from '../../src/feeds/supply.js';
import type { Random } from './random.js';
import type { Life, Time } from './time.js';

/** A burn; the amount is different for each, so that messages can be alerted apart by it. */
export interface Burn {
  readonly project: string;
  readonly amount: number;
  /** When it happened, and when the service begins to show it. */
  readonly at: number;
  readonly shownAt: number;
}

/** A proposal; the title is different for each. Its edge rises every few seconds, and it passes at its end. */
export interface Market {
  readonly project: string;
  readonly title: string;
  readonly createdAt: number;
  readonly liveAt: number;
  readonly endsAt: number;
}

export interface Service {
  feeds(life: Life): readonly Feed[];
  /** Whether it answers at all. */
  fails(isDown: boolean): void;
}

const SLOWEST_ANSWER = 80;
/** Milliseconds, and tenths of a percent. */
const EDGE_RISES = 7_000;
const TENTHS = 10;

export function simulatedService(
  { burns, markets }: { readonly burns: readonly Burn[]; readonly markets: readonly Market[] },
  { time, random }: { time: Time; random: Random },
): Service {
  let down = false;
  const rows = (project: string) =>
    burns
      .filter((burn) => burn.project === project && burn.shownAt <= time.now())
      .map(({ amount, at }) => ({
        ...{ id: String(amount), at: instant(at), type: 'Burn', amount: decimal(amount) },
        ...{ supplyAfter: undefined, change: undefined, price: undefined, usd: undefined, signature: undefined, proposal: undefined },
      }));
  const proposalRows = (project: string): readonly ProposalRow[] =>
    markets
      .filter((market) => market.project === project && market.createdAt <= time.now())
      .map(({ title, createdAt, liveAt, endsAt }) => {
        const now = Math.min(time.now(), endsAt);
        const edge = now < liveAt ? {} : { passEdge: decimal(String(Math.floor((now - liveAt) / EDGE_RISES) / TENTHS)) };
        const status = now < liveAt ? 'draft' : now < endsAt ? 'live' : 'passed';
        const dates = { createdAt: instant(createdAt), startsAt: instant(liveAt), endsAt: instant(endsAt) };
        return { ...EMPTY_PROPOSAL, publicKey: title, title, status, ...dates, ...edge, threshold: decimal('0.1') };
      });
  const answered = async <S>(life: Life, now: () => S): Promise<Snapshot<S>> => {
    await life.clock.sleep(random.whole(0, SLOWEST_ANSWER));
    if (down) throw new AnalyticsError({ trouble: 'unreachable', row: 'simulated', detail: 'the service is down' });
    const data = now();
    // The answer shows what was the case when it left.
    await life.clock.sleep(random.whole(0, SLOWEST_ANSWER));
    return { data, at: life.clock.now(), complete: true, hidden: 0, broken: 0 };
  };
  return {
    fails: (isDown) => {
      down = isDown;
    },
    feeds: (life) => [
      defineFeed({ ...supply.spec, read: async (subject) => answered(life, () => rows(subjectKey(subject))) }),
      defineFeed({ ...proposals.spec, read: async (subject) => answered(life, () => proposalRows(subjectKey(subject))) }),
    ],
  };
}
