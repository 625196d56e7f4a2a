/** This file words reminders, and gives the dates of a feed their stored form. */
import { duration } from '../domain/format.js';
import { MINUTE, type Instant } from '../base/clock.js';
import type { Line } from '../chat/reply.js';
import type { FeedEvent } from '../domain/event.js';
import { DATE_WORDS, reminderOf, type DateKind } from '../domain/reminder.js';
import type { EventContent } from './event-content.js';

/** It is a date that a snapshot tells, and of which a chat can be reminded. */
export interface FoundDate<F> extends Pick<FeedEvent, 'topic'> {
  readonly project?: FeedEvent['project'];
  readonly what: DateKind;
  /** It is undefined where the topic has ended or has no date: a date that was known is over. */
  readonly at: Instant | undefined;
  /** It names what ends, such as '"Fund the second audit" (Tidewater)'. */
  readonly title: string;
  readonly facts: F;
}

/** A date that was read longer ago is confirmed before a reminder of it, or the reminder says how old it is. */
export const CONFIRM_AFTER = 10 * MINUTE;

/** The time that is left is counted when the message is made, so a late reminder is not sent as if on time. */
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
