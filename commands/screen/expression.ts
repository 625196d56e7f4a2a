/** Parses and writes expressions such as `premium<-20 sort:premium page:2`, and knows the fields in them. */
import { brief } from '../../src/base/one-line.js';
import { either } from '../../src/base/sentence-lists.js';
import type { Line } from '../../src/chat/reply.js';
import { multiply, negate } from '../../src/domain/decimal.js';
import { decimal, type Decimal } from '../../src/domain/scalars.js';
import { UserError, nearest } from '../../src/reply/index.js';
import type { ProjectRow } from '../../src/analytics/endpoints/dashboard.js';
import { amount, months, percent, price, share, usd } from '../../src/domain/format.js';
import { gapOf } from '../../src/domain/premium.js';

interface ScreenField {
  readonly title: string;
  readonly about: string;
  /** No comparison with an unknown value is true. */
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
} as const satisfies Record<string, ScreenField>;

export type FieldName = keyof typeof FIELDS;
const FIELD_NAMES = Object.keys(FIELDS).flatMap((name) => (isField(name) ? [name] : []));
function isField(name: string): name is FieldName {
  return Object.hasOwn(FIELDS, name);
}
export const fieldOf = (name: FieldName): ScreenField => FIELDS[name];

const OTHERWISE: Readonly<Record<string, FieldName>> = {
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

export type Comparison = '<' | '<=' | '>' | '>=' | '=' | '!=';

export interface FieldTest {
  readonly field: FieldName;
  readonly by: Comparison;
  readonly value: Decimal;
  readonly text: string;
}

export interface Screen {
  readonly tests: readonly FieldTest[];
  readonly sort: { readonly field: FieldName; readonly first: 'lowest' | 'highest' } | undefined;
  readonly page: number;
}

export const EXAMPLE = '/screen premium<-20 runway>12 sort:premium';

/** Words may be in any order. Throws a `UserError` with an example. */
export function read(text: string): Screen {
  const words = text
    .replaceAll('−', '-')
    .replaceAll('≤', '<=')
    .replaceAll('≥', '>=')
    .replaceAll(/\s*(<=|>=|!=|==|<|>|=)\s*/gu, '$1')
    .split(/[\s,;]+/u)
    .filter((word) => word !== '' && !/^(and|&&?)$/iu.test(word));
  const tests = words.flatMap((word) => (/^(sort|page):/iu.test(word) ? [] : [testOf(word)]));
  const sorts = words.filter((word) => /^sort:/iu.test(word));
  const pages = words.filter((word) => /^page:/iu.test(word));
  if (sorts.length > 1 || pages.length > 1)
    throw mistake(`"${brief((sorts.length > 1 ? sorts : pages).join(' '))}" are two. Use only one.`);
  return {
    tests,
    sort: sorts[0] === undefined ? undefined : sortOf(sorts[0]),
    page: pages[0] === undefined ? 1 : pageOf(pages[0]),
  };
}

function testOf(word: string): FieldTest {
  const [, name = '', by = '', value = ''] = /^([^<>=!]*)(<=|>=|!=|==|<|>|=)(.*)$/u.exec(word) ?? [];
  if (by === '') throw mistake(`Can't read "${brief(word)}". Write a filter like premium<-20.`);
  if (name === '') throw mistake(`"${brief(word)}" has no field before the ${by}.`);
  if (value === '') throw mistake(`"${brief(word)}" has no number after the ${by}.`);
  return { field: field(name), by: comparison(by), value: number(value), text: word };
}

function sortOf(word: string): NonNullable<Screen['sort']> {
  const [, turned = '', name = '', end] = /^sort:(-?)([^:]*)(?::(\w+))?$/iu.exec(word) ?? [];
  const named = field(name);
  const usual = fieldOf(named).first;
  if (end !== undefined && !/^(lowest|highest|asc|desc|up|down)$/iu.test(end))
    throw mistake(`"${brief(word)}": add lowest or highest after the field.`);
  const first = end === undefined ? usual : /^(lowest|asc|up)$/iu.test(end) ? 'lowest' : 'highest';
  return { field: named, first: turned === '' ? first : first === 'lowest' ? 'highest' : 'lowest' };
}

function pageOf(word: string): number {
  const [, digits] = /^page:([1-9]\d{0,3})$/iu.exec(word) ?? [];
  if (digits === undefined) throw mistake(`"${brief(word)}": the page must be 1 or more.`);
  return Number(digits);
}

function field(name: string): FieldName {
  const lower = name.toLowerCase();
  const found = OTHERWISE[lower] ?? lower;
  if (isField(found)) return found;
  const near = nearest(lower, FIELD_NAMES);
  throw mistake(`No field called "${brief(name)}".${near.length === 0 ? '' : ` Did you mean ${either(near)}?`}`);
}

const COMPARISONS: Readonly<Record<string, Comparison>> = { '<': '<', '<=': '<=', '>': '>', '>=': '>=', '=': '=', '==': '=', '!=': '!=' };
const comparison = (text: string): Comparison => COMPARISONS[text] ?? '=';

const SCALES: Readonly<Record<string, Decimal>> = { '': decimal(1), k: decimal('1e3'), m: decimal('1e6'), b: decimal('1e9') };

function number(text: string): Decimal {
  const [, sign = '', digits, scale = ''] = /^([-+]?)\$?(\d{1,18}(?:\.\d{1,18})?)([kmb]?)\s*%?$/iu.exec(text) ?? [];
  const by = SCALES[scale.toLowerCase()];
  if (digits === undefined || by === undefined) throw mistake(`"${brief(text)}" isn't a number. Write it like -20, 12.5, 400k or 1.5m.`);
  return multiply(decimal(`${sign === '-' ? '-' : ''}${digits}`), by);
}

export const wordsOf = ({ tests, sort, page }: Screen): readonly string[] => [
  ...tests.map(({ text }) => text),
  ...(sort === undefined ? [] : [`sort:${sort.field}:${sort.first}`]),
  ...(page === 1 ? [] : [`page:${page}`]),
];

export const fieldsLine: Line = ['Fields: ', ...FIELD_NAMES.flatMap((name, index) => [index === 0 ? '' : ', ', { code: name }])];

const mistake = (says: string): UserError =>
  new UserError(says, { lines: [['Example: ', { code: EXAMPLE }], fieldsLine], actions: [{ label: 'Example', line: EXAMPLE }] });
