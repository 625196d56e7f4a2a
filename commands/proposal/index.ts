/** /proposal <project or public key> [words of its title] [view]: one proposal and its market. */
import { z } from 'zod';
import { INTERVALS, proposalPassEdge, proposalStatus } from '../../src/analytics/endpoints/proposals-market.js';
import { omitUndefined } from '../../src/base/omit-undefined.js';
import { reply, type BlockDraft, type Line, type Tone } from '../../src/chat/reply.js';
import { followActions } from '../../src/dispatch/watchlists/markets.js';
import { labelsOf } from '../../src/dispatch/watchlists/targets.js';
import { defineCommand } from '../../src/dispatch/command.js';
import {
  PAGE_NUMBER,
  UserError,
  ages,
  brokenRows,
  commandLine,
  figuresOf,
  findProposal,
  formOption,
  line,
  optional,
  passState,
  proposalTimes,
  right,
  tableOf,
  textOption,
} from '../../src/reply/index.js';
import { conviction, market, price, threshold } from './market.js';
import { flow, frequency, orders, ordersFile, strength, traders, tradersFile, volumeFile } from './trades.js';
import { titleOf, undated, type ProposalView } from './view.js';
import { phaseOf } from '../../src/domain/market-phase.js';
import { divide, multiply } from '../../src/domain/decimal.js';
import { UNKNOWN, amount, duration, exact, percent, portion, portionOf, price as priceText, usd } from '../../src/domain/format.js';
import { priceSince } from '../../src/domain/price-since.js';
import type { Analytics } from '../../src/analytics/analytics.js';
import type { ProposalRow } from '../../src/analytics/endpoints/proposals.js';
import { navAsChart, treasuryOverview } from '../../src/analytics/endpoints/treasury.js';
import { decimal, type Decimal, type Instant } from '../../src/domain/scalars.js';
import { capitalised } from '../../src/base/sentence-lists.js';
import { proposalAgainst, type Metric } from '../../src/analytics/endpoints/proposals-analytics.js';

/** Names of percentages. They can be negative, so no ratio is shown. */
const RATIOS = /edge|margin|tilt|pct|percent|share|ratio/iu;

/** Returns the value in percent of the median. */
function ofMedian({ metric, value, median }: Metric): Decimal | undefined {
  if (value === undefined || median === undefined || Number(median) <= 0 || RATIOS.test(metric ?? '')) return undefined;
  const ratio = divide(value, median);
  return ratio && multiply(ratio, decimal('100'));
}

const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/[_-]+/gu, ' ')
    .toLowerCase();

/** Compares the metrics of a proposal with the median of similar ones. */
const against: ProposalView = async ({ analytics, proposal, signal }) => {
  const { publicKey, row } = proposal;
  const { slug } = row;
  if (slug === undefined)
    throw new UserError("I can't compare this proposal: its project is unknown. Try the project's comparables.", {
      actions: [{ label: 'Proposals', line: '/proposals' }],
    });
  const answer = await analytics.call(proposalAgainst, { publicKey, slug }, { signal });
  const { rows, broken } = answer.data;
  const compared = rows.flatMap((one) => {
    const percent = ofMedian(one);
    return percent === undefined ? [] : [{ name: wordsOf(one.metric ?? ''), percent }];
  });
  const volume = compared.find(({ name }) => /volume/u.test(name)) ?? compared[0];
  const title = titleOf(proposal);
  const finding =
    volume === undefined ? `${title}: no comparable proposals` : `${title}: ${volume.name} at ${portionOf(volume.percent, 'the median')}`;
  return {
    finding: [{ strong: finding }],
    chart:
      compared.length === 0
        ? undefined
        : {
            kind: 'xy',
            title: finding,
            subtitle: 'multiples of the median of comparable proposals',
            categories: compared.map(({ name }) => name),
            series: [
              {
                name: 'this proposal',
                draw: 'bar',
                unit: 'count',
                points: compared.map(({ percent }, index): [number, number] => [index, Number(percent) / 100]),
              },
            ],
            levels: [{ name: 'median', value: 1 }],
          },
    blocks: [
      tableOf(
        ['Metric', right('Value'), right('Median'), right('vs median')],
        rows.map((one) => {
          const percent = ofMedian(one);
          return [wordsOf(one.metric ?? UNKNOWN), amount(one.value), amount(one.median), portion(percent)];
        }),
      ),
      ...brokenRows(broken),
    ],
    actions: [{ label: 'Comparables', line: commandLine('proposals', slug, 'comparables') }],
    ...ages(answer),
  };
};

const number = (count: number | undefined): string => exact(count === undefined ? undefined : decimal(count));

/** Words how the price moved since the result, from kept responses without a request. */
async function sinceResult({ slug, endsAt }: ProposalRow, analytics: Analytics): Promise<readonly BlockDraft[]> {
  if (slug === undefined || endsAt === undefined) return [];
  const overview = await analytics.kept(treasuryOverview, { slug });
  const chart = await analytics.kept(navAsChart, { slug, range: 'ALL' });
  const past = (chart?.data.rows ?? []).flatMap(({ at, price: of }) => (at === undefined ? [] : [{ at, price: of }]));
  const move = priceSince([...past, ...(overview === undefined ? [] : [{ at: overview.at, price: overview.data.price }])], endsAt);
  if (move === undefined) return [];
  const { from, to, change } = move;
  const text = `Since the result: price ${percent(change)} in ${duration(to.at - endsAt)}`;
  return [line(`${text} (${priceText(from.price)} at `, { at: from.at }, `, ${priceText(to.price)} at `, { at: to.at }, ')')];
}

const summary: ProposalView = async ({ analytics, proposal, now, signal }) => {
  const { publicKey, row } = proposal;
  const phase = phaseOf(row);
  const over = phase === 'passed' || phase === 'failed';
  const end = over ? await optional(analytics.call(proposalPassEdge, { publicKey }, { signal })) : undefined;
  const last = end?.answer?.data;
  // The final edge comes from a separate operation. It takes precedence, because lists may have an older one.
  const whole = {
    ...row,
    passEdge: last?.edge ?? row.passEdge,
    threshold: row.threshold ?? last?.threshold,
    margin: last?.edge === undefined ? row.margin : undefined,
  };
  const { tone, text: words } = passState(whole);
  const whose = row.projectName ?? row.symbol ?? row.slug;
  return {
    tone,
    finding: [{ strong: capitalised(words) }, `: ${titleOf(proposal)}${whose === undefined ? '' : ` (${whose})`}`],
    blocks: [
      line(...proposalTimes(row, now)),
      ...(over ? await sinceResult(row, analytics) : []),
      figuresOf([
        [over ? 'Final pass edge' : 'Pass edge', percent(whole.passEdge)],
        ['needs', percent(whole.threshold)],
        last?.classification === undefined ? undefined : ['result', last.classification],
      ]),
      figuresOf([
        ['Volume', usd(row.volume)],
        ['trades', number(row.trades)],
        ['traders', number(row.traders)],
        ['stake', row.staked === undefined ? UNKNOWN : `${amount(row.staked)} of ${amount(row.stakeNeeded)}`],
      ]),
      line('Public key ', { code: publicKey }),
    ],
    ...ages(end?.answer),
  };
};

const status: ProposalView = async ({ analytics, proposal, now, signal }) => {
  const answer = await analytics.call(proposalStatus, { publicKey: proposal.publicKey }, { signal });
  const known = Object.fromEntries(Object.entries(answer.data).filter(([, value]) => value !== undefined));
  const row = { ...proposal.row, ...known };
  const { tone, text: words } = passState(row);
  const ratio = row.staked === undefined || row.stakeNeeded === undefined ? undefined : divide(row.staked, row.stakeNeeded);
  const stations: readonly (readonly [ahead: string, past: string, at: Instant | undefined])[] = [
    ['Created', 'Created', row.createdAt],
    ['Trading starts', 'Trading started', row.startsAt],
    ['TWAP window opens', 'TWAP window opened', row.twapStartsAt],
    ['Ends', 'Ended', row.endsAt],
  ];
  return {
    tone,
    finding: [{ strong: capitalised(words) }, `: ${titleOf({ ...proposal, row })}`],
    blocks: [
      figuresOf([
        ['Staked', amount(row.staked)],
        ['needed', amount(row.stakeNeeded)],
        ratio === undefined ? undefined : ['progress', portion(multiply(ratio, decimal('100')))],
      ]),
      {
        kind: 'list',
        items: stations.map(([ahead, past, at]): { tone: Tone; line: Line } => ({
          tone: at === undefined ? 'plain' : at <= now ? 'over' : 'live',
          line: [`${at !== undefined && at <= now ? past : ahead} `, at === undefined ? 'n/a' : { at }],
        })),
      },
    ],
    ...ages(answer),
  };
};

const VIEWS = {
  summary,
  status,
  market,
  price,
  threshold,
  flow,
  strength,
  traders,
  frequency,
  orders,
  conviction,
  against,
  'orders-csv': ordersFile,
  'traders-csv': tradersFile,
  'volume-csv': volumeFile,
} satisfies Record<string, ProposalView>;

const BUTTONS = [
  ['summary', 'Summary'],
  ['price', 'Price'],
  ['threshold', 'Threshold'],
  ['market', 'Market'],
  ['flow', 'Flow'],
  ['conviction', 'Conviction'],
  ['strength', 'Strength'],
  ['traders', 'Traders'],
  ['frequency', 'Frequency'],
  ['orders', 'Orders'],
  ['status', 'Status'],
  ['against', 'Compare'],
] as const satisfies readonly (readonly [keyof typeof VIEWS, string])[];
const NAMES = [...BUTTONS.map(([name]) => name), 'orders-csv', 'traders-csv', 'volume-csv'] as const;

export default defineCommand({
  name: 'proposal',
  summary: 'One proposal: passing or failing, prices, traders, orders',
  args: z.object({
    project: textOption('project or public key').meta({ complete: 'proposal' }),
    view: z.enum(NAMES).optional().describe('what to show'),
    interval: z.enum(INTERVALS).optional().describe('interval of threshold and flow'),
    page: formOption(PAGE_NUMBER, 'a page number, from 1'),
    words: textOption('words in the title').meta({ rest: true, anyWords: true }),
  }),
  examples: [
    '/proposal tide fund the second audit',
    '/proposal tide price',
    '/proposal 7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd threshold 4h',
  ],
  phrases: {
    '/proposal {project}': `/odds {project} | /vote {project} odds | is the proposal of {project} passing | is {project} prop passing | odds on the
      {project} vote | odds {project} | chances of the {project} proposal | current proposal of {project} | who is winning the
      {project} vote | which side is winning in the {project} vote | pass or fail {project} | will it pass as things stand {project} |
      {project} live proposal | the live market of {project} | is the vote of {project} going to pass at the moment | how is the
      {project} vote going | {project} decision market | current odds for {project} | likely outcome of the {project} proposal right
      now | does the {project} proposal pass or fail`,
    '/proposal {project} status': `when does the {project} vote end | when does voting end for {project} | {project} proposal deadline | how long is the {project}
      vote still open | end of the {project} proposal | time left on the {project} proposal | when finishes the vote of {project} |
      when is the {project} proposal decided | countdown {project} vote | status of the {project} proposal`,
    '/proposal {project} price {interval?}': `pass and fail price of {project} proposal | {project} conditional prices | chart of the {project} proposal prices | pass fail
      prices {project} | what happens with the price of {project} if the vote goes through | what is {project} worth if it passes |
      prices of the pass and fail market of {project} | conditional price if the {project} proposal fails`,
    '/proposal {project} threshold {interval?}': `how close is the {project} proposal to passing | pass threshold of {project} proposal | twap gap of {project} proposal |
      {project} twap 4h | threshold of the {project} proposal | margin of the {project} vote | pass edge of {project} proposal | pass
      fail twap gap on {project} 4h | distance to the threshold {project} proposal | how far is the {project} proposal from passing |
      how close is the vote at {project}`,
    '/proposal {project} market': `order book of {project} proposal | orderbook {project} prop | liquidity of the {project} proposal market | depth of the
      {project} decision market | spread in the {project} proposal market`,
    '/proposal {project} flow {interval?}': `order flow of the {project} proposal | orderflow {project} prop hourly | buy and sell flow in the {project} proposal | proposal
      flow {project} 4h | net flow pass and fail {project}`,
    '/proposal {project} traders': `who trades on the {project} proposal | traders of the {project} proposal | who is buying pass on {project} | who is betting on
      the {project} vote | biggest traders in the {project} proposal | who trades on the current proposal of {project} | who voted on
      the {project} proposal | how many traders does the {project} proposal have`,
    '/proposal {project} against': `who is against the {project} proposal | who is shorting the {project} prop | who bets on fail in {project} | who trades against
      the {project} proposal | opponents of the {project} vote`,
    '/proposal {project} conviction': `conviction in the {project} proposal | how convinced are traders of {project} proposal | which traders have conviction on the
      {project} vote`,
    '/proposal {project} orders {page?}': `orders in the {project} proposal | order list of the {project} proposal | orders of the market of the proposal from {project} |
      last orders on {project} prop | fills of the {project} proposal | latest trades of the {project} proposal`,
    '/proposal {project} orders-csv': `export the orders of the {project} proposal | orders csv of {project} proposal | download orders of the {project} proposal`,
    '/proposal {project} traders-csv': `traders of the {project} proposal as a csv | export the traders of the {project} proposal`,
    '/proposal {project} volume-csv': `volume of the {project} proposal as csv | export the volume of the {project} proposal | download the volume of the {project} market`,
    '/proposal {project} {words}': `{project} audit proposal | the {project} proposal about marketing | did the {project} proposal about the website pass | that
      {project} audit prop | the audit one for {project} | find the treasury swap proposal of {project} | how is the {project}
      proposal on buybacks going | {project} grants proposal | the hiring vote of {project}`,
    '/proposal {key}': `{key} | proposal {key} | show {key} | is {key} passing | open {key} | status of {key} | odds on {key} | how is {key} going |
      show me proposal {key} | can you open this for me {key}`,
    '/proposal {key} traders': `who trades {key} | who is buying pass on {key} | traders of {key} | who is betting on {key} and with how much | which persons
      trade at the proposal {key}`,
    '/proposal {key} price': `pass and fail prices of {key} | price chart of {key} | conditional prices of proposal {key}`,
    '/proposal {key} threshold {interval?}': `how close is {key} to passing | twap gap on {key} | threshold of {key} 4h | margin of {key}`,
    '/proposal {key} flow {interval?}': `order flow of {key} | buy and sell flow {key} 1h`,
    '/proposal {key} orders {page?}': `orders of {key} | order list of {key} | fills on {key}`,
    '/proposal {key} orders-csv': `dump the orders csv for {key} | export orders of proposal {key} in a csv file | orders of {key} as csv`,
    '/proposal {key} traders-csv': `traders csv for {key} | export the traders of {key}`,
    '/proposal {key} volume-csv': `volume csv of {key} | export the volume of {key}`,
    '/proposal {key} status': `when does {key} end | deadline of {key} | time left on {key}`,
    '/proposal {key} market': `order book of {key} | liquidity of {key} | depth of {key}`,
    '/proposal {key} against': `who is against {key} | who shorts {key} | who bets on fail in {key}`,
    '/proposal {key} conviction': `conviction on {key} | how convinced are traders of {key}`,
  },

  async run({ project, words, view: requested, interval, page }, { analytics, directory, links, watchlists, chat, now, zone, signal }) {
    const taken = [requested, interval, page].filter((word) => word !== undefined);
    const { seen, ...found } = await findProposal(
      { project, words, taken, view: requested ?? 'summary' },
      { analytics, directory, now, signal },
    );
    const view = found.tookAll ? 'summary' : (requested ?? 'summary');
    const { publicKey, row } = found;
    const isLive = phaseOf(row) === 'live';
    const shown = await VIEWS[view]({
      analytics: isLive ? analytics : undated(analytics),
      proposal: found,
      interval: interval ?? '1h',
      page: Number(page ?? '1'),
      now,
      zone,
      signal,
      labels: labelsOf(watchlists.read(chat)),
    });
    const first = ages(isLive || seen === undefined ? seen : { ...seen, dataAt: undefined });
    const asOf = [shown.asOf, first.asOf].filter((at) => at !== undefined);
    const stale = shown.stale ?? first.stale;
    const pages = links([{ to: 'proposal', publicKey, slug: row.slug }]);
    return reply({
      ...shown,
      ...(row.title === undefined ? {} : { subject: omitUndefined({ name: row.title, url: pages[0]?.url }) }),
      ...(asOf.length === 0 ? {} : { asOf: Math.min(...asOf) }),
      stale,
      links: pages,
      actions: [
        ...(shown.actions ?? []),
        ...BUTTONS.map(([name, label]) => ({ label, line: commandLine('proposal', publicKey, name), on: name === view })),
        ...followActions({ publicKey, row }, watchlists.read(chat)),
        ...(row.slug === undefined ? [] : [{ label: 'All proposals', line: commandLine('proposals', row.slug) }]),
      ],
    });
  },
});
