/** What messages only counted, by the receipts of a bot that is stopped: ten events of a message stand in it in full, the rest behind "Show all". */
import { openArchive } from '../../src/alerts/queue/events.js';
import { MAX_IN_FULL } from '../../src/alerts/delivery/compose.js';
import type { Member } from '../../src/alerts/queue/queue.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import { instant } from '../../src/base/clock.js';
import { lineText } from '../../src/chat/text.js';
import type { FeedEvent } from '../../src/domain/event.js';
import { feedOf } from '../../src/feeds/index.js';
import { openStore } from '../../src/store/open.js';

/** The words of each such event, by what the address of its chat begins with. */
export async function counted(storeUrl: string): Promise<(address: string) => readonly string[]> {
  const store = await openStore(storeUrl);
  try {
    const [queues, archive] = [await openQueues(store), openArchive(store)];
    const all = await Promise.all(queues.all().map(async ({ address }) => ({ address, receipts: await queues.receipts(address) })));
    const rest = all.flatMap(({ address, receipts }) =>
      receipts
        .filter(({ end }) => end === 'sent' || end === 'maybe sent')
        .flatMap(({ members }) => members.slice(MAX_IN_FULL).map((member) => ({ address, member }))),
    );
    const found = await Promise.all(
      rest.map(async ({ address, member: { event: id, crossings } }) => ({ address, text: wordsOf(await archive.get(id), crossings) })),
    );
    return (begin) => found.flatMap(({ address, text }) => (address.startsWith(begin) ? [text] : []));
  } finally {
    await store.close();
  }
}

function wordsOf(event: FeedEvent | undefined, crossings: Member['crossings']): string {
  const telling = event && feedOf(event.feed)?.content(event, { crossings });
  return telling === undefined
    ? ''
    : [telling.headline, ...telling.details].map((line) => lineText(line, event?.detectedAt ?? instant(0))).join('\n');
}
