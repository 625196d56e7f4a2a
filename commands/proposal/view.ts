/** Defines what a view of a proposal gets and gives, and what the views share. */
import type { Analytics } from '../../src/analytics/analytics.js';
import type { Interval } from '../../src/analytics/endpoints/proposals-market.js';
import type { Decimal, Instant } from '../../src/domain/scalars.js';
import { shortKey } from '../../src/domain/wallet.js';
import type { NamedProposal, ProjectViewDeps, ViewReply, WalletLabels } from '../../src/reply/index.js';

interface ProposalViewDeps extends Omit<ProjectViewDeps, 'project'> {
  readonly proposal: NamedProposal;
  readonly interval: Interval;
  readonly zone: string | undefined;
  readonly labels: WalletLabels;
}

/** Makes a view. Rejects with an `AnalyticsError` if there is nothing to show. */
export type ProposalView = (deps: ProposalViewDeps) => Promise<ViewReply>;

/** A proposal without a title is called "Proposal 7Hq2…x9Pd". */
export const titleOf = ({ publicKey, row }: NamedProposal): string =>
  row.title === undefined ? `Proposal ${shortKey(publicKey)}` : `"${row.title}"`;

export const pointsOf = <T extends { readonly at?: Instant | undefined }>(
  rows: readonly T[],
  value: (row: T) => Decimal | undefined,
): [number, number | null][] =>
  rows
    .flatMap((row): [number, number | null][] => {
      const known = value(row);
      return row.at === undefined ? [] : [[row.at, known === undefined ? null : Number(known)]];
    })
    .toSorted(([a], [b]) => a - b);

/** Removes the service's dates, so that answers are dated by their arrival. */
export const undated = (analytics: Analytics): Analytics => ({
  ...analytics,
  async call(row, input, options) {
    const { dataAt: _ended, ...answer } = await analytics.call(row, input, options);
    return answer;
  },
});

/** Returns the TWAP window for a chart; none before it opens. */
export const windowOf = (
  { twapStartsAt, endsAt }: { readonly twapStartsAt: Instant | undefined; readonly endsAt: Instant | undefined },
  now: Instant,
): { name: string; from: number; to: number }[] =>
  twapStartsAt === undefined || twapStartsAt > now
    ? []
    : [{ name: 'TWAP window', from: twapStartsAt, to: Math.max(twapStartsAt, endsAt ?? now) }];
