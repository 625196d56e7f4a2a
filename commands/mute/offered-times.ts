/** The times that the page of `/mute` offers as buttons and in its menu. */
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import type { Instant } from '../../src/domain/scalars.js';
import { zoneOf, muteTime } from '../../src/reply/index.js';

export const SHORT_TIMES = ['1h', '24h', '3d', '1w'] as const;

const MOMENTS = [
  ['Until tomorrow 9:00', 'tomorrow 9:00'],
  ['Until Monday 9:00', 'monday 9:00'],
  ['For 2 weeks', '2w'],
  ['For 30 days', '30d'],
] as const;

export function longerTimes(chat: Chat, now: Instant): readonly (readonly [label: string, time: string])[] {
  const here = { now, zone: zoneOf(chat) };
  const endOf = (time: string): number => {
    const end = muteTime(time, here);
    return typeof end === 'object' && 'until' in end ? end.until : Number.POSITIVE_INFINITY;
  };
  const evening = endOf('today 18:00') === Number.POSITIVE_INFINITY ? [] : [['Until 18:00', '18:00'] as const];
  return [...evening, ...MOMENTS].toSorted(([, a], [, b]) => endOf(a) - endOf(b));
}
