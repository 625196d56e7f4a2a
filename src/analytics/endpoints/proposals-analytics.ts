/** Traders behind a proposal's outcomes, and similar proposals (§4.11; the layout is not specified). */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { labelled, readObject, reader } from '../field-reader.js';
import { bySlug, get, list, listOf, type Rows } from '../endpoint-row.js';
import { attempt, count, decimal, moment, UNREADABLE, words } from '../wire-values.js';
import { proposalRow } from './proposals.js';
import { byProposal, CHART } from './proposals-market.js';

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
    /** The value is in USD. */
    average: from.get('averageTrade', decimal),
    median: from.get('medianTrade', decimal),
    largest: from.get('largestTrade', decimal),
    /** The largest trader's share of the volume, in percent. */
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
      /** The value is in USD. */
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
  named: CHART,
  row: readObject((from) => ({
    at: from.get('timestamp', moment),
    /** Money behind pass minus money behind fail in this hour, in USD. */
    net: from.get('netFlow', decimal),
    sum: from.get('netFlowSum', decimal),
  })),
});

const bucketRange = z.union([words, z.number().transform(String)]);
const bucket = readObject((from) => ({
  /** The number of trades of a trader, such as "1" or "2-5". */
  range: from.get('bucket', bucketRange),
  traders: from.get('bucketTraders', count),
})).refine((row) => row.range !== undefined && row.traders !== undefined, 'a bar without range or height');
export type Bucket = z.output<typeof bucket>;
const buckets = listOf(bucket, CHART);
const namedFields = z.record(z.string(), z.unknown()).catch({});
const BUCKET = /^\d/u;

/** Reads fields that are named after their range, and ignores others. */
const namedBuckets = (value: unknown): readonly Bucket[] =>
  Object.entries(namedFields.parse(value)).flatMap(([range, field]) => {
    const traders = BUCKET.test(range) ? attempt(count, field) : UNREADABLE;
    return traders === UNREADABLE ? [] : [{ range, traders }];
  });

/** Takes the rows of a list, else rows that are named by fields. Unreadable rows of a list count only if there are no others. */
function rowsOrNamed<T>(listed: Rows<T> | undefined, named: readonly T[]): Rows<T> | undefined {
  if (listed !== undefined && (listed.rows.length > 0 || named.length === 0)) return listed;
  return named.length === 0 ? undefined : { rows: named, broken: 0 };
}

export const proposalFrequency = get({
  id: 'proposals.trade-frequency',
  path: '/v1/proposal/analytics/{publicKey}/trade-frequency-chart',
  spec: '§4.11',
  input: byProposal,
  freshFor: MINUTE,
  data: z.unknown().transform((value, context): Rows<Bucket> => {
    const rows = rowsOrNamed(buckets.safeParse(value).data, namedBuckets(value));
    if (rows !== undefined) return rows;
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
const metrics = listOf(metric, ['metrics', ...CHART]);

/** Reads objects that are named after their metric, and ignores those without figures. */
const namedMetrics = (value: unknown): readonly Metric[] =>
  Object.entries(namedFields.parse(value)).flatMap(([name, fields]) => {
    const read = attempt(metric, { ...namedFields.parse(fields), metric: name });
    return read === UNREADABLE || (read.value ?? read.median) === undefined ? [] : [read];
  });

export const proposalAgainst = get({
  id: 'proposals.comparable-metrics',
  path: '/v1/proposal/comparable/{publicKey}/proposal-metrics-chart',
  spec: '§4.11',
  input: byProposal.extend(bySlug.shape),
  freshFor: 10 * MINUTE,
  data: z.unknown().transform((value, context): Rows<Metric> => {
    const rows = rowsOrNamed(metrics.safeParse(value).data, namedMetrics(value));
    if (rows !== undefined) return rows;
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
