/** What messages only counted, by the receipts of a bot that is stopped: ten events of a message are in it in full, those of a total and the rest behind "Show all". */
import { openArchive } from '../../src/alerts/queue/event-archive.js';
import { MAX_IN_FULL } from '../../src/alerts/delivery/event-list.js';
import { withTotals } from '../../src/alerts/delivery/event-totals.js';
import type { Member } from '../../src/alerts/queue/queue.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import { lineText } from '../../src/chat/plain-text.js';
import type { FeedEvent } from '../../src/domain/event.js';
import type { EventContent } from '../../src/feeds/feed.js';
import { feedOf } from '../../src/feeds/index.js';
import { openStore } from '../../src/store/open.js';

export interface Counted {
  /** The words of each event that a message only counted. */
  hidden(address: string): readonly string[];
  /** Attempts of which nobody knows whether they arrived. */
  maybeSent(address: string): number;
}

/** By what the address of a chat begins with. */
export async function counted(storeUrl: string): Promise<Counted> {
  const store = await openStore(storeUrl);
  try {
    const [queues, archive] = [await openQueues(store), openArchive(store)];
    const all = await Promise.all(queues.all().map(async ({ address }) => ({ address, receipts: await queues.receipts(address) })));
    const messages = all.flatMap(({ address, receipts }) =>
      receipts.filter(({ end }) => end === 'sent' || end === 'maybe sent').map(({ members }) => ({ address, members })),
    );
    const found = await Promise.all(
      messages.map(async ({ address, members }) => {
        const read = await Promise.all(members.map(async ({ event, crossings }) => contentOf(await archive.get(event), crossings)));
        const parts = withTotals(read.flatMap((one) => one ?? []));
        const hidden = parts.flatMap((part, index) => ('event' in part ? (index < MAX_IN_FULL ? [] : [part]) : part));
        return hidden.map((one) => ({ address, text: wordsOf(one) }));
      }),
    );
    return {
      hidden: (begin) => found.flat().flatMap(({ address, text }) => (address.startsWith(begin) ? [text] : [])),
      maybeSent: (begin) =>
        all
          .filter(({ address }) => address.startsWith(begin))
          .flatMap(({ receipts }) => receipts)
          .reduce((sum, { maybeSent = 0 }) => sum + maybeSent, 0),
    };
  } finally {
    await store.close();
  }
}

interface Shown {
  readonly event: FeedEvent;
  readonly content: EventContent;
}

function contentOf(event: FeedEvent | undefined, crossings: Member['crossings']): Shown | undefined {
  const content = event && feedOf(event.feed)?.content(event, { crossings });
  return event && content && { event, content };
}

const wordsOf = ({ event, content }: Shown): string =>
  [content.headline, ...content.details].map((line) => lineText(line, event.detectedAt)).join('\n');
