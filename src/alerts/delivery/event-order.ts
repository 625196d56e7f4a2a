/** Order of events: results, imminent ones, movements, daily values. Pure. */
import { compare } from '../../domain/decimal.js';
import { momentOf, type FeedEvent } from '../../domain/event.js';
import { RANKS } from '../../feeds/alert-kind.js';
import { alertKind } from '../rules/kinds.js';
import { sizeOf } from '../evaluation/filter.js';

type About = Pick<FeedEvent, 'feed' | 'stage' | 'facts' | 'occurredAt' | 'detectedAt'>;

function placeOf({ feed, stage }: About): number {
  const kind = alertKind(feed);
  const rank = kind?.stages[stage]?.rank ?? kind?.rank;
  return rank === undefined ? RANKS.length : RANKS.indexOf(rank);
}

export function byImportance(a: About, b: About): number {
  const place = placeOf(a) - placeOf(b);
  if (place !== 0) return place;
  const [left, right] = [sizeOf(a).usd, sizeOf(b).usd];
  if (left !== undefined && right !== undefined && compare(left, right) !== 0) return compare(right, left);
  if ((left === undefined) !== (right === undefined)) return left === undefined ? 1 : -1;
  return byAge(a, b);
}

export const byAge = (a: Pick<FeedEvent, 'occurredAt' | 'detectedAt'>, b: typeof a): number => momentOf(a) - momentOf(b);
