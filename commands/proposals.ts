/** /proposals [project] [view] [page]: decision markets. */
import { z } from 'zod';
import { liveMarkets } from '../src/analytics/endpoints/dashboard.js';
import { proposalComparables } from '../src/analytics/endpoints/proposals-analytics.js';
import { EMPTY_PROPOSAL, proposalIdentity, proposalOutcomes, proposals, type ProposalRow } from '../src/analytics/endpoints/proposals.js';
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
  line,
  listPage,
  matching,
  onPage,
  optionalProject,
  pageActions,
  pageOption,
  pageText,
  proposalItem,
  servicePage,
  textOption,
  liveHitsFirst,
  stated,
  titledAnywhere,
} from '../src/reply/index.js';
import { capitalised } from '../src/base/sentence-lists.js';
import type { Project } from '../src/domain/project.js';
import { isPassing, marginOf, phaseOf } from '../src/domain/market-phase.js';
import type { Instant } from '../src/domain/scalars.js';
import { UnknownProjectError } from '../src/analytics/directory.js';
import { brief } from '../src/base/one-line.js';
import { shortKey } from '../src/domain/wallet.js';

const VIEWS = ['list', 'outcomes', 'comparables'] as const;
/** Which side of its pass threshold a live market is on. */
const SIDES = ['passing', 'failing'] as const;

const MAX_BUTTONS = 4;

export default defineCommand({
  name: 'proposals',
  summary: 'Proposals of a project, or all live ones',
  args: z.object({
    project: optionalProject('project (default: live proposals everywhere)'),
    view: z
      .enum([...VIEWS, ...SIDES])
      .default('list')
      .describe('the list, pass and fail counts, comparable ones, or only what is passing or failing now'),
    page: pageOption,
    words: textOption('words in the title').meta({ rest: true, anyWords: true }),
  }),
  examples: [
    '/proposals',
    '/proposals tide',
    '/proposals tide outcomes',
    '/proposals tide list 2',
    '/proposals tide comparables',
    '/proposals failing',
    '/proposals words:audit',
  ],
  phrases: {
    '/proposals {side?}': `live proposals | proposals | live votes | any votes live | what can I vote on | anything to vote on | which proposals are live |
      open proposals | current votes | what is being voted on right now | active proposals | any proposals running | governance today
      | which proposals are open in this moment | what is up for a vote | proposals everywhere | votes | live props | which votes end
      soon | ongoing votes | what is on the ballot | which proposals are passing right now |
      not passing proposals | failing proposals | which proposals are failing | proposals that are not passing | votes that are failing now |
      which votes are losing | proposals about to fail | who is winning | who's winning right now | which side is winning | what is winning`,
    '/proposals {project} {page?}': `proposals of {project} | {project} proposals | {project} props | votes of {project} | what is {project} voting on | past
      proposals of {project} | what did {project} decide in the past | {project} votes | governance of {project} | who decides at
      {project} | what are people at {project} voting about at the moment | old proposals from {project} page 2 | any vote at
      {project} | does {project} have a vote | latest proposals {project} | list all proposals of {project} | {project} governance |
      any live proposals for {project} | proposal history of {project} | what has {project} voted on`,
    '/proposals {project} outcomes': `how many proposals of {project} passed | pass fail count of {project} | {project} outcomes | how many proposals did {project}
      accept and refuse | governance track record of {project} | pass rate of {project} proposals | how many of {project} proposals
      were accepted and how many rejected | success rate of {project} proposals | share of {project} proposals that passed | rejected
      vs accepted {project}`,
    '/proposals {project} comparables': `proposals similar to {project} | comparable proposals {project} | similar props to {project} | were there similar proposals like
      this one from {project} | comparables for the {project} proposal`,
    '/proposals words:{words}': `proposals about audits | find the proposals about an audit | search for me the proposal about buybacks | which proposals mention
      marketing | proposals about hiring | proposal on liquidity | where do I find the vote that pays for an audit`,
  },

  async run({ project: text, view, page, words }, context) {
    if (text === undefined && words !== undefined) return titled(words, context);
    if (text === undefined) {
      if (view === 'list') return live(context, page);
      if (isSide(view)) return onSide({ side: view, page }, context);
      throw new UserError('Add a project, like /proposals tide outcomes.', { usage: 'proposals' });
    }
    const project = await projectOrTitles([text, words].filter((part) => part !== undefined).join(' '), text, context);
    if ('finding' in project) return project;
    if (words !== undefined) return titledIn(project, words, context);
    if (view === 'list') return ofProject(project, context, page);
    if (isSide(view)) return onSide({ side: view, page, project }, context);
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
      actions: (pages) => [
        ...closer(rows, now),
        ...choiceActions(SIDES, 'list', (other) => commandLine('proposals', other)),
        ...pages,
        { label: 'Watch all', line: '/watch all' },
      ],
    }),
  );
}

type Side = (typeof SIDES)[number];

const isSide = (view: string): view is Side => SIDES.some((side) => side === view);

interface SideRequest {
  readonly side: Side;
  readonly page: number;
  readonly project?: Project | undefined;
}

/** Lists the live markets on one side of their pass threshold. A market without a margin yet is on neither. */
async function onSide({ side, page, project }: SideRequest, { analytics, signal, now }: Context): Promise<Reply> {
  const read = await analytics.walk(liveMarkets, {}, proposalIdentity, { signal });
  const trading = liveFirst(read.rows.filter((row) => isLive(row) && (project === undefined || row.slug === project.slug)));
  const sides = trading.map((row) => ({ row, side: sideOf(row) }));
  const rows = sides.flatMap((one) => (one.side === side ? [one.row] : []));
  const undecided = sides.filter((one) => one.side === undefined).length;
  const shown = onPage(rows, page);
  const paging = { page, rows: shown.length, total: rows.length };
  const where = pageText(paging);
  const to = (view: string, other = 1): string => commandLine('proposals', project?.slug, view, String(other));
  return reply({
    finding: [
      {
        strong: `${project === undefined ? '' : `${project.name}: `}${rows.length} of ${counted(trading.length, 'live proposal')} ${side}`,
      },
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [
      { kind: 'list', items: shown.map((row) => proposalItem(row, { now, named: project === undefined })) },
      ...(undecided === 0 ? [] : [line(`${counted(undecided, 'live proposal')} without a margin yet: /proposals lists all.`)]),
      ...brokenRows(read.broken),
    ],
    actions: [
      ...closer(shown, now),
      ...choiceActions(SIDES, side, (other) => to(other)),
      ...pageActions({ ...paging, to: (other) => to(side, other) }),
      { label: 'All live', line: commandLine('proposals', project?.slug) },
    ],
    ...ages(read),
  });
}

function sideOf(row: ProposalRow): Side | undefined {
  const margin = marginOf(row);
  return margin === undefined ? undefined : isPassing(margin) ? 'passing' : 'failing';
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
  const shown = onPage(rows, page);
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

/** Resolves with the project, or with a reply that lists titles with these words. */
async function projectOrTitles(title: string, text: string, context: Context): Promise<Project | Reply> {
  try {
    return await context.directory.find(text, context.signal);
  } catch (error) {
    if (!(error instanceof UnknownProjectError) || error.several) throw error;
    const rows = await titledAnywhere(title, context);
    if (rows.length === 0) throw error;
    return titledPage(await stated(await liveHitsFirst(rows, context), context), title, context.now);
  }
}

async function titled(words: string, context: Context): Promise<Reply> {
  return titledPage(await stated(await liveHitsFirst(await titledAnywhere(words, context), context), context), words, context.now);
}

async function titledIn({ slug, name }: Project, words: string, { analytics, signal, now }: Context): Promise<Reply> {
  const { rows } = await analytics.walk(proposals, { slug }, proposalIdentity, { signal });
  return titledPage(matching(rows, words), words, now, { name, slug });
}

function titledPage(found: readonly Partial<ProposalRow>[], words: string, now: Instant, project?: Pick<Project, 'name' | 'slug'>): Reply {
  const rows = found.map((row): ProposalRow => ({ ...EMPTY_PROPOSAL, ...row })).slice(0, PAGE_SIZE);
  const whose = project === undefined ? '' : ` of ${project.name}`;
  return reply({
    finding: [
      {
        strong: `${found.length === 0 ? 'No proposals' : counted(found.length, 'proposal')}${whose} ${found.length === 1 ? 'matches' : 'match'} "${brief(words)}"`,
      },
      found.length > rows.length ? `, showing ${rows.length}` : '',
    ],
    blocks: [
      {
        kind: 'list',
        items: rows.map((row) => (hasState(row) ? proposalItem(row, { now, named: project === undefined }) : titleItem(row))),
      },
    ],
    actions: [
      ...choices(rows, { view: 'summary', now }).slice(0, MAX_BUTTONS),
      project === undefined
        ? { label: 'Live proposals', line: '/proposals' }
        : { label: 'All proposals', line: commandLine('proposals', project.slug) },
    ],
  });
}

const hasState = (row: ProposalRow): boolean => phaseOf(row) !== undefined;

const titleItem = ({ title, publicKey, projectName, slug }: ProposalRow) => ({
  line: [
    { strong: title ?? publicKey ?? 'Untitled' },
    ` (${projectName ?? slug ?? 'unknown project'})${title === undefined || publicKey === undefined ? '' : ` ${shortKey(publicKey)}`}`,
  ],
});
