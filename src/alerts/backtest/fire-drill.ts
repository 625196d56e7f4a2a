/** This module computes which messages past events would have caused with a chat's current rules. It is pure. */
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
  /** When a check found the event. */
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
  /** Newest first. */
  readonly messages: readonly DrillMessage[];
  /** Number of events that would only have edited a message. */
  readonly edits: number;
  /** Number of events that an entry covers but its rules filter. */
  readonly filtered: number;
  /** Number of messages that the chat was really sent. */
  readonly sent: number;
  /** Sentences that say what could not be replayed. */
  readonly lacks: readonly string[];
}

export interface FireDrills {
  /** Replays the last `days` days for a chat without requests. Rejects with a `StoreError`. */
  replay(chat: Address, days: number): Promise<DrillReport>;
}

export interface DrillPlatform {
  /** Whether the platform edits messages. Otherwise every stage of a topic is a message. */
  readonly edits: boolean;
  /** Tells whether a message showed the topic before the period began. */
  readonly isShown: (topic: string) => boolean;
}

/** Returns the messages, oldest first. Mutes and quiet hours are ignored, because they only delay messages. */
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
    // Threshold alerts are not grouped. Replayed daily values of all projects have the same time, but real checks did not.
    if (one.event.stage === THRESHOLD_STAGE) messages.push({ at: one.at, events: [one] });
    else if (live === undefined) grouped.push(one);
    else if (isFirst || live.part === 'notice') messages.push({ at: one.at, events: [one] });
    else edits += 1;
  }
  return { messages: [...messages, ...grouping(grouped)].toSorted((a, b) => a.at - b.at), edits };
}

/** Groups events that come within seconds, as the queue does. */
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
  /** Undefined for messages about several projects or kinds. */
  readonly about: { readonly key: string; readonly name: string; readonly feed: string } | undefined;
  readonly messages: readonly DrillMessage[];
}

/** Groups messages by project and kind, most messages first. */
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
