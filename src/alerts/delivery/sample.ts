/** This module sends sample alerts, which are delivered like alerts but not counted. */
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Clock } from '../../base/clock.js';
import type { Address } from '../../chat/address.js';
import type { Feed } from '../../feeds/feed.js';
import type { Archive } from '../queue/event-archive.js';
import { enqueue, type Member } from '../queue/queue.js';
import type { Queues } from '../queue/queues.js';
import type { Watchlists } from '../watchlist/watchlists.js';

export interface Samples {
  /** Queues a sample of each kind, by default of all. Resolves with the kinds that exist; rejects with a `StoreError`. */
  post(chat: Address, kinds?: readonly string[]): Promise<readonly string[]>;
}

interface SamplesDeps {
  readonly feeds: readonly Feed[];
  readonly archive: Archive;
  readonly queues: Queues;
  readonly watchlists: Watchlists;
  readonly clock: Clock;
}

export const createSamples = ({ feeds, archive, queues, watchlists, clock }: SamplesDeps): Samples => ({
  async post(chat, kinds) {
    const now = clock.now();
    const isKnown = watchlists.has(chat);
    const wanted = feeds.filter(({ id }) => kinds === undefined || kinds.includes(id));
    const members: Member[] = [];
    for (const feed of wanted) {
      const { crossings, ...event } = feed.sample(now);
      // The time in the id makes a second request a new message.
      const id = `${event.id}@${now}`;
      await archive.keep({ ...event, id });
      members.push(omitUndefined({ event: id, entry: '', queuedAt: now, sample: true, crossings }));
    }
    // The chat may have been forgotten while events were stored.
    await queues.change(chat, (queue) => (isKnown && !watchlists.has(chat) ? queue : enqueue(queue, members)));
    return wanted.map(({ id }) => id);
  },
});
