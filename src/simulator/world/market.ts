/** Prices: a project's token and the native coin. They move by the minute, by nature and from where somebody pushed them. */
import { DAY, HOUR, MINUTE, instant, type Instant } from '../../base/clock.js';
import { exactly, rounded, roundedNumber } from './amounts.js';
import type { Character } from './cast.js';
import { wave } from './dice.js';
import { priceFactor } from './pushed.js';
import { endedAt, type WorldScene } from './scene.js';

/** Random, not money: how far from 1 something stands, summed over slow and quick waves. */
function sway(
  world: WorldScene,
  { name, at, waves }: { name: string; at: number; waves: readonly (readonly [period: number, height: number])[] },
): number {
  return waves.reduce((sum, [period, height]) => sum + height * wave({ roll: world.roll, name: `${name}/${period}`, at, period }), 1);
}

const PRICE_WAVES = [
  [71 * DAY, 0.15],
  [13 * DAY, 0.08],
  [2.3 * DAY, 0.035],
  [5 * HOUR, 0.012],
  [35 * MINUTE, 0.004],
] as const;
const RESERVE_WAVES = [
  [97 * DAY, 0.12],
  [9 * DAY, 0.02],
] as const;
const COIN_WAVES = [
  [60 * DAY, 0.25],
  [4 * DAY, 0.06],
  [7 * HOUR, 0.01],
] as const;

const minute = (at: Instant): number => Math.floor(at / MINUTE) * MINUTE;

/** The price that a project swings around: its usual NAV per share, moved by its usual premium. */
const usualPrice = (who: Character): number =>
  ((who.treasury || 2_000_000) / (who.genesis - who.locked - who.ownTokens)) * (1 + who.bias / 100);

/** By nature alone. */
const unpushed = (world: WorldScene, who: Character, at: Instant): number =>
  usualPrice(who) * sway(world, { name: `price/${who.slug}`, at: minute(at), waves: PRICE_WAVES });

/** USD per token as text. What was wound up keeps its last price. */
export function priceOf(world: WorldScene, who: Character, at: Instant): string {
  const when = instant(Math.min(at, endedAt(who) ?? at));
  const factor = priceFactor(world, who, when);
  const natural = unpushed(world, who, when);
  return factor === '1' ? roundedNumber(natural, 6) : rounded(exactly(natural).times(factor), 6);
}

/** What the price would be had nobody pushed it, with every digit. */
export const naturalPrice = (world: WorldScene, who: Character, at: Instant): string => exactly(unpushed(world, who, at)).toFixed();

/** USD per native coin of the chain, as text. */
export const coinPrice = (world: WorldScene, at: Instant): string =>
  roundedNumber(148 * sway(world, { name: 'coin', at: minute(at), waves: COIN_WAVES }), 4);

/** How full the reserves are against their usual height; they move by the hour. */
export const reserves = (world: WorldScene, who: Character, at: Instant): number =>
  sway(world, { name: `reserves/${who.slug}`, at: Math.floor(at / HOUR) * HOUR, waves: RESERVE_WAVES });

/** Traded in the last day, in USD. */
export const volumeOf = (world: WorldScene, who: Character, at: Instant): string =>
  roundedNumber(
    who.treasury *
      0.012 *
      sway(world, {
        name: `volume/${who.slug}`,
        at: minute(at),
        waves: [
          [2 * DAY, 0.7],
          [3 * HOUR, 0.2],
        ],
      }),
    2,
  );
