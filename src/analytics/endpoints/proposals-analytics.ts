/** Traders behind a proposal's outcomes, and similar proposals (§4.11; layout not specified). */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { labelled } from '../labelled-numbers.js';
import { readObject, reader } from '../field-reader.js';
import { bySlug, get, list, listOf, type Rows } from '../endpoint-row.js';
import { count, decimal, moment, words } from '../wire-values.js';
import { proposalRow } from './proposals.js';
import { byProposal } from './proposals-market.js';

export const proposalTradeOverview = get({
  id: 'proposals.trade-overview',
  path: '/v1/proposal/analytics/{publicKey}/trade-overview',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
  data: readObject((from, root) => ({
    traders: from.get('traders', count),
    trades: from.get('trades', count),
    once: from.get('oneTimeTraders', count),
    repeat: from.get('repeatTraders', count),
    /** USD. */
    average: from.get('averageTrade', decimal),
    median: from.get('medianTrade', decimal),
    largest: from.get('largestTrade', decimal),
    /** The largest trader's share of volume, in percent. */
    topShare: from.get('topShare', decimal),
    all: labelled(root),
  })),
});

const side = (value: unknown) => {
  const from = reader(value);
  return { traders: from.get('traders', count), volume: from.get('tradeVolume', decimal) ?? from.get('tradeValue', decimal) };
};

export const proposalStrength = get({
  id: 'proposals.outcome-strength',
  path: '/v1/proposal/analytics/{publicKey}/outcome-strength',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
  data: readObject((from, root) => {
    const [pass, fail] = [side(root['pass']), side(root['fail'])];
    return {
      passTraders: from.get('passTraders', count) ?? pass.traders,
      failTraders: from.get('failTraders', count) ?? fail.traders,
      /** USD. */
      passVolume: from.get('passVolume', decimal) ?? pass.volume,
      failVolume: from.get('failVolume', decimal) ?? fail.volume,
      all: labelled(root),
    };
  }),
});

export const proposalConviction = list({
  id: 'proposals.conviction-chart',
  path: '/v1/proposal/analytics/{publicKey}/conviction-chart',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
  row: readObject((from) => ({
    at: from.get('timestamp', moment),
    /** USD behind pass minus fail: this hour, cumulative. */
    net: from.get('netFlow', decimal),
    sum: from.get('netFlowSum', decimal),
  })),
});

const bucketRange = z.union([words, z.number().transform(String)]);
const bucket = readObject((from) => ({
  /** Trades per trader: "1", "2-5". */
  range: from.get('bucket', bucketRange),
  traders: from.get('bucketTraders', count),
})).refine((row) => row.range !== undefined && row.traders !== undefined, 'a bar without range or height');
export type Bucket = z.output<typeof bucket>;
const buckets = listOf(bucket);
const namedBuckets = z.record(z.string(), count);

export const proposalFrequency = get({
  id: 'proposals.trade-frequency',
  path: '/v1/proposal/analytics/{publicKey}/trade-frequency-chart',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
  data: z.unknown().transform((value, context): Rows<Bucket> => {
    const rows = buckets.safeParse(value);
    if (rows.success) return rows.data;
    const named = namedBuckets.safeParse(value);
    if (named.success && !Array.isArray(value))
      return { rows: Object.entries(named.data).map(([range, traders]) => ({ range, traders })), broken: 0 };
    context.addIssue('no bars');
    return z.NEVER;
  }),
});

const metric = readObject((from) => ({
  metric: from.get('metricName', words),
  value: from.get('metricValue', decimal),
  median: from.get('metricMedian', decimal),
})).refine((row) => row.metric !== undefined, 'a metric without name');
export type Metric = z.output<typeof metric>;
const metrics = listOf(metric);
const namedMetrics = z.record(z.string(), z.record(z.string(), z.unknown()));

export const proposalAgainst = get({
  id: 'proposals.comparable-metrics',
  path: '/v1/proposal/comparable/{publicKey}/proposal-metrics-chart',
  spec: '§4.11',
  input: byProposal.extend(bySlug.shape),
  freshFor: 10 * MINUTE,
  data: z.unknown().transform((value, context): Rows<Metric> => {
    const rows = metrics.safeParse(value);
    if (rows.success) return rows.data;
    const named = namedMetrics.safeParse(value);
    if (named.success && !Array.isArray(value))
      return metrics.parse(Object.entries(named.data).map(([name, fields]) => ({ ...fields, metric: name })));
    context.addIssue('no metrics');
    return z.NEVER;
  }),
});

export const proposalComparables = list({
  id: 'proposals.comparables',
  path: '/v1/proposal/analytics/proposal-comparables',
  spec: '§4.11',
  input: bySlug,
  freshFor: 10 * MINUTE,
  row: proposalRow,
});
