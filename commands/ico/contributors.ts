/** Contributors of an ICO. */
import { several } from '../../src/base/sentence-lists.js';
import { icoContributors, icoOthers, icoRanges, type ContributionRange } from '../../src/analytics/endpoints/ico.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import type { ChartDraft } from '../../src/chat/chart.js';
import { divide, multiply } from '../../src/domain/decimal.js';
import { amount, countText, share, usd, usdLimit } from '../../src/domain/format.js';
import { decimal } from '../../src/domain/scalars.js';
import { ages, missingText, needOne, optional, brokenRows, counted, line, type ProjectView } from '../../src/reply/index.js';

const MAX_NAMES = 12;

export const contributors: ProjectView = async ({ analytics, project, signal }) => {
  const input = { slug: project.slug };
  const [stats, ranges, others] = await Promise.all([
    optional(analytics.call(icoContributors, input, { signal })),
    optional(analytics.call(icoRanges, input, { signal })),
    optional(analytics.call(icoOthers, input, { signal })),
  ]);
  needOne(stats, ranges);
  const data = stats.answer?.data;
  const shown = ranges.answer?.data.ranges ?? [];
  const counts = shown.reduce((total, { wallets }) => total + wallets, 0);
  const count = data?.contributors ?? (ranges.answer === undefined ? undefined : counts);
  const symbol = project.symbol ?? project.name;
  const title = count === undefined ? `${symbol}: contributors n/a` : `${counted(count, 'wallet')} contributed to ${symbol}'s ICO`;
  const names = others.answer?.data.rows.map(({ organization }) => organization) ?? [];
  return {
    finding: [{ strong: title }, data?.median === undefined ? '' : `, median ${usd(data.median)}`],
    blocks: [
      data === undefined
        ? line(`⚠ Statistics: ${missingText(stats)}`)
        : {
            kind: 'figures',
            items: [
              { label: 'Contributed', value: usd(data.given) },
              { label: 'average', value: usd(data.average) },
              { label: 'median', value: usd(data.median) },
              { label: 'transactions', value: data.transactions === undefined ? 'n/a' : amount(decimal(data.transactions)) },
            ],
          },
      ranges.answer === undefined ? line(`⚠ Ranges: ${missingText(ranges)}`) : table(shown, counts),
      ...(data?.contributors !== undefined && shown.length > 0 && counts !== data.contributors
        ? [line(`⚠ ${counted(counts, 'wallet')} by range, but ${counted(data.contributors, 'wallet')} in the statistics.`)]
        : []),
      ...(others.answer === undefined
        ? [line(`⚠ Other ICOs: ${missingText(others)}`)]
        : names.length === 0
          ? [line('No other ICOs joined by these wallets.')]
          : [line(`Also joined: ${several(names, MAX_NAMES)}`)]),
      ...brokenRows((ranges.answer?.data.broken ?? 0) + (others.answer?.data.broken ?? 0)),
    ],
    ...(shown.length === 0 ? {} : { chart: chartOf(shown, mostGave(shown, counts) ?? title) }),
    ...ages(stats.answer, ranges.answer, others.answer),
  };
};

function rangeText({ low, high, label }: ContributionRange): string {
  if (low === undefined) return label;
  return high === undefined ? `${whole(low)}+` : `${whole(low)}–${whole(high).slice(1)}`;
}
const whole = (value: NonNullable<ContributionRange['low']>): string => usdLimit(value);

const portion = (wallets: number, total: number): string => share(divide(multiply(decimal(wallets), decimal('100')), decimal(total)));

const table = (ranges: readonly ContributionRange[], total: number): BlockDraft => ({
  kind: 'table',
  columns: [{ title: 'Contributed' }, { title: 'Wallets', align: 'right' }, { title: 'Share', align: 'right' }],
  rows: ranges.map((one) => [rangeText(one), amount(decimal(one.wallets)), portion(one.wallets, total)]),
});

function mostGave(ranges: readonly ContributionRange[], total: number): string | undefined {
  let below = 0;
  for (const { low, high, wallets } of ranges) {
    if (low === undefined || high === undefined) return undefined;
    below += wallets;
    if (below * 2 > total) return `${countText(below)} of ${counted(total, 'wallet')} contributed less than ${whole(high)}`;
  }
  return undefined;
}

const chartOf = (ranges: readonly ContributionRange[], title: string): ChartDraft => ({
  kind: 'xy',
  title,
  subtitle: 'wallets by contribution',
  categories: ranges.map(rangeText),
  series: [{ name: 'wallets', draw: 'bar', unit: 'count', points: ranges.map(({ wallets }, place) => [place, wallets]) }],
  axisNames: { left: 'wallets', x: 'contribution in USD' },
});
