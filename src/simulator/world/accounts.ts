/** The accounts (§2.10), which add up to the treasury (§4.9). Liquidity is not an account. */
import { DAY, type Instant, later } from '../../base/clock.js';
import { exactly, human, rawOf, rounded, sumOf } from './amounts.js';
import { CAST, type Character } from './invented-projects.js';
import { byNature } from './seeded-random.js';
import { type WorldScene, bornAt, endedAt, mintOf } from './world-inputs.js';
import type { Nav, TreasuryHolding } from './treasury.js';

export interface OwnedAccount {
  readonly name: 'Performance package' | 'Main treasury';
  readonly address: string;
  /** The amount is in the token's smallest unit. */
  readonly tokens: bigint;
}

export const ownedAccounts = ({ keys }: WorldScene, who: Character): readonly OwnedAccount[] => [
  { name: 'Performance package', address: keys.address('package', who.slug), tokens: rawOf(who.locked) },
  { name: 'Main treasury', address: keys.address('treasury', who.slug), tokens: rawOf(who.ownTokens) },
];

export const CUSTODY_TYPES = ['Self-custody', 'Multi-sig', 'Program', 'Third-party custody', 'Offchain'] as const;

export type EntityType = 'DAO' | 'OpCo';

export interface SimAccount {
  readonly id: number;
  readonly key: Part;
  readonly who: Character;
  readonly name: string;
  readonly address: string;
  readonly venue: string;
  readonly chain: string;
  readonly custodyType: (typeof CUSTODY_TYPES)[number];
  readonly entityType: EntityType;
  readonly trackingMode: 'full' | 'partial' | 'balance_only';
  readonly notes: string;
  readonly createdAt: Instant;
  readonly retiresAt: Instant | undefined;
  readonly replacedBy: Part | undefined;
}

type Part = 'treasury' | 'custody' | 'operations' | 'desk' | 'package' | 'old-multisig';

export const hasOpCo = (who: Character): boolean => who.rows !== 'old' && who.slug.length % 2 === 0;

/** The number of ids for each project. */
const ROOM_FOR_IDS = 100;
export const firstIdOf = (who: Character): number => (CAST.findIndex((one) => one.slug === who.slug) + 1) * ROOM_FOR_IDS;

interface Plan extends Pick<SimAccount, 'key' | 'custodyType' | 'trackingMode'> {
  readonly name: string;
  readonly venue?: string;
  readonly notes?: string;
  readonly company?: boolean;
  readonly bornAfterDays: number;
}

const PLANS: readonly Plan[] = [
  { key: 'treasury', name: 'Main treasury', custodyType: 'Multi-sig', trackingMode: 'full', bornAfterDays: 20 },
  {
    key: 'custody',
    name: 'Reserve custody',
    custodyType: 'Third-party custody',
    venue: 'Northbank Trust',
    trackingMode: 'partial',
    bornAfterDays: 40,
  },
  { key: 'operations', name: 'Operations wallet', custodyType: 'Self-custody', trackingMode: 'full', company: true, bornAfterDays: 0 },
  {
    key: 'desk',
    name: 'Exchange desk',
    custodyType: 'Offchain',
    venue: 'Deepdesk',
    notes: 'Recorded by hand on the first of the month.',
    trackingMode: 'balance_only',
    company: true,
    bornAfterDays: 60,
  },
  { key: 'package', name: 'Performance package', custodyType: 'Program', trackingMode: 'balance_only', bornAfterDays: 0 },
  { key: 'old-multisig', name: 'First multisig', custodyType: 'Multi-sig', trackingMode: 'full', notes: 'Two of three.', bornAfterDays: 0 },
];

const RETIRES_AFTER_DAYS = 21;

const SHARES: readonly (readonly [part: Part, share: string])[] = [
  ['custody', '0.22'],
  ['operations', '0.06'],
  ['desk', '0.03'],
];

export const GROUPS = [
  {
    name: 'Treasury',
    key: 'treasury',
    subgroups: [
      { name: 'Reserves', parts: ['treasury', 'old-multisig'] },
      { name: 'Custody', parts: ['custody'] },
    ],
  },
  {
    name: 'Operations',
    key: 'operations',
    subgroups: [
      { name: 'Spending', parts: ['operations'] },
      { name: 'Desk', parts: ['desk'] },
    ],
  },
  { name: 'Programs', key: 'programs', subgroups: [{ name: 'Vesting', parts: ['package'] }] },
] as const satisfies readonly { name: string; key: string; subgroups: readonly { name: string; parts: readonly Part[] }[] }[];

/** The value is in USD. */
export interface SimBalance {
  readonly tokens: readonly (TreasuryHolding & { readonly decimals: number })[];
  readonly nativeTokenValue: string;
  /** Excludes the project's own token. */
  readonly backing: string;
}

export interface AccountDeps {
  readonly scene: WorldScene;
  readonly nav: (who: Character, at: Instant) => Nav | undefined;
  readonly price: (who: Character, at: Instant) => string;
}

const naturalAccounts = byNature<readonly SimAccount[]>(40);

export class AccountBook {
  readonly #world: AccountDeps['scene'];
  readonly #nav: AccountDeps['nav'];
  readonly #price: AccountDeps['price'];

  constructor({ scene: world, nav, price }: AccountDeps) {
    this.#world = world;
    this.#nav = nav;
    this.#price = price;
  }

  all(who: Character, at: Instant): readonly SimAccount[] {
    return naturalAccounts(this.#world)(who.slug, () => this.#accountsOf(who)).filter((one) => one.createdAt <= at);
  }

  isActive(one: SimAccount, at: Instant): boolean {
    return one.retiresAt === undefined || at < one.retiresAt;
  }

  /** Returns the balance. If no NAV is published, only the own token is known. */
  balance(one: SimAccount, at: Instant): SimBalance {
    const { who } = one;
    const active = this.isActive(one, at);
    const known = active ? this.#nav(who, at) : undefined;
    const own = active ? ownedAccounts(this.#world, who).find(({ address }) => address === one.address) : undefined;
    const cost = this.#price(who, at);
    const backing = (known?.wallet ?? []).flatMap((holding) => this.#shareOf(one, holding, at));
    const native = own === undefined ? [] : [this.#ownToken(who, human(own.tokens), cost)];
    return {
      tokens: [...backing, ...native].map((token) => ({ ...token, decimals: token.symbol === 'SOL' ? 9 : 6 })),
      nativeTokenValue: sumOf(native.map(({ value }) => value)),
      backing: sumOf(backing.map(({ value }) => value)),
    };
  }

  active(who: Character, at: Instant) {
    return this.all(who, at).filter((one) => this.isActive(one, at));
  }

  retired(who: Character, at: Instant) {
    return this.all(who, at).filter((one) => !this.isActive(one, at));
  }

  #addressOf(who: Character, { key, custodyType, name }: Plan): string {
    return custodyType === 'Offchain'
      ? ''
      : (ownedAccounts(this.#world, who).find((one) => one.name === name)?.address ?? this.#world.keys.address('account', who.slug, key));
  }

  #accountsOf(who: Character): readonly SimAccount[] {
    return PLANS.map((plan, index): SimAccount => {
      const createdAt = later(bornAt(this.#world, who), plan.bornAfterDays * DAY);
      const retiresAt = plan.key === 'old-multisig' ? later(createdAt, RETIRES_AFTER_DAYS * DAY) : endedAt(who);
      return {
        id: firstIdOf(who) + index,
        key: plan.key,
        who,
        name: plan.name,
        address: this.#addressOf(who, plan),
        venue: plan.venue ?? '',
        chain: plan.custodyType === 'Offchain' ? 'offchain' : 'solana',
        custodyType: plan.custodyType,
        entityType: plan.company === true && hasOpCo(who) ? 'OpCo' : 'DAO',
        trackingMode: plan.trackingMode,
        notes: plan.notes ?? '',
        createdAt,
        retiresAt,
        replacedBy: plan.key === 'old-multisig' ? 'treasury' : undefined,
      };
    });
  }

  #ownToken(who: Character, amount: string, cost: string): TreasuryHolding {
    return {
      name: who.name,
      symbol: who.symbol,
      address: mintOf(this.#world, who.slug),
      amount,
      usdPrice: cost,
      value: rounded(exactly(amount).times(cost), 2),
    };
  }

  /** Returns an account's part of a holding. The treasury account also has the parts of accounts that do not exist yet. */
  #shareOf({ key, who }: SimAccount, holding: TreasuryHolding, at: Instant): readonly TreasuryHolding[] {
    const open = this.all(who, at).filter((one) => this.isActive(one, at));
    const given = SHARES.filter(([part]) => holding.symbol === 'USDC' && open.some((one) => one.key === part)).map(([part, share]) => ({
      part,
      value: rounded(exactly(holding.value).times(share), 2),
    }));
    const holder = open.find((one) => one.key === 'treasury') ?? open.find((one) => one.key === 'old-multisig');
    if (key === holder?.key) {
      const value = exactly(holding.value)
        .minus(sumOf(given.map((one) => one.value)))
        .toFixed();
      return [{ ...holding, amount: holding.symbol === 'USDC' ? value : holding.amount, value }];
    }
    return given.filter(({ part }) => part === key).map(({ value }) => ({ ...holding, amount: value, value }));
  }
}
