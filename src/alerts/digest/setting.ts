/** A chat's digest setting, and the last digest, stored with its queue. */
import { z } from 'zod';
import { clockTimeSchema } from '../../domain/day.js';
import { instantSchema } from '../../domain/scalars.js';

const common = {
  /** In the chat's timezone. */
  at: clockTimeSchema,
  /** Earlier ones are not owed. */
  since: instantSchema,
  rings: z.literal(true).optional(),
};
export const digestSettingSchema = z.discriminatedUnion('every', [
  z.object({ every: z.literal('day'), ...common }),
  /** 1 is Monday. */
  z.object({ every: z.literal('week'), weekday: z.int().min(1).max(7), ...common }),
]);
export type DigestSetting = z.infer<typeof digestSettingSchema>;

export const lastDigestSchema = z.object({
  every: z.enum(['day', 'week']),
  /** Local due date: "2026-11-23". */
  day: z.string(),
  zone: z.string(),
  dueAt: instantSchema,
  /** The next covers what was detected later. Absent: none sent. */
  coveredUntil: instantSchema.optional(),
  /** Projects whose premium and NAV it reported as unknown: only another list is reported again. */
  unknown: z.array(z.string()).readonly().optional(),
});
export type LastDigest = z.infer<typeof lastDigestSchema>;

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** "daily 09:00", "weekly Mon 09:00", as typed. */
export const digestWords = (setting: Pick<DigestSetting, 'at'> & ({ every: 'day' } | { every: 'week'; weekday: number })): string =>
  setting.every === 'day' ? `daily ${setting.at}` : `weekly ${WEEKDAYS[setting.weekday - 1] ?? 'Mon'} ${setting.at}`;

export const digestTitle = (every: DigestSetting['every']): string => (every === 'day' ? 'Daily digest' : 'Weekly digest');
