/** The invented projects and their peculiarities, as data only. */

export interface Character {
  readonly slug: string;
  readonly name: string;
  readonly symbol: string;
  readonly about: string;
  /** A `fast` project has events every few minutes instead of days. */
  readonly tempo: 'natural' | 'fast';
  /** A UTC date. The seed adds up to three weeks. */
  readonly born: string;
  /** The value is in whole tokens. */
  readonly genesis: number;
  /** Whole tokens in the performance package, and in the treasury. */
  readonly locked: number;
  readonly ownTokens: number;
  /** The average in USD. */
  readonly treasury: number;
  /** The value is in USD per month. */
  readonly allowance: number;
  /** The average premium in percent of NAV/AS. */
  readonly bias: number;
  readonly growth: readonly string[];
  /** Days between the proposals of a natural project; absent for none. */
  readonly proposalEvery?: number;
  /** The layout of proposal rows. Both occur at the real service. */
  readonly rows: 'new' | 'old';
  readonly quirk?: 'no-nav' | 'launch-only' | 'old-names' | 'zero-in-lists';
  readonly ended?: { readonly on: string; readonly reason: string };
  readonly rounds?: { readonly everyDays: number; readonly openDays: number };
}

const usual = { tempo: 'natural', locked: 2_400_000, ownTokens: 900_000, rows: 'new' } as const;

export const CAST: readonly Character[] = [
  {
    ...usual,
    slug: 'tide',
    name: 'Tidewater',
    symbol: 'TIDE',
    about: 'Settles freight invoices between small ports.',
    born: '2025-09-04',
    genesis: 12_900_000,
    treasury: 5_766_000,
    allowance: 100_000,
    bias: -9,
    growth: ['daily-traders', 'fees-usd', 'volume-usd'],
    proposalEvery: 8,
  },
  {
    ...usual,
    slug: 'alder',
    name: 'Alder Works',
    symbol: 'ALDR',
    about: 'A cooperative workshop for repairable electronics.',
    born: '2025-08-11',
    genesis: 13_400_000,
    treasury: 3_120_000,
    allowance: 84_000,
    bias: 6,
    growth: ['active-wallets', 'revenue-usd'],
    proposalEvery: 11,
  },
  {
    ...usual,
    slug: 'heron',
    name: 'Heron Flats',
    symbol: 'HERN',
    about: 'Leases wetland plots and measures what lives there.',
    born: '2025-10-02',
    genesis: 12_900_000,
    treasury: 2_260_000,
    allowance: 48_000,
    bias: -16,
    growth: ['transactions', 'revenue-usd', 'active-wallets'],
    proposalEvery: 13,
    rounds: { everyDays: 9, openDays: 4 },
  },
  {
    ...usual,
    slug: 'marsh',
    name: 'Salt Marsh',
    symbol: 'MARSH',
    about: 'Seaweed farms that sell their harvest ahead of time.',
    born: '2025-10-20',
    genesis: 12_900_000,
    treasury: 0,
    allowance: 0,
    bias: 0,
    growth: [],
    rows: 'new',
    quirk: 'launch-only',
    rounds: { everyDays: 13, openDays: 9 },
  },
  {
    ...usual,
    slug: 'lark-hollow',
    name: 'Lark Hollow',
    symbol: 'LARK',
    about: 'A listening library; its treasury is not valued yet.',
    born: '2025-11-06',
    genesis: 15_000_000,
    treasury: 1_450_000,
    allowance: 30_000,
    bias: 3,
    growth: ['active-wallets', 'transactions'],
    proposalEvery: 17,
    quirk: 'no-nav',
  },
  {
    ...usual,
    slug: 'quarry-lane',
    name: 'Quarry Lane',
    symbol: 'QRRY',
    about: 'Maps old stone for new houses and spends almost nothing.',
    born: '2025-08-25',
    genesis: 11_800_000,
    treasury: 4_100_000,
    allowance: 512,
    bias: -22,
    growth: ['revenue-usd', 'transactions'],
    proposalEvery: 19,
    rows: 'old',
  },
  {
    ...usual,
    slug: 'moss-harbor',
    name: 'Moss Harbor',
    symbol: 'MOSS',
    about: 'Insures sailing boats; it publishes no operating metrics.',
    born: '2025-09-19',
    genesis: 14_250_000,
    treasury: 2_890_000,
    allowance: 61_000,
    bias: -4,
    growth: [],
    proposalEvery: 10,
    quirk: 'zero-in-lists',
  },
  {
    ...usual,
    slug: 'birch-brine',
    name: 'Birch & Brine',
    symbol: 'BRNE',
    about: 'Pickles, <b>bottled</b> and traced from field to shelf.',
    born: '2025-10-11',
    genesis: 12_900_000,
    treasury: 980_000,
    allowance: 22_000,
    bias: 14,
    growth: ['revenue-usd', 'daily-traders'],
    proposalEvery: 12,
    quirk: 'old-names',
  },
  {
    ...usual,
    slug: 'glass-pier',
    name: 'Glass Pier',
    symbol: 'GLPR',
    about: 'Rents out studio light by the hour.',
    born: '2025-09-28',
    genesis: 12_900_000,
    treasury: 1_730_000,
    allowance: 55_000,
    bias: -12,
    growth: ['daily-traders', 'fees-usd', 'volume-usd', 'active-wallets'],
    proposalEvery: 9,
    rows: 'old',
  },
  {
    ...usual,
    slug: 'thistle-down',
    name: 'Thistle Down',
    symbol: 'THST',
    about: 'A seed bank with a subscription.',
    born: '2025-10-29',
    genesis: 13_100_000,
    treasury: 640_000,
    allowance: 36_000,
    bias: -1,
    growth: ['active-wallets', 'fees-usd'],
    proposalEvery: 14,
  },
  {
    ...usual,
    slug: 'cinder-quay',
    name: 'Cinder Quay',
    symbol: 'CNDR',
    about: 'Was a market for used cranes; wound up by its holders.',
    born: '2025-07-30',
    genesis: 12_900_000,
    treasury: 1_210_000,
    allowance: 70_000,
    bias: -20,
    growth: [],
    proposalEvery: 21,
    ended: { on: '2026-08-14', reason: 'liquidated' },
  },
  {
    ...usual,
    slug: 'spindrift',
    name: 'Spindrift fast demo',
    symbol: 'SPIN',
    about: 'Lives fast: a market that settles every half hour.',
    tempo: 'fast',
    born: '2025-08-02',
    genesis: 20_000_000,
    treasury: 7_400_000,
    allowance: 150_000,
    bias: 4,
    growth: ['daily-traders', 'fees-usd', 'volume-usd', 'transactions'],
  },
  {
    ...usual,
    slug: 'kestrel-yard',
    name: 'Kestrel Yard fast demo',
    symbol: 'KSTL',
    about: 'Lives fast: trades spare workshop hours around the clock.',
    tempo: 'fast',
    born: '2025-08-20',
    genesis: 16_000_000,
    treasury: 3_900_000,
    allowance: 120_000,
    bias: -7,
    growth: ['daily-traders', 'revenue-usd', 'active-wallets', 'transactions'],
  },
];

export const PROPOSAL_TITLES: readonly string[] = [
  'Raise the monthly allowance',
  'Fund the second audit',
  'Buy back below NAV',
  'Hire a treasury steward',
  'Move reserves to short bills',
  'Open a regional branch',
  "Mint for the builders' pool",
  'Lower the trading fee',
  'Renew the counsel retainer',
  'Pause the grants programme',
  'Extend the liquidity position',
  'Retire the old multisig',
  'Pay the founders <in full> & on time',
  'Adopt the new charter',
  'Burn the unclaimed allocation',
  'Sponsor the spring meeting',
];

/** The unit, semantics and typical size of each growth metric. */
export const METRICS: Readonly<
  Record<
    string,
    { readonly name: string; readonly unit: string; readonly semantics: string; readonly size: number; readonly places: number }
  >
> = {
  'daily-traders': { name: 'Daily traders', unit: 'count', semantics: 'distinct', size: 2_400, places: 0 },
  'active-wallets': { name: 'Active wallets', unit: 'count', semantics: 'distinct', size: 860, places: 0 },
  transactions: { name: 'Transactions', unit: 'count', semantics: 'sum', size: 14_500, places: 0 },
  'fees-usd': { name: 'Fees', unit: 'usd', semantics: 'sum', size: 1_150, places: 2 },
  'volume-usd': { name: 'Volume', unit: 'usd', semantics: 'sum', size: 412_000, places: 2 },
  'revenue-usd': { name: 'Revenue', unit: 'usd', semantics: 'sum', size: 3_300, places: 2 },
};
