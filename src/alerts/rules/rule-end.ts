/** This module defines what limits a threshold rule: to one topic, to one alert (`once`), or to a time (`until`). It is pure. */
import { DateTime } from 'luxon';
import { DAY, instant, later, MINUTE, type Instant } from '../../base/clock.js';
import type { Line } from '../../chat/reply.js';
import type { FeedEvent } from '../../domain/event.js';
import { shortKey } from '../../domain/wallet.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';

type Lifetime = Pick<ThresholdRule, 'once' | 'until' | 'only'>;

const MAX_AHEAD = 2 * 365 * DAY;

/** Tells whether the end is a whole day in UTC. */
const isDay = (until: Instant): boolean => until % DAY === 0;

const dateOf = (until: Instant, format: string): string =>
  DateTime.fromMillis(isDay(until) ? until - 1 : until, { zone: 'utc', locale: 'en-US' }).toFormat(format);

/** Returns limits as typed, such as "on 9xQ… once until 2026-12-01", or an empty text. */
export const lifetimeTyped = ({ once, until, only }: Lifetime): string =>
  [
    ...(only === undefined ? [] : [`on ${only}`]),
    ...(once === true ? ['once'] : []),
    ...(until === undefined ? [] : [`until ${dateOf(until, isDay(until) ? 'yyyy-MM-dd' : "yyyy-MM-dd'T'HH:mm'Z'")}`]),
  ].join(' ');

/** Returns text such as ", once, until Dec 1, 2026". An end within a day includes the time. */
export const lifetimeWords = ({ once, until, only }: Lifetime): Line => [
  ...(only === undefined ? [] : [` on ${shortKey(only)}`]),
  ...(once === true ? [', once'] : []),
  ...(until === undefined ? [] : isDay(until) ? [`, until ${dateOf(until, 'LLL d, yyyy')}`] : [', until ', { at: until, exact: true }]),
];

/** Tells whether a rule applies to an event. A rule for one topic ignores the subject's other topics. */
export const concerns = ({ only }: Lifetime, { id }: Pick<FeedEvent, 'id'>): boolean => only === undefined || id.split('/').includes(only);

export const isOver = ({ until }: Lifetime, now: Instant): boolean => until !== undefined && until <= now;

/** A pattern for what may follow "until". */
export const UNTIL = String.raw`(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}Z)?|\p{L}{3,9}\s+\d{1,2}(?:,?\s+\d{4})?|\d{1,2}\s+\p{L}{3,9}(?:\s+\d{4})?|\d{1,3}\s*[dw](?![\p{L}\d])|[^\s,;]*)`;

const DATES = ['yyyy-MM-dd', 'LLL d yyyy', 'LLLL d yyyy', 'd LLL yyyy', 'd LLLL yyyy'] as const;
const DAYS_OF_YEAR = ['LLL d', 'LLLL d', 'd LLL', 'd LLLL'] as const;

/** Reads an end; `says` states what can be written. Without `now`, dates need a year. */
export function readUntil(text: string, now: Instant | undefined): { readonly until: Instant } | { readonly says: string } {
  const until = momentOf(text.trim().replaceAll(/,?\s+/gu, ' '), now);
  if (until === undefined) return { says: `"${text.trim()}" is not a date. Write until 2026-12-01, until Dec 1 or until 7d.` };
  if (now !== undefined && until <= now) return { says: `"until ${text.trim()}" is over already.` };
  return now !== undefined && until > later(now, MAX_AHEAD) ? { says: 'A rule can end at most two years from now.' } : { until };
}

function momentOf(text: string, now: Instant | undefined): Instant | undefined {
  const exact = DateTime.fromFormat(text, "yyyy-MM-dd'T'HH:mm'Z'", { zone: 'utc' });
  if (exact.isValid) return instant(exact.toMillis());
  const dated = firstValid(text, DATES);
  if (dated !== undefined) return endOf(dated);
  if (now === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,3}) ?([dw])$/iu.exec(text) ?? [];
  // Typed ends have no seconds, so the end is rounded up to a minute.
  if (count !== '') return instant(Math.ceil(later(now, Number(count) * (unit.toLowerCase() === 'w' ? 7 : 1) * DAY) / MINUTE) * MINUTE);
  const day = firstValid(text, DAYS_OF_YEAR)?.set({ year: DateTime.fromMillis(now, { zone: 'utc' }).year });
  if (day === undefined) return undefined;
  return endOf(endOf(day) > now ? day : day.plus({ years: 1 }));
}

const firstValid = (text: string, formats: readonly string[]): DateTime | undefined =>
  formats.map((format) => DateTime.fromFormat(text, format, { zone: 'utc', locale: 'en-US' })).find(({ isValid }) => isValid);

const endOf = (day: DateTime): Instant => instant(day.startOf('day').plus({ days: 1 }).toMillis());
