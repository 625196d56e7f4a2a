/** Which of several events a reader should meet first: what was decided, then what is about to be, then what moved, the daily figures last. Pure. */
import { compare } from '../../domain/decimal.js';
import type { FeedEvent } from '../../domain/event.js';
import { THRESHOLD_STAGE } from '../../feeds/feed.js';
import { usdOf } from '../evaluation/filter.js';

/** The first is the most important. A kind stands for all of its stages that are not named before. */
const ORDER: readonly (readonly string[])[] = [
  [
    'proposals/passed',
    'proposals/failed',
    'proposals/removed',
    `premium/${THRESHOLD_STAGE}`,
    `treasury/${THRESHOLD_STAGE}`,
    `wallet/${THRESHOLD_STAGE}`,
  ],
  ['launches/complete', 'launches/refunding', 'launches/graveyard', 'launches/closed'],
  ['proposals/ending', 'proposals/twap', 'launches/ending', 'launches/extended', 'vesting/cliff'],
  ['proposals/live', 'launches/live', 'launches/minimum'],
  ['premium', 'treasury', 'supply', 'movements', 'wallet'],
  ['vesting'],
  ['proposals', 'launches'],
];

const PLACES = new Map(ORDER.flatMap((row, place) => row.map((name) => [name, place] as const)));

type About = Pick<FeedEvent, 'feed' | 'stage' | 'facts' | 'occurredAt' | 'detectedAt'>;

const placeOf = ({ feed, stage }: About): number => PLACES.get(`${feed}/${stage}`) ?? PLACES.get(feed) ?? ORDER.length;

/** Sorts the most important first; among equals the larger in USD, then the older. What has no size stands behind what has one. */
export function byImportance(a: About, b: About): number {
  const place = placeOf(a) - placeOf(b);
  if (place !== 0) return place;
  const [left, right] = [usdOf(a), usdOf(b)];
  if (left !== undefined && right !== undefined && compare(left, right) !== 0) return compare(right, left);
  if ((left === undefined) !== (right === undefined)) return left === undefined ? 1 : -1;
  return byAge(a, b);
}

/** Sorts the oldest first. */
export const byAge = (a: Pick<FeedEvent, 'occurredAt' | 'detectedAt'>, b: typeof a): number =>
  (a.occurredAt ?? a.detectedAt) - (b.occurredAt ?? b.detectedAt);
