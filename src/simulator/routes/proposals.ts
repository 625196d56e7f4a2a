/** Serves proposals (§4.11). Some projects have the old layout of rows, others the new one. */
import { jsonNumber } from '../world/amounts.js';
import type { Proposal } from '../world/injected-facts.js';
import type { Market, ProposalPhase } from '../world/proposals.js';
import { ServiceRefusal } from '../error-response.js';
import { FULL_META, iso, many, one, projectOf, type RouteRequest } from '../route.js';

export const NEW_WORDS: Readonly<Record<ProposalPhase, readonly [status: string, result: string | null]>> = {
  draft: ['initiated', null],
  live: ['live', null],
  passed: ['resolved', 'approved'],
  failed: ['resolved', 'rejected'],
  removed: ['removed', null],
};

/** The state words of the old layout, in which "pending" means live. */
const OLD_WORDS: Readonly<Record<ProposalPhase, string>> = {
  draft: 'draft',
  live: 'pending',
  passed: 'passed',
  failed: 'failed',
  removed: 'removed',
};

const trading = (market: Market) => ({
  totalTrade: market.trades,
  totalTradeVolume: market.volume,
  totalUniqueTraders: market.traders,
});

/** Makes the row of a proposal. Values of the TWAP window are null before it. */
export function proposalRow(one: Proposal, ask: RouteRequest): Record<string, unknown> {
  const { world, at } = ask;
  const market = world.proposals.market(one, at);
  const margin = market.margin === undefined ? null : jsonNumber(market.margin);
  const common = { id: one.id, title: one.title, publicKey: one.publicKey, ...trading(market), organizationSlug: one.slug };
  if (world.find(one.slug)?.rows === 'old') {
    return { ...common, state: OLD_WORDS[market.phase], startDate: iso(one.liveAt), endDate: iso(one.endsAt), twapMargin: margin };
  }
  const [status, result] = NEW_WORDS[market.phase];
  return {
    ...common,
    creationDate: iso(one.createdAt),
    endDate: iso(one.endsAt),
    status,
    result,
    netPassVolumeTilt: market.edge === undefined ? null : jsonNumber(market.edge),
    twapThresholdMargin: margin,
  };
}

export const proposals = many({
  meta: FULL_META,
  items: (ask) => ask.world.proposals.list(projectOf(ask), ask.at),
  show: proposalRow,
});

export const proposalTitles = many({
  items: (ask) => ask.world.proposals.list(projectOf(ask), ask.at),
  show: ({ id, title }) => ({ id, title }),
});

export const proposalOutcomes = one((ask) => {
  const all = ask.world.proposals.list(projectOf(ask), ask.at).map((one) => ask.world.proposals.phase(one, ask.at));
  const count = (phase: ProposalPhase): number => all.filter((found) => found === phase).length;
  return {
    total: all.length,
    passed: count('passed'),
    failed: count('failed'),
    live: count('live'),
    draft: count('draft'),
    removed: count('removed'),
  };
});

export const stakes = (one: Proposal, market: Market) => ({
  stakedAmount: String(market.staked),
  requiredStake: String(market.stakeNeeded),
  twapStatus: market.twapOpen ? (market.phase === 'live' ? 'open' : 'closed') : 'not-open',
  twapStartDate: iso(one.twapAt),
  passThresholdBps: one.thresholdBps,
  passEdge: market.edge === undefined ? null : jsonNumber(market.edge),
  twapThresholdMargin: market.margin === undefined ? null : jsonNumber(market.margin),
});

export const proposalDetail = one((ask) => {
  const key = ask.input['publicKey'] ?? '';
  const found = ask.world.proposals.byKey(key, ask.at);
  if (!found) throw new ServiceRefusal(404, `no proposal has the public key "${key}"`);
  const market = ask.world.proposals.market(found, ask.at);
  const created = { creationDate: iso(found.createdAt), startDate: iso(found.liveAt) };
  return { ...proposalRow(found, ask), ...created, description: `${found.title}. Put forward by a holder.`, ...stakes(found, market) };
});
