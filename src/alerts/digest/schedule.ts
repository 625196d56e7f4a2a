/** This module decides when a daily or weekly digest is due in the chat's timezone. Skipped and repeated times follow RFC 5545 §3.3.5. */
import { omitUndefined } from '../../base/omit-undefined.js';
import { createHash } from 'node:crypto';
import { DateTime } from 'luxon';
import { DAY, instant, later, type Instant } from '../../base/clock.js';
import { hourAndMinute } from '../../domain/day.js';
import type { DigestSetting, LastDigest } from './setting.js';

export interface DigestPeriod extends Omit<LastDigest, 'coveredUntil'> {
  /** The deadline: the end of the local day, or a day after a weekly digest is due. */
  readonly until: Instant;
}

export interface DigestSchedule {
  readonly setting: DigestSetting;
  /** An unknown timezone counts as UTC. */
  readonly timezone: string | undefined;
  readonly last: LastDigest | undefined;
  readonly now: Instant;
}

export interface DigestPeriods {
  /** The latest unsent digest whose deadline is over. */
  readonly missed?: DigestPeriod;
  readonly next?: DigestPeriod;
}

/** Returns an id of 22 characters, equal for equal days and timezones. */
export const digestId = ({ every, day, zone }: Pick<LastDigest, 'every' | 'day' | 'zone'>): string =>
  createHash('sha256')
    .update(JSON.stringify(['digest', every, day, zone]))
    .digest('base64url')
    .slice(0, 22);

export function digestPeriods({ setting, timezone, last, now }: DigestSchedule): DigestPeriods {
  const zone = zoneOf(timezone);
  // A later due date or setting was stored before the clock was set back.
  const isLater = last === undefined || last.dueAt > later(now, DAY) ? () => true : laterThan(last, { setting, zone });
  const since = setting.since > now ? 0 : setting.since;
  const today = DateTime.fromMillis(now, { zone });
  let missed: DigestPeriod | undefined;
  for (const step of AROUND) {
    const period = periodOf(step, { setting, today, zone });
    if (period.dueAt < since || !isLater(period)) continue;
    if (period.until > now) return omitUndefined({ next: period, missed });
    missed = period;
  }
  return missed === undefined ? {} : { missed };
}

/** The days around today to try. After a timezone change two of them may count as sent. */
const AROUND = [-1, 0, 1, 2, 3, 4];

function periodOf(
  step: number,
  { setting, today, zone }: { readonly setting: DigestSetting; readonly today: DateTime; readonly zone: string },
): DigestPeriod {
  const { every, at } = setting;
  const date = every === 'day' ? today.plus({ days: step }) : today.plus({ weeks: step }).set({ weekday: asWeekday(setting.weekday) });
  const dueAt = momentOf(date, { at, zone });
  const until = every === 'week' ? later(dueAt, DAY) : instant(date.plus({ days: 1 }).startOf('day').toMillis());
  return { every, day: dayOf(date), zone, dueAt, until };
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
const asWeekday = (number: number): (typeof WEEKDAYS)[number] => WEEKDAYS[number - 1] ?? 1;

function momentOf({ year, month, day }: DateTime, { at, zone }: { readonly at: string; readonly zone: string }): Instant {
  const local = DateTime.fromObject({ year, month, day, ...hourAndMinute(at) }, { zone });
  return instant(Math.min(...local.getPossibleOffsets().map((one) => one.toMillis())));
}

function laterThan(
  last: LastDigest,
  { setting: { every }, zone }: { readonly setting: DigestSetting; readonly zone: string },
): (period: DigestPeriod) => boolean {
  const unit = every === 'week' && last.every === 'week' ? weekOf : (day: string) => day;
  const [lastThere, lastHere] = [unit(last.day), unit(dayIn(zone, last.dueAt))];
  const isSameZone = zone === last.zone;
  return ({ day, dueAt }) => unit(day) > lastHere && (isSameZone ? unit(day) > lastThere : unit(dayIn(last.zone, dueAt)) > lastThere);
}

const dayOf = (date: DateTime): string => date.toISODate() ?? '';
const dayIn = (zone: string, at: Instant): string => dayOf(DateTime.fromMillis(at, { zone: zoneOf(zone) }));
const weekOf = (day: string): string => DateTime.fromISO(day, { zone: 'utc' }).toISOWeekDate()?.slice(0, -2) ?? day;

const zoneOf = (timezone: string | undefined): string =>
  timezone !== undefined && DateTime.fromMillis(0, { zone: timezone }).isValid ? timezone : 'UTC';
