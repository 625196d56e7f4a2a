/** Keeps the events that a chat's calendar has shown, and writes them as iCalendar. https://www.rfc-editor.org/rfc/rfc5545 */
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
  /** Grows with each change, so that calendar apps take the newer version. */
  sequence: z.int(),
  changedAt: instantSchema,
  isCancelled: z.literal(true).optional(),
});
type CalendarEvent = z.infer<typeof eventSchema>;

export const calendarSchema = z.object({ chat: addressSchema, events: z.record(z.string(), eventSchema) });
export type ChatCalendarDocument = z.infer<typeof calendarSchema>;

/** How long past and cancelled events stay, so that an app that fetches rarely gets the cancellation. */
const KEPT_FOR = 30 * DAY;
const MAX_EVENTS = 1_000;
const REFRESHED_EVERY = HOUR;

type Events = ChatCalendarDocument['events'];

/** Merges the dates ahead into the events. Returns the same object if nothing changed. */
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

/** Builds a stable UID. It differs from chat to chat, so that two subscriptions do not overwrite each other. */
const uidOf = (chat: Address, id: string): string =>
  `${createHash('sha256')
    .update(JSON.stringify([chat, id]))
    .digest('hex')
    .slice(0, 32)}@navwatch`;

const DESCRIPTION = 'Starts and ends of markets, TWAP windows, launches, cliffs and unlocks of the projects that this chat watches.';

/** Writes the calendar. It has no METHOD, which would make it an invitation whose events need an ORGANIZER (RFC 5546, 3.2.1). */
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
  // The library leaves out the last line break, which the specification requires.
  return `${calendar.toString()}\r\n`;
}

/** Breaks up BEGIN: and END:, which some parsers read anywhere as an event's limits, and replaces backslashes, which others misread. */
const withoutMarks = (text: string): string => text.replaceAll(/\b(BEGIN|END):/giu, '$1 :').replaceAll('\\', '/');

/** Percent-encodes commas and semicolons, because the library would escape them, which is wrong in a URL. */
const withoutSeparators = (url: string): string => url.replaceAll(',', '%2C').replaceAll(';', '%3B');
