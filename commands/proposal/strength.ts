/** Traders and the volume behind each outcome. */
import { proposalStrength } from '../../src/analytics/endpoints/proposals-analytics.js';
import { add, compare, divide, multiply } from '../../src/domain/decimal.js';
import { share, UNKNOWN, usd } from '../../src/domain/format.js';
import { decimal } from '../../src/domain/scalars.js';
import { ages, counted, labelledFigures } from '../../src/reply/index.js';
import { titleOf, type ProposalView } from './view.js';

export const strength: ProposalView = async ({ analytics, proposal, signal }) => {
  const answer = await analytics.call(proposalStrength, { publicKey: proposal.publicKey }, { signal });
  const { passTraders, failTraders, passVolume, failVolume, all } = answer.data;
  const total = passVolume === undefined || failVolume === undefined ? undefined : add(passVolume, failVolume);
  const ratio = total === undefined || passVolume === undefined ? undefined : divide(passVolume, total);
  const forPass = ratio && multiply(ratio, decimal('100'));
  const crowd = (count: number | undefined) => (count === undefined ? `${UNKNOWN} traders` : counted(count, 'trader'));
  const title = titleOf(proposal);
  const finding = forPass === undefined ? `${title}: traders by side` : `${title}: ${share(forPass)} of volume is for pass`;
  const known = [passTraders, failTraders, passVolume, failVolume].some((value) => value !== undefined);
  return {
    tone: forPass === undefined ? 'plain' : compare(forPass, decimal('50')) > 0 ? 'up' : 'down',
    finding: [{ strong: finding }],
    ...(passVolume === undefined || failVolume === undefined || ratio === undefined
      ? {}
      : {
          chart: {
            kind: 'shares' as const,
            title: finding,
            unit: 'usd' as const,
            parts: [
              { name: `pass, ${crowd(passTraders)}`, value: Number(passVolume) },
              { name: `fail, ${crowd(failTraders)}`, value: Number(failVolume) },
            ],
          },
        }),
    blocks: known
      ? [
          {
            kind: 'table',
            columns: [{ title: 'Side' }, { title: 'Traders', align: 'right' }, { title: 'Volume', align: 'right' }],
            rows: [
              ['pass', String(passTraders ?? UNKNOWN), usd(passVolume)],
              ['fail', String(failTraders ?? UNKNOWN), usd(failVolume)],
            ],
          },
          { kind: 'line', line: ['For pass: buying pass or selling fail. For fail: the reverse.'] },
        ]
      : [labelledFigures(all)],
    ...ages(answer),
  };
};
