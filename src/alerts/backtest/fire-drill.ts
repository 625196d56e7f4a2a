/** A fire drill says which messages past events would have made with the rules that a chat has now. It is pure. */
import { instant, type Instant } from '../../base/clock.js';
import type { Address } from '../../chat/address.js';
import type { FeedEvent } from '../../domain/event.js';
import { THRESHOLD_STAGE } from '../../feeds/feed.js';
import type { EventContent } from '../../feeds/event-content.js';
import { GATHER, MAX_GATHER, PAUSE } from '../queue/batch.js';
import type { Entry } from '../watchlist/entry.js';
import { livePart } from '../watchlist/match.js';

export interface DrillEvent {
  readonly event: FeedEvent;
  /** A check found the event then. */
  readonly at: Instant;
  readonly content: EventContent;
  readonly entry: Entry;
  readonly silent: boolean;
}

export interface DrillMessage {
  readonly at: Instant;
  readonly events: readonly [DrillEvent, ...DrillEvent[]];
}

export interface DrillReport {
  readonly from: Instant;
  readonly to: Instant;
  /** The newest message is first. */
  readonly messages: readonly DrillMessage[];
  /** These events would only have edited a message. */
  readonly edits: number;
  /** These events are covered by an entry, but its rules filter them. */
  readonly filtered: number;
  /** The chat was really sent so many messages. */
  readonly sent: number;
  /** These sentences say what could not be replayed. */
  readonly lacks: readonly string[];
}

export interface FireDrills {
  /** It makes no request, and rejects with a `StoreError`. */
  replay(chat: Address, days: number): Promise<DrillReport>;
}

export interface DrillPlatform {
  /** It is false where every stage of a topic is a message. */
  readonly edits: boolean;
  /** It tells whether a message showed the topic before the period began. */
  readonly isShown: (topic: string) => boolean;
}

/** The oldest message is first. Mutes and quiet hours are not counted, because they delay messages and do not drop them. */
export function messagesOf(
  found: readonly DrillEvent[],
  { edits: canEdit, isShown }: DrillPlatform,
): Pick<DrillReport, 'messages' | 'edits'> {
  const messages: DrillMessage[] = [];
  const grouped: DrillEvent[] = [];
  const begun = new Set<string>();
  let edits = 0;
  for (const one of found.toSorted((a, b) => a.at - b.at)) {
    const live = canEdit ? livePart(one.entry, one.event) : undefined;
    const isFirst = live !== undefined && !begun.has(live.topic) && !isShown(live.topic);
    if (live !== undefined) begun.add(live.topic);
    // Checks of two projects are seldom at the same moment, though the daily values of both are.
    if (one.event.stage === THRESHOLD_STAGE) messages.push({ at: one.at, events: [one] });
    else if (live === undefined) grouped.push(one);
    else if (isFirst || live.part === 'notice') messages.push({ at: one.at, events: [one] });
    else edits += 1;
  }
  return { messages: [...messages, ...grouping(grouped)].toSorted((a, b) => a.at - b.at), edits };
}

/** Groups what comes within seconds, as the queue does. */
function grouping(events: readonly DrillEvent[]): readonly DrillMessage[] {
  const messages: DrillMessage[] = [];
  let lastAt = -Infinity;
  for (let index = 0; index < events.length;) {
    const first = events[index];
    if (first === undefined) break;
    const members: [DrillEvent, ...DrillEvent[]] = [first];
    const dueOf = (latest: Instant): number => Math.max(Math.min(latest + GATHER, first.at + MAX_GATHER), lastAt + PAUSE);
    let due = dueOf(first.at);
    for (index += 1; index < events.length; index += 1) {
      const next = events[index];
      if (next === undefined || next.at > due) break;
      members.push(next);
      due = dueOf(next.at);
    }
    messages.push({ at: instant(due), events: members });
    lastAt = due;
  }
  return messages;
}

export interface DrillRow {
  /** It is undefined for messages about several projects or kinds. */
  readonly about: { readonly key: string; readonly name: string; readonly feed: string } | undefined;
  readonly messages: readonly DrillMessage[];
}

/** Folds messages by project and kind, those with most messages first. */
export function folded(messages: readonly DrillMessage[]): readonly DrillRow[] {
  const rows = new Map<string, { readonly about: DrillRow['about']; readonly messages: DrillMessage[] }>();
  for (const message of messages) {
    const [{ event, content }, ...others] = message.events;
    const key = subjectOf(event);
    const isAlike = others.every((one) => one.event.feed === event.feed && subjectOf(one.event) === key);
    const about = isAlike ? { key, name: content.about, feed: event.feed } : undefined;
    const name = about === undefined ? '' : `${about.feed} ${about.key}`;
    const row = rows.get(name) ?? { about, messages: [] };
    row.messages.push(message);
    rows.set(name, row);
  }
  return [...rows.values()].toSorted((a, b) => b.messages.length - a.messages.length);
}

const subjectOf = ({ wallet, project, topic }: FeedEvent): string => wallet ?? project ?? topic;
