/** /supply <project> [view] [page]: tokens, mints and burns. */
import { z } from 'zod';
import { supplyChart, supplyEvents, supplyOverview, type SupplyEvent, isImplausible } from '../src/analytics/endpoints/supply.js';
import { reply, type BlockDraft } from '../src/chat/reply.js';
import { lineText } from '../src/chat/plain-text.js';
import {
  PAGE_SIZE,
  ages,
  brokenRows,
  choiceActions,
  commandLine,
  counted,
  figuresOf,
  isPast,
  latestPage,
  line,
  listPage,
  optional,
  pageOption,
  periodEnds,
  projectOption,
  right,
  supplyHistoryChart,
  tableOf,
} from '../src/reply/index.js';
import { defineCommand } from '../src/dispatch/command.js';
import type { Context } from '../src/dispatch/context.js';
import { compare, percentChange, subtract } from '../src/domain/decimal.js';
import { amount, clockTime, date, exact, percent, usd } from '../src/domain/format.js';
import type { Project } from '../src/domain/project.js';

const VIEWS = ['summary', 'events', 'chart'] as const;

export default defineCommand({
  name: 'supply',
  summary: 'Token supply, mints and burns',
  args: z.object({ project: projectOption, view: z.enum(VIEWS).default('summary').describe('what to show'), page: pageOption }),
  examples: ['/supply tide', '/supply tide events', '/supply tide events 2', '/supply tide chart'],
  phrases: {
    '/supply {project}': `supply of {project} | {project} supply | total supply {project} | circulating supply of {project} | how many {project} are there
      | how many {project} tokens exist | {project} float | number of tokens {project} | how much {project} is circulating | tokens
      outstanding {project} | is the supply of {project} inflating | how many coins of {project} altogether | fully diluted supply
      {project}`,
    '/supply {project} events {page?}': `mints and burns of {project} | {project} burns | burns {project} | {project} mints | has {project} been minting | has {project}
      burned anything | did {project} mint new tokens | did {project} print more tokens | recent mints {project} | how many {project}
      got burned | buybacks of {project} | did {project} dilute us lately | {project} supply changes | supply events {project} | has
      {project} ever burned tokens | any new tokens minted at {project} | dilution of {project} | did {project} make new tokens out of
      thin air | have they minted new {project} or not | burn history of {project} | issuance of {project}`,
    '/supply {project} chart': `supply chart of {project} | chart of the supply of {project} | {project} supply over time | graph of the supply of {project} |
      how did the supply of {project} change over time | graph of how many {project} tokens existed over time`,
  },

  async run({ project: text, view, page }, context) {
    const project = await context.directory.find(text, context.signal);
    const shown = await { summary, events, chart }[view](project, context, page);
    return reply({
      ...shown,
      actions: [
        ...choiceActions(VIEWS, view, (other) => commandLine('supply', project.slug, other, '1')),
        ...shown.actions,
        { label: 'Watch', line: commandLine('watch', project.slug) },
      ],
    });
  },
});

async function summary(project: Project, { analytics, signal }: Context) {
  const answer = await analytics.call(supplyOverview, { slug: project.slug }, { signal });
  const { data } = answer;
  const symbol = data.symbol ?? project.symbol ?? project.name;
  const computed = data.minted === undefined || data.burned === undefined ? undefined : subtract(data.minted, data.burned);
  const differs = computed !== undefined && data.supply !== undefined && compare(computed, data.supply) !== 0;
  return {
    finding:
      data.supply === undefined ? [{ strong: `${symbol}: no supply published` }] : [{ strong: `${symbol} supply: ${exact(data.supply)}` }],
    blocks: [
      figuresOf([
        ['Minted', amount(data.minted)],
        ['burned', amount(data.burned)],
        ['net change', amount(data.netChange)],
      ]),
      ...(differs ? [line(`⚠ Supply doesn't add up: minted minus burned is ${exact(computed)}.`)] : []),
      ...(data.mint === undefined ? [] : [line('Token address ', { code: data.mint })]),
    ],
    actions: [],
    ...ages(answer),
  };
}

async function events(project: Project, { analytics, links, signal, now, zone }: Context, page: number) {
  const read = await latestPage({
    ask: async (number) => analytics.call(supplyEvents, { slug: project.slug, limit: PAGE_SIZE, page: number }, { signal }),
    page,
    at: (row) => row.at,
  });
  const { rows, paging } = read;
  const symbol = project.symbol ?? project.name;
  const total = paging.total === undefined ? '' : `: ${counted(paging.total, 'mint or burn', 'mints and burns')}`;
  return listPage(read, {
    found: (where) => [{ strong: `${symbol}${total}` }, where],
    namesLast: false,
    of: symbol,
    none: `${symbol}: no mints or burns yet`,
    blocks: [ledger(rows, { now, zone }), ...transactions(rows, { links, now, zone })],
    to: (other) => commandLine('supply', project.slug, 'events', String(other)),
  });
}

const ledger = (rows: readonly SupplyEvent[], { now, zone }: Pick<Context, 'now' | 'zone'>): BlockDraft =>
  tableOf(
    ['When', 'Event', right('Amount'), right('Change'), right('Value'), 'Proposal'],
    rows
      .toSorted((a, b) => b.at - a.at)
      .map((row) => [
        clockTime(row.at, now, zone),
        isImplausible(row) ? `⚠ ${row.type} as reported` : row.type,
        amount(row.amount),
        percent(row.change),
        usd(row.usd),
        row.proposal === undefined ? '' : (row.proposal.title ?? row.proposal.publicKey ?? 'unnamed'),
      ]),
  );

const MAX_LINKS_IN_LINE = 5;

function transactions(rows: readonly SupplyEvent[], { links, now, zone }: Pick<Context, 'links' | 'now' | 'zone'>): readonly BlockDraft[] {
  const all = rows
    .toSorted((a, b) => b.at - a.at)
    .flatMap(({ at, signature }) => links([{ to: 'transaction', signature, label: clockTime(at, now, zone) }]));
  return Array.from({ length: Math.ceil(all.length / MAX_LINKS_IN_LINE) }, (_, index) =>
    line(
      index === 0 ? 'Transactions: ' : '',
      ...all
        .slice(index * MAX_LINKS_IN_LINE, (index + 1) * MAX_LINKS_IN_LINE)
        .flatMap(({ label, url }, place) => [...(place === 0 ? [] : [' · ']), { link: label, url }]),
    ),
  );
}

async function chart(project: Project, { analytics, signal, now }: Context) {
  const { slug } = project;
  // The second request reads the first page of events. The chart works without it.
  const [answer, events] = await Promise.all([
    analytics.call(supplyChart, { slug }, { signal }),
    optional(analytics.call(supplyEvents, { slug, limit: PAGE_SIZE, page: 1 }, { signal })),
  ]);
  const points = answer.data.rows
    .flatMap(({ at, supply }) => (supply === undefined ? [] : [{ at, value: supply }]))
    .toSorted((a, b) => a.at - b.at);
  const [first, last] = [points[0], points.at(-1)];
  const change = first && last && percentChange(first.value, last.value);
  const symbol = project.symbol ?? project.name;
  const finding = last
    ? [
        {
          strong: `${symbol} supply ${isPast(answer, now) ? `was ${amount(last.value)} on ${date(last.at, now)}` : `is ${amount(last.value)}`}`,
        },
        change === undefined ? '' : `, ${percent(change)} since ${date(first?.at ?? last.at, now)}`,
      ]
    : [{ strong: `${symbol}: no supply chart published` }];
  const known = events.answer?.data.rows ?? [];
  const all = known.length >= (events.answer?.meta.totalItems ?? Infinity);
  return {
    finding,
    chart: supplyHistoryChart(points, { title: lineText(finding, now), symbol, events: all ? known : undefined }),
    blocks: [periodEnds(points, { title: 'Supply', show: amount, now }), ...brokenRows(answer.data.broken)],
    actions: [],
    ...ages(answer),
  };
}
