/** What somebody pushed: the price of a token, what a treasury holds, what it may spend. Nature goes on from there, so everything still moves. */
import type { Instant } from '../../base/clock.js';
import { exactly } from './amounts.js';
import type { Character } from './cast.js';
import { factsOf, type Fact } from './facts.js';
import type { WorldScene } from './scene.js';

type Push = Extract<Fact, { kind: 'price' | 'nav' | 'allowance' }>;

/** Those of one kind that hold at a moment, oldest first. */
function pushes<K extends Push['kind']>(
  world: WorldScene,
  kind: K,
  { slug }: Character,
  at: Instant,
): readonly Extract<Push, { kind: K }>[] {
  const all: readonly Push[] = factsOf(world.facts(), kind);
  // Hardly anybody pushes anything, and this is asked for every point of every chart.
  if (all.length === 0) return [];
  return all
    .filter((one): one is Extract<Push, { kind: K }> => one.kind === kind && one.slug === slug && one.at <= at)
    .toSorted((a, b) => a.at - b.at);
}

/** How many times nature's price the price is: the last push holds. Decimal text. */
export const priceFactor = (world: WorldScene, who: Character, at: Instant): string =>
  pushes(world, 'price', who, at).at(-1)?.factor ?? '1';

/** How many times what nature gave it a treasury holds: each push is upon those before it. Decimal text. */
export const holdingsFactor = (world: WorldScene, who: Character, at: Instant): string =>
  productOf(pushes(world, 'nav', who, at).map(({ factor }) => factor));

const productOf = (factors: readonly string[]): string =>
  factors.length === 0 ? '1' : factors.reduce((product, factor) => product.times(factor), exactly(1)).toFixed();

/** Whether somebody ever pushed its price: what follows from the prices of many moments is then not nature's alone. */
export const isPricePushed = (world: WorldScene, { slug }: Character): boolean =>
  factsOf(world.facts(), 'price').some((one) => one.slug === slug);

/** What it was allowed to spend a month by the last push, in USD as text; undefined where nobody pushed it. */
export const pushedAllowance = (world: WorldScene, who: Character, at: Instant): string | undefined =>
  pushes(world, 'allowance', who, at).at(-1)?.usd;
