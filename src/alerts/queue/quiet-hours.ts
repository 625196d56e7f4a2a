/**
 * Quiet hours: quiet while a clock on the wall of the chat shows a time between `from` and `to`, over midnight where `from` is the later one. Where
 * the clocks are set forward over `to`, it is quiet until they are; where they are set back, a time that comes twice is quiet twice. Pure.
 */
import { DateTime } from 'luxon';
import { instant, MINUTE, type Instant } from '../../base/clock.js';
import type { Chat } from '../watchlist/watchlists.js';

export type QuietHours = NonNullable<Chat['quiet']>;

const DAY_MINUTES = 24 * 60;

/** When the quiet that holds at `at` ends; undefined where it is not quiet then. A timezone that nobody knows any more counts as UTC. */
export function quietUntil({ quiet, timezone }: Pick<Chat, 'quiet' | 'timezone'>, at: Instant): Instant | undefined {
  if (quiet === undefined || quiet.from === quiet.to) return undefined;
  const wall = wallClock(timezone);
  const to = minuteOf(quiet.to);
  const length = apart(minuteOf(quiet.from), to);
  // A time is quiet when no more than the whole length is left until the end.
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

/**
 * From when it is quiet, at `at` or after it; undefined where it never is. Where the clocks are set forward over `from`, it is quiet from then on.
 */
export function quietFrom(chat: Pick<Chat, 'quiet' | 'timezone'>, at: Instant): Instant | undefined {
  if (chat.quiet === undefined || chat.quiet.from === chat.quiet.to) return undefined;
  if (quietUntil(chat, at) !== undefined) return at;
  const wall = wallClock(chat.timezone);
  const begin = Math.floor(at / MINUTE) * MINUTE;
  const from = begin + apart(wall.minute(begin), minuteOf(chat.quiet.from)) * MINUTE;
  // Where the clocks are set meanwhile, it is asked again as of then: nothing begins before.
  return wall.offset(from) === wall.offset(begin) ? instant(from) : quietFrom(chat, instant(firstWithOtherOffset(wall, begin, from)));
}

/**
 * The chat with other quiet hours, or by another clock. Where that changes hours that hold now, the moment is kept as that of a mute that was ended
 * early: so it is known that what waits was held back, and it comes as a summary.
 */
export function withHours(chat: Chat, change: Pick<Chat, 'quiet'> | Pick<Chat, 'timezone'>, now: Instant): Chat {
  const after: Chat = { ...chat, ...change };
  const isSame = after.timezone === chat.timezone && after.quiet?.from === chat.quiet?.from && after.quiet?.to === chat.quiet?.to;
  if (isSame || quietUntil(chat, now) === undefined || (chat.mutedUntil ?? 0) > now) return after;
  return { ...after, mutedUntil: now };
}

interface WallClock {
  /** Minutes since midnight there. */
  minute(moment: number): number;
  /** Minutes ahead of UTC. */
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

/** Minutes from one time of day to the next such other. */
const apart = (from: number, to: number): number => (to - from + DAY_MINUTES) % DAY_MINUTES;
