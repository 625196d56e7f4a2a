/** /trading <project> [view] [page]: trades on decision markets. */
import { z } from 'zod';
import { tradingActivities, tradingStatistics } from '../src/analytics/endpoints/trading.js';
import { reply, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import {
  PAGE_SIZE,
  ages,
  choiceActions,
  choices,
  commandLine,
  counted,
  countedRows,
  figuresOf,
  labelledFigures,
  latestPage,
  line,
  listPage,
  orderTable,
  pageOption,
  projectOption,
} from '../src/reply/index.js';
import type { Project } from '../src/domain/project.js';
import { exact, usd } from '../src/domain/format.js';
import { decimal } from '../src/domain/scalars.js';

const VIEWS = ['statistics', 'trades'] as const;

export default defineCommand({
  name: 'trading',
  summary: "Trading on a project's decision markets",
  args: z.object({
    project: projectOption,
    view: z.enum(VIEWS).default('statistics').describe('statistics or trades'),
    page: pageOption,
  }),
  examples: ['/trading tide', '/trading tide trades', '/trading "Heron Flats" trades 2'],
  phrases: {
    '/trading {project}': `trading statistics of {project} | {project} market trading stats | how much is traded on {project} decision markets | trading on
      {project} markets | decision market volume of {project} | do many people take part in the decision markets of {project} |
      statistics of trading for the proposals of {project} | {project} market activity | traders on {project} markets | how active are
      the decision markets of {project}`,
    '/trading {project} trades {page?}': `trades on the {project} decision markets | last trades of {project} markets | last fills on {project} decision markets | recent
      trades in {project} markets | {project} market trades | latest trades people made on {project} votes | who traded on {project}
      markets lately`,
  },

  async run({ project: text, view, page }, context) {
    const project = await context.directory.find(text, context.signal);
    return view === 'statistics' ? statistics(project, context) : trades(project, context, page);
  },
});

const views = ({ slug }: Project, current: (typeof VIEWS)[number]) => [
  ...choiceActions(VIEWS, current, (other) => commandLine('trading', slug, other)),
  { label: 'Proposals', line: commandLine('proposals', slug) },
];

async function statistics(project: Project, { analytics, signal }: Context): Promise<Reply> {
  const answer = await analytics.call(tradingStatistics, { daoSlug: project.slug }, { signal });
  const { volume, trades: count, traders, proposals, live, average, lastTradeAt, all } = answer.data;
  const known = [volume, count, traders, proposals].some((value) => value !== undefined);
  const number = (value: number | undefined): string => exact(value === undefined ? undefined : decimal(value));
  return reply({
    finding: [
      { strong: `${project.name}: ${usd(volume)} traded on its decision markets` },
      count === undefined ? '' : ` in ${counted(count, 'trade')}`,
    ],
    blocks: [
      known
        ? figuresOf([
            ['Trades', number(count)],
            ['traders', number(traders)],
            ['proposals', number(proposals)],
            live === undefined ? undefined : ['live', number(live)],
            ['average trade', usd(average)],
          ])
        : labelledFigures(all),
      ...(lastTradeAt === undefined ? [] : [line('Last trade ', { at: lastTradeAt })]),
    ],
    actions: views(project, 'statistics'),
    ...ages(answer),
  });
}

async function trades(project: Project, { analytics, signal, now, zone }: Context, page: number): Promise<Reply> {
  const read = await latestPage({
    ask: async (number) => analytics.call(tradingActivities, { daoSlug: project.slug, limit: PAGE_SIZE, page: number }, { signal }),
    page,
    at: (row) => row.at,
  });
  const markets = [...new Map(read.rows.map((row) => [row.publicKey, row])).values()];
  return reply(
    listPage(read, {
      found: (where) => [{ strong: `${project.name}: ${countedRows(read, 'decision-market trade')}` }, where],
      of: project.name,
      none: `${project.name}: no decision-market trades yet`,
      blocks: [orderTable(read.rows, { now, zone, titled: true })],
      to: (other) => commandLine('trading', project.slug, 'trades', String(other)),
      actions: (pages) => [
        ...pages,
        ...choices(
          markets.map(({ publicKey, title }) => ({ publicKey, title })),
          { view: 'summary', now },
        ).slice(0, 3),
        ...views(project, 'trades'),
      ],
    }),
  );
}
