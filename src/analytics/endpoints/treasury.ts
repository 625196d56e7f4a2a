/** NAV, NAV per adjusted share, premium and runway (§4.9). A positive gap is a premium. NAV excludes the own token. */
import { z } from 'zod';
import { HOUR, MINUTE } from '../../base/clock.js';
import { listNamed, reader, readObject, type Reader } from '../field-reader.js';
import { bySlug, get, list } from '../endpoint-row.js';
import { decimal, marketPrice, moment, priced, readable, words } from '../wire-values.js';

/** ISO 8601. Selects the snapshot at or before this time; by default the latest. */
const atTime = { timestamp: z.iso.datetime().optional() };

const months = z.union([decimal.transform((value) => ({ value })), readObject((from) => ({ value: from.get('months', decimal) }))]);

/** Reads the runway with and without LP. A single value includes LP. */
function readRunway(from: Reader) {
  const withLp = from.get('runwayWithLp', months);
  const withoutLp = from.get('runwayWithoutLp', months)?.value;
  return { runway: withLp === undefined ? from.get('runway', decimal) : withLp.value, withoutLp };
}

export const treasuryOverview = get({
  id: 'treasury.overview',
  path: '/v1/dao/treasury/overview',
  spec: '§4.9',
  input: bySlug,
  freshFor: MINUTE,
  data: readObject((from) => ({
    netAssetValue: from.get('netAssetValue', decimal),
    navPerShare: from.get('navPerShare', decimal),
    price: from.get('spotPrice', marketPrice),
    premium: from.get('premium', decimal),
    runway: readRunway(from).runway,
    /** The value is in USD per month. */
    allowance: from.get('allowance', decimal),
    updatedAt: from.get('updatedAt', moment),
    doubts: from.doubts,
  })),
});

export const treasuryHoldings = list({
  id: 'treasury.holdings',
  path: '/v1/dao/treasury',
  spec: '§4.9',
  input: bySlug,
  freshFor: 5 * MINUTE,
  dated: 'oldest-row',
  named: ['holdings', 'tokens'],
  row: readObject((from) => {
    const price = from.get('spotPrice', marketPrice);
    return {
      symbol: from.get('symbol', words),
      name: from.get('name', words),
      address: from.get('address', words),
      amount: from.get('amount', decimal),
      price,
      value: priced(price, from.get('value', decimal)),
    };
  }),
});

export const treasuryChart = list({
  id: 'treasury.chart',
  path: '/v1/dao/treasury/chart',
  spec: '§4.9',
  input: bySlug,
  freshFor: 30 * MINUTE,
  dated: 'points',
  row: readObject((from) => ({ at: from.get('timestamp', moment), value: from.get('value', decimal) })),
});

export const NAV_RANGES = ['1D', '1W', '1M', '3M', 'ALL'] as const;

export const navAsChart = list({
  id: 'treasury.nav-as-chart',
  path: '/v1/dao/treasury/nav-as-chart',
  spec: '§4.9',
  input: bySlug.extend({ range: z.enum(NAV_RANGES).optional() }),
  freshFor: 5 * MINUTE,
  dated: 'points',
  row: readObject((from) => ({
    at: from.get('timestamp', moment),
    navPerShare: from.get('navPerShare', decimal),
    price: from.get('spotPrice', marketPrice),
    adjustedSupply: from.get('adjustedSupply', decimal),
    premium: from.get('premium', decimal),
  })),
});

const part = z.unknown().transform((value) => {
  const from = reader(value);
  return {
    name: from.get('name', words),
    symbol: from.get('symbol', words),
    amount: from.get('amount', decimal),
    value: from.get('value', decimal),
  };
});

/** Returns the rows of the list with that name; empty if there are several such lists. */
function partsOf(root: unknown, name: string) {
  return readable(listNamed(root, name) ?? [], part);
}

export const navBreakdown = get({
  id: 'treasury.nav-breakdown',
  path: '/v1/dao/treasury/nav-as-breakdown',
  spec: '§4.9',
  input: bySlug.extend(atTime),
  freshFor: 5 * MINUTE,
  data: readObject((from, root) => ({
    netAssetValue: from.get('netAssetValue', decimal),
    treasuryPart: from.get('treasuryPart', decimal),
    lpPart: from.get('lpPart', decimal),
    navPerShare: from.get('navPerShare', decimal),
    adjustedSupply: from.get('adjustedSupply', decimal),
    wallets: partsOf(root, 'wallets'),
    excluded: partsOf(root, 'excludedFromNav'),
    supplyAdjustments: partsOf(root, 'supplyAdjustments'),
    at: from.get('timestamp', moment),
    doubts: from.doubts,
  })),
});

/** A percentage, or an object with its time. */
const extreme = z.union([
  decimal.transform((value) => ({ value, at: undefined })),
  readObject((_, root) => {
    const from = reader(Object.fromEntries(Object.entries(root).filter(([, field]) => typeof field !== 'object')));
    return { value: from.get('percent', decimal), at: from.get('percentAt', moment) };
  }).refine(({ value }) => value !== undefined),
]);

export const premiumBreakdown = get({
  id: 'treasury.premium-breakdown',
  path: '/v1/dao/treasury/premium-discount-breakdown',
  spec: '§4.9',
  input: bySlug.extend(atTime),
  freshFor: MINUTE,
  data: readObject((from) => {
    const [low, high] = [from.get('premiumLow', extreme), from.get('premiumHigh', extreme)];
    return {
      price: from.get('spotPrice', marketPrice),
      navPerShare: from.get('navPerShare', decimal),
      premium: from.get('premium', extreme)?.value,
      low: low?.value,
      lowAt: low?.at ?? from.get('lowAt', moment),
      mean: from.get('premiumMean', extreme)?.value,
      high: high?.value,
      highAt: high?.at ?? from.get('highAt', moment),
      at: from.get('timestamp', moment),
      doubts: from.doubts,
    };
  }),
});

export const runwayBreakdown = get({
  id: 'treasury.runway-breakdown',
  path: '/v1/dao/treasury/runway-breakdown',
  spec: '§4.9',
  input: bySlug.extend(atTime),
  freshFor: HOUR,
  data: readObject((from) => ({
    ...readRunway(from),
    allowance: from.get('allowance', decimal),
    at: from.get('timestamp', moment),
    doubts: from.doubts,
  })),
});
