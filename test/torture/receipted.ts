/** What messages only counted, by the receipts of a bot that is stopped: ten events of a message are in it in full, those of a total and the rest behind "Show all". */
import { openArchive } from '../../src/alerts/queue/event-archive.js';
import { isGroup, MAX_IN_FULL, type ListPart } from '../../src/alerts/delivery/event-list.js';
import { totalOf, withTotals } from '../../src/alerts/delivery/event-totals.js';
import type { Member } from '../../src/alerts/queue/queue.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import { lineText } from '../../src/chat/plain-text.js';
import type { FeedEvent } from '../../src/domain/event.js';
import type { EventContent } from '../../src/feeds/event-content.js';
import { feedOf } from '../../src/feeds/index.js';
import { openStore } from '../../src/store/open.js';

/** The words of each event. */
export interface InMessages {
  /** That a message only counted, without naming it. */
  readonly hidden: readonly string[];
  /** In full, or as an example of the total in the first line. A long message leaves out the details of the last ones. */
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
            known.set(id, { address, ...countedIn(read.flatMap((one) => one ?? [])), maybeSent });
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

export interface ShownEvent {
  readonly event: FeedEvent;
  readonly content: EventContent;
}

function contentOf(event: FeedEvent | undefined, crossings: Member['crossings']): ShownEvent | undefined {
  const content = event && feedOf(event.feed)?.content(event, { crossings });
  return event && content && { event, content };
}

/** What a message of these events only counts, and what stands in it: ten events or totals, of which a total names a few events. */
export function countedIn(events: readonly ShownEvent[]): InMessages {
  const parts = withTotals(events);
  const [inFull, more] = [parts.slice(0, MAX_IN_FULL).map(named), parts.slice(MAX_IN_FULL).flat()];
  return {
    hidden: [...inFull.flatMap(({ others }) => others), ...more.map(wordsOf)],
    inFull: inFull.flatMap(({ words }) => words),
  };
}

function named(part: ListPart<ShownEvent>): { readonly words: readonly string[]; readonly others: readonly string[] } {
  if (!isGroup(part)) return { words: [wordsOf(part)], others: [] };
  const { line, detail } = totalOf(part);
  const at = part[0].event.detectedAt;
  const [headline, examples] = [lineText(line, at), lineText(detail, at)];
  const isNamed = ({ event, content }: ShownEvent): boolean => examples.includes(lineText(content.headline, event.detectedAt));
  return {
    words: part.filter(isNamed).map((one) => `${headline}\n${wordsOf(one)}`),
    others: part.filter((one) => !isNamed(one)).map(wordsOf),
  };
}

const wordsOf = ({ event, content }: ShownEvent): string =>
  [content.headline, ...content.details].map((line) => lineText(line, event.detectedAt)).join('\n');
