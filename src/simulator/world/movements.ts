/** A project makes payments and internal transfers, and one in nine is unclassified. */
import { DAY, type Instant } from '../../base/clock.js';
import { roundedNumber } from './amounts.js';
import type { EntityType, SimAccount } from './accounts.js';
import type { Character } from './invented-projects.js';
import type { SimCounterparty } from './counterparties.js';
import { pick } from './seeded-random.js';
import { factsOf, type Facts, type MovementFact } from './injected-facts.js';
import { byNature } from './natural-cache.js';
import {
  bornAt,
  endedAt,
  fastMinutes,
  findCharacter,
  numberAt,
  numbered,
  slotOf,
  slotStart,
  wholeSeconds,
  type WorldScene,
} from './world-inputs.js';

export interface SimParty {
  readonly name: string;
  readonly address: string;
}

export interface SimMovement {
  readonly id: number;
  readonly at: Instant;
  readonly direction: 'inflow' | 'outflow' | 'internal';
  readonly from: SimParty;
  readonly to: SimParty;
  readonly amount: string;
  readonly symbol: 'USDC';
  readonly signature: string;
  readonly classified: boolean;
  readonly category: readonly [category: string, subcategory: string] | undefined;
  readonly counterparty: SimCounterparty | undefined;
  readonly entityType: EntityType;
  readonly note: string;
}

const SLOT = 2.5 * DAY;
const FAST_MINUTES = 40;
const FAST_SHOWN = 90;
const QUIET = 7 * DAY;

interface Slot {
  readonly slot: number;
  readonly start: Instant;
  readonly length: number;
}

export interface MovementDeps {
  readonly scene: WorldScene;
  readonly accounts: (who: Character, at: Instant) => readonly SimAccount[];
  readonly counterparties: (who: Character) => readonly SimCounterparty[];
  readonly facts: Facts;
}

const naturalMoments = byNature<Instant>(8_000);
const naturalMovements = byNature<SimMovement>(8_000);

export function movementBook({ scene: world, accounts, counterparties, facts }: MovementDeps) {
  const { roll, keys } = world;
  const known = naturalMovements(world);
  const moments = naturalMoments(world);
  const fast = fastMinutes(world, FAST_MINUTES);

  const momentIn = (who: Character, { slot, start, length }: Slot): Instant =>
    moments(`${who.slug}/${slot}`, () => wholeSeconds(start + roll(`movement/${who.slug}/${slot}`, 'at') * length * 0.9));

  function accountsOf(who: Character, at: Instant) {
    const open = accounts(who, at);
    const main = open.find((one) => one.key === 'treasury') ?? open.find((one) => one.key === 'old-multisig');
    const spending = open.find((one) => one.key === 'operations');
    if (main === undefined || spending === undefined) throw new Error(`simulator: ${who.slug} has no accounts at ${at}`);
    return { open, main, spending };
  }

  function injected(who: Character, fact: MovementFact): SimMovement {
    const { main, spending } = accountsOf(who, fact.at);
    const other = counterparties(who).find(({ name }) => name === fact.counterparty);
    const address = other?.addresses[0]?.address ?? keys.address('injected movement', fact.id);
    const theirs = { name: other?.name ?? address, address };
    const [from, to] = { inflow: [theirs, main], outflow: [spending, theirs], internal: [main, spending] }[fact.direction];
    return {
      id: fact.id,
      at: fact.at,
      direction: fact.direction,
      from: from ?? theirs,
      to: to ?? theirs,
      amount: fact.amount,
      symbol: 'USDC',
      signature: keys.signature(`injected movement/${fact.id}`),
      classified: other !== undefined || fact.direction === 'internal',
      category: fact.direction === 'internal' ? ['Internal transfer', 'Allowance'] : other?.category,
      counterparty: other,
      entityType: fact.direction === 'outflow' ? spending.entityType : main.entityType,
      note: fact.note,
    };
  }

  function make(who: Character, { slot }: Slot, at: Instant): SimMovement {
    const name = `movement/${who.slug}/${slot}`;
    const { open, main, spending } = accountsOf(who, at);
    const base = {
      id: numberAt(who.slug, at),
      at,
      symbol: 'USDC' as const,
      signature: keys.signature(name),
      classified: roll(name, 'classified') >= 1 / 9,
    };
    const internal = roll(name, 'kind') < 0.2;
    if (internal) {
      const custody = open.find((one) => one.key === 'custody');
      const toCustody = custody !== undefined && roll(name, 'where') < 0.3;
      const to = toCustody ? custody : spending;
      return {
        ...base,
        direction: 'internal',
        from: main,
        to,
        amount: String(toCustody ? who.allowance * 2 : who.allowance),
        category: ['Internal transfer', toCustody ? 'Custody' : 'Allowance'],
        counterparty: undefined,
        entityType: to.entityType,
        note: '',
      };
    }
    const other = pick(roll(name, 'who'), counterparties(who));
    const theirs = { name: other.name, address: pick(roll(name, 'address'), other.addresses).address };
    const amount = roundedNumber((who.allowance / 9) * (0.2 + 1.6 * roll(name, 'size')), 2);
    return {
      ...base,
      direction: other.pays ? 'inflow' : 'outflow',
      from: other.pays ? theirs : spending,
      to: other.pays ? main : theirs,
      amount,
      // An unclassified movement has no category and no counterparty.
      category: base.classified ? other.category : undefined,
      counterparty: base.classified ? other : undefined,
      entityType: other.pays ? main.entityType : spending.entityType,
      note: base.classified ? other.notes : '',
    };
  }

  function list(who: Character, at: Instant): readonly SimMovement[] {
    const begin = bornAt(world, who) + QUIET;
    const end = Math.min(at, endedAt(who) ?? at);
    const slots: readonly Slot[] =
      who.tempo === 'fast'
        ? Array.from({ length: FAST_SHOWN }, (_, back) => slotOf(at, fast) - back).map((slot) => ({
            slot,
            start: slotStart(slot, fast),
            length: fast,
          }))
        : Array.from({ length: Math.max(0, Math.ceil((end - begin) / SLOT)) }, (_, slot) => ({
            slot,
            start: wholeSeconds(begin + slot * SLOT),
            length: SLOT,
          }));
    const natural = slots
      .map((slot) => ({ slot, at: momentIn(who, slot) }))
      // Skip times without an account.
      .filter(({ at: when }) => when >= begin && when <= end)
      .map(({ slot, at: when }) => known(`${who.slug}/${slot.slot}`, () => make(who, slot, when)));
    const added = factsOf(facts(), 'movement')
      .filter((fact) => fact.slug === who.slug && fact.appearsAt <= at)
      .map((fact) => injected(who, fact));
    return [...natural, ...added].toSorted((a, b) => b.at - a.at || b.id - a.id);
  }

  function byId(id: number, at: Instant): SimMovement | undefined {
    const fact = factsOf(facts(), 'movement').find((one) => one.id === id);
    const who = fact ? findCharacter(fact.slug) : numbered(id);
    return who && list(who, at).find((one) => one.id === id);
  }

  return { list, byId };
}
