/** Proposals, which are decision markets (§4.11). The layout is not specified and occurs in two versions. State words are kept unchanged. */
import { z } from 'zod';
import { MINUTE } from '../../base/clock.js';
import { divide } from '../../domain/decimal.js';
import { decimal as toDecimal } from '../../domain/scalars.js';
import { readObject, type Reader } from '../field-reader.js';
import { bySlug, get, list, paging } from '../endpoint-row.js';
import { attempt, count, decimal, ident, moment, readable, UNREADABLE, withConversions, words } from '../wire-values.js';

/** Basis points in one percent. */
const BASIS_POINT = toDecimal('100');

/** Reads a proposal. Percentages are in percent; `threshold` is negative for team-sponsored proposals. */
export const readProposal = (from: Reader) => {
  const bps = from.get('thresholdBps', decimal);
  const reported = from.get('threshold', decimal);
  const row = {
    publicKey: from.get('proposalKey', words),
    id: from.get('proposalId', ident),
    title: from.get('proposalTitle', words),
    slug: from.get('slug', words),
    projectName: from.get('projectName', words),
    symbol: from.get('symbol', words),
    status: from.get('proposalStatus', words),
    result: from.get('proposalResult', words),
    createdAt: from.get('createdAt', moment),
    startsAt: from.get('startsAt', moment),
    twapStartsAt: from.get('twapStartsAt', moment),
    endsAt: from.get('endsAt', moment),
    passEdge: from.get('passEdge', decimal),
    margin: from.get('margin', decimal),
    threshold: reported ?? (bps && divide(bps, BASIS_POINT)),
    traders: from.get('traders', count),
    /** The value is in USD. */
    volume: from.get('tradeVolume', decimal),
    trades: from.get('trades', count),
    staked: from.get('staked', decimal),
    stakeNeeded: from.get('stakeNeeded', decimal),
  };
  return withConversions(row, { threshold: reported === undefined && bps !== undefined ? `${bps} bps / ${BASIS_POINT}` : undefined });
};
export type ProposalRow = ReturnType<typeof readProposal>;

export const EMPTY_PROPOSAL: ProposalRow = {
  publicKey: undefined,
  id: undefined,
  title: undefined,
  slug: undefined,
  projectName: undefined,
  symbol: undefined,
  status: undefined,
  result: undefined,
  createdAt: undefined,
  startsAt: undefined,
  twapStartsAt: undefined,
  endsAt: undefined,
  passEdge: undefined,
  margin: undefined,
  threshold: undefined,
  traders: undefined,
  volume: undefined,
  trades: undefined,
  staked: undefined,
  stakeNeeded: undefined,
};

/** A row without a key and an id is unreadable. */
export const proposalRow = readObject(readProposal).refine(
  (row) => row.publicKey !== undefined || row.id !== undefined,
  'a proposal without publicKey and id',
);

export const proposalIdentity = (row: Pick<ProposalRow, 'publicKey' | 'id'>): string => row.publicKey ?? row.id ?? '';

export const proposals = list({
  id: 'proposals.list',
  path: '/v1/proposal',
  spec: '§4.11',
  input: bySlug.extend(paging),
  freshFor: MINUTE,
  row: proposalRow,
});

export const proposalTitles = list({
  id: 'proposals.titles',
  path: '/v1/proposal/filter',
  spec: '§4.11',
  input: bySlug,
  freshFor: 10 * MINUTE,
  row: readObject((from) => ({
    id: from.get('proposalId', ident),
    publicKey: from.get('proposalKey', words),
    title: from.get('proposalTitle', words),
  })).refine((row) => row.publicKey !== undefined || row.id !== undefined, 'a proposal without publicKey and id'),
});

const wordCounts = (fields: Readonly<Record<string, unknown>>) =>
  Object.entries(fields).flatMap(([word, value]) => {
    const read = attempt(count, value);
    return read === UNREADABLE ? [] : [{ word, count: read }];
  });

const outcome = readObject((from) => ({ word: from.get('outcome', words), count: from.get('outcomeCount', count) })).pipe(
  z.object({ word: z.string(), count: z.int() }),
);
const outcomes = z.union([
  z.array(z.unknown()).transform((items) => readable(items, outcome)),
  z.record(z.string(), z.unknown()).transform(wordCounts),
]);

/** Reads `{passed: 12, failed: 3}`, also under `outcomes`, or a list there. */
export const proposalOutcomes = get({
  id: 'proposals.outcomes',
  path: '/v1/proposal/analytics',
  spec: '§4.11',
  input: bySlug,
  freshFor: 10 * MINUTE,
  data: readObject((from, root) => from.get('outcomes', outcomes) ?? wordCounts(root)),
});

export const proposalDetail = get({
  id: 'proposals.detail',
  path: '/v1/proposal/{publicKey}',
  spec: '§4.11',
  input: z.object({ publicKey: z.string().min(1) }),
  freshFor: MINUTE,
  data: proposalRow,
});
