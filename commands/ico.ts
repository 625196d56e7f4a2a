/** /ico <project> [view] [page]: a token sale and its result. */
import { z } from 'zod';
import { defineCommand } from '../src/dispatch/command.js';
import {
  PAGE_SIZE,
  ages,
  brokenRows,
  commandLine,
  counted,
  dotted,
  figuresOf,
  line,
  listPage,
  missingText,
  needOne,
  optional,
  oversubscription,
  pageOption,
  projectOption,
  right,
  servicePage,
  shareOf,
  tableOf,
  viewReply,
  type ProjectView,
} from '../src/reply/index.js';
import { several } from '../src/base/sentence-lists.js';
import {
  icoContributors,
  icoDetails,
  icoInvestors,
  icoOthers,
  icoRanges,
  type ContributionRange,
  type Investor,
} from '../src/analytics/endpoints/ico.js';
import { recentLaunches } from '../src/analytics/endpoints/launches.js';
import { followActions } from '../src/dispatch/watchlists/markets.js';
import type { BlockDraft, Line } from '../src/chat/reply.js';
import { amount, countText, duration, portion, price, share, times, usd, usdLimit } from '../src/domain/format.js';
import { looksLikeKey, shortKey } from '../src/domain/wallet.js';
import { later } from '../src/base/clock.js';
import { divide, isApartBy, multiply } from '../src/domain/decimal.js';
import { decimal, type Decimal, type Instant } from '../src/domain/scalars.js';
import type { ChartDraft } from '../src/chat/chart.js';

const MAX_OTHER_ICOS = 12;

/** Shows how much the contributors of an ICO gave. */
const contributors: ProjectView = async ({ analytics, project, signal }) => {
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
        : figuresOf([
            ['Contributed', usd(data.given)],
            ['average', usd(data.average)],
            ['median', usd(data.median)],
            ['transactions', data.transactions === undefined ? 'n/a' : amount(decimal(data.transactions))],
          ]),
      ranges.answer === undefined ? line(`⚠ Ranges: ${missingText(ranges)}`) : rangeTable(shown, counts),
      ...(data?.contributors !== undefined && shown.length > 0 && counts !== data.contributors
        ? [line(`⚠ ${counted(counts, 'wallet')} by range, but ${counted(data.contributors, 'wallet')} in the statistics.`)]
        : []),
      ...(others.answer === undefined
        ? [line(`⚠ Other ICOs: ${missingText(others)}`)]
        : names.length === 0
          ? [line('No other ICOs joined by these wallets.')]
          : [line(`Also joined: ${several(names, MAX_OTHER_ICOS)}`)]),
      ...brokenRows((ranges.answer?.data.broken ?? 0) + (others.answer?.data.broken ?? 0)),
    ],
    chart: shown.length === 0 ? undefined : chartOf(shown, mostGave(shown, counts) ?? title),
    ...ages(stats.answer, ranges.answer, others.answer),
  };
};

function rangeText({ low, high, label }: ContributionRange): string {
  if (low === undefined) return label;
  return high === undefined ? `${whole(low)}+` : `${whole(low)}–${whole(high).slice(1)}`;
}
const whole = (value: NonNullable<ContributionRange['low']>): string => usdLimit(value);

const shareOfWallets = (wallets: number, total: number): string =>
  share(divide(multiply(decimal(wallets), decimal('100')), decimal(total)));

const rangeTable = (ranges: readonly ContributionRange[], total: number): BlockDraft =>
  tableOf(
    ['Contributed', right('Wallets'), right('Share')],
    ranges.map((one) => [rangeText(one), amount(decimal(one.wallets)), shareOfWallets(one.wallets, total)]),
  );

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

type Details = z.output<(typeof icoDetails)['data']>;
type Contributors = z.output<(typeof icoContributors)['data']>;

/** The tolerance of the price, as a fraction. */
const TOLERANCE = decimal('0.01');

const terms: ProjectView = async ({ analytics, project, now, signal }) => {
  const input = { slug: project.slug };
  const [details, contributors] = await Promise.all([
    optional(analytics.call(icoDetails, input, { signal })),
    optional(analytics.call(icoContributors, input, { signal })),
  ]);
  needOne(details, contributors);
  const ico = details.answer?.data;
  const raise = contributors.answer?.data;
  const symbol = project.symbol ?? project.name;
  return {
    finding: headline(symbol, ico, raise),
    blocks: [
      ico === undefined
        ? line(`⚠ Terms: ${missingText(details)}`)
        : figuresOf([
            ['ICO price', price(ico.price)],
            ['sold', `${amount(ico.icoSupply)} ${symbol}${shareOf(ico.icoSupply, ico.totalSupply)}`],
            ['total supply', amount(ico.totalSupply)],
          ]),
      raise === undefined ? line(`⚠ Raise: ${missingText(contributors)}`) : raiseFigures(raise),
      ...(ico === undefined ? [] : [line(...when(ico, now))]),
      ...(ico === undefined || raise === undefined ? [] : priceCheck(ico, raise)),
    ],
    ...ages(details.answer, contributors.answer),
  };
};

/** Returns the raised amount in percent of the minimum. Before anything is accepted, uses the committed amount. */
const againstMinimum = ({ accepted, committed, minimum }: Contributors): Decimal | undefined => {
  const raised = accepted ?? committed;
  const ratio = raised === undefined || minimum === undefined ? undefined : divide(raised, minimum);
  return ratio && multiply(ratio, decimal('100'));
};

function headline(symbol: string, ico: Details | undefined, raise: Contributors | undefined): Line {
  const at = ico?.price === undefined ? '' : ` at ${price(ico.price)} per token`;
  if (raise?.accepted !== undefined) {
    const over = oversubscription(raise);
    return [{ strong: `${symbol}'s ICO raised ${usd(raise.accepted)}${at}` }, over === undefined ? '' : `, ${times(over)} oversubscribed`];
  }
  if (raise?.committed !== undefined) return [{ strong: `${symbol}'s ICO: ${usd(raise.committed)} committed${at}` }];
  return [{ strong: ico?.price === undefined ? `${symbol}: no ICO published` : `${symbol}'s ICO price was ${price(ico.price)}` }];
}

const raiseFigures = (raise: Contributors): BlockDraft => {
  const reached = againstMinimum(raise);
  return figuresOf([
    ['Minimum', usd(raise.minimum)],
    ['committed', usd(raise.committed)],
    ['accepted', `${usd(raise.accepted)}${shareOf(raise.accepted, raise.committed)}`],
    ['vs minimum', portion(reached)],
    ['contributors', raise.contributors === undefined ? 'n/a' : amount(decimal(raise.contributors))],
  ]);
};

function when({ startedAt, runsFor }: Details, now: Instant): Line {
  const end = startedAt === undefined || runsFor === undefined ? undefined : later(startedAt, runsFor);
  return dotted(
    startedAt === undefined ? 'Start n/a' : [startedAt > now ? 'Starts ' : 'Started ', { at: startedAt }],
    end === undefined ? undefined : [end > now ? 'ends ' : 'ended ', { at: end }],
    runsFor === undefined ? undefined : `open for ${duration(runsFor, 2)}`,
  );
}

function priceCheck({ price: reported, icoSupply }: Details, { accepted }: Contributors): readonly BlockDraft[] {
  const computed = accepted === undefined || icoSupply === undefined ? undefined : divide(accepted, icoSupply);
  if (computed === undefined || reported === undefined) return [];
  if (!isApartBy(computed, reported, { part: TOLERANCE })) return [];
  return [
    line(`⚠ ICO price reported as ${price(reported)}, but ${usd(accepted)} for ${amount(icoSupply)} tokens is ${price(computed)} each.`),
  ];
}

const MAX_NAMES = 3;
const MAX_BUTTONS = 3;

/** Shows the wallets of an ICO. Their figures cover all their ICOs. */
const investors: ProjectView = async ({ analytics, project, page, signal }) => {
  const read = servicePage(await analytics.call(icoInvestors, { slug: project.slug, limit: PAGE_SIZE, page }, { signal }), page);
  const { rows, paging } = read;
  const symbol = project.symbol ?? project.name;
  const title =
    paging.total === undefined ? `Investors of ${symbol}'s ICO` : `${counted(paging.total, 'wallet')} invested in ${symbol}'s ICO`;
  return listPage(read, {
    found: (where) => [{ strong: title }, where],
    namesLast: false,
    of: symbol,
    none: `${symbol}: no investors listed`,
    blocks: [table(rows), ...(rows.length === 0 ? [] : [line('Amounts cover all ICOs of a wallet, not only this one.')])],
    to: (other) => commandLine('ico', project.slug, 'investors', String(other)),
    actions: (pages) => [
      ...pages,
      ...rows
        .filter(({ address }) => looksLikeKey(address))
        .slice(0, MAX_BUTTONS)
        .map(({ address }) => ({ label: shortKey(address), line: commandLine('wallet', address, 'icos') })),
    ],
  });
};

const table = (rows: readonly Investor[]): BlockDraft =>
  tableOf(
    ['Wallet', right('All ICOs'), 'ICOs'],
    rows.map(({ address, inAllIcos, organizations }) => [shortKey(address), usd(inAllIcos), named(organizations)]),
  );

const named = (organizations: readonly string[]): string => (organizations.length === 0 ? 'n/a' : several(organizations, MAX_NAMES));

const VIEWS = { terms, contributors, investors } satisfies Record<string, ProjectView>;
const NAMES = ['terms', 'contributors', 'investors'] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'ico',
  summary: 'ICO terms, contributors and investors',
  args: z.object({ project: projectOption, view: z.enum(NAMES).default('terms').describe('what to show'), page: pageOption }),
  examples: ['/ico tide', '/ico tide contributors', '/ico tide investors 2'],
  phrases: {
    '/ico {project}': `ico of {project} | {project} ico | how much did {project} raise | terms of the {project} raise | {project} ico terms | raise
      terms {project} | how much money did {project} collect when it started | ico price of {project} | what was the sale price of
      {project} | conditions of the raise of {project} | how much was collected at the ico of {project} | valuation at the {project}
      raise | {project} token sale details | original sale of {project} | how big was the {project} raise | was the {project} ico
      oversubscribed`,
    '/ico {project} contributors {page?}': `contributors of {project} | who contributed to the {project} ico | who aped into the {project} raise | {project} ico
      contributors | who bought in the ico of {project} | who participated in the {project} raise | who put in for the {project} ico |
      first people who put money into {project} | biggest contributors of {project} | list of ico participants {project}`,
    '/ico {project} investors {page?}': `investors of {project} | {project} vcs | who invested in {project} | {project} backers | which funds invested in {project} |
      early investors of {project} | vc investors {project} | who has invested in {project} ico`,
  },

  async run({ project: text, view, page }, { analytics, directory, signal, now, watchlists, chat }) {
    const project = await directory.find(text, signal);
    const shown = await VIEWS[view]({ analytics, project, page, now, signal });
    // A launch is found by its address only in a list that was read before.
    const launches = (await analytics.kept(recentLaunches, {}))?.data.rows ?? [];
    const open = launches.find(({ slug, state }) => slug === project.slug && state?.toLowerCase() === 'live');
    const follow = open === undefined ? [] : followActions({ launch: open.address }, watchlists.read(chat));
    return viewReply(
      { ...shown, actions: [...(shown.actions ?? []), ...follow] },
      { command: 'ico', names: NAMES, view, slug: project.slug, others: ['launches', 'vesting'] },
    );
  },
});
