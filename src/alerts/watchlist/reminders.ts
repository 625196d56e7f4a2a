/** This module tells which reminders an entry has, and why an entry gets none. It is pure. */
import { isDeepStrictEqual } from 'node:util';
import { later, MINUTE, type Instant } from '../../base/clock.js';
import type { FeedEvent } from '../../domain/event.js';
import { offsetsText, offsetText, type Reminder } from '../../domain/reminder.js';
import { alertKind, reminderName } from '../rules/kinds.js';
import { presetRules, rulesFor, type Subscription } from '../rules/presets.js';
import type { About, Entry } from './entry.js';
import { standsSince } from './standing.js';
import type { Chat } from './watchlists.js';

type WithReminders = Pick<Chat, 'remind'>;

/** Returns an entry's reminder offsets in minutes; an entry without its own has those of its chat. */
export const remindersOf = (entry: Subscription, feed: string, chat: WithReminders): readonly number[] =>
  alertKind(feed)?.filters.includes('remind') === true
    ? (rulesFor(entry, feed).filters.remind ?? chat.remind?.map(({ before }) => before) ?? [])
    : [];

interface Wanting {
  readonly entry: Entry;
  readonly chat: WithReminders;
  readonly reminder: Reminder;
}

type Judged = About & Partial<Pick<FeedEvent, 'detectedAt'>>;

/** Says why an entry does not get a reminder, as text that continues "no alert: "; undefined if it does. */
export function noReminder(event: Judged, { entry, chat, reminder }: Wanting): string | undefined {
  const offsets = remindersOf(entry, event.feed, chat);
  const { at, before } = reminder;
  if (offsets.length === 0) return 'no reminders are set here';
  if (!offsets.includes(before)) return `your reminders are ${offsetsText(offsets)} before, not ${offsetText(before)}`;
  const dueAt = later(at, -before * MINUTE);
  if (dueAt < setAt(event, { entry, chat, before })) return `the ${offsetText(before)} reminder was set when less time was left`;
  const shorter = offsets.find((other) => other < before && at - other * MINUTE <= (event.detectedAt ?? dueAt));
  return shorter === undefined ? undefined : `it was so late that your ${offsetText(shorter)} reminder replaced it`;
}

function setAt(about: About, { entry, chat, before }: Omit<Wanting, 'reminder'> & { readonly before: number }): Instant {
  if (rulesFor(entry, about.feed).filters.remind !== undefined) return standsSince(entry, about, reminderName(before));
  return chat.remind?.find((one) => one.before === before)?.since ?? entry.since;
}

/** Sets an entry's own offsets; without any, it has those of its chat again. Rules equal to the preset's are not stored. */
export function withOwnReminders(entry: Entry, kind: string, offsets: readonly number[] | undefined): Entry {
  const { filters, thresholds } = rulesFor(entry, kind);
  const { remind: _, ...others } = filters;
  const rules = { filters: offsets === undefined ? others : { ...others, remind: offsets }, thresholds };
  const { [kind]: _own, ...rest } = entry.rules ?? {};
  if (!isDeepStrictEqual(rules, presetRules(entry.preset, kind))) return { ...entry, rules: { ...rest, [kind]: rules } };
  const { rules: _all, ...bare } = entry;
  return Object.keys(rest).length === 0 ? bare : { ...bare, rules: rest };
}

/** Sets a chat's offsets. Unchanged ones keep their `since`, so that no reminder is lost. */
export function withReminders<C extends WithReminders>(chat: C, offsets: readonly number[], now: Instant): C {
  const { remind = [] } = chat;
  return { ...chat, remind: offsets.map((before) => remind.find((one) => one.before === before) ?? { before, since: now }) };
}
