/** Volume and quotes of both markets. */
import { proposalMarket } from '../../src/analytics/endpoints/proposals-market.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { percentChange } from '../../src/domain/decimal.js';
import { percent, price, UNKNOWN, usd } from '../../src/domain/format.js';
import { commandLine, ages, counted, labelledFigures } from '../../src/reply/index.js';
import { titleOf, type ProposalView } from './view.js';

export const market: ProposalView = async ({ analytics, proposal, signal }) => {
  const answer = await analytics.call(proposalMarket, { publicKey: proposal.publicKey }, { signal });
  const { volume, trades, traders, passPrice, failPrice, spotPrice, lastTradeAt, all, ...split } = answer.data;
  const lead = passPrice === undefined || failPrice === undefined ? undefined : percentChange(failPrice, passPrice);
  const known = [volume, trades, traders, passPrice, failPrice].some((value) => value !== undefined);
  const figures: readonly BlockDraft[] = [
    {
      kind: 'figures',
      items: [
        { label: 'Pass price', value: price(passPrice) },
        { label: 'fail price', value: price(failPrice) },
        ...(lead === undefined ? [] : [{ label: 'pass vs fail', value: percent(lead) }]),
        { label: 'spot', value: price(spotPrice) },
      ],
    },
    {
      kind: 'figures',
      items: [
        { label: 'Volume on pass', value: usd(split.passMarketVolume) },
        { label: 'on fail', value: usd(split.failMarketVolume) },
        { label: 'bought', value: usd(split.buyVolume) },
        { label: 'sold', value: usd(split.sellVolume) },
      ],
    },
  ];
  return {
    finding: [
      { strong: `${titleOf(proposal)}: ${usd(volume)} traded` },
      ` in ${trades === undefined ? `${UNKNOWN} trades` : counted(trades, 'trade')} by ${traders === undefined ? `${UNKNOWN} traders` : counted(traders, 'trader')}`,
    ],
    blocks: [
      ...(known ? figures : [labelledFigures(all)]),
      ...(lastTradeAt === undefined ? [] : [{ kind: 'line' as const, line: ['Last trade ', { at: lastTradeAt }] }]),
    ],
    actions: [{ label: 'Volume as CSV', line: commandLine('proposal', proposal.publicKey, 'volume-csv') }],
    ...ages(answer),
  };
};
