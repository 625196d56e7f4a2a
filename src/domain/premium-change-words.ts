/** Wording of what moved a premium: price, treasury and supply. */
import { sinceWords, wasWords, type CrossingWords } from './crossing-words.js';
import { isZero } from './decimal.js';
import { points } from './format.js';
import { premiumChange, type Backing } from './premium-change.js';
import type { Decimal, Instant } from './scalars.js';

interface Measured extends Backing {
  readonly gap: Decimal;
}

interface ChangeContext {
  readonly at: Instant;
  readonly words: CrossingWords | undefined;
  /** Of a threshold or move. */
  readonly since: CrossingWords | undefined;
}

/** "was 9.1% below yesterday", "price −6.0 pts, treasury −2.1 pts, supply 0"; with "about −8.1 pts" where rounded parts do not add up. */
export function premiumChangeWords(
  { before, ...now }: Measured & { readonly before?: (Measured & { readonly at: Instant }) | undefined },
  { at, words, since }: ChangeContext,
): readonly string[] {
  const dayAgo = before && wasWords('premium', { at: before.at, value: before.gap }, { at, value: now.gap });
  const moved = before && premiumChange(before, now);
  if (before === undefined || moved === undefined) return [words?.was ?? dayAgo].filter((part) => part !== undefined);
  const parts = moved.parts.map((part) => `${part.of} ${isZero(part.points) ? '0' : points(part.points)}`).join(', ');
  // Rounded parts may miss the total by a tenth or two.
  const total = moved.addsUp ? [] : [`about ${points(moved.total)}`];
  const isDayAgo = since === undefined || since.from.at === before.at;
  const lead = [...(isDayAgo ? [] : [sinceWords(before.at, at)]), ...total].join(', ');
  return [isDayAgo ? (dayAgo ?? '') : since.was, lead === '' ? parts : `${lead}: ${parts}`];
}
