/** The payments and internal transfers of a project. One in nine is unclassified. */
import { DAY, type Instant } from '../../base/clock.js';
import { roundedNumber } from './amounts.js';
import type { EntityType, SimAccount } from './accounts.js';
import type { Character } from './invented-projects.js';
import type { SimCounterparty } from './counterparties.js';
import { pick, byNature } from './seeded-random.js';
import { factsOf, type Facts, type MovementFact } from './injected-facts.js';
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

export class MovementBook {
  readonly #world: MovementDeps['scene'];
  readonly #accounts: MovementDeps['accounts'];
  readonly #counterparties: MovementDeps['counterparties'];
  readonly #facts: MovementDeps['facts'];
  readonly #roll: WorldScene['roll'];
  readonly #keys: WorldScene['keys'];
  readonly #known;
  readonly #moments;
  readonly #fast;

  constructor({ scene: world, accounts, counterparties, facts }: MovementDeps) {
    this.#world = world;
    this.#accounts = accounts;
    this.#counterparties = counterparties;
    this.#facts = facts;
    this.#roll = world.roll;
    this.#keys = world.keys;
    this.#known = naturalMovements(world);
    this.#moments = naturalMoments(world);
    this.#fast = fastMinutes(world, FAST_MINUTES);
  }

  list(who: Character, at: Instant): readonly SimMovement[] {
    const begin = bornAt(this.#world, who) + QUIET;
    const end = Math.min(at, endedAt(who) ?? at);
    const slots: readonly Slot[] =
      who.tempo === 'fast'
        ? Array.from({ length: FAST_SHOWN }, (_, back) => slotOf(at, this.#fast) - back).map((slot) => ({
            slot,
            start: slotStart(slot, this.#fast),
            length: this.#fast,
          }))
        : Array.from({ length: Math.max(0, Math.ceil((end - begin) / SLOT)) }, (_, slot) => ({
            slot,
            start: wholeSeconds(begin + slot * SLOT),
            length: SLOT,
          }));
    const natural = slots
      .map((slot) => ({ slot, at: this.#momentIn(who, slot) }))
      // Times at which an account did not exist are left out.
      .filter(({ at: when }) => when >= begin && when <= end)
      .map(({ slot, at: when }) => this.#known(`${who.slug}/${slot.slot}`, () => this.#make(who, slot, when)));
    const added = factsOf(this.#facts(), 'movement')
      .filter((fact) => fact.slug === who.slug && fact.appearsAt <= at)
      .map((fact) => this.#injected(who, fact));
    return [...natural, ...added].toSorted((a, b) => b.at - a.at || b.id - a.id);
  }

  byId(id: number, at: Instant): SimMovement | undefined {
    const fact = factsOf(this.#facts(), 'movement').find((one) => one.id === id);
    const who = fact ? findCharacter(fact.slug) : numbered(id);
    return who && this.list(who, at).find((one) => one.id === id);
  }

  #momentIn(who: Character, { slot, start, length }: Slot): Instant {
    return this.#moments(`${who.slug}/${slot}`, () =>
      wholeSeconds(start + this.#roll(`movement/${who.slug}/${slot}`, 'at') * length * 0.9),
    );
  }

  #accountsOf(who: Character, at: Instant) {
    const open = this.#accounts(who, at);
    const main = open.find((one) => one.key === 'treasury') ?? open.find((one) => one.key === 'old-multisig');
    const spending = open.find((one) => one.key === 'operations');
    if (main === undefined || spending === undefined) throw new Error(`simulator: ${who.slug} has no accounts at ${at}`);
    return { open, main, spending };
  }

  #injected(who: Character, fact: MovementFact): SimMovement {
    const { main, spending } = this.#accountsOf(who, fact.at);
    const other = this.#counterparties(who).find(({ name }) => name === fact.counterparty);
    const address = other?.addresses[0]?.address ?? this.#keys.address('injected movement', fact.id);
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
      signature: this.#keys.signature(`injected movement/${fact.id}`),
      classified: other !== undefined || fact.direction === 'internal',
      category: fact.direction === 'internal' ? ['Internal transfer', 'Allowance'] : other?.category,
      counterparty: other,
      entityType: fact.direction === 'outflow' ? spending.entityType : main.entityType,
      note: fact.note,
    };
  }

  #make(who: Character, { slot }: Slot, at: Instant): SimMovement {
    const name = `movement/${who.slug}/${slot}`;
    const { open, main, spending } = this.#accountsOf(who, at);
    const base = {
      id: numberAt(who.slug, at),
      at,
      symbol: 'USDC' as const,
      signature: this.#keys.signature(name),
      classified: this.#roll(name, 'classified') >= 1 / 9,
    };
    const internal = this.#roll(name, 'kind') < 0.2;
    if (internal) {
      const custody = open.find((one) => one.key === 'custody');
      const toCustody = custody !== undefined && this.#roll(name, 'where') < 0.3;
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
    const other = pick(this.#roll(name, 'who'), this.#counterparties(who));
    const theirs = { name: other.name, address: pick(this.#roll(name, 'address'), other.addresses).address };
    const amount = roundedNumber((who.allowance / 9) * (0.2 + 1.6 * this.#roll(name, 'size')), 2);
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
}
