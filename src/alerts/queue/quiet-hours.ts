/**
 * This module computes daily quiet hours in the chat's timezone. If the clock skips `to`, they end; a repeated hour is quiet twice. It is
 * pure.
 */
import { DateTime } from 'luxon';
import { instant, MINUTE, type Instant } from '../../base/clock.js';
import type { Chat } from '../watchlist/watchlists.js';

export type QuietHours = NonNullable<Chat['quiet']>;

const DAY_MINUTES = 24 * 60;

/** Returns when quiet hours end, or undefined if `at` is not quiet. An unknown timezone counts as UTC. */
export function quietUntil({ quiet, timezone }: Pick<Chat, 'quiet' | 'timezone'>, at: Instant): Instant | undefined {
  if (quiet === undefined || quiet.from === quiet.to) return undefined;
  const wall = wallClock(timezone);
  const to = minuteOf(quiet.to);
  const length = apart(minuteOf(quiet.from), to);
  // A time is quiet if the end is at most the whole length away.
  const leftAt = (moment: number): number | undefined => {
    const left = apart(wall.minute(moment), to);
    return left > 0 && left <= length ? left : undefined;
  };
  if (leftAt(at) === undefined) return undefined;
  let moment = Math.floor(at / MINUTE) * MINUTE;
  for (let left = leftAt(moment); left !== undefined; left = leftAt(moment)) {
    const end = moment + left * MINUTE;
    moment = wall.offset(end) === wall.offset(moment) ? end : firstWithOtherOffset(wall, moment, end);
  }
  return instant(moment);
}

/** Returns when the next quiet hours begin, at or after `at`. */
export function quietFrom(chat: Pick<Chat, 'quiet' | 'timezone'>, at: Instant): Instant | undefined {
  if (chat.quiet === undefined || chat.quiet.from === chat.quiet.to) return undefined;
  if (quietUntil(chat, at) !== undefined) return at;
  const wall = wallClock(chat.timezone);
  const begin = Math.floor(at / MINUTE) * MINUTE;
  const from = begin + apart(wall.minute(begin), minuteOf(chat.quiet.from)) * MINUTE;
  // If the clocks change before that time, search again from the change.
  return wall.offset(from) === wall.offset(begin) ? instant(from) : quietFrom(chat, instant(firstWithOtherOffset(wall, begin, from)));
}

/** Changes quiet hours or timezone. If that ends quiet hours now, `mutedUntil` is set, so that alerts become a summary. */
export function withHours(chat: Chat, change: Pick<Chat, 'quiet'> | Pick<Chat, 'timezone'>, now: Instant): Chat {
  const after: Chat = { ...chat, ...change };
  const isSame = after.timezone === chat.timezone && after.quiet?.from === chat.quiet?.from && after.quiet?.to === chat.quiet?.to;
  if (isSame || quietUntil(chat, now) === undefined || (chat.mutedUntil ?? 0) > now) return after;
  return { ...after, mutedUntil: now };
}

interface WallClock {
  /** Minutes since midnight. */
  minute(moment: number): number;
  /** How far the wall clock is ahead of UTC. */
  offset(moment: number): number;
}

function wallClock(timezone: string | undefined): WallClock {
  const named = timezone === undefined ? undefined : DateTime.fromMillis(0, { zone: timezone });
  const zone = named?.isValid === true ? named.zone : 'utc';
  const there = (moment: number): DateTime => DateTime.fromMillis(moment, { zone });
  return {
    minute(moment) {
      const { hour, minute } = there(moment);
      return hour * 60 + minute;
    },
    offset: (moment) => there(moment).offset,
  };
}

function firstWithOtherOffset(wall: WallClock, from: number, to: number): number {
  let [same, other] = [from, to];
  while (other - same > MINUTE) {
    const middle = same + Math.floor((other - same) / 2 / MINUTE) * MINUTE;
    if (wall.offset(middle) === wall.offset(from)) same = middle;
    else other = middle;
  }
  return other;
}

const minuteOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

const apart = (from: number, to: number): number => (to - from + DAY_MINUTES) % DAY_MINUTES;
