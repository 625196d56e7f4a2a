/** Natural mints and burns. Fast projects list their last two or three periods of 150 slots. */
import { DAY, MINUTE, SECOND, later, type Instant } from '../../base/clock.js';
import { part, rawOf } from './amounts.js';
import { CAST, type Character } from './invented-projects.js';
import { whole } from './seeded-random.js';
import { boundedCache } from '../../base/bounded-cache.js';
import { bornAt, endedAt, fastMinutes, numberAt, slotOf, slotStart, wholeSeconds, type WorldScene } from './world-inputs.js';

export interface LedgerChange {
  readonly id: number;
  readonly type: 'Mint' | 'Burn';
  readonly amount: bigint;
  readonly at: Instant;
  readonly appearsAt: Instant;
  readonly proposal?: string;
}

export interface Track {
  readonly since: Instant;
  readonly minted: bigint;
  readonly burned: bigint;
  readonly changes: readonly LedgerChange[];
}

const SLOTS_IN_PERIOD = 150;
/** Two fast projects alternate: over $10,000 every 36 seconds. */
const SLOT_MINUTES = 1.2;
/** Of the first supply: per period, on average 0.6% at once. */
const MINTED_PART = 0.45;
const MAX_JITTER = 2 * SECOND;
const MONTH = 30 * DAY;

const periods = boundedCache<readonly LedgerChange[]>(128);

export function ledgers(world: WorldScene) {
  const { roll } = world;
  const slot = fastMinutes(world, SLOT_MINUTES);
  const period = slot * SLOTS_IN_PERIOD;

  function fastTotals(who: Character, k: number) {
    const genesis = rawOf(who.genesis);
    const minted = genesis + part(genesis, MINTED_PART) * BigInt(Math.max(0, k)) + part(genesis, 0.004 * roll(who.slug, 'minted', k));
    const supply = part(genesis, 0.97 + 0.005 * roll(who.slug, 'supply', k));
    return { minted, burned: minted - supply };
  }

  const fastPeriod = (who: Character, k: number): readonly LedgerChange[] =>
    periods(`${world.name}/${who.slug}/${k}`, () => {
      const opening = fastTotals(who, k);
      const closing = fastTotals(who, k + 1);
      const turn = CAST.filter((one) => one.tempo === 'fast').indexOf(who);
      const slots = Array.from({ length: SLOTS_IN_PERIOD }, (_, index) => k * SLOTS_IN_PERIOD + index);
      const planned = slots.flatMap((n) => {
        const main: PlannedChange = { n, isMint: (n + turn) % 2 === 0, isSmall: false };
        return roll(who.slug, 'small', n) < SMALL_PART ? [main, { n, isMint: false, isSmall: true }] : [main];
      });
      const mints = planned.filter(({ isMint }) => isMint);
      const burns = planned.filter(({ isMint }) => !isMint);
      const amounts = new Map([
        ...divide(world, who, { changes: mints, total: closing.minted - opening.minted }),
        ...divide(world, who, { changes: burns, total: closing.burned - opening.burned }),
      ]);
      return planned.map((change) => {
        const { n, isMint, isSmall } = change;
        const offset = (turn * 0.5 + (isSmall ? 0.25 : 0)) * slot;
        const at = wholeSeconds(slotStart(n, slot) + offset + roll(who.slug, 'at', n) * Math.min(MAX_JITTER, slot / 10));
        const late = isSmall && roll(who.slug, 'late', n) < 0.3 ? wholeSeconds(roll(who.slug, 'lateness', n) * slot) : 0;
        return {
          id: numberAt(who.slug, at),
          type: isMint ? 'Mint' : 'Burn',
          amount: amounts.get(change) ?? 0n,
          at,
          appearsAt: later(at, late),
        };
      });
    });

  function naturalMonth(who: Character, month: number): readonly LedgerChange[] {
    const from = later(bornAt(world, who), month * MONTH);
    const genesis = rawOf(who.genesis);
    const burns = whole(roll(who.slug, 'burns', month), 4, 9);
    const mints = roll(who.slug, 'mints', month) < 0.3 ? 1 : 0;
    return Array.from({ length: burns + mints }, (_, index) => {
      const at = wholeSeconds(from + ((index + 0.1 + 0.8 * roll(who.slug, 'day', month, index)) / (burns + mints)) * MONTH);
      const isMint = mints === 1 && index === Math.floor(burns / 2);
      const share = isMint ? 0.008 + 0.03 * roll(who.slug, 'mint', month) : 0.00005 + 0.0009 * roll(who.slug, 'burn', month, index);
      const lots = isMint ? rawOf(1) : 1n;
      const amount = (part(genesis, share) / lots) * lots;
      return {
        id: numberAt(who.slug, at),
        type: isMint ? 'Mint' : 'Burn',
        amount,
        at,
        appearsAt: later(at, whole(roll(who.slug, 'seen', at), 0, 3) * MINUTE),
      };
    });
  }

  const naturalLife = (who: Character, months: number): readonly LedgerChange[] =>
    periods(`${world.name}/${who.slug}/life/${months}`, () => {
      const at = bornAt(world, who);
      const first: LedgerChange = { id: numberAt(who.slug, at), type: 'Mint', amount: rawOf(who.genesis), at, appearsAt: at };
      const end = endedAt(who) ?? Number.POSITIVE_INFINITY;
      return [first, ...Array.from({ length: months }, (_, month) => naturalMonth(who, month)).flat()].filter((change) => change.at < end);
    });

  return {
    track(who: Character, at: Instant): Track {
      const born = bornAt(world, who);
      if (who.tempo === 'natural') {
        return { since: born, minted: 0n, burned: 0n, changes: naturalLife(who, Math.max(0, Math.floor((at - born) / MONTH) + 1)) };
      }
      const current = slotOf(at, period);
      const changes = [current - 2, current - 1, current].flatMap((k) => fastPeriod(who, k));
      return { since: slotStart(current - 2, period), ...fastTotals(who, current - 2), changes };
    },
    pastSupply(who: Character, at: Instant): bigint {
      const { minted, burned } = fastTotals(who, slotOf(at, period));
      return minted - burned;
    },
  };
}

interface PlannedChange {
  readonly n: number;
  readonly isMint: boolean;
  readonly isSmall: boolean;
}

const SMALL_PART = 1 / 6;

function divide(
  { roll }: WorldScene,
  who: Character,
  { changes, total }: { readonly changes: readonly PlannedChange[]; readonly total: bigint },
): readonly (readonly [PlannedChange, bigint])[] {
  const weights = changes.map(({ n, isSmall }) =>
    BigInt((isSmall ? 10_000 : 750_000) + Math.floor(roll(who.slug, 'weight', n) * (isSmall ? 10_000 : 500_000))),
  );
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  let left = total;
  return changes.map((change, index) => {
    const amount = index === changes.length - 1 ? left : (total * (weights[index] ?? 0n)) / all;
    left -= amount;
    return [change, amount] as const;
  });
}
