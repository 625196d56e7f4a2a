/** This module defines a chat's digest setting and its last digest, which are stored with its queue. */
import { z } from 'zod';
import { clockTimeSchema } from '../../domain/day.js';
import { instantSchema } from '../../domain/scalars.js';

const common = {
  /** The time is in the chat's timezone. */
  at: clockTimeSchema,
  /** When the setting was made. Digests that were due earlier are not sent. */
  since: instantSchema,
  rings: z.literal(true).optional(),
  /** False: a weekly digest does not end with the filtered events by rule. */
  receipt: z.literal(false).optional(),
  /** False: the picture is not the card of premiums and live votes. */
  card: z.literal(false).optional(),
};
export const digestSettingSchema = z.discriminatedUnion('every', [
  z.object({ every: z.literal('day'), ...common }),
  /** Weekday 1 is Monday. */
  z.object({ every: z.literal('week'), weekday: z.int().min(1).max(7), ...common }),
]);
export type DigestSetting = z.infer<typeof digestSettingSchema>;

export const lastDigestSchema = z.object({
  every: z.enum(['day', 'week']),
  /** The local due date, such as "2026-11-23". */
  day: z.string(),
  zone: z.string(),
  dueAt: instantSchema,
  /** The next digest covers events detected later. Absent if no digest was sent. */
  coveredUntil: instantSchema.optional(),
  /** Projects whose premium and NAV the digest reported as unknown. They are reported again only if the list changes. */
  unknown: z.array(z.string()).readonly().optional(),
});
export type LastDigest = z.infer<typeof lastDigestSchema>;

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Returns the setting as typed, such as "daily 09:00" or "weekly Mon 09:00". */
export const digestWords = (setting: Pick<DigestSetting, 'at'> & ({ every: 'day' } | { every: 'week'; weekday: number })): string =>
  setting.every === 'day' ? `daily ${setting.at}` : `weekly ${WEEKDAYS[setting.weekday - 1] ?? 'Mon'} ${setting.at}`;

export const hasReceipt = (setting: DigestSetting | undefined): boolean => setting?.every === 'week' && setting.receipt !== false;

/** Tells whether the picture is a card. Otherwise it is the chart of the largest move. */
export const hasCard = (setting: DigestSetting | undefined): boolean => setting?.card !== false;

export const digestTitle = (every: DigestSetting['every']): string => (every === 'day' ? 'Daily digest' : 'Weekly digest');
