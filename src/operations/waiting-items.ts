/** What waits in the queues. */
import { waitingIn } from '../alerts/queue/queue.js';
import type { Queues } from '../alerts/queue/queues.js';
import { isAway, type Watchlists } from '../alerts/watchlist/watchlists.js';
import { instant, type Instant } from '../base/clock.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { Drain } from '../jobs/drain.js';

export interface WaitingItems {
  /** `away`: the bot is not in the chat; `not_permitted`: people there must act. */
  readonly items: Readonly<Record<'waiting' | 'retrying' | 'not_permitted' | 'away', number>>;
  /** Since when the oldest could be sent. */
  readonly oldest: Instant | undefined;
}

export interface WaitingItemsContext {
  readonly queues: Pick<Queues, 'busy' | 'read'>;
  readonly watchlists: Pick<Watchlists, 'read'>;
  readonly drain: Pick<Drain, 'running'>;
}

/** Queues that are read before other work gets its turn. */
const PART = 1_000;

export async function waitingItems({ queues, watchlists, drain }: WaitingItemsContext): Promise<WaitingItems> {
  const items = { waiting: 0, retrying: 0, not_permitted: 0, away: 0 };
  let oldest = Number.POSITIVE_INFINITY;
  for (const [index, address] of [...queues.busy()].entries()) {
    if (index > 0 && index % PART === 0) await yieldToEventLoop();
    const queue = queues.read(address);
    const { open } = queue;
    const isGone = isAway(watchlists.read(address));
    const state = isGone ? 'away' : open?.notPermitted === true ? 'not_permitted' : open?.problem === undefined ? 'waiting' : 'retrying';
    items[state] += waitingIn(queue);
    // A sealed delivery is sent at once or has failed; what is not sealed is due only where a run is under way.
    if (open !== undefined && (state === 'waiting' || state === 'retrying')) oldest = Math.min(oldest, open.sealedAt);
  }
  for (const [address, since] of drain.running()) {
    const { open, waiting, prepared } = queues.read(address);
    const first = waiting[0]?.queuedAt ?? prepared?.[0]?.queuedAt;
    if (open === undefined && first !== undefined) oldest = Math.min(oldest, Math.max(since, first));
  }
  return { items, oldest: Number.isFinite(oldest) ? instant(oldest) : undefined };
}
