/** Decides what an operator is notified about, with hysteresis. */
import type { Trouble } from '../../analytics/errors.js';
import { MINUTE, type Instant } from '../../base/clock.js';
import type { BotState } from '../bot-state.js';

/** The least free space, in bytes: more than a backup before an upgrade needs. */
const MIN_DISK = 300e6;
const DISK_FINE = 2 * MIN_DISK;

export const SIGN_KINDS = ['feed', 'service', 'budget', 'spent', 'disk', 'token', 'key'] as const;

/** `key` names what it is about; a budget's ends with the month. */
export interface Sign {
  readonly key: string;
  readonly kind: (typeof SIGN_KINDS)[number];
  readonly isBad: boolean;
  /** The feed or the platform. */
  readonly subject?: string | undefined;
  /** Since when the data is stale. */
  readonly since?: Instant;
}

const NO_ANSWER: ReadonlySet<Trouble> = new Set(['unreachable', 'timeout', 'malformed']);

/** Returns the signs of a state. A value between good and bad, or an unknown one, gives no sign. */
export function signsOf({ feeds, service, calls, diskFree, platforms }: BotState): readonly Sign[] {
  const stale = feeds.flatMap(({ staleSince }) => staleSince ?? []);
  const isDown = stale.length > 0 && service.trouble !== undefined && NO_ANSWER.has(service.trouble);
  const signs: Sign[] = [];
  if (isDown) signs.push({ key: 'service', kind: 'service', isBad: true, since: stale.reduce((a, b) => (a < b ? a : b)) });
  else if (service.up === true || stale.length === 0) signs.push({ key: 'service', kind: 'service', isBad: false });
  // While the service is down, stale feeds need no separate notices.
  if (!isDown)
    for (const { id, staleSince } of feeds)
      signs.push({
        key: `feed/${id}`,
        kind: 'feed',
        subject: id,
        isBad: staleSince !== undefined,
        ...(staleSince && { since: staleSince }),
      });
  signs.push(...budgetSigns(calls));
  if (diskFree !== undefined && (diskFree < MIN_DISK || diskFree > DISK_FINE))
    signs.push({ key: 'disk', kind: 'disk', isBad: diskFree < MIN_DISK });
  for (const { name, up, tokenRefused } of platforms)
    if (tokenRefused || up) signs.push({ key: `token/${name}`, kind: 'token', subject: name, isBad: tokenRefused });
  if (service.trouble === 'key-refused' || service.up === true)
    signs.push({ key: 'key', kind: 'key', isBad: service.trouble === 'key-refused' });
  return signs;
}

function budgetSigns({ verdict, resetsAt, limit }: BotState['calls']): readonly Sign[] {
  const early = (isBad: boolean): Sign => ({ key: `budget/${resetsAt}`, kind: 'budget', isBad });
  const spent = (isBad: boolean): Sign => ({ key: `spent/${resetsAt}`, kind: 'spent', isBad });
  if (limit === undefined) return [early(false), spent(false)];
  if (verdict === 'spent') return [spent(true)];
  return verdict === 'early' || verdict === 'lasts' ? [early(verdict === 'early'), spent(false)] : [spent(false)];
}

/** How long a bad sign must last before it is reported, in milliseconds. */
const BAD_FOR: Record<Sign['kind'], number> = {
  feed: 5 * MINUTE,
  service: 5 * MINUTE,
  budget: 10 * MINUTE,
  spent: 0,
  disk: MINUTE,
  token: MINUTE,
  key: MINUTE,
};
const GOOD_FOR = 5 * MINUTE;

/** Since when each sign has been good or bad. Kept in memory only. */
export type Streaks = ReadonlyMap<string, { readonly isBad: boolean; readonly from: Instant }>;

export function streaksAfter(before: Streaks, signs: readonly Sign[], now: Instant): Streaks {
  return new Map(
    signs.map(({ key, isBad }) => {
      const last = before.get(key);
      return [key, last?.isBad === isBad && last.from <= now ? last : { isBad, from: now }];
    }),
  );
}

export interface Changes {
  readonly raised: readonly Sign[];
  readonly cleared: readonly Pick<Sign, 'key' | 'kind' | 'subject'>[];
}

/** Returns what to raise and what to clear. `known` holds the raised signs. */
export function changesFrom(
  known: Readonly<Record<string, Pick<Sign, 'kind' | 'subject'>>>,
  { signs, streaks, now }: { readonly signs: readonly Sign[]; readonly streaks: Streaks; readonly now: Instant },
): Changes {
  const lasts = ({ key, kind, isBad }: Sign): boolean => now - (streaks.get(key)?.from ?? now) >= (isBad ? BAD_FOR[kind] : GOOD_FOR);
  const current = new Map(signs.map((sign) => [sign.key, sign]));
  const months = signs.flatMap(({ key, kind }) => (kind === 'spent' ? [key.slice('spent'.length)] : []));
  const isOver = (key: string, kind: Sign['kind']): boolean =>
    (kind === 'budget' || kind === 'spent') && !months.some((month) => key === kind + month);
  return {
    raised: signs.filter((sign) => sign.isBad && known[sign.key] === undefined && lasts(sign)),
    cleared: Object.entries(known).flatMap(([key, { kind, subject }]) => {
      const sign = current.get(key);
      const isFine = sign === undefined ? isOver(key, kind) : !sign.isBad && lasts(sign);
      return isFine ? [{ key, kind, ...(subject === undefined ? {} : { subject }) }] : [];
    }),
  };
}
