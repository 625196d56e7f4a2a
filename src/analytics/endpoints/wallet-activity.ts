/** Trades and contributions of a wallet (§4.3, fields §2.8 and §2.9). */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { publicKeySchema } from '../../domain/wallet.js';
import { reader, readObject, type Reader } from '../field-reader.js';
import { get, list, paging } from '../endpoint-row.js';
import { count, decimal, ident, maybe, moment, words } from '../wire-values.js';
import { byWallet, order, PREFIX } from './wallets.js';

const market = z
  .object({
    proposalId: maybe(ident),
    proposalPublicKey: maybe(words),
    proposalName: maybe(words),
    proposalState: maybe(words),
    projectName: maybe(words),
    projectSlug: maybe(words),
    projectSymbol: maybe(words),
    netAlignment: maybe(decimal),
    marketAlignment: maybe(words),
    passAlignedVolume: maybe(decimal),
    failAlignedVolume: maybe(decimal),
    walletVolume: maybe(decimal),
    walletTrades: maybe(count),
    proposalVolumeConc: maybe(decimal),
    proposalTradeConc: maybe(decimal),
    lastTradeTime: maybe(moment),
    twapStartTime: maybe(moment),
  })
  .transform((row) => ({
    id: row.proposalId,
    publicKey: row.proposalPublicKey,
    title: row.proposalName,
    state: row.proposalState,
    project: row.projectName ?? row.projectSlug,
    slug: row.projectSlug,
    symbol: row.projectSymbol,
    /** Money behind pass minus money behind fail, in USD. */
    net: row.netAlignment,
    side: row.marketAlignment,
    passVolume: row.passAlignedVolume,
    failVolume: row.failAlignedVolume,
    volume: row.walletVolume,
    trades: row.walletTrades,
    /** The value is in percent of the proposal's volume. */
    volumeShare: row.proposalVolumeConc,
    lastTradeAt: row.lastTradeTime,
    twapStartsAt: row.twapStartTime,
  }))
  .refine((row) => row.publicKey !== undefined || row.id !== undefined, 'a proposal without public key and id');
export type WalletMarket = z.output<typeof market>;
export const walletMarketIdentity = (row: Pick<WalletMarket, 'publicKey' | 'id'>): string => row.publicKey ?? row.id ?? '';

export const walletMarkets = list({
  id: 'wallets.markets',
  path: `${PREFIX}/decision-markets`,
  spec: '§4.3',
  input: byWallet.extend({
    slug: z.string().min(1).optional(),
    ...paging,
    search: z.string().optional(),
    sort: z.enum(['netAlignment', 'proposalVolumeConc', 'proposalTradeConc', 'volume', 'trades', 'lastTradeTime']).optional(),
    order,
  }),
  freshFor: MINUTE,
  row: market,
});

export const WINDOWS = ['preTwap', 'twapWindow'] as const;
export type TradeWindow = (typeof WINDOWS)[number];
const onProposal = byWallet.extend({ proposalPublicKey: publicKeySchema, window: z.enum(WINDOWS).optional() });

const activity = (value: unknown) => {
  const from = reader(value);
  return {
    trades: from.get('walletTrades', count),
    volume: from.get('walletVolume', decimal),
    passVolume: from.get('passVolume', decimal),
    failVolume: from.get('failVolume', decimal),
  };
};

export const walletProposal = get({
  id: 'wallets.proposal',
  path: `${PREFIX}/proposal-breakdown/overview`,
  spec: '§4.3',
  input: onProposal,
  freshFor: MINUTE,
  data: readObject((from, root) => ({
    proposalId: from.get('proposalId', ident),
    all: activity(root),
    preTwap: root['preTwap'] === undefined ? undefined : activity(root['preTwap']),
    twapWindow: root['twapWindow'] === undefined ? undefined : activity(root['twapWindow']),
  })),
});

export const readTrade = (from: Reader) => ({
  at: from.get('tradeTime', moment),
  /** `pass` or `fail`; the direction is `buy` or `sell`. */
  market: from.get('marketType', words)?.toLowerCase(),
  direction: from.get('direction', words)?.toLowerCase(),
  price: from.get('tradePrice', decimal),
  size: from.get('tradeSize', decimal),
  /** The value is in USD. */
  value: from.get('tradeValue', decimal),
  signature: from.get('transaction', words),
  title: from.get('proposalTitle', words),
  publicKey: from.get('proposalKey', words),
  project: from.get('projectName', words) ?? from.get('slug', words),
});

const trade = readObject(readTrade).refine(
  (row) => row.at !== undefined || row.signature !== undefined,
  'a trade without time and transaction',
);
export type WalletTrade = z.output<typeof trade>;

export const walletProposalTrades = list({
  id: 'wallets.proposal-trades',
  path: `${PREFIX}/proposal-breakdown/trades`,
  spec: '§4.3',
  input: onProposal.extend({
    marketType: z.enum(['pass', 'fail']).optional(),
    direction: z.enum(['buy', 'sell']).optional(),
    ...paging,
    sort: z.string().optional(),
    order,
  }),
  freshFor: MINUTE,
  row: trade,
});

/** Takes the parameters of other wallet lists. */
export const walletTrades = list({
  id: 'wallets.trades',
  path: PREFIX,
  spec: '§4.3',
  input: byWallet.extend(paging),
  freshFor: MINUTE,
  row: trade,
});

export const walletIcoTotals = get({
  id: 'wallets.ico-totals',
  path: `${PREFIX}/ico-participation/overview`,
  spec: '§4.3',
  input: byWallet,
  freshFor: MINUTE,
  data: readObject((from) => ({
    icos: from.get('icoCount', count),
    contribution: from.get('contribution', decimal),
    refund: from.get('refund', decimal),
    doubts: from.doubts,
  })),
});

const participation = readObject((from) => ({
  launch: from.get('launchAddress', words),
  slug: from.get('slug', words),
  project: from.get('projectName', words),
  symbol: from.get('symbol', words),
  /** The value is in USD. */
  contribution: from.get('contribution', decimal),
  refund: from.get('refund', decimal),
  /** The value is in tokens. */
  allocation: from.get('allocation', decimal),
  at: from.get('joinedAt', moment),
})).refine((row) => (row.launch ?? row.slug ?? row.project) !== undefined, 'an ICO that names neither launch nor project');
export type Participation = z.output<typeof participation>;
export const participationIdentity = (row: Pick<Participation, 'launch' | 'slug' | 'project'>): string =>
  row.launch ?? row.slug ?? row.project ?? '';

export const walletIcos = list({
  id: 'wallets.icos',
  path: `${PREFIX}/ico-participation`,
  spec: '§4.3',
  input: byWallet.extend({
    ...paging,
    search: z.string().optional(),
    sort: z.enum(['contribution', 'projectName', 'allocation']).optional(),
    order,
  }),
  freshFor: MINUTE,
  row: participation,
});
