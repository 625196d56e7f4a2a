/** /markets [view] [page]: decision markets. */
import { z } from 'zod';
import { allMarkets, liveMarkets, marketTotals, projects, type ProjectRow } from '../src/analytics/endpoints/dashboard.js';
import type { ProposalRow } from '../src/analytics/endpoints/proposals.js';
import { reply, type BlockDraft, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import {
  PAGE_SIZE,
  ages,
  choiceActions,
  commandLine,
  counted,
  countedRows,
  figuresOf,
  listPage,
  pageOption,
  proposalItem,
  right,
  rowAge,
  servicePage,
  tableOf,
} from '../src/reply/index.js';
import { amount, usd } from '../src/domain/format.js';
import { phaseOf } from '../src/domain/market-phase.js';
import { decimal, type Instant } from '../src/domain/scalars.js';

const VIEWS = ['live', 'all', 'projects', 'totals'] as const;
type MarketListName = (typeof VIEWS)[number];
const MAX_BUTTONS = 3;
const MAX_LABEL_LENGTH = 32;

export default defineCommand({
  name: 'markets',
  summary: 'Decision markets: live, all, by project, totals',
  args: z.object({
    view: z
      .enum(VIEWS)
      .default('live')
      .describe('what to show')
      .meta({ otherwise: 'For the markets of one project write /proposals and its name.' }),
    page: pageOption,
  }),
  examples: ['/markets', '/markets all 2', '/markets projects', '/markets totals'],
  phrases: {
    '/markets {page?}': `live markets | decision markets | which markets are live | show decision markets | live decision markets | markets live now |
      which decision markets are open | active markets | current markets | all live futarchy markets`,
    '/markets all {page?}': `all decision markets | all markets | show all decision markets old ones too | list of every market | past decision markets |
      every decision market so far | all markets ever`,
    '/markets projects': `markets by project | which project has the most markets | which project has most market action | decision markets by project |
      most active project in decision markets | which project trades the most on markets | market activity per project | project with
      most proposals traded`,
    '/markets totals': `total volume of decision markets | decision market totals | how much was traded on votes in total | totals of all decision
      markets | how many volume made all the decision markets | overall decision market volume | all-time decision market volume | how
      many decision markets have there been | market volume in total over all projects`,
  },

  async run({ view, page }, context) {
    if (view === 'totals') return totals(context);
    return view === 'projects' ? byProject(context, page) : listed(context, view, page);
  },
});

const tabs = (view: MarketListName) => choiceActions(VIEWS, view, (other) => commandLine('markets', other, '1'));
const isLive = (row: ProposalRow): boolean => phaseOf(row) === 'live';

async function listed({ analytics, signal, now }: Context, view: 'live' | 'all', page: number): Promise<Reply> {
  const answer = await analytics.call(view === 'live' ? liveMarkets : allMarkets, { limit: PAGE_SIZE, page }, { signal });
  const read = servicePage(answer, page);
  const { rows } = read;
  const trading = rows.filter(isLive).length;
  const sorted =
    view === 'live'
      ? rows.toSorted((a, b) => Number(isLive(b)) - Number(isLive(a)) || (a.endsAt ?? Infinity) - (b.endsAt ?? Infinity))
      : rows;
  return reply(
    listPage(read, {
      found: (where) => [
        { strong: view === 'live' ? counted(trading, 'live proposal') : countedRows(read, 'decision market') },
        view === 'live' && rows.length > trading ? `, ${rows.length - trading} not live` : '',
        where,
      ],
      namesLast: false,
      none: view === 'live' ? 'No live proposals right now' : 'No proposals yet',
      blocks: [{ kind: 'list', items: sorted.map((row) => proposalItem(row, { now, named: true })) }],
      to: (other) => commandLine('markets', view, String(other)),
      actions: (pages) => [
        ...tabs(view),
        ...pages,
        ...sorted
          .filter(({ publicKey }) => publicKey !== undefined)
          .slice(0, MAX_BUTTONS)
          .map(({ publicKey, title }) => ({
            label: (title ?? 'Proposal').slice(0, MAX_LABEL_LENGTH),
            line: commandLine('proposal', publicKey),
          })),
      ],
    }),
  );
}

async function byProject({ analytics, signal, now }: Context, page: number): Promise<Reply> {
  const read = servicePage(await analytics.call(projects, { limit: PAGE_SIZE, page }, { signal }), page);
  const { rows } = read;
  const live = rows.filter(({ liveProposals }) => (liveProposals ?? 0) > 0).length;
  return reply(
    listPage(read, {
      found: (where) => [{ strong: countedRows(read, 'project') }, `${where === '' ? ',' : `${where}:`} ${live} with live proposals`],
      namesLast: false,
      none: 'No projects yet',
      blocks: [activity(rows, now)],
      to: (other) => commandLine('markets', 'projects', String(other)),
      actions: (pages) => [
        ...tabs('projects'),
        ...pages,
        ...rows
          .filter(({ slug, liveProposals }) => slug !== undefined && (liveProposals ?? 0) > 0)
          .slice(0, MAX_BUTTONS)
          .map(({ slug, name }) => ({ label: name ?? slug ?? '', line: commandLine('proposals', slug) })),
      ],
    }),
  );
}

const number = (value: number | undefined): string => (value === undefined ? 'n/a' : amount(decimal(value)));

const activity = (rows: readonly ProjectRow[], now: Instant): BlockDraft =>
  tableOf(
    ['Project', right('Proposals'), right('Live'), right('Volume')],
    rows.map((row) => [
      `${row.name ?? row.slug ?? 'unnamed'}${rowAge(row, now)}`,
      number(row.proposals),
      number(row.liveProposals),
      usd(row.volume),
    ]),
  );

async function totals({ analytics, signal }: Context): Promise<Reply> {
  const answer = await analytics.call(marketTotals, {}, { signal });
  const { proposals, live, trades, traders, volume, all } = answer.data;
  const named = [proposals, live, trades, traders, volume].some((value) => value !== undefined);
  return reply({
    finding: [
      { strong: volume === undefined ? 'Decision market totals' : `${usd(volume)} traded on decision markets` },
      proposals === undefined ? '' : `: ${counted(proposals, 'market')}, ${number(live)} live`,
    ],
    blocks: [
      figuresOf(
        named
          ? [
              ['Markets', number(proposals)],
              ['live', number(live)],
              ['trades', number(trades)],
              ['traders', number(traders)],
              ['volume', usd(volume)],
            ]
          : all.map(({ label, value }) => [label, amount(value)]),
      ),
    ],
    actions: [...tabs('totals'), { label: 'Overview', line: '/overview' }],
    ...ages(answer),
  });
}
