/** Token supply, mints and burns (§4.2, fields §2.2). */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { isNegative } from '../../domain/decimal.js';
import type { Decimal } from '../../domain/scalars.js';
import { bySlug, get, list, paging } from '../endpoint-row.js';
import { reader } from '../field-reader.js';
import { decimal, ident, marketPrice, maybe, moment, text, words } from '../wire-values.js';

/** The fields are not specified, so the title may be missing. */
const linkedProposal = z.unknown().transform((value) => {
  if (typeof value !== 'object' || value === null) return undefined;
  const read = reader(value);
  return { title: read.get('proposalTitle', words), publicKey: read.get('proposalKey', words) };
});

export const supplyOverview = get({
  id: 'supply.overview',
  path: '/v1/dao/token-supply/overview',
  spec: '§4.2',
  input: bySlug,
  freshFor: MINUTE,
  data: z
    .object({
      totalMint: maybe(decimal),
      totalBurn: maybe(decimal),
      resultingSupply: maybe(decimal),
      netChange: maybe(decimal),
      symbol: maybe(words),
      publicKey: maybe(words),
    })
    .transform((row) => ({
      minted: row.totalMint,
      burned: row.totalBurn,
      supply: row.resultingSupply,
      netChange: row.netChange,
      symbol: row.symbol,
      mint: row.publicKey,
    })),
});

const supplyEvent = z
  .object({
    id: ident,
    timestamp: moment,
    type: text,
    amount: decimal,
    resultingSupply: maybe(decimal),
    change: maybe(decimal),
    priceAtTime: maybe(marketPrice),
    usdValue: maybe(decimal),
    signature: maybe(words),
    proposal: linkedProposal.optional(),
  })
  .transform((row) => ({
    id: row.id,
    at: row.timestamp,
    /** `Mint` or `Burn`. */
    type: row.type,
    amount: row.amount,
    supplyAfter: row.resultingSupply,
    /** The value is in percent. */
    change: row.change,
    /** The value is in USD. */
    price: row.priceAtTime,
    usd: row.usdValue,
    signature: row.signature,
    proposal: row.proposal,
  }));
export type SupplyEvent = z.output<typeof supplyEvent>;

export const supplyEvents = list({
  id: 'supply.events',
  path: '/v1/dao/token-supply',
  spec: '§4.2',
  input: bySlug.extend(paging),
  freshFor: MINUTE,
  row: supplyEvent,
});

export const supplyChart = list({
  id: 'supply.chart',
  path: '/v1/dao/token-supply/chart',
  spec: '§4.2',
  input: bySlug,
  freshFor: 30 * MINUTE,
  dated: 'days',
  row: z
    .object({ period: moment, supply: maybe(decimal), interval: maybe(words) })
    .transform((row) => ({ at: row.period, supply: row.supply, interval: row.interval })),
});

/** Tells whether the sign is wrong. A burn may have a minus sign, a mint may not. */
export const isImplausible = ({ type, amount }: { readonly type: string; readonly amount: Decimal }): boolean =>
  type.toLowerCase() === 'mint' && isNegative(amount);
