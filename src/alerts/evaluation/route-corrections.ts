/** Who was alerted of an event that is corrected. The receipts of a chat are the index: a correction costs reads, an alert no write. */
import { DAY, type Instant } from '../../base/clock.js';
import type { Address } from '../../chat/address.js';
import type { FeedEvent } from '../../domain/event.js';
import { CORRECTED_STAGE } from '../../feeds/feed.js';
import type { Member } from '../queue/queue.js';
import type { Queues } from '../queue/queues.js';
import { isOff } from '../rules/presets.js';
import type { Chat } from '../watchlist/watchlists.js';
import { covering } from './match.js';

/** Alerts are corrected for so long. */
export const CORRECTED_FOR = 7 * DAY;

/** Undefined: this chat was not alerted of it. `waiting`: it will be, and then of the correction too. */
async function delivered(address: Address, event: string, { queues, now }: Correcting): Promise<Member | undefined> {
  const isIt = (member: Member): boolean => member.event === event;
  const { waiting, open } = queues.read(address);
  const unsent = [...waiting, ...(open?.members ?? [])].find(isIt);
  if (unsent !== undefined) return { event, entry: unsent.entry, queuedAt: now, corrects: { event } };
  const sent = (await queues.receipts(address)).filter(
    ({ end, endedAt, live }) => live !== true && (end === 'sent' || end === 'maybe sent') && now - endedAt <= CORRECTED_FOR,
  );
  // Else an earlier correction, which was an alert of its own.
  const about = [isIt, (member: Member) => member.event.startsWith(`${event}/`)];
  for (const isAbout of about)
    for (const { id, members, messageId } of sent) {
      const member = members.find(isAbout);
      if (member === undefined) continue;
      const corrects = { event: member.event, delivery: id, ...(messageId === undefined ? {} : { messageId }) };
      return { event, entry: member.entry, queuedAt: now, corrects };
    }
  return undefined;
}

interface Correcting {
  readonly queues: Pick<Queues, 'read' | 'receipts'>;
  readonly now: Instant;
}

/** Members for this chat, and events that are alerts of their own here: it did not get what they correct. */
export async function correctionsFor(
  chat: Chat,
  events: readonly FeedEvent[],
  context: Correcting,
): Promise<{ readonly members: readonly Member[]; readonly others: readonly FeedEvent[] }> {
  const members: Member[] = [];
  const others: FeedEvent[] = [];
  for (const event of events) {
    if (event.corrects === undefined) {
      others.push(event);
      continue;
    }
    const [entry] = covering(event, chat);
    const isWatched = entry !== undefined && !isOff(entry, event.feed);
    const member = isWatched ? await delivered(chat.address, event.corrects.event, context) : undefined;
    if (member !== undefined) members.push({ ...member, event: event.id });
    else if (event.stage !== CORRECTED_STAGE) others.push(event);
  }
  return { members, others };
}
