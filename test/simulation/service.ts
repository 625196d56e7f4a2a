/** A service with ledgers of burns, and the feed that reads them; rows may appear later than they are dated. */
import { AnalyticsError } from '../../src/analytics/errors.js';
import { instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { defineFeed, subjectKey, type Feed } from '../../src/feeds/feed.js';
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

export interface Service {
  feed(life: Life): Feed;
  /** Whether it answers at all. */
  fails(isDown: boolean): void;
}

const SLOWEST_ANSWER = 80;

export function simulatedService(burns: readonly Burn[], { time, random }: { time: Time; random: Random }): Service {
  let down = false;
  const rows = (project: string) =>
    burns
      .filter((burn) => burn.project === project && burn.shownAt <= time.now())
      .map(({ amount, at }) => ({
        ...{ id: String(amount), at: instant(at), type: 'Burn', amount: decimal(amount) },
        ...{ supplyAfter: undefined, change: undefined, price: undefined, usd: undefined, signature: undefined, proposal: undefined },
      }));
  return {
    fails: (isDown) => {
      down = isDown;
    },
    feed: (life) =>
      defineFeed({
        ...supply.spec,
        async read(subject) {
          await life.clock.sleep(random.whole(0, SLOWEST_ANSWER));
          if (down) throw new AnalyticsError({ trouble: 'unreachable', row: 'simulated', detail: 'the service is down' });
          const snapshot = rows(subjectKey(subject));
          // The answer shows what was the case when it left.
          await life.clock.sleep(random.whole(0, SLOWEST_ANSWER));
          return { data: snapshot, at: life.clock.now(), complete: true, hidden: 0, broken: 0 };
        },
      }),
  };
}
