/** This module defines a chat's digest setting and its last digest, which are stored with its queue. */
import { z } from 'zod';
import { clockTimeSchema } from '../../domain/day.js';
import { instantSchema } from '../../domain/scalars.js';

const common = {
  /** It is a time in the chat's timezone. */
  at: clockTimeSchema,
  /** Digests before this time are not owed. */
  since: instantSchema,
  rings: z.literal(true).optional(),
  /** A weekly digest ends with what was filtered, by rule, unless this is false. */
  receipt: z.literal(false).optional(),
  /** The picture shows premiums within their year and live votes, unless this is false. */
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
  /** It is the local due date, such as "2026-11-23". */
  day: z.string(),
  zone: z.string(),
  dueAt: instantSchema,
  /** The next digest covers what was detected later. It is absent if none was sent. */
  coveredUntil: instantSchema.optional(),
  /** The digest reported premium and NAV of these projects as unknown; only another list is reported again. */
  unknown: z.array(z.string()).readonly().optional(),
});
export type LastDigest = z.infer<typeof lastDigestSchema>;

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** It returns the setting as typed: "daily 09:00", "weekly Mon 09:00". */
export const digestWords = (setting: Pick<DigestSetting, 'at'> & ({ every: 'day' } | { every: 'week'; weekday: number })): string =>
  setting.every === 'day' ? `daily ${setting.at}` : `weekly ${WEEKDAYS[setting.weekday - 1] ?? 'Mon'} ${setting.at}`;

export const hasReceipt = (setting: DigestSetting | undefined): boolean => setting?.every === 'week' && setting.receipt !== false;

/** Without a card the picture is the chart of what moved. */
export const hasCard = (setting: DigestSetting | undefined): boolean => setting?.card !== false;

export const digestTitle = (every: DigestSetting['every']): string => (every === 'day' ? 'Daily digest' : 'Weekly digest');
