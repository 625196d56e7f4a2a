/** This module finds the chats that were alerted of a corrected event. It reads their receipts, so that alerts need no extra write. */
import { omitUndefined } from '../../base/omit-undefined.js';
import { type Instant, DAY } from '../../base/clock.js';
import type { Address } from '../../chat/address.js';
import type { FeedEvent } from '../../domain/event.js';
import { CORRECTED_STAGE } from '../../feeds/event-content.js';
import type { Member, Receipt } from './queue.js';
import type { Queues } from './queues.js';
import { isOff } from '../rules/presets.js';
import type { Chat } from '../watchlist/watchlists.js';
import { covering } from '../watchlist/match.js';

/** Returns the correction's item; undefined if the chat was not alerted. If the alert still waits, it will show the correction. */
function delivered(event: string, { unsent, sent, now }: Alerted & Pick<Correcting, 'now'>): Member | undefined {
  const isIt = (member: Member): boolean => member.event === event;
  const one = unsent.find(isIt);
  if (one !== undefined) return { event, ...sourceOf(one), queuedAt: now, corrects: { event } };
  // If the event itself was not alerted, an earlier correction that was an alert counts.
  const about = [isIt, (member: Member) => member.event.startsWith(`${event}/`)];
  for (const isAbout of about)
    for (const { id, members, messageId } of sent) {
      const member = members.find(isAbout);
      if (member === undefined) continue;
      const corrects = omitUndefined({ event: member.event, delivery: id, messageId });
      return { event, ...sourceOf(member), queuedAt: now, corrects };
    }
  return undefined;
}

const sourceOf = ({ entry, project }: Member): Pick<Member, 'entry' | 'project'> => omitUndefined({ entry, project });

interface Alerted {
  readonly unsent: readonly Member[];
  /** Newest first. */
  readonly sent: readonly Receipt[];
}

async function alertedIn(address: Address, { queues, now }: Correcting): Promise<Alerted> {
  const { waiting, open } = queues.read(address);
  const sent = (await queues.receipts(address)).filter(
    ({ end, endedAt, live }) => live !== true && (end === 'sent' || end === 'maybe sent') && now - endedAt <= CORRECTED_FOR,
  );
  return { unsent: [...waiting, ...(open?.members ?? [])], sent };
}

interface Correcting {
  readonly queues: Pick<Queues, 'read' | 'receipts'>;
  readonly now: Instant;
}

/** Returns correction items, and events that are new alerts in this chat. */
export async function correctionsFor(
  chat: Chat,
  events: readonly FeedEvent[],
  context: Correcting,
): Promise<{ readonly members: readonly Member[]; readonly others: readonly FeedEvent[] }> {
  const members: Member[] = [];
  const others: FeedEvent[] = [];
  let alerted: Alerted | undefined;
  for (const event of events) {
    if (event.corrects === undefined) {
      others.push(event);
      continue;
    }
    const [entry] = covering(event, chat);
    const isWatched = entry !== undefined && !isOff(entry, event.feed);
    if (isWatched) alerted ??= await alertedIn(chat.address, context);
    const member = isWatched && alerted ? delivered(event.corrects.event, { ...alerted, now: context.now }) : undefined;
    if (member !== undefined) members.push({ ...member, event: event.id });
    else if (event.stage !== CORRECTED_STAGE) others.push(event);
  }
  return { members, others };
}

export const CORRECTED_FOR = 7 * DAY;
