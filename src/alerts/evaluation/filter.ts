/** Whether an event passes an entry's filters, and if not, why. Pure. An unknown size passes. */
import { compare } from '../../domain/decimal.js';
import type { FeedEvent } from '../../domain/event.js';
import { percent, usdExact } from '../../domain/format.js';
import type { Decimal } from '../../domain/scalars.js';
import type { Filters } from '../../domain/filters.js';
import type { EventSize } from '../../feeds/alert-kind.js';
import { alertKind, stageWords } from '../rules/kinds.js';

/** `because` continues "not told: ". */
export type FilterResult = { readonly passes: true } | { readonly passes: false; readonly because: string };

export function passes(event: Pick<FeedEvent, 'feed' | 'stage' | 'facts'>, filters: Filters): FilterResult {
  const because = obstacle(event, filters);
  return because === undefined ? { passes: true } : { passes: false, because };
}

type About = Pick<FeedEvent, 'feed' | 'stage' | 'facts'>;

function obstacle(event: About, { leastUsd, leastPercent, stages, metrics }: Filters): string | undefined {
  if (stages !== undefined && !stages.flatMap((word) => stageWords(event.feed).get(word) ?? [word]).includes(event.stage))
    return `${event.stage} is not among your stages (${stages.join(', ')})`;
  const { noun, usd, percent: size, metric } = sizeOf(event);
  if (metrics !== undefined && metric !== undefined && !metrics.some((word) => names(word, metric)))
    return `${metric} is not among your metrics (${metrics.join(', ')})`;
  if (leastUsd !== undefined && usd !== undefined && compare(usd, leastUsd) < 0)
    return `${noun} of ${usdExact(usd)} is under your ${usdExact(leastUsd)} filter`;
  if (leastPercent !== undefined && size !== undefined && compare(size, leastPercent) < 0)
    return `${noun} of ${unsigned(size)} is under your ${unsigned(leastPercent)} filter`;
  return undefined;
}

const unsigned = (size: Decimal): string => percent(size).replace('+', '');

/** Cached: every chat that watches the subject asks. */
const sizes = new WeakMap<FeedEvent['facts'], EventSize>();

export function sizeOf({ feed, stage, facts }: About): EventSize {
  const size = sizes.get(facts) ?? alertKind(feed)?.size(facts, stage) ?? { noun: 'change' };
  sizes.set(facts, size);
  return size;
}

/** `fees` matches `fees` and `fees-usd`. */
function names(word: string, metric: string): boolean {
  const id = metric.toLowerCase();
  return id === word || (id.startsWith(word) && /^[-_.]/u.test(id.slice(word.length)));
}
