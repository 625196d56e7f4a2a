/** Injected changes multiply or replace natural values, which keep moving. */
import type { Instant } from '../../base/clock.js';
import { exactly } from './amounts.js';
import type { Character } from './invented-projects.js';
import { factsOf, type Fact } from './injected-facts.js';
import type { WorldScene } from './world-inputs.js';

type Push = Extract<Fact, { kind: 'price' | 'nav' | 'allowance' }>;

function pushes<K extends Push['kind']>(
  world: WorldScene,
  kind: K,
  { slug }: Character,
  at: Instant,
): readonly Extract<Push, { kind: K }>[] {
  const all: readonly Push[] = factsOf(world.facts(), kind);
  // The common case; called for every chart point.
  if (all.length === 0) return [];
  return all
    .filter((one): one is Extract<Push, { kind: K }> => one.kind === kind && one.slug === slug && one.at <= at)
    .toSorted((a, b) => a.at - b.at);
}

/** Of the natural price; the last change applies. */
export const priceFactor = (world: WorldScene, who: Character, at: Instant): string =>
  pushes(world, 'price', who, at).at(-1)?.factor ?? '1';

/** Of the natural treasury; changes accumulate. */
export const holdingsFactor = (world: WorldScene, who: Character, at: Instant): string =>
  productOf(pushes(world, 'nav', who, at).map(({ factor }) => factor));

const productOf = (factors: readonly string[]): string =>
  factors.length === 0 ? '1' : factors.reduce((product, factor) => product.times(factor), exactly(1)).toFixed();

export const isPricePushed = (world: WorldScene, { slug }: Character): boolean =>
  factsOf(world.facts(), 'price').some((one) => one.slug === slug);

/** USD per month. */
export const pushedAllowance = (world: WorldScene, who: Character, at: Instant): string | undefined =>
  pushes(world, 'allowance', who, at).at(-1)?.usd;
