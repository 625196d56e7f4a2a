/** Trades, prices and pass edge of a proposal's market (§4.11; read by field name). */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { publicKeySchema } from '../../domain/wallet.js';
import { csv } from '../csv.js';
import { labelled, readObject, reader } from '../field-reader.js';
import { get, list, listOf, paging } from '../endpoint-row.js';
import { count, decimal, moment, words } from '../wire-values.js';
import { readProposal } from './proposals.js';
import { readTrade } from './wallet-activity.js';

/** Must be a public key: the words `filter` and `analytics` would call other operations. */
export const byProposal = z.object({ publicKey: publicKeySchema });

export const INTERVALS = ['15m', '1h', '4h', '1d', 'max'] as const;
export type Interval = (typeof INTERVALS)[number];
const byInterval = byProposal.extend({ timeInterval: z.enum(INTERVALS) });

const order = readObject((from) => ({ ...readTrade(from), wallet: from.get('trader', words) })).refine(
  (row) => row.at !== undefined || row.signature !== undefined,
  'a trade without time and transaction',
);
export type Order = z.output<typeof order>;

export const proposalOrders = list({
  id: 'proposals.orders',
  path: '/v1/proposal/{publicKey}/orders',
  spec: '§4.11',
  input: byProposal.extend(paging),
  freshFor: MINUTE,
  row: order,
});

export const proposalOrdersCsv = csv({
  id: 'proposals.orders-csv',
  path: '/v1/proposal/{publicKey}/orders/csv',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
});

export const proposalTradersCsv = csv({
  id: 'proposals.traders-csv',
  path: '/v1/proposal/{publicKey}/orders/unique-traders/csv',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
});

export const proposalVolumeCsv = csv({
  id: 'proposals.volume-csv',
  path: '/v1/proposal/{publicKey}/orders/volume/csv',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
});

/** A trader is a text or an object. */
export const proposalTraders = list({
  id: 'proposals.traders',
  path: '/v1/proposal/filter/{publicKey}/traders',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
  row: z.union([
    words,
    readObject((from) => from.get('trader', words)).transform((wallet, context) => {
      if (wallet !== undefined) return wallet;
      context.addIssue('a trader without address');
      return z.NEVER;
    }),
  ]),
});

/** Field names for the list of a chart. */
export const CHART = ['chartData', 'points'];

const quote = z.union([decimal, z.looseObject({ close: decimal }).transform(({ close }) => close)]);

const pricePoint = readObject((from) => ({
  at: from.get('timestamp', moment),
  spot: from.get('spotPrice', quote),
  pass: from.get('passPrice', quote),
  fail: from.get('failPrice', quote),
  /** Unknown before the TWAP window. */
  passTwap: from.get('passTwap', quote),
  failTwap: from.get('failTwap', quote),
}));
export type PricePoint = z.output<typeof pricePoint>;

export const proposalPrices = list({
  id: 'proposals.price-chart',
  path: '/v1/proposal/{publicKey}/price-chart',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
  dated: 'points',
  named: ['prices', ...CHART],
  row: pricePoint,
});

export const proposalMarket = get({
  id: 'proposals.market',
  path: '/v1/proposal/{publicKey}/market-overview',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
  data: readObject((from, root) => ({
    /** The value is in USD, like all amounts here. */
    volume: from.get('tradeVolume', decimal),
    trades: from.get('trades', count),
    traders: from.get('traders', count),
    passMarketVolume: from.get('passMarketVolume', decimal),
    failMarketVolume: from.get('failMarketVolume', decimal),
    buyVolume: from.get('buyVolume', decimal),
    sellVolume: from.get('sellVolume', decimal),
    passPrice: from.get('passPrice', quote),
    failPrice: from.get('failPrice', quote),
    spotPrice: from.get('spotPrice', quote),
    lastTradeAt: from.get('lastTradeAt', moment),
    all: labelled(root),
  })),
});

export const proposalStatus = get({
  id: 'proposals.status',
  path: '/v1/proposal/{publicKey}/proposal-for-chart',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
  data: readObject(readProposal),
});

const edgePoint = readObject((from) => ({ at: from.get('timestamp', moment), edge: from.get('pointEdge', decimal) }));

const edgePoints = listOf(edgePoint, CHART);

/** Values during the TWAP window. The threshold is negative for team-sponsored proposals. */
export const proposalThreshold = get({
  id: 'proposals.threshold-chart',
  path: '/v1/proposal/{publicKey}/threshold-chart',
  spec: '§4.11',
  input: byInterval,
  freshFor: MINUTE,
  dated: 'points',
  data: z.unknown().transform((value, context) => {
    const points = edgePoints.safeParse(value);
    if (points.success) return { threshold: reader(value).get('threshold', decimal), ...points.data };
    context.addIssue('no points');
    return z.NEVER;
  }),
});

const flowPoint = readObject((from) => ({
  at: from.get('timestamp', moment),
  /** Positive if more volume is behind pass. The unit is not specified. */
  tilt: from.get('tilt', decimal),
  sum: from.get('tiltSum', decimal),
}));

export const proposalFlow = list({
  id: 'proposals.flow-chart',
  path: '/v1/proposal/{publicKey}/flow-chart',
  spec: '§4.11',
  input: byInterval,
  freshFor: MINUTE,
  named: CHART,
  row: flowPoint,
});

/** The edge is unknown before the resolution. */
export const proposalPassEdge = get({
  id: 'proposals.pass-edge',
  path: '/v1/proposal/{publicKey}/pass-edge',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
  data: z.union([
    z.null().transform(() => ({ edge: undefined, threshold: undefined, classification: undefined })),
    readObject((from) => ({
      edge: from.get('passEdge', decimal) ?? from.get('pointEdge', decimal),
      threshold: from.get('threshold', decimal),
      classification: from.get('classification', words) ?? from.get('proposalResult', words),
    })),
  ]),
});
