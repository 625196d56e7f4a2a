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

/** Shows how NAV per adjusted share is computed. */
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

/** Checks the parts of NAV. A wrong figure causes only one warning: values derived from it are not checked. */
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

/** Summarises the treasury. Only the overview is required. */
const summary: TreasuryView = async ({ analytics, project, signal }) => {
  const input = { slug: project.slug };
  const [overview, holdings, nav, runway] = await Promise.all([
    analytics.call(treasuryOverview, input, { signal }),
    optional(analytics.call(treasuryHoldings, input, { signal })),
    optional(analytics.call(navBreakdown, input, { signal })),
    optional(analytics.call(runwayBreakdown, input, { signal })),
  ]);
  // If the overview has no runway, that of the breakdown is used, which is the same.
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
  phrases: {
    '/treasury {project}': `treasury of {project} | {project} treasury | {project} tsy | how much money does {project} have | {project} money | how rich is
      {project} | how much cash does {project} have | {project} cash | what backs {project} | {project} balance sheet | how much is in
      the treasury of {project} | {project} funds | money {project} | {project} war chest | reserves of {project} | size of the
      {project} treasury | {project} money left | is the money of {project} safe | total assets of {project} | cash position {project}
      | how much does {project} have in the bank | monthly allowance of {project} | how much may the team of {project} spend a month`,
    '/treasury {project} holdings': `holdings of {project} | {project} treasury holdings | what is in the treasury of {project} | what does {project} own | what does
      {project} hold | which coins are in the {project} treasury | what is in the bag of {project} | which tokens does the treasury of
      {project} hold | how much usdc does {project} have | does {project} hold sol | assets of {project} | list what {project} owns |
      what has {project} inside its treasury | what do they hold at {project} | does {project} hold any bitcoin`,
    '/treasury {project} allocation': `allocation of the {project} treasury | {project} treasury split | how is the treasury of {project} split | what share of
      {project} is in stablecoins | breakdown of the {project} treasury | {project} treasury composition | {project} treasury usdc vs
      rest | in which proportion is the treasury of {project} divided | how much of {project} treasury is stables | asset mix
      {project} | treasury allocation {project} percent`,
    '/treasury {project} native': `own tokens in the treasury of {project} | how much of its own token does {project} hold | does {project} hold its own tokens |
      {project} native tokens in treasury | how much of the treasury of {project} is just {project} | own token share {project}
      treasury | how many own tokens keeps {project} in its treasury`,
    '/treasury {project} history': `treasury history of {project} | {project} treasury over time | did the treasury of {project} grow or shrink | treasury chart
      {project} | how has the treasury of {project} changed | {project} treasury last year | is the treasury of {project} shrinking |
      development of the {project} treasury | trend of {project} treasury | how did the treasury from {project} change itself over the
      time`,
    '/treasury {project} nav': `nav of {project} | {project} nav | {project} nav per share | nav per token {project} | what is one {project} backed by | how is
      the nav of {project} calculated | {project} net asset value | book value of {project} | {project} nav breakdown | what would
      holders of {project} get if it was liquidated | intrinsic value of {project} | {project} nav/share | where does the nav of
      {project} come from | how much nav does {project} have | backing per token {project} | liquidation value of {project} | nav
      {project} | book value per share {project} | is nav of {project} growing | is the nav of {project} rising |
      has the nav of {project} grown`,
    '/treasury {project} runway': `runway of {project} | {project} runway | how long does the money of {project} last | how many months does {project} have left |
      when does {project} run out of money | when is {project} broke | is {project} going broke | how many months of cash does
      {project} have left | {project} months left | how long can {project} keep going before the cash runs out | how long can
      {project} survive | does {project} have enough money for a year | if {project} keeps spending like this when is it over |
      {project} burn rate and runway | how long til {project} is broke | how long will {project} funds last | when does {project} run
      dry | months of runway at {project}`,
    '/treasury {project} {at}': `treasury of {project} on oct 15 | {project} treasury a month ago | how much money did {project} have on october 1 | treasury of
      {project} back on november 5 | {project} treasury nov 10 | what was in the treasury of {project} on 2026-11-01 | how much money
      had {project} exactly one month ago | on 5 november how much was in the {project} treasury`,
    '/treasury {project} runway {at}': `runway of {project} on 1 august | what was the runway of {project} on october 1 | {project} runway a month ago | how long did
      the money of {project} last on september 1`,
    '/treasury {project} holdings {at}': `holdings of {project} on october 31 | what did {project} hold at the end of october | what was in the treasury of {project}
      yesterday`,
    '/treasury {project} nav {at}': `nav of {project} on the 1st of november | {project} nav yesterday | nav of {project} the 31 of october | what was the nav of
      {project} on october 1 | {project} nav a week ago | book value of {project} on 2026-09-30`,
  },

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
