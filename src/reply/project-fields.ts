/** The figures of the list of all projects, for comparing, filtering and sorting. */
import type { ProjectRow } from '../analytics/endpoints/dashboard.js';
import { negate } from '../domain/decimal.js';
import { amount, months, percent, price, share, usd } from '../domain/format.js';
import { gapOf } from '../domain/premium.js';
import { decimal, type Decimal } from '../domain/scalars.js';

interface ProjectField {
  readonly title: string;
  readonly about: string;
  /** Returns the value. No comparison with an unknown value is true. */
  readonly of: (row: ProjectRow) => Decimal | undefined;
  readonly show: (value: Decimal | undefined) => string;
  readonly first: 'lowest' | 'highest';
  /** The field is only in the list of decision-market activity, which costs extra calls. */
  readonly activity?: true;
}

const gap = (row: ProjectRow): Decimal | undefined =>
  gapOf({ price: row.price, navPerShare: row.navPerShare, premium: row.premium }).percent;
const counted = (value: number | undefined): Decimal | undefined => (value === undefined ? undefined : decimal(value));

const FIELDS = {
  premium: {
    title: 'Premium',
    about: 'price against NAV/share in percent; negative is a discount',
    of: gap,
    show: percent,
    first: 'lowest',
  },
  discount: {
    title: 'Discount',
    about: 'discount to NAV/share: 20 means 20% below NAV',
    of: (row) => {
      const percentage = gap(row);
      return percentage === undefined ? undefined : negate(percentage);
    },
    show: share,
    first: 'highest',
  },
  runway: { title: 'Runway', about: 'months the treasury lasts', of: (row) => row.runway, show: months, first: 'highest' },
  nav: {
    title: 'NAV/share',
    about: 'net asset value per adjusted share, USD',
    of: (row) => row.navPerShare,
    show: price,
    first: 'highest',
  },
  price: { title: 'Price', about: 'USD per token', of: (row) => row.price, show: price, first: 'highest' },
  cap: { title: 'Market cap', about: 'USD, circulating supply', of: (row) => row.marketCap, show: usd, first: 'highest' },
  fdv: { title: 'FDV', about: 'USD, total supply', of: (row) => row.fdv, show: usd, first: 'highest' },
  treasury: { title: 'Treasury', about: 'USD', of: (row) => row.treasury, show: usd, first: 'highest' },
  allowance: { title: 'Allowance', about: 'USD a month', of: (row) => row.allowance, show: usd, first: 'lowest' },
  supply: { title: 'Circulating', about: 'circulating tokens', of: (row) => row.circulating, show: amount, first: 'highest' },
  change1h: { title: '1 h', about: 'price change over 1 h, percent', of: (row) => row.change1h, show: percent, first: 'highest' },
  change24h: { title: '24 h', about: 'price change over 24 h, percent', of: (row) => row.change24h, show: percent, first: 'highest' },
  change7d: { title: '7 d', about: 'price change over 7 d, percent', of: (row) => row.change7d, show: percent, first: 'highest' },
  proposals: {
    title: 'Proposals',
    about: 'number of proposals',
    of: (row) => counted(row.proposals),
    show: amount,
    first: 'highest',
    activity: true,
  },
  live: {
    title: 'Live',
    about: 'live proposals',
    of: (row) => counted(row.liveProposals),
    show: amount,
    first: 'highest',
    activity: true,
  },
  volume: {
    title: 'Volume',
    about: 'decision-market volume, USD',
    of: (row) => row.volume,
    show: usd,
    first: 'highest',
    activity: true,
  },
} as const satisfies Record<string, ProjectField>;

export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS).flatMap((name) => (isField(name) ? [name] : []));
export function isField(name: string): name is FieldName {
  return Object.hasOwn(FIELDS, name);
}
export const fieldOf = (name: FieldName): ProjectField => FIELDS[name];

export const OTHER_FIELD_NAMES: Readonly<Record<string, FieldName>> = {
  prem: 'premium',
  disc: 'discount',
  months: 'runway',
  marketcap: 'cap',
  mcap: 'cap',
  'nav/as': 'nav',
  circulating: 'supply',
  spending: 'allowance',
  '1h': 'change1h',
  '24h': 'change24h',
  change: 'change24h',
  '7d': 'change7d',
};
