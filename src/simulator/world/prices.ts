/** Token and coin prices, which change every minute: natural prices times the injected factors. */
import { DAY, HOUR, MINUTE, instant, type Instant } from '../../base/clock.js';
import { exactly, rounded, roundedNumber } from './amounts.js';
import type { Character } from './invented-projects.js';
import { wave } from './seeded-random.js';
import { endedAt, priceFactor, type WorldScene } from './world-inputs.js';

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

const usualPrice = (who: Character): number =>
  ((who.treasury || 2_000_000) / (who.genesis - who.locked - who.ownTokens)) * (1 + who.bias / 100);

const unpushed = (world: WorldScene, who: Character, at: Instant): number =>
  usualPrice(who) * sway(world, { name: `price/${who.slug}`, at: minute(at), waves: PRICE_WAVES });

/** The value is in USD per token. An ended project keeps its last price. */
export function priceOf(world: WorldScene, who: Character, at: Instant): string {
  const when = instant(Math.min(at, endedAt(who) ?? at));
  const factor = priceFactor(world, who, when);
  const natural = unpushed(world, who, when);
  return factor === '1' ? roundedNumber(natural, 6) : rounded(exactly(natural).times(factor), 6);
}

export const naturalPrice = (world: WorldScene, who: Character, at: Instant): string => exactly(unpushed(world, who, at)).toFixed();

/** The value is in USD per native coin. */
export const coinPrice = (world: WorldScene, at: Instant): string =>
  roundedNumber(148 * sway(world, { name: 'coin', at: minute(at), waves: COIN_WAVES }), 4);

/** Returns the reserves as a multiple of their average. They change hourly. */
export const reserves = (world: WorldScene, who: Character, at: Instant): number =>
  sway(world, { name: `reserves/${who.slug}`, at: Math.floor(at / HOUR) * HOUR, waves: RESERVE_WAVES });

/** Returns the volume of the last day in USD. */
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
