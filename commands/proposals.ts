/** /proposals [project] [view] [page]: decision markets. */
import { z } from 'zod';
import { liveMarkets } from '../src/analytics/endpoints/dashboard.js';
import { proposalComparables } from '../src/analytics/endpoints/proposals-analytics.js';
import { proposalOutcomes, proposals, type ProposalRow } from '../src/analytics/endpoints/proposals.js';
import { reply, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import {
  PAGE_SIZE,
  UserError,
  ages,
  brokenRows,
  choiceActions,
  choices,
  commandActions,
  commandLine,
  counted,
  emptyPage,
  figuresOf,
  latestPage,
  listPage,
  pageActions,
  pageOption,
  pageText,
  projectOption,
  proposalItem,
  servicePage,
} from '../src/reply/index.js';
import { capitalised } from '../src/base/sentence-lists.js';
import { projectOrTitles, titled, titledIn } from '../src/dispatch/titled-proposals.js';
import type { Project } from '../src/domain/project.js';
import { phaseOf } from '../src/domain/market-phase.js';
import type { Instant } from '../src/domain/scalars.js';

const VIEWS = ['list', 'outcomes', 'comparables'] as const;

const MAX_BUTTONS = 4;

export default defineCommand({
  name: 'proposals',
  summary: 'Proposals of a project, or all live ones',
  args: z.object({
    project: projectOption.optional().describe('project (default: live proposals everywhere)').meta({ complete: 'project' }),
    view: z.enum(VIEWS).default('list').describe('the list, pass and fail counts, or comparable proposals'),
    page: pageOption,
    words: z.string().trim().min(1).optional().describe('words in the title').meta({ rest: true, anyWords: true }),
  }),
  examples: [
    '/proposals',
    '/proposals tide',
    '/proposals tide outcomes',
    '/proposals tide list 2',
    '/proposals tide comparables',
    '/proposals words:audit',
  ],

  async run({ project: text, view, page, words }, context) {
    if (text === undefined && words !== undefined) return titled(words, context);
    if (text === undefined) {
      if (view === 'list') return live(context, page);
      throw new UserError('Add a project, like /proposals tide outcomes.', { usage: 'proposals' });
    }
    const project = await projectOrTitles([text, words].filter((part) => part !== undefined).join(' '), text, context);
    if ('finding' in project) return project;
    if (words !== undefined) return titledIn(project, words, context);
    if (view === 'list') return ofProject(project, context, page);
    return view === 'outcomes' ? outcomes(project, context) : comparables(project, context, page);
  },
});

const isLive = (row: Parameters<typeof phaseOf>[0]): boolean => phaseOf(row) === 'live';

const liveFirst = (rows: readonly ProposalRow[]): readonly ProposalRow[] =>
  rows.toSorted((a, b) => Number(isLive(b)) - Number(isLive(a)) || (a.endsAt ?? Infinity) - (b.endsAt ?? Infinity));

const closer = (rows: readonly ProposalRow[], now: Instant) => choices(rows, { view: 'summary', now }).slice(0, MAX_BUTTONS);

async function live({ analytics, signal, now }: Context, page: number): Promise<Reply> {
  const read = servicePage(await analytics.call(liveMarkets, { limit: PAGE_SIZE, page }, { signal }), page);
  const rows = liveFirst(read.rows);
  const trading = rows.filter(isLive).length;
  const notTrading = rows.length - trading;
  return reply(
    listPage(read, {
      found: (where) => [{ strong: counted(trading, 'live proposal') }, notTrading === 0 ? '' : `, ${notTrading} not live`, where],
      none: 'No live proposals right now',
      blocks: [{ kind: 'list', items: rows.map((row) => proposalItem(row, { now, named: true })) }],
      to: (other) => commandLine('proposals', 'list', String(other)),
      actions: (pages) => [...closer(rows, now), ...pages, { label: 'Watch all', line: '/watch all' }],
    }),
  );
}

async function ofProject({ slug, name }: Project, { analytics, signal, now }: Context, page: number): Promise<Reply> {
  const read = await latestPage({
    ask: async (number) => analytics.call(proposals, { slug, limit: PAGE_SIZE, page: number }, { signal }),
    page,
    at: (row) => row.createdAt ?? row.startsAt ?? row.endsAt,
  });
  const { rows, paging } = read;
  const trading = rows.filter(isLive).length;
  const total = paging.total ?? rows.length;
  return reply(
    listPage(read, {
      found: (where) => [
        { strong: `${name}: ${trading === 0 || where !== '' ? counted(total, 'proposal') : `${trading} live`}` },
        where !== '' ? where : trading === 0 ? ', none live' : `, ${total} in total`,
        where === '' || trading === 0 ? '' : `: ${trading} live`,
      ],
      namesLast: false,
      of: name,
      none: `${name} has no proposals`,
      blocks: [{ kind: 'list', items: rows.map((row) => proposalItem(row, { now, named: false })) }],
      to: (other) => commandLine('proposals', slug, 'list', String(other)),
      actions: (pages) => [
        ...closer([...rows.filter(isLive), ...rows.filter((row) => !isLive(row))], now),
        ...choiceActions(VIEWS, 'list', (other) => commandLine('proposals', slug, other, '1')),
        ...pages,
        ...commandActions(slug, 'trading', 'watch'),
      ],
    }),
  );
}

async function outcomes({ slug, name }: Project, { analytics, signal }: Context): Promise<Reply> {
  const answer = await analytics.call(proposalOutcomes, { slug }, { signal });
  return reply({
    finding: [{ strong: answer.data.length === 0 ? `${name}: no outcomes yet` : `${name}: proposals by outcome` }],
    blocks: [figuresOf(answer.data.map(({ word, count }) => [capitalised(word), String(count)]))],
    actions: [
      ...choiceActions(VIEWS, 'outcomes', (other) => commandLine('proposals', slug, other, '1')),
      { label: 'Watch', line: commandLine('watch', slug) },
    ],
    ...ages(answer),
  });
}

async function comparables({ slug, name }: Project, { analytics, signal, now }: Context, page: number): Promise<Reply> {
  const answer = await analytics.call(proposalComparables, { slug }, { signal });
  const { rows, broken } = answer.data;
  const shown = rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const paging = { page, rows: shown.length, total: rows.length };
  const where = pageText(paging);
  return reply({
    finding: [
      {
        strong:
          rows.length === 0
            ? emptyPage({ page: 1, rows: broken, total: 0 }, { of: name, none: `${name} has no comparable proposals yet` })
            : `${name}: ${counted(rows.length, 'comparable proposal')}`,
      },
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [{ kind: 'list', items: shown.map((row) => proposalItem(row, { now, named: false })) }, ...brokenRows(broken)],
    actions: [
      ...choices(shown, { view: 'against', now }).slice(0, MAX_BUTTONS),
      ...choiceActions(VIEWS, 'comparables', (other) => commandLine('proposals', slug, other, '1')),
      ...pageActions({ ...paging, to: (other) => commandLine('proposals', slug, 'comparables', String(other)) }),
    ],
    ...ages(answer),
  });
}
