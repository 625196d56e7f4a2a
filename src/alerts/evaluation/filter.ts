/**
 * Whether news is large enough and of the sort that an entry asked for, and why not. Pure. A size that the service does not say is not a small
 * one: what nobody can measure passes.
 */
import { absolute, compare, multiply, percentChange, subtract } from '../../domain/decimal.js';
import type { FeedEvent } from '../../domain/event.js';
import { percent, usdExact } from '../../domain/format.js';
import { decimalSchema, type Decimal } from '../../domain/scalars.js';
import { CHOICES, type Filters } from '../rules/rule.js';

/** `because` reads on after "not told: ". */
export type FilterResult = { readonly passes: true } | { readonly passes: false; readonly because: string };

export function passes(event: Pick<FeedEvent, 'feed' | 'stage' | 'facts'>, filters: Filters): FilterResult {
  const because = obstacle(event, filters);
  return because === undefined ? { passes: true } : { passes: false, because };
}

type About = Pick<FeedEvent, 'feed' | 'stage' | 'facts'>;

function obstacle(event: About, { leastUsd, leastPercent, stages, metrics }: Filters): string | undefined {
  if (stages !== undefined && !stages.flatMap((word) => CHOICES[event.feed]?.stages[word] ?? [word]).includes(event.stage))
    return `${event.stage} is not among your stages (${stages.join(', ')})`;
  const metric = metricOf(event);
  if (metrics !== undefined && metric !== undefined && !metrics.some((word) => names(word, metric)))
    return `${metric} is not among your metrics (${metrics.join(', ')})`;
  const usd = leastUsd && usdOf(event);
  if (leastUsd !== undefined && usd !== undefined && compare(usd, leastUsd) < 0)
    return `${nounOf(event)} of ${usdExact(usd)} is under your ${usdExact(leastUsd)} filter`;
  const size = leastPercent && percentOf(event);
  if (leastPercent !== undefined && size !== undefined && compare(size, leastPercent) < 0)
    return `${nounOf(event)} of ${unsigned(size)} is under your ${unsigned(leastPercent)} filter`;
  return undefined;
}

/** What it is that is too small. */
function nounOf({ feed, stage, facts }: About): string {
  if (feed === 'supply') return stage;
  if (feed === 'movements') return 'movement';
  if (facts['about'] === 'trades') return 'trading';
  return facts['about'] === 'ico' ? 'contribution' : 'change';
}

const unsigned = (size: Decimal): string => percent(size).replace('+', '');

/** Facts are the feed's own; here they are only asked for sizes, by the names that every feed gives them. */
function figure(facts: FeedEvent['facts'], name: string): Decimal | undefined {
  const { success, data } = decimalSchema.safeParse(facts[name]);
  return success ? data : undefined;
}

/** What moved, in USD and without its sign. */
export function usdOf({ feed, facts }: Pick<FeedEvent, 'feed' | 'facts'>): Decimal | undefined {
  const found = feed === 'wallet' ? walletUsd(facts) : figure(facts, 'usd');
  return found && absolute(found);
}

function walletUsd(facts: FeedEvent['facts']): Decimal | undefined {
  if (facts['about'] === 'trades') return figure(facts, 'moreVolume');
  if (facts['about'] === 'ico') return figure(facts, 'contribution');
  const [was, now, price] = [figure(facts, 'was'), figure(facts, 'now'), figure(facts, 'price')];
  if (now === undefined || price === undefined) return undefined;
  return multiply(was === undefined ? now : subtract(now, was), price);
}

/** How large the change is in percent, without its sign: of the supply, of the balance, or of the larger of the two that a growth day is held against. */
function percentOf({ feed, stage, facts }: About): Decimal | undefined {
  if (feed === 'supply') return absolutely(figure(facts, 'change'));
  const now = figure(facts, feed === 'growth' ? 'value' : 'now');
  // A rank moves without a balance that does.
  if (now === undefined || stage === 'rank') return undefined;
  const changes = ['was', 'last', 'weekMean'].flatMap((name) => {
    const before = figure(facts, name);
    return before === undefined ? [] : [absolutely(percentChange(before, now))];
  });
  // From nothing to something is larger than any percentage.
  if (changes.includes(undefined)) return undefined;
  return changes.toSorted((a, b) => (a === undefined || b === undefined ? 0 : compare(b, a)))[0];
}

const absolutely = (value: Decimal | undefined): Decimal | undefined => value && absolute(value);

function metricOf({ facts }: About): string | undefined {
  const metric = facts['metric'];
  if (typeof metric !== 'object' || metric === null || !('id' in metric) || typeof metric.id !== 'string') return undefined;
  return metric.id;
}

/** `fees` names `fees` and `fees-usd`. */
function names(word: string, metric: string): boolean {
  const id = metric.toLowerCase();
  return id === word || (id.startsWith(word) && /^[-_.]/u.test(id.slice(word.length)));
}
