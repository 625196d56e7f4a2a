/** Readers of a calendar that are not its writer: three of npm, and where Debian has them libical, icalendar and vobject. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { convertIcsCalendar } from 'ts-ics';
import { expect } from 'vitest';
import { z } from 'zod';

interface Shown {
  readonly uid: string;
  readonly summary: string;
  readonly start: number;
  readonly end: number | undefined;
  readonly sequence: number;
  readonly status: string;
}

const byUid = (events: readonly Shown[]): readonly Shown[] => events.toSorted((a, b) => (a.uid < b.uid ? -1 : 1));

function withIcalJs(text: string): readonly Shown[] {
  const calendar = new ICAL.Component(z.array(z.unknown()).parse(ICAL.parse(text)));
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    const hasEnd = component.getFirstProperty('dtend') !== null;
    return {
      uid: event.uid,
      summary: event.summary,
      start: event.startDate.toJSDate().getTime(),
      end: hasEnd ? event.endDate.toJSDate().getTime() : undefined,
      sequence: event.sequence,
      status: String(component.getFirstPropertyValue('status')),
    };
  });
}

const nodeEvent = z.object({
  type: z.literal('VEVENT'),
  uid: z.string(),
  summary: z.string(),
  start: z.date(),
  end: z.date().optional(),
  sequence: z.coerce.number(),
  status: z.string(),
});
const withNodeIcal = (text: string): readonly Shown[] =>
  Object.values(nodeIcal.sync.parseICS(text)).flatMap((part) => {
    const event = nodeEvent.safeParse(part).data;
    if (event === undefined) return [];
    const { uid, summary, start, end, sequence, status } = event;
    // This parser gives an event without an end its start as the end.
    const own = end === undefined || end.getTime() === start.getTime() ? undefined : end.getTime();
    return [{ uid, summary, start: start.getTime(), end: own, sequence, status }];
  });

const withTsIcs = (text: string): readonly Shown[] =>
  (convertIcsCalendar(undefined, text).events ?? []).map(({ uid, summary, start, end, sequence = 0, status = '' }) => ({
    uid,
    summary,
    start: start.date.getTime(),
    end: end?.date.getTime(),
    sequence,
    status,
  }));

/** Debian's, because another Python on the PATH does not see its packages. */
const PYTHON = '/usr/bin/python3';
const PACKAGES = 'python3-icalendar, python3-vobject, python3-gi and gir1.2-ical-3.0';
const IMPORTS = "import icalendar, vobject, gi; gi.require_version('ICalGLib', '3.0')";

/** Why tests that need all six are skipped; undefined: they run. */
export const withoutDebianParsers = spawnSync(PYTHON, ['-c', IMPORTS]).status === 0 ? undefined : `Debian's ${PACKAGES} are not installed`;

const SCRIPT = fileURLToPath(new URL('calendar-parsers.py', import.meta.url));
const shown = z.object({
  uid: z.string(),
  summary: z.string(),
  start: z.int(),
  end: z
    .int()
    .nullable()
    .transform((end) => end ?? undefined),
  sequence: z.int(),
  status: z.string(),
});
const read = z.object({ libical: z.array(shown), icalendar: z.array(shown), vobject: z.array(shown) });

function withDebian(text: string): Readonly<Record<string, readonly Shown[]>> {
  const { status, stdout, stderr } = spawnSync(PYTHON, [SCRIPT], { input: text, encoding: 'utf8' });
  if (status !== 0) throw new Error(`A parser refuses the calendar: ${stderr}`);
  return read.parse(JSON.parse(stdout));
}

/** What every parser reads, or the test fails. */
export function eventsIn(text: string): readonly Shown[] {
  const first = byUid(withIcalJs(text));
  const others = {
    'node-ical': withNodeIcal(text),
    'ts-ics': withTsIcs(text),
    ...(withoutDebianParsers === undefined ? withDebian(text) : {}),
  };
  for (const [parser, events] of Object.entries(others)) expect(byUid(events), parser).toEqual(first);
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  return first;
}
