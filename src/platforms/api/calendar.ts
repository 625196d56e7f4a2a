/** The calendar of a chat: which events it has shown, and how they are written as iCalendar. https://www.rfc-editor.org/rfc/rfc5545 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DAY, HOUR, type Instant } from '../../base/clock.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { addressSchema, type Address } from '../../chat/address.js';
import { MOMENT_KINDS, type Moment, type DatesAhead } from '../../chat/chat-data.js';
import { instantSchema } from '../../domain/scalars.js';

const eventSchema = z.object({
  kind: z.enum(MOMENT_KINDS),
  title: z.string(),
  at: instantSchema,
  until: instantSchema.optional(),
  says: z.string(),
  url: z.string().optional(),
  /** It grows with each change, so that a calendar app takes the newer version. */
  sequence: z.int(),
  changedAt: instantSchema,
  isCancelled: z.literal(true).optional(),
});
type CalendarEvent = z.infer<typeof eventSchema>;

export const calendarSchema = z.object({ chat: addressSchema, events: z.record(z.string(), eventSchema) });
export type ChatCalendarDocument = z.infer<typeof calendarSchema>;

/** Past and cancelled events stay so long, so that an app that asks rarely gets the cancellation. */
const KEPT_FOR = 30 * DAY;
const MAX_EVENTS = 1_000;
const REFRESHED_EVERY = HOUR;

type Events = ChatCalendarDocument['events'];

/** The events after another reading. It returns the same object where nothing changed. Pure. */
export function updated(before: Events, { moments, isUnread }: Omit<DatesAhead, 'isCut'>, now: Instant): Events {
  const after = new Map<string, CalendarEvent>();
  let isChanged = false;
  const put = (id: string, event: CalendarEvent): void => {
    isChanged ||= event !== before[id];
    after.set(id, event);
  };
  const isRecent = ({ at, until = at }: Pick<Moment, 'at' | 'until'>): boolean => now - until <= KEPT_FOR;
  for (const moment of moments
    .filter(isRecent)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MAX_EVENTS))
    put(moment.id, withMoment(before[moment.id], moment, now));
  for (const [id, event] of Object.entries(before)) {
    if (after.has(id)) continue;
    const isAhead = (event.until ?? event.at) > now;
    const gone = isAhead && event.isCancelled !== true && !isUnread(id);
    const kept: CalendarEvent = gone ? { ...event, isCancelled: true, sequence: event.sequence + 1, changedAt: now } : event;
    const endedAt = kept.isCancelled === true ? kept.changedAt : (kept.until ?? kept.at);
    if (now - endedAt > KEPT_FOR || after.size >= MAX_EVENTS) isChanged = true;
    else put(id, kept);
  }
  return isChanged ? Object.fromEntries(after) : before;
}

function withMoment(known: CalendarEvent | undefined, { kind, title, at, until, says, url }: Moment, now: Instant): CalendarEvent {
  const shown = omitUndefined({ kind, title, at, until, says, url });
  if (known === undefined) return { ...shown, sequence: 0, changedAt: now };
  const isSame =
    known.isCancelled !== true &&
    known.title === title &&
    known.at === at &&
    known.until === until &&
    known.says === says &&
    known.url === url;
  return isSame ? known : { ...shown, sequence: known.sequence + 1, changedAt: now };
}

/** It is the same in every reading and differs from chat to chat, so that two subscriptions do not overwrite each other. */
const uidOf = (chat: Address, id: string): string =>
  `${createHash('sha256')
    .update(JSON.stringify([chat, id]))
    .digest('hex')
    .slice(0, 32)}@navwatch`;

const DESCRIPTION = 'Starts and ends of markets, TWAP windows, launches, cliffs and unlocks of the projects that this chat watches.';

/** An end has no length; a window has its own. It has no METHOD: that would be a message, whose events need an ORGANIZER (RFC 5546, 3.2.1). */
export async function icsText({ chat, events }: ChatCalendarDocument, { isCut }: Pick<DatesAhead, 'isCut'>): Promise<string> {
  const { default: ical, ICalEventStatus } = await import('ical-generator');
  const calendar = ical({
    name: 'Navwatch',
    description: `${DESCRIPTION}${isCut ? ' Where there are very many dates, the later ones follow once the earlier ones have passed.' : ''}`,
    prodId: { company: 'Navwatch', product: 'Calendar', language: 'EN' },
    ttl: REFRESHED_EVERY / 1000,
  });
  for (const [id, { title, at, until, says, url, sequence, changedAt, isCancelled }] of Object.entries(events))
    calendar.createEvent({
      id: uidOf(chat, id),
      sequence,
      stamp: new Date(changedAt),
      lastModified: new Date(changedAt),
      start: new Date(at),
      ...(until === undefined ? {} : { end: new Date(until) }),
      summary: withoutMarks(title),
      description: withoutMarks(says),
      status: isCancelled === true ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      ...(url === undefined ? {} : { url: withoutSeparators(url) }),
    });
  // The writer leaves out the last line break, which the specification asks for.
  return `${calendar.toString()}\r\n`;
}

/** Some parsers take these words for the limits of an event wherever they stand, and others misread an escaped backslash. */
const withoutMarks = (text: string): string => text.replaceAll(/\b(BEGIN|END):/giu, '$1 :').replaceAll('\\', '/');

/** The writer escapes commas and semicolons, which an address must not have escaped. */
const withoutSeparators = (url: string): string => url.replaceAll(',', '%2C').replaceAll(';', '%3B');
