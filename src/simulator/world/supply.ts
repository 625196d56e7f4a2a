/** Natural and injected changes in one running total (§2.2). */
import { omitUndefined } from '../../base/omit-undefined.js';
import { DAY, instant, type Instant } from '../../base/clock.js';
import { percentOfRaw, rawOf } from './amounts.js';
import type { Character } from './invented-projects.js';
import { factsOf, type Facts, type SupplyFact } from './injected-facts.js';
import { ledgers, type LedgerChange } from './mints-and-burns.js';
import { bornAt, type WorldScene } from './world-inputs.js';

export interface LedgerEntry extends LedgerChange {
  readonly supplyBefore: bigint;
  readonly supplyAfter: bigint;
}

export interface Ledger {
  readonly entries: readonly LedgerEntry[];
  /** With rows no longer listed. */
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

/** Percent; 100 for the first mint. */
export const changeOf = ({ supplyBefore, supplyAfter }: LedgerEntry): string =>
  supplyBefore === 0n ? '100' : percentOfRaw(supplyBefore, supplyAfter, 6);

export const notCirculating = (who: Character): bigint => rawOf(who.locked + who.ownTokens);

export function supplies(world: WorldScene, facts: Facts) {
  const nature = ledgers(world);
  const injected = (who: Character, at: Instant): readonly LedgerChange[] =>
    factsOf(facts(), 'supply')
      .filter((fact) => fact.slug === who.slug && fact.appearsAt <= at && fact.at <= at)
      .map(toChange);

  function ledger(who: Character, at: Instant): Ledger {
    const track = nature.track(who, at);
    const added = injected(who, at);
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

  function current(who: Character, at: Instant): bigint {
    const track = nature.track(who, at);
    let supply = total(track.minted - track.burned, injected(who, at));
    for (const change of track.changes) if (change.appearsAt <= at) supply += signed(change);
    return supply;
  }

  /** As known at `asOf`; zero before the token's start. */
  function supplyAt({ who, when, asOf }: { who: Character; when: Instant; asOf: Instant }): bigint {
    const track = nature.track(who, asOf);
    if (when < bornAt(world, who)) return 0n;
    const added = injected(who, asOf).filter((change) => change.at <= when);
    if (when < track.since) return total(nature.pastSupply(who, when), added);
    let supply = total(track.minted - track.burned, added);
    for (const change of track.changes) if (change.at <= when && change.appearsAt <= asOf) supply += signed(change);
    return supply;
  }

  function course({ who, moments, asOf }: { who: Character; moments: readonly Instant[]; asOf: Instant }): readonly bigint[] {
    const track = nature.track(who, asOf);
    const byTime = (a: LedgerChange, b: LedgerChange): number => a.at - b.at;
    const natural = track.changes.filter((change) => change.appearsAt <= asOf).toSorted(byTime);
    const added = injected(who, asOf).toSorted(byTime);
    const born = bornAt(world, who);
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
      return (when < track.since ? nature.pastSupply(who, when) : past) + extra;
    });
  }

  function daily(who: Character, at: Instant): readonly SupplyPoint[] {
    const today = Math.floor(at / DAY) * DAY;
    const first = Math.max(today - 364 * DAY, Math.ceil(bornAt(world, who) / DAY) * DAY);
    const days = Array.from({ length: Math.max(0, (today - first) / DAY + 1) }, (_, index) => instant(first + index * DAY));
    const supplied = course({ who, moments: days.map((day) => (day === today ? at : day)), asOf: at });
    return days.map((day, index) => ({ at: day, circulating: (supplied[index] ?? 0n) - notCirculating(who) }));
  }

  return { ledger, current, supplyAt, course, daily };
}
