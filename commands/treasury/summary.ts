/** Treasury in short. Only the overview is required. */
import type { z } from 'zod';
import { navBreakdown, runwayBreakdown, treasuryHoldings, treasuryOverview } from '../../src/analytics/endpoints/treasury.js';
import type { Line } from '../../src/chat/reply.js';
import { amount, months, percent, premium, price, usd } from '../../src/domain/format.js';
import { gapOf } from '../../src/domain/premium.js';
import { wholeSum, doubtful, line, isOwnToken, shareOf, worthMost, ages, missingText, optional } from '../../src/reply/index.js';
import { navChecks } from './nav.js';
import type { TreasuryView } from './view.js';

type Overview = z.output<(typeof treasuryOverview)['data']>;

const MAX_HOLDINGS = 3;

export const summary: TreasuryView = async ({ analytics, project, signal }) => {
  const input = { slug: project.slug };
  const [overview, holdings, nav, runway] = await Promise.all([
    analytics.call(treasuryOverview, input, { signal }),
    optional(analytics.call(treasuryHoldings, input, { signal })),
    optional(analytics.call(navBreakdown, input, { signal })),
    optional(analytics.call(runwayBreakdown, input, { signal })),
  ]);
  // The breakdown has the same runway, even if the overview has none.
  const data = { ...overview.data, runway: overview.data.runway ?? runway.answer?.data.runway };
  const gap = gapOf(data);
  const rows = worthMost((holdings.answer?.data.rows ?? []).filter((row) => !isOwnToken(row, project)));
  const withoutLp = runway.answer?.data.withoutLp;
  const own = (nav.answer?.data.excluded ?? []).filter((one) => isOwnToken(one, project));
  const lp = nav.answer?.data.lpPart;
  return {
    finding: finding(project.name, data),
    blocks: [
      {
        kind: 'figures',
        items: [
          { label: 'NAV/share', value: price(data.navPerShare) },
          { label: 'price', value: `${price(data.price)}${gap.percent === undefined ? '' : ` (${premium(gap.percent)})`}` },
          { label: 'allowance', value: data.allowance === undefined ? 'n/a' : `${usd(data.allowance)} a month` },
          ...(withoutLp === undefined ? [] : [{ label: 'runway without LP', value: months(withoutLp) }]),
        ],
      },
      {
        kind: 'figures',
        items: [
          ...(holdings.answer === undefined ? [{ label: 'Holdings', value: missingText(holdings) }] : []),
          ...rows.slice(0, MAX_HOLDINGS).map((row) => ({
            label: row.symbol ?? row.name ?? 'unnamed',
            value: `${usd(row.value)}${shareOf(row.value, data.netAssetValue)}`,
          })),
          ...(lp === undefined || rows.some(isLp) ? [] : [{ label: 'of which LP', value: `${usd(lp)}${shareOf(lp, data.netAssetValue)}` }]),
          ...(own.length === 0
            ? []
            : [
                {
                  label: 'own token, not in NAV',
                  value: `${amount(wholeSum(own.map((one) => one.amount)))} ${project.symbol ?? ''}`.trim(),
                },
              ]),
        ],
      },
      ...(gap.reported === undefined
        ? []
        : [line(`⚠ Premium reported as ${percent(gap.reported)}, but price and NAV/share give ${percent(gap.percent)}.`)]),
      ...(nav.answer === undefined ? [] : navChecks(nav.answer.data)),
      ...doubtful(data.doubts),
    ],
    ...ages(overview, holdings.answer, nav.answer, runway.answer),
  };
};

const isLp = ({ symbol, name }: { readonly symbol?: string; readonly name?: string }): boolean => /^lp\b/iu.test(symbol ?? name ?? '');

function finding(name: string, { runway, netAssetValue }: Overview): Line {
  const worth = netAssetValue === undefined ? undefined : `NAV ${usd(netAssetValue)}`;
  if (runway !== undefined) return [{ strong: `${name}'s runway: ${months(runway)}` }, ...(worth === undefined ? [] : [`, ${worth}`])];
  return worth === undefined
    ? [{ strong: `${name}: no treasury figures published` }]
    : [{ strong: `${name}: ${worth}` }, ', no runway published'];
}
