/** Traders of a proposal. */
import { proposalTradeOverview } from '../../src/analytics/endpoints/proposals-analytics.js';
import { proposalTraders } from '../../src/analytics/endpoints/proposals-market.js';
import type { Line } from '../../src/chat/reply.js';
import { share, UNKNOWN, usd } from '../../src/domain/format.js';
import { keyFault } from '../../src/domain/wallet.js';
import {
  commandLine,
  ages,
  missingText,
  needOne,
  optional,
  brokenRows,
  counted,
  labelledFigures,
  pageActions,
  PAGE_SIZE,
  pageText,
  labelOrKey,
} from '../../src/reply/index.js';
import { titleOf, type ProposalView } from './view.js';

const MAX_BUTTONS = 3;

export const traders: ProposalView = async ({ analytics, proposal, page, signal, labels }) => {
  const { publicKey } = proposal;
  const [crowd, list] = await Promise.all([
    optional(analytics.call(proposalTradeOverview, { publicKey }, { signal })),
    optional(analytics.call(proposalTraders, { publicKey }, { signal })),
  ]);
  needOne(crowd, list);
  const about = crowd.answer?.data;
  const wallets = list.answer?.data.rows ?? [];
  const shown = wallets.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const paging = { page, rows: shown.length, total: wallets.length };
  const count = about?.traders ?? (list.answer === undefined ? undefined : wallets.length);
  const where = pageText(paging);
  const known = about !== undefined && [about.traders, about.once, about.average, about.topShare].some((value) => value !== undefined);
  return {
    finding: [
      { strong: `${titleOf(proposal)}: ${count === undefined ? `${UNKNOWN} traders` : counted(count, 'trader')}` },
      about?.topShare === undefined ? '' : `, the largest with ${share(about.topShare)} of volume`,
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [
      known
        ? {
            kind: 'figures',
            items: [
              { label: 'One trade', value: String(about.once ?? UNKNOWN) },
              { label: 'several trades', value: String(about.repeat ?? UNKNOWN) },
              { label: 'average trade', value: usd(about.average) },
              { label: 'median', value: usd(about.median) },
              { label: 'largest', value: usd(about.largest) },
            ],
          }
        : about === undefined
          ? { kind: 'line', line: [`Trader statistics: ${missingText(crowd)}`] }
          : labelledFigures(about.all),
      list.answer === undefined
        ? { kind: 'line', line: [`Wallets: ${missingText(list)}`] }
        : { kind: 'list', items: shown.map((wallet) => ({ line: labelled(wallet, labels.get(wallet)) })) },
      ...brokenRows(list.answer?.data.broken ?? 0),
    ],
    actions: [
      ...shown
        .filter((wallet) => keyFault(wallet) === undefined)
        .slice(0, MAX_BUTTONS)
        .map((wallet) => ({ label: labelOrKey(wallet, labels), line: commandLine('wallet', wallet) })),
      ...pageActions({ ...paging, to: (other) => commandLine('proposal', publicKey, 'traders', String(other)) }),
      { label: 'Traders as CSV', line: commandLine('proposal', publicKey, 'traders-csv') },
    ],
    ...ages(crowd.answer, list.answer),
  };
};

const labelled = (wallet: string, label: string | undefined): Line => [
  ...(label === undefined ? [] : [{ strong: label }, ' ']),
  { code: wallet },
];
