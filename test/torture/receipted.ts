/** What messages only counted, by the receipts of a bot that is stopped: ten events of a message are in it in full, those of a total and the rest behind "Show all". */
import { openArchive } from '../../src/alerts/queue/event-archive.js';
import { isGroup, MAX_IN_FULL } from '../../src/alerts/delivery/event-list.js';
import { totalOf, withTotals, type EventGroup } from '../../src/alerts/delivery/event-totals.js';
import type { Member } from '../../src/alerts/queue/queue.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import { lineText } from '../../src/chat/plain-text.js';
import type { FeedEvent } from '../../src/domain/event.js';
import type { EventContent } from '../../src/feeds/feed.js';
import { feedOf } from '../../src/feeds/index.js';
import { openStore } from '../../src/store/open.js';

/** The words of each event. */
export interface InMessages {
  /** That a message only counted, without naming it. */
  readonly hidden: readonly string[];
  /** In full; a long message leaves out the details of the last ones. */
  readonly inFull: readonly string[];
}

export interface Counted {
  of(address: string): InMessages;
  /** Attempts of which nobody knows whether they arrived. */
  maybeSent(address: string): number;
}

/**
 * What receipts say. Those of old messages are deleted, so a long run reads them in between, while no bot runs. The latest reading counts:
 * a message that is edited lists other events in full.
 */
export function openReceiptReader() {
  const known = new Map<string, InMessages & { readonly address: string; readonly maybeSent: number }>();
  return {
    async read(storeUrl: string): Promise<void> {
      const store = await openStore(storeUrl);
      try {
        const [queues, archive] = [await openQueues(store), openArchive(store)];
        for (const { address } of queues.all())
          for (const { id, end, members, maybeSent = 0 } of await queues.receipts(address)) {
            const isShown = end === 'sent' || end === 'maybe sent';
            const read = isShown
              ? await Promise.all(members.map(async ({ event, crossings }) => contentOf(await archive.get(event), crossings)))
              : [];
            const parts = withTotals(read.flatMap((one) => one ?? []));
            const hidden = parts.flatMap((part, index) => (isGroup(part) ? unnamed(part) : index < MAX_IN_FULL ? [] : [part]));
            const inFull = parts.slice(0, MAX_IN_FULL).flatMap((part) => (isGroup(part) ? [] : [part]));
            known.set(id, { address, hidden: hidden.map(wordsOf), inFull: inFull.map(wordsOf), maybeSent });
          }
      } finally {
        await store.close();
      }
    },
    counted(): Counted {
      const at = (begin: string) => [...known.values()].filter(({ address }) => address.startsWith(begin));
      return {
        of: (begin) => ({
          hidden: at(begin).flatMap(({ hidden }) => hidden),
          inFull: at(begin).flatMap(({ inFull }) => inFull),
        }),
        maybeSent: (begin) => at(begin).reduce((sum, { maybeSent }) => sum + maybeSent, 0),
      };
    },
  };
}

/** Of a bot that is stopped. */
export async function counted(storeUrl: string): Promise<Counted> {
  const reader = openReceiptReader();
  await reader.read(storeUrl);
  return reader.counted();
}

interface Shown {
  readonly event: FeedEvent;
  readonly content: EventContent;
}

function contentOf(event: FeedEvent | undefined, crossings: Member['crossings']): Shown | undefined {
  const content = event && feedOf(event.feed)?.content(event, { crossings });
  return event && content && { event, content };
}

/** A total names a few of its events. */
function unnamed(group: EventGroup<Shown>): readonly Shown[] {
  const named = lineText(totalOf(group).detail, group[0].event.detectedAt);
  return group.filter(({ event, content }) => !named.includes(lineText(content.headline, event.detectedAt)));
}

const wordsOf = ({ event, content }: Shown): string =>
  [content.headline, ...content.details].map((line) => lineText(line, event.detectedAt)).join('\n');
