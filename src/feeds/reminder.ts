/** This module words reminders, and converts a feed's dates to their stored form. */
import { duration } from '../domain/format.js';
import { MINUTE, type Instant } from '../base/clock.js';
import type { Line } from '../chat/reply.js';
import type { FeedEvent } from '../domain/event.js';
import { DATE_WORDS, reminderOf, type DateKind } from '../domain/reminder.js';
import type { EventContent } from './event-content.js';

/** A date in a snapshot, of which chats can be reminded. */
export interface FoundDate<F> extends Pick<FeedEvent, 'topic'> {
  readonly project?: FeedEvent['project'];
  readonly what: DateKind;
  /** Undefined if the topic has ended or has no date, so that a known date is removed. */
  readonly at: Instant | undefined;
  /** Names what ends, such as '"Fund the second audit" (Tidewater)'. */
  readonly title: string;
  readonly facts: F;
}

/** A date that was read longer ago is confirmed before its reminder, or the reminder says how old it is. */
export const CONFIRM_AFTER = 10 * MINUTE;

/** Adds the time left to a reminder. It is computed when the message is made, so that a late reminder is right. */
export function reminderContent(content: EventContent, event: FeedEvent, now: Instant): EventContent {
  const reminder = reminderOf(event);
  if (reminder === undefined) return content;
  const { what, at, title } = reminder;
  const { detectedAt, checkedAt = detectedAt } = event;
  const isDated = what === 'end' || what === 'close';
  const dated: readonly Line[] = isDated ? [] : [[`${DATE_WORDS[what]} `, { at, exact: true }]];
  const old: readonly Line[] =
    detectedAt - checkedAt > CONFIRM_AFTER ? [['⚠ Could not be confirmed; this time was read ', { at: checkedAt }]] : [];
  const left = duration(Math.max(MINUTE, Math.round((at - now) / MINUTE) * MINUTE), 2);
  return {
    ...content,
    tone: 'warning',
    headline: [{ strong: `${DATE_WORDS[what]} in ${left}: ${title}` }],
    details: [...dated, ...content.details, ...old],
  };
}
