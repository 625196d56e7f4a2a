/** This module decides whether and why an event passes an entry's filters. Unknown sizes pass. */
import { compare } from '../../domain/decimal.js';
import type { FeedEvent } from '../../domain/event.js';
import { percent, usdExact, usdLimit } from '../../domain/format.js';
import { written } from '../../domain/measures.js';
import type { Decimal } from '../../domain/scalars.js';
import type { Filters } from '../../domain/filters.js';
import type { EventSize } from '../../feeds/alert-kind.js';
import { alertKind, includesStage } from './kinds.js';

/** The text `because` continues "no alert: ". */
export type FilterResult = { readonly passes: true } | { readonly passes: false; readonly because: string };

export function passes(event: Pick<FeedEvent, 'feed' | 'stage' | 'facts'>, filters: Filters): FilterResult {
  const because = obstacle(event, filters);
  return because === undefined ? { passes: true } : { passes: false, because };
}

type About = Pick<FeedEvent, 'feed' | 'stage' | 'facts'>;

function obstacle(event: About, { stages, metrics, ...least }: Filters): string | undefined {
  if (stages !== undefined && !includesStage(event.feed, stages, event.stage))
    return `"${event.stage}" is not among your stages (${stages.join(', ')})`;
  const size = sizeOf(event);
  const { metric } = size;
  if (metrics !== undefined && metric !== undefined && !metrics.some((word) => names(word, metric)))
    return `"${metric}" is not among your metrics (${metrics.join(', ')})`;
  return tooSmall(size, least);
}

function tooSmall(
  { noun, usd, percent: share }: EventSize,
  { leastUsd, leastPercent, eitherSize }: Pick<Filters, 'leastUsd' | 'leastPercent' | 'eitherSize'>,
): string | undefined {
  const isUnder = (size: Decimal | undefined, least: Decimal | undefined): size is Decimal =>
    size !== undefined && least !== undefined && compare(size, least) < 0;
  const amount = leastUsd !== undefined && isUnder(usd, leastUsd) ? { size: usdExact(usd), least: usdLimit(leastUsd) } : undefined;
  const part =
    leastPercent !== undefined && isUnder(share, leastPercent) ? { size: unsigned(share), least: written(leastPercent, '%') } : undefined;
  if (eitherSize === true && leastUsd !== undefined && leastPercent !== undefined)
    return amount && part && `${noun} of ${amount.size} (${part.size}) is below your filter of ${amount.least} or ${part.least}`;
  const under = amount ?? part;
  return under && `${noun} of ${under.size} is below your ${under.least} filter`;
}

const unsigned = (size: Decimal): string => percent(size).replace('+', '');

const sizes = new WeakMap<FeedEvent['facts'], EventSize>();

export function sizeOf({ feed, stage, facts }: About): EventSize {
  const size = sizes.get(facts) ?? alertKind(feed)?.size(facts, stage) ?? { noun: 'change' };
  sizes.set(facts, size);
  return size;
}

/** The word `fees` matches `fees` and `fees-usd`. */
function names(word: string, metric: string): boolean {
  const id = metric.toLowerCase();
  return id === word || (id.startsWith(word) && /^[-_.]/u.test(id.slice(word.length)));
}
