/** The natural mint and burn ledger. Fast projects list only their last two to three periods of 180 slots, to limit the rows. */
import { DAY, MINUTE, later, type Instant } from '../../base/clock.js';
import { part, rawOf } from './amounts.js';
import type { Character } from './cast.js';
import { whole } from './dice.js';
import { remember } from '../../base/remember.js';
import { bornAt, endedAt, fastMinutes, numberAt, slotOf, slotStart, wholeSeconds, type WorldScene } from './scene.js';

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

const SLOTS_IN_PERIOD = 180;
const SLOT_MINUTES = 3;
const MONTH = 30 * DAY;

/** Shared by all worlds. */
const periods = remember<readonly LedgerChange[]>(128);

export function ledgers(world: WorldScene) {
  const { roll } = world;
  const slot = fastMinutes(world, SLOT_MINUTES);
  const period = slot * SLOTS_IN_PERIOD;

  /** Cumulative totals at the start of period `k`. The mints of a period always exceed the change of the supply. */
  function fastTotals(who: Character, k: number) {
    const genesis = rawOf(who.genesis);
    const minted = genesis + part(genesis, 0.01) * BigInt(Math.max(0, k)) + part(genesis, 0.004 * roll(who.slug, 'minted', k));
    const supply = part(genesis, 0.97 + 0.005 * roll(who.slug, 'supply', k));
    return { minted, burned: minted - supply };
  }

  const fastPeriod = (who: Character, k: number): readonly LedgerChange[] =>
    periods(`${world.name}/${who.slug}/${k}`, () => {
      const opening = fastTotals(who, k);
      const closing = fastTotals(who, k + 1);
      const slots = Array.from({ length: SLOTS_IN_PERIOD }, (_, index) => k * SLOTS_IN_PERIOD + index);
      const isMint = (n: number): boolean => n % SLOTS_IN_PERIOD === 1 || (n % SLOTS_IN_PERIOD > 1 && roll(who.slug, 'mint?', n) < 1 / 6);
      const amounts = new Map([
        ...divide(world, who, { slots: slots.filter(isMint), total: closing.minted - opening.minted }),
        ...divide(world, who, { slots: slots.filter((n) => !isMint(n)), total: closing.burned - opening.burned }),
      ]);
      return slots.map((n) => {
        const at = wholeSeconds(slotStart(n, slot) + roll(who.slug, 'at', n) * slot * 0.9);
        const late = roll(who.slug, 'late', n) < 0.05 ? wholeSeconds(roll(who.slug, 'lateness', n) * slot) : 0;
        return {
          id: numberAt(who.slug, at),
          type: isMint(n) ? 'Mint' : 'Burn',
          amount: amounts.get(n) ?? 0n,
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
    /** The rows around `at`. */
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

/** Divides a total by random weights; the last slot gets the rounding remainder. */
function divide(
  { roll }: WorldScene,
  who: Character,
  { slots, total }: { slots: readonly number[]; total: bigint },
): readonly (readonly [number, bigint])[] {
  const weights = slots.map((n) => BigInt(10_000 + Math.floor(roll(who.slug, 'weight', n) * 400_000)));
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  let left = total;
  return slots.map((n, index) => {
    const amount = index === slots.length - 1 ? left : (total * (weights[index] ?? 0n)) / all;
    left -= amount;
    return [n, amount] as const;
  });
}
