/** Natural and injected mints and burns, with one running total (§2.2). */
import { omitUndefined } from '../../base/omit-undefined.js';
import { DAY, type Instant, MINUTE, SECOND, instant, later } from '../../base/clock.js';
import { boundedCache } from '../../base/bounded-cache.js';
import { part, percentOfRaw, rawOf } from './amounts.js';
import { CAST, type Character } from './invented-projects.js';
import { type Facts, type SupplyFact, factsOf } from './injected-facts.js';
import { type WorldScene, bornAt, endedAt, fastMinutes, numberAt, slotOf, slotStart, wholeSeconds } from './world-inputs.js';
import { whole } from './seeded-random.js';

export interface LedgerEntry extends LedgerChange {
  readonly supplyBefore: bigint;
  readonly supplyAfter: bigint;
}

export interface Ledger {
  readonly entries: readonly LedgerEntry[];
  /** Includes rows that are no longer listed. */
  readonly minted: bigint;
  readonly burned: bigint;
  readonly supply: bigint;
  readonly netChange: bigint;
}

export interface SupplyPoint {
  readonly at: Instant;
  readonly circulating: bigint;
}

const toChange = (fact: SupplyFact): LedgerChange =>
  omitUndefined({
    id: fact.id,
    type: fact.type,
    amount: BigInt(fact.amount),
    at: fact.at,
    appearsAt: fact.appearsAt,
    proposal: fact.proposal,
  });

const signed = (change: Pick<LedgerChange, 'type' | 'amount'>): bigint => (change.type === 'Mint' ? change.amount : -change.amount);
const total = (before: bigint, changes: readonly LedgerChange[]): bigint => changes.reduce((sum, change) => sum + signed(change), before);
const totalOf = (changes: readonly LedgerChange[], type: LedgerChange['type']): bigint =>
  changes.reduce((sum, change) => (change.type === type ? sum + change.amount : sum), 0n);

/** The value is in percent; 100 for the first mint. */
export const changeOf = ({ supplyBefore, supplyAfter }: LedgerEntry): string =>
  supplyBefore === 0n ? '100' : percentOfRaw(supplyBefore, supplyAfter, 6);

export const notCirculating = (who: Character): bigint => rawOf(who.locked + who.ownTokens);

export class Supplies {
  readonly #world: WorldScene;
  readonly #facts: Facts;
  readonly #nature;

  constructor(world: WorldScene, facts: Facts) {
    this.#world = world;
    this.#facts = facts;
    this.#nature = new NaturalLedgers(world);
  }

  ledger(who: Character, at: Instant): Ledger {
    const track = this.#nature.track(who, at);
    const added = this.#injected(who, at);
    const earlier = added.filter((change) => change.at < track.since);
    let supply = total(track.minted - track.burned, earlier);
    const opening = supply;
    const shown = [...track.changes.filter((change) => change.appearsAt <= at), ...added.filter((change) => change.at >= track.since)];
    const entries = shown
      .toSorted((a, b) => a.at - b.at || a.id - b.id)
      .map((change): LedgerEntry => {
        const before = supply;
        supply += signed(change);
        return { ...change, supplyBefore: before, supplyAfter: supply };
      });
    return {
      entries,
      minted: track.minted + totalOf([...earlier, ...shown], 'Mint'),
      burned: track.burned + totalOf([...earlier, ...shown], 'Burn'),
      supply,
      netChange: supply - opening,
    };
  }

  current(who: Character, at: Instant): bigint {
    const track = this.#nature.track(who, at);
    let supply = total(track.minted - track.burned, this.#injected(who, at));
    for (const change of track.changes) if (change.appearsAt <= at) supply += signed(change);
    return supply;
  }

  /** Returns the supply at `when` as known at `asOf`; zero before the token's start. */
  supplyAt({ who, when, asOf }: { who: Character; when: Instant; asOf: Instant }): bigint {
    const track = this.#nature.track(who, asOf);
    if (when < bornAt(this.#world, who)) return 0n;
    const added = this.#injected(who, asOf).filter((change) => change.at <= when);
    if (when < track.since) return total(this.#nature.pastSupply(who, when), added);
    let supply = total(track.minted - track.burned, added);
    for (const change of track.changes) if (change.at <= when && change.appearsAt <= asOf) supply += signed(change);
    return supply;
  }

  course({ who, moments, asOf }: { who: Character; moments: readonly Instant[]; asOf: Instant }): readonly bigint[] {
    const track = this.#nature.track(who, asOf);
    const byTime = (a: LedgerChange, b: LedgerChange): number => a.at - b.at;
    const natural = track.changes.filter((change) => change.appearsAt <= asOf).toSorted(byTime);
    const added = this.#injected(who, asOf).toSorted(byTime);
    const born = bornAt(this.#world, who);
    let [past, extra, nextNatural, nextAdded] = [track.minted - track.burned, 0n, 0, 0];
    return moments.map((when) => {
      for (let change = natural[nextNatural]; change !== undefined && change.at <= when; change = natural[nextNatural]) {
        past += signed(change);
        nextNatural += 1;
      }
      for (let change = added[nextAdded]; change !== undefined && change.at <= when; change = added[nextAdded]) {
        extra += signed(change);
        nextAdded += 1;
      }
      if (when < born) return 0n;
      return (when < track.since ? this.#nature.pastSupply(who, when) : past) + extra;
    });
  }

  daily(who: Character, at: Instant): readonly SupplyPoint[] {
    const today = Math.floor(at / DAY) * DAY;
    const first = Math.max(today - 364 * DAY, Math.ceil(bornAt(this.#world, who) / DAY) * DAY);
    const days = Array.from({ length: Math.max(0, (today - first) / DAY + 1) }, (_, index) => instant(first + index * DAY));
    const supplied = this.course({ who, moments: days.map((day) => (day === today ? at : day)), asOf: at });
    return days.map((day, index) => ({ at: day, circulating: (supplied[index] ?? 0n) - notCirculating(who) }));
  }

  #injected(who: Character, at: Instant): readonly LedgerChange[] {
    return factsOf(this.#facts(), 'supply')
      .filter((fact) => fact.slug === who.slug && fact.appearsAt <= at && fact.at <= at)
      .map(toChange);
  }
}

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
/** Two fast projects alternate, so that an event over $10,000 comes every 36 seconds. */
const SLOT_MINUTES = 1.2;
/** A part of the first supply. On average 0.6% is minted at once in a period. */
const MINTED_PART = 0.45;
const MAX_JITTER = 2 * SECOND;
const MONTH = 30 * DAY;

const periods = boundedCache<readonly LedgerChange[]>(128);

class NaturalLedgers {
  readonly #world: WorldScene;
  readonly #roll: WorldScene['roll'];
  readonly #slot;
  readonly #period;

  constructor(world: WorldScene) {
    this.#world = world;
    this.#roll = world.roll;
    this.#slot = fastMinutes(world, SLOT_MINUTES);
    this.#period = this.#slot * SLOTS_IN_PERIOD;
  }

  track(who: Character, at: Instant): Track {
    const born = bornAt(this.#world, who);
    if (who.tempo === 'natural') {
      return { since: born, minted: 0n, burned: 0n, changes: this.#naturalLife(who, Math.max(0, Math.floor((at - born) / MONTH) + 1)) };
    }
    const current = slotOf(at, this.#period);
    const changes = [current - 2, current - 1, current].flatMap((k) => this.#fastPeriod(who, k));
    return { since: slotStart(current - 2, this.#period), ...this.#fastTotals(who, current - 2), changes };
  }

  pastSupply(who: Character, at: Instant): bigint {
    const { minted, burned } = this.#fastTotals(who, slotOf(at, this.#period));
    return minted - burned;
  }

  #fastTotals(who: Character, k: number) {
    const genesis = rawOf(who.genesis);
    const minted = genesis + part(genesis, MINTED_PART) * BigInt(Math.max(0, k)) + part(genesis, 0.004 * this.#roll(who.slug, 'minted', k));
    const supply = part(genesis, 0.97 + 0.005 * this.#roll(who.slug, 'supply', k));
    return { minted, burned: minted - supply };
  }

  #fastPeriod(who: Character, k: number): readonly LedgerChange[] {
    return periods(`${this.#world.name}/${who.slug}/${k}`, () => {
      const opening = this.#fastTotals(who, k);
      const closing = this.#fastTotals(who, k + 1);
      const turn = CAST.filter((one) => one.tempo === 'fast').indexOf(who);
      const slots = Array.from({ length: SLOTS_IN_PERIOD }, (_, index) => k * SLOTS_IN_PERIOD + index);
      const withSmall = new Set(slots.filter((n) => this.#roll(who.slug, 'small', n) < SMALL_PART).slice(0, MAX_SMALL));
      const planned = slots.flatMap((n) => {
        const main: PlannedChange = { n, isMint: (n + turn) % 2 === 0, isSmall: false };
        return withSmall.has(n) ? [main, { n, isMint: false, isSmall: true }] : [main];
      });
      const mints = planned.filter(({ isMint }) => isMint);
      const burns = planned.filter(({ isMint }) => !isMint);
      const amounts = new Map([
        ...divide(this.#world, who, { changes: mints, total: closing.minted - opening.minted }),
        ...divide(this.#world, who, { changes: burns, total: closing.burned - opening.burned }),
      ]);
      return planned.map((change) => {
        const { n, isMint, isSmall } = change;
        const offset = (turn * 0.5 + (isSmall ? 0.25 : 0)) * this.#slot;
        const at = wholeSeconds(slotStart(n, this.#slot) + offset + this.#roll(who.slug, 'at', n) * Math.min(MAX_JITTER, this.#slot / 10));
        const late = isSmall && this.#roll(who.slug, 'late', n) < 0.3 ? wholeSeconds(this.#roll(who.slug, 'lateness', n) * this.#slot) : 0;
        return {
          id: numberAt(who.slug, at),
          type: isMint ? 'Mint' : 'Burn',
          amount: amounts.get(change) ?? 0n,
          at,
          appearsAt: later(at, late),
        };
      });
    });
  }

  #naturalMonth(who: Character, month: number): readonly LedgerChange[] {
    const from = later(bornAt(this.#world, who), month * MONTH);
    const genesis = rawOf(who.genesis);
    const burns = whole(this.#roll(who.slug, 'burns', month), 4, 9);
    const mints = this.#roll(who.slug, 'mints', month) < 0.3 ? 1 : 0;
    return Array.from({ length: burns + mints }, (_, index) => {
      const at = wholeSeconds(from + ((index + 0.1 + 0.8 * this.#roll(who.slug, 'day', month, index)) / (burns + mints)) * MONTH);
      const isMint = mints === 1 && index === Math.floor(burns / 2);
      const share = isMint
        ? 0.008 + 0.03 * this.#roll(who.slug, 'mint', month)
        : 0.00005 + 0.0009 * this.#roll(who.slug, 'burn', month, index);
      const lots = isMint ? rawOf(1) : 1n;
      const amount = (part(genesis, share) / lots) * lots;
      return {
        id: numberAt(who.slug, at),
        type: isMint ? 'Mint' : 'Burn',
        amount,
        at,
        appearsAt: later(at, whole(this.#roll(who.slug, 'seen', at), 0, 3) * MINUTE),
      };
    });
  }

  #naturalLife(who: Character, months: number): readonly LedgerChange[] {
    return periods(`${this.#world.name}/${who.slug}/life/${months}`, () => {
      const at = bornAt(this.#world, who);
      const first: LedgerChange = { id: numberAt(who.slug, at), type: 'Mint', amount: rawOf(who.genesis), at, appearsAt: at };
      const end = endedAt(who) ?? Number.POSITIVE_INFINITY;
      return [first, ...Array.from({ length: months }, (_, month) => this.#naturalMonth(who, month)).flat()].filter(
        (change) => change.at < end,
      );
    });
  }
}

interface PlannedChange {
  readonly n: number;
  readonly isMint: boolean;
  readonly isSmall: boolean;
}

const SMALL_PART = 1 / 6;
/** The most small changes in a period, so that the three periods of a ledger fill only a few pages. */
const MAX_SMALL = 30;

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
