/** This module decides whether and why an event passes an entry's filters. Unknown sizes and names pass. */
import { compare } from '../../domain/decimal.js';
import type { FeedEvent } from '../../domain/event.js';
import { percent, usdExact, usdLimit } from '../../domain/format.js';
import { written } from '../../domain/measures.js';
import type { Decimal } from '../../domain/scalars.js';
import { LABELS, type Filters, type Label } from '../../domain/filters.js';
import { RANKS, type EventSize } from '../../feeds/alert-kind.js';
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import { alertKind, includesStage } from './kinds.js';
import { rulesFor, type Subscription } from './presets.js';
import type { Rules } from './rule.js';

/** Whether an event passes, or why not. `because` continues the text "no alert: ". */
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
  return unnamed(size, least) ?? tooSmall(size, least);
}

function unnamed({ labels = {} }: EventSize, filters: Filters): string | undefined {
  for (const label of LABELS) {
    const [wanted, own = []] = [filters[label], labels[label]];
    if (wanted === undefined || own.length === 0 || wanted.some((phrase) => own.some((name) => isNamed(label, name, phrase)))) continue;
    return `${LABEL_WORDS[label](own[0] ?? '')} (${wanted.join(', ')})`;
  }
  return undefined;
}

const LABEL_WORDS: Readonly<Record<Label, (own: string) => string>> = {
  tokens: (own) => `${own} is not among your tokens`,
  categories: (own) => `"${own}" is not among your categories`,
  accounts: (own) => `"${own}" is not among your accounts`,
  title: (own) => `"${own}" has none of your words`,
  projects: (own) => `${own} is not among your projects`,
};

/**
 * Tokens and projects match whole names. In titles, categories and accounts a phrase matches the start of a word: "buy" finds "Buyback".
 */
function isNamed(label: Label, name: string, phrase: string): boolean {
  const [whole, part] = [folded(name), folded(phrase)];
  if (label === 'tokens' || label === 'projects') return whole === part;
  return whole === part || ` ${spaced(whole)}`.includes(` ${spaced(part)}`);
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().trim();

const spaced = (text: string): string => text.replaceAll(/[^\p{L}\p{N}$]+/gu, ' ').trim();

/** Returns why an event does not match the names in the filters, or undefined if it does. Ignores size and stage. */
export const notNamedIn = (event: About, filters: Filters): string | undefined =>
  LABELS.every((label) => filters[label] === undefined) ? undefined : unnamed(sizeOf(event), filters);

/** Returns the threshold rules for an event: none if the names in the kind's filters do not match it. */
export const thresholdsFor = ({ filters, thresholds }: Rules, event: About): readonly ThresholdRule[] =>
  thresholds.length === 0 || notNamedIn(event, filters) === undefined ? thresholds : [];

export const thresholdsAbout = (entry: Subscription, event: About): readonly ThresholdRule[] =>
  thresholdsFor(rulesFor(entry, event.feed), event);

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

/** Returns the rank of an event; 0 is the most important. */
export function rankOf(event: About): number {
  const kind = alertKind(event.feed);
  const rank = sizeOf(event).rank ?? kind?.stages[event.stage]?.rank ?? kind?.rank;
  return rank === undefined ? RANKS.length : RANKS.indexOf(rank);
}

/** Tells whether a word names a metric: `fees` matches `fees` and `fees-usd`. */
function names(word: string, metric: string): boolean {
  const id = metric.toLowerCase();
  return id === word || (id.startsWith(word) && /^[-_.]/u.test(id.slice(word.length)));
}
