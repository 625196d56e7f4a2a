/** /treasury <project> [view] [at]: what backs a token. */
import { z } from 'zod';
import { defineCommand } from '../../src/dispatch/command.js';
import {
  UserError,
  ages,
  brokenRows,
  choiceActions,
  commandLine,
  crossCheck,
  differ,
  doubtful,
  earlierSnapshot,
  figuresOf,
  isOwnToken,
  isPast,
  isoText,
  missingText,
  optional,
  pastMoment,
  pastOption,
  periodEnds,
  premiumCheck,
  projectOption,
  right,
  shareOf,
  tableOf,
  treasuryHistoryChart,
  wholeSum,
  worthMost,
  type Figure,
} from '../../src/reply/index.js';
import { allocation, holdings, native, type TreasuryView } from './holdings.js';
import { reply, type BlockDraft, type Line } from '../../src/chat/reply.js';
import {
  navBreakdown,
  runwayBreakdown,
  treasuryChart,
  treasuryHoldings,
  treasuryOverview,
} from '../../src/analytics/endpoints/treasury.js';
import { amount, date, months, percent, premium, price, usd } from '../../src/domain/format.js';
import { DAY } from '../../src/base/clock.js';
import { divide, percentChange } from '../../src/domain/decimal.js';
import { lineText } from '../../src/chat/plain-text.js';
import { gapOf } from '../../src/domain/premium.js';
import type { Decimal } from '../../src/domain/scalars.js';

type Breakdown = z.output<(typeof navBreakdown)['data']>;
type Piece = Breakdown['wallets'][number];

const MAX_PIECES = 12;

/** How NAV per adjusted share is computed. */
const nav: TreasuryView = async ({ analytics, project, timestamp, signal }) => {
  const answer = await analytics.call(navBreakdown, { slug: project.slug, timestamp }, { signal });
  const { data } = answer;
  return {
    finding:
      data.navPerShare === undefined
        ? [{ strong: `${project.name}: no NAV/share published` }]
        : [
            { strong: `${project.name}'s NAV/share is ${price(data.navPerShare)}` },
            ` (${usd(data.netAssetValue)} over ${amount(data.adjustedSupply)} adjusted shares)`,
          ],
    blocks: [
      figuresOf([
        ['Treasury', `${usd(data.treasuryPart)}${shareOf(data.treasuryPart, data.netAssetValue)}`],
        ['LP', `${usd(data.lpPart)}${shareOf(data.lpPart, data.netAssetValue)}`],
        ['NAV', usd(data.netAssetValue)],
      ]),
      ...navChecks(data),
      pieces('Counts toward NAV', worthMost(data.wallets)),
      pieces('Not in NAV', worthMost(data.excluded)),
      pieces('Removed from supply', data.supplyAdjustments),
      ...doubtful(data.doubts),
    ],
    snapshotAt: data.at,
    ...ages(answer),
  };
};

/** A wrong figure gives one warning: what follows from it is not checked against the others. */
function navChecks({ netAssetValue, treasuryPart, lpPart, navPerShare, adjustedSupply, wallets }: Breakdown): readonly BlockDraft[] {
  const parts = wholeSum([treasuryPart, lpPart]);
  const inWallets = wholeSum(wallets.map(({ value }) => value));
  const isNav = (sum: Decimal | undefined): boolean => sum !== undefined && netAssetValue !== undefined && !differ(sum, netAssetValue);
  const perShare = [netAssetValue, parts].flatMap((whole) =>
    whole === undefined || adjustedSupply === undefined ? [] : (divide(whole, adjustedSupply) ?? []),
  );
  const isExplained = navPerShare !== undefined && perShare.some((computed) => !differ(computed, navPerShare));
  return [
    // If the wallets and LP add up to NAV, the treasury's part is wrong.
    ...crossCheck(
      isNav(wholeSum([inWallets, lpPart])) ? undefined : parts,
      netAssetValue,
      (sum, reported) => `NAV reported as ${usd(reported)}, but treasury and LP add up to ${usd(sum)}.`,
    ),
    ...crossCheck(
      // The service may list the liquidity among the wallets.
      isNav(inWallets) ? undefined : inWallets,
      treasuryPart,
      (sum, reported) => `Treasury reported as ${usd(reported)}, but its wallets add up to ${usd(sum)}.`,
    ),
    ...crossCheck(
      isExplained ? undefined : perShare[0],
      navPerShare,
      (computed, reported) => `NAV/share reported as ${price(reported)}, but NAV and adjusted shares give ${price(computed)}.`,
    ),
  ];
}

const pieces = (title: string, all: readonly Piece[]): BlockDraft =>
  tableOf(
    [title, right('Amount'), right('Value')],
    all
      .slice(0, MAX_PIECES)
      .map((one) => [
        one.name ?? one.symbol ?? 'unnamed',
        `${amount(one.amount)}${one.symbol === undefined ? '' : ` ${one.symbol}`}`,
        usd(one.value),
      ]),
    Math.max(0, all.length - MAX_PIECES),
  );

type Overview = z.output<(typeof treasuryOverview)['data']>;

const MAX_HOLDINGS = 3;

/** The treasury in short. Only the overview is required. */
const summary: TreasuryView = async ({ analytics, project, signal }) => {
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
      figuresOf([
        ['NAV/share', price(data.navPerShare)],
        ['price', `${price(data.price)}${gap.percent === undefined ? '' : ` (${premium(gap.percent)})`}`],
        ['allowance', data.allowance === undefined ? 'n/a' : `${usd(data.allowance)} a month`],
        withoutLp === undefined ? undefined : ['runway without LP', months(withoutLp)],
      ]),
      figuresOf([
        holdings.answer === undefined ? ['Holdings', missingText(holdings)] : undefined,
        ...rows
          .slice(0, MAX_HOLDINGS)
          .map((row): Figure => [row.symbol ?? row.name ?? 'unnamed', `${usd(row.value)}${shareOf(row.value, data.netAssetValue)}`]),
        lp === undefined || rows.some(isLp) ? undefined : ['of which LP', `${usd(lp)}${shareOf(lp, data.netAssetValue)}`],
        own.length === 0
          ? undefined
          : ['own token, not in NAV', `${amount(wholeSum(own.map((one) => one.amount)))} ${project.symbol ?? ''}`.trim()],
      ]),
      ...premiumCheck(gap),
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

/** The treasury's value by week or month. */
const history: TreasuryView = async ({ analytics, project, signal, now }) => {
  const answer = await analytics.call(treasuryChart, { slug: project.slug }, { signal });
  const points = answer.data.rows
    .flatMap(({ at, value }) => (at === undefined || value === undefined ? [] : [{ at, value }]))
    .toSorted((a, b) => a.at - b.at);
  const last = points.at(-1);
  const before = last && points.findLast(({ at }) => at <= last.at - 30 * DAY);
  const change = last && before && percentChange(before.value, last.value);
  const finding = last
    ? [
        {
          strong: `${project.name}'s treasury ${isPast(answer, now) ? `was worth ${usd(last.value)} on ${date(last.at, now)}` : `is worth ${usd(last.value)}`}`,
        },
        change === undefined ? '' : `, ${percent(change)} in 30 d`,
      ]
    : [
        {
          strong: `${project.name}: ${answer.data.rows.length > 0 ? 'treasury history is unreadable' : 'no treasury history published'}`,
        },
      ];
  return {
    finding,
    chart: treasuryHistoryChart(points, lineText(finding, now)),
    blocks: [periodEnds(points, { title: 'Value', show: usd, now }), ...brokenRows(answer.data.broken)],
    ...ages(answer),
  };
};

/** The runway in months, with and without liquidity. */
const runway: TreasuryView = async ({ analytics, project, timestamp, signal }) => {
  const answer = await analytics.call(runwayBreakdown, { slug: project.slug, timestamp }, { signal });
  const { data } = answer;
  return {
    finding:
      data.runway === undefined
        ? [{ strong: `${project.name}: no runway published` }]
        : [{ strong: `${project.name}'s runway: ${months(data.runway)}` }],
    blocks: [
      figuresOf([
        ['With LP', months(data.runway)],
        ['without LP', months(data.withoutLp)],
        ['allowance', data.allowance === undefined ? 'n/a' : `${usd(data.allowance)} a month`],
      ]),
      ...doubtful(data.doubts),
    ],
    snapshotAt: data.at,
    ...ages(answer),
  };
};

const VIEWS = { summary, holdings, allocation, history, nav, runway, native } satisfies Record<string, TreasuryView>;
const NAMES = [
  'summary',
  'holdings',
  'allocation',
  'history',
  'nav',
  'runway',
  'native',
] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'treasury',
  summary: 'Treasury, NAV and runway of a project',
  args: z.object({
    project: projectOption,
    view: z.enum(NAMES).optional().describe('what to show'),
    at: pastOption,
  }),
  examples: [
    '/treasury tide',
    '/treasury tide holdings',
    '/treasury project:"Heron Flats" view:runway',
    '/treasury tide nav at:2026-11-01',
  ],

  async run({ project: text, view: requested, at }, { analytics, directory, signal, now, zone }) {
    const project = await directory.find(text, signal);
    const past = pastMoment(at, { now, zone });
    const timestamp = past === undefined ? undefined : isoText(past);
    const to = (view: string): string =>
      commandLine('treasury', project.slug, view, ...(timestamp === undefined || !PAST.has(view) ? [] : [`at:${timestamp}`]));
    const view = requested ?? (past === undefined ? 'summary' : 'nav');
    if (past !== undefined && !PAST.has(view)) throw presentOnly(view, to);
    const { snapshotAt, ...shown } = await VIEWS[view]({ analytics, project, timestamp, now, signal });
    return reply({
      ...shown,
      finding: past === undefined ? shown.finding : [{ at: past, exact: true }, ': ', ...shown.finding],
      blocks: [...shown.blocks, ...(past === undefined ? [] : earlierSnapshot(snapshotAt, past))],
      actions: [
        ...choiceActions(NAMES, view, to),
        { label: 'Accounts', line: commandLine('accounts', project.slug, 'active') },
        { label: 'Premium', line: commandLine('premium', project.slug, '3M') },
        { label: 'Watch', line: commandLine('watch', project.slug) },
      ],
    });
  },
});

const PAST: ReadonlySet<string> = new Set<(typeof NAMES)[number]>(['nav', 'runway']);

const presentOnly = (view: string, to: (view: string) => string): UserError =>
  new UserError(`Past dates work for NAV and runway only, not for "${view}".`, {
    actions: [...PAST].map((other) => ({ label: other === 'nav' ? 'NAV' : 'Runway', line: to(other) })),
  });
