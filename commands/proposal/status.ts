/** Stages of a proposal. */
import { proposalStatus } from '../../src/analytics/endpoints/proposals-market.js';
import { divide, multiply } from '../../src/domain/decimal.js';
import { amount, portion } from '../../src/domain/format.js';
import { decimal, type Instant } from '../../src/domain/scalars.js';
import type { Line, Tone } from '../../src/chat/reply.js';
import { ages, passState } from '../../src/reply/index.js';
import { capitalised } from '../../src/base/capitalised.js';
import { titleOf, type ProposalView } from './view.js';

export const status: ProposalView = async ({ analytics, proposal, now, signal }) => {
  const answer = await analytics.call(proposalStatus, { publicKey: proposal.publicKey }, { signal });
  const known = Object.fromEntries(Object.entries(answer.data).filter(([, value]) => value !== undefined));
  const row = { ...proposal.row, ...known };
  const { tone, text: words } = passState(row);
  const ratio = row.staked === undefined || row.stakeNeeded === undefined ? undefined : divide(row.staked, row.stakeNeeded);
  const stations: readonly (readonly [string, Instant | undefined])[] = [
    ['Created', row.createdAt],
    ['Trading starts', row.startsAt],
    ['TWAP window opens', row.twapStartsAt],
    ['Ends', row.endsAt],
  ];
  return {
    tone,
    finding: [{ strong: capitalised(words) }, `: ${titleOf({ ...proposal, row })}`],
    blocks: [
      {
        kind: 'figures',
        items: [
          { label: 'Staked', value: amount(row.staked) },
          { label: 'needed', value: amount(row.stakeNeeded) },
          ...(ratio === undefined ? [] : [{ label: 'progress', value: portion(multiply(ratio, decimal('100'))) }]),
        ],
      },
      {
        kind: 'list',
        items: stations.map(([label, at]): { tone: Tone; line: Line } => ({
          tone: at === undefined ? 'plain' : at <= now ? 'over' : 'live',
          line: [`${label} `, at === undefined ? 'n/a' : { at }],
        })),
      },
    ],
    ...ages(answer),
  };
};
