/** /proposals [project] [view] [page]: a project's decision markets, or those that are live anywhere. */
import { z } from 'zod';
import { liveMarkets } from '../src/analytics/endpoints/dashboard.js';
import { proposalOutcomes, proposals, type ProposalRow } from '../src/analytics/endpoints/proposals.js';
import { reply, type Reply } from '../src/chat/reply.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { lineOf } from '../src/dispatch/line.js';
import { UserMistake } from '../src/dispatch/mistake.js';
import {
  ages,
  brokenRows,
  choiceActions,
  counted,
  PAGE_SIZE,
  pageActions,
  pageOption,
  pageText,
  projectOption,
} from '../src/dispatch/parts.js';
import { proposalItem } from '../src/dispatch/proposal-items.js';
import type { Project } from '../src/domain/project.js';
import { phaseOf } from '../src/domain/phase.js';

const VIEWS = ['list', 'outcomes'] as const;

export default defineCommand({
  name: 'proposals',
  summary: 'Decision markets of a project, or all that are live',
  args: z.object({
    project: projectOption.optional().describe('a project; without one, what is live anywhere').meta({ complete: 'project' }),
    view: z.enum(VIEWS).default('list').describe('the proposals, or how many passed and failed'),
    page: pageOption,
  }),
  examples: ['/proposals', '/proposals tide', '/proposals tide outcomes', '/proposals tide list 2'],

  async run({ project: text, view, page }, context) {
    if (text === undefined) {
      if (view === 'list') return live(context, page);
      throw new UserMistake('Outcomes are counted for one project. Name it as well.', { usage: 'proposals' });
    }
    const project = await context.directory.find(text, context.signal);
    return view === 'list' ? ofProject(project, context, page) : outcomes(project, context);
  },
});

const isLive = (row: Parameters<typeof phaseOf>[0]): boolean => phaseOf(row) === 'live';

/** Live ones first, and among them the one that ends soonest. */
const liveFirst = (rows: readonly ProposalRow[]): readonly ProposalRow[] =>
  rows.toSorted((a, b) => Number(isLive(b)) - Number(isLive(a)) || (a.endsAt ?? Infinity) - (b.endsAt ?? Infinity));

async function live({ analytics, signal, now }: Context, page: number): Promise<Reply> {
  const answer = await analytics.call(liveMarkets, { limit: PAGE_SIZE, page }, { signal });
  const { rows, broken } = answer.data;
  const paging = { page, rows: rows.length + broken, total: answer.meta.totalItems };
  const where = pageText(paging);
  const trading = rows.filter(isLive).length;
  const begun = rows.length - trading;
  const none = page > 1 ? `There is nothing on page ${page}` : 'No decision market is live';
  return reply({
    finding: [
      { strong: rows.length === 0 ? none : `${counted(trading, 'decision market')} ${trading === 1 ? 'is' : 'are'} live` },
      begun === 0 ? '' : `, ${begun} not yet or no longer`,
      where === undefined ? '' : `, ${where}`,
    ],
    blocks: [{ kind: 'list', items: liveFirst(rows).map((row) => proposalItem(row, { now, named: true })) }, ...brokenRows(broken)],
    actions: [
      ...pageActions({ ...paging, to: (other) => lineOf('proposals', 'list', String(other)) }),
      { label: 'Watch all', line: '/watch all' },
    ],
    ...ages(answer),
  });
}

async function ofProject({ slug, name }: Project, { analytics, signal, now }: Context, page: number): Promise<Reply> {
  const answer = await analytics.call(proposals, { slug, limit: PAGE_SIZE, page }, { signal });
  const { rows, broken } = answer.data;
  const paging = { page, rows: rows.length + broken, total: answer.meta.totalItems };
  const where = pageText(paging);
  const trading = rows.filter(isLive).length;
  const none = page > 1 ? `${name}: there is nothing on page ${page}` : `${name} has no proposals`;
  return reply({
    finding:
      rows.length === 0
        ? [{ strong: none }]
        : [
            { strong: `${name}: ${counted(paging.total ?? rows.length, 'proposal')}` },
            `, ${trading === 0 ? 'none' : trading} live`,
            where === undefined ? '' : ` here; ${where}`,
          ],
    blocks: [{ kind: 'list', items: rows.map((row) => proposalItem(row, { now, named: false })) }, ...brokenRows(broken)],
    actions: [
      ...choiceActions(VIEWS, 'list', (other) => lineOf('proposals', slug, other, '1')),
      ...pageActions({ ...paging, to: (other) => lineOf('proposals', slug, 'list', String(other)) }),
      { label: 'Watch', line: lineOf('watch', slug) },
    ],
    ...ages(answer),
  });
}

async function outcomes({ slug, name }: Project, { analytics, signal }: Context): Promise<Reply> {
  const answer = await analytics.call(proposalOutcomes, { slug }, { signal });
  return reply({
    finding: [{ strong: answer.data.length === 0 ? `${name}: no outcomes are published` : `${name}: how its proposals ended` }],
    blocks: [{ kind: 'figures', items: answer.data.map(({ word, count }) => ({ label: word, value: String(count) })) }],
    actions: [
      ...choiceActions(VIEWS, 'outcomes', (other) => lineOf('proposals', slug, other, '1')),
      { label: 'Watch', line: lineOf('watch', slug) },
    ],
    ...ages(answer),
  });
}
