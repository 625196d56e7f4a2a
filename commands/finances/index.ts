/** /finances <project> [view] [range]: revenue and expenses by month. */
import { z } from 'zod';
import { reply, type BlockDraft, type Line } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import {
  RANGES,
  countText,
  isRunning,
  rangeText,
  runningText,
  sideBySide,
  sourcesOf,
  sumOf,
  totalCheck,
  within,
  type FinanceView,
  type FinanceViewDeps,
  type MonthBalance,
  type SourceTotal,
} from './months.js';
import {
  ages,
  brokenRows,
  choiceActions,
  commandActions,
  commandLine,
  counted,
  figuresOf,
  line,
  missingText,
  needOne,
  optional,
  projectOption,
  right,
  shareOf,
  tableOf,
  type OptionalAnswer,
} from '../../src/reply/index.js';
import { expenses, revenues, totalExpense, totalRevenue, type Month } from '../../src/analytics/endpoints/finances.js';
import type { ChartDraft, ChartSeries } from '../../src/chat/chart.js';
import { absolute, isApart, isNegative, isZero, multiply, subtract, sum } from '../../src/domain/decimal.js';
import { month, usd } from '../../src/domain/format.js';
import { decimal, type Decimal, type Instant } from '../../src/domain/scalars.js';
import type { Answer } from '../../src/analytics/analytics.js';
import type { Rows } from '../../src/analytics/endpoint-row.js';

const MAX_MONTHS = 24;
const MAX_SOURCES = 8;
const TONES = ['main', 'second', 'third'] as const;

const revenue: FinanceView = async (deps) => {
  const { analytics, project, signal } = deps;
  const input = { slug: project.slug };
  const [rows, total] = await Promise.all([
    analytics.call(revenues, input, { signal }),
    optional(analytics.call(totalRevenue, input, { signal })),
  ]);
  return show(deps, { rows, total, what: 'revenue', verb: 'earned', by: 'Source' });
};

const expense: FinanceView = async (deps) => {
  const { analytics, project, signal } = deps;
  const input = { slug: project.slug };
  const [rows, total] = await Promise.all([
    analytics.call(expenses, input, { signal }),
    optional(analytics.call(totalExpense, input, { signal })),
  ]);
  return show(deps, { rows, total, what: 'expenses', verb: 'spent', by: 'Category' });
};

interface Side {
  readonly rows: Answer<Rows<Month>>;
  readonly total: OptionalAnswer<Answer<{ readonly total?: Decimal | undefined }>>;
  readonly what: string;
  readonly verb: string;
  readonly by: string;
}

function show({ project, range, now }: Pick<FinanceViewDeps, 'project' | 'range' | 'now'>, { rows, total, what, verb, by }: Side) {
  const months = within(rows.data.rows, range, now);
  const sources = sourcesOf(months);
  const all = sumOf(months);
  const title = all === undefined ? `${project.name}: no ${what} data` : `${project.name} ${verb} ${usd(all)} in ${countText(months)}`;
  // If a part has no value, the largest is unknown.
  const isWhole = months.every(({ details }) => details.every(({ amount }) => amount !== undefined));
  const largest = isWhole ? sources[0] : undefined;
  const apart = months.filter(isIncomplete).length;
  return {
    finding:
      months.length === 0
        ? [{ strong: `${project.name}: no ${what} ${rows.data.rows.length === 0 ? 'published' : `in ${rangeText(range)}`}` }]
        : [
            { strong: title },
            largest === undefined ? '' : `, most ${what === 'revenue' ? 'from' : 'on'} ${largest.name}${shareOf(largest.amount, all)}`,
          ],
    blocks: [
      figuresOf([[`All-time ${what}`, total.answer === undefined ? missingText(total) : usd(total.answer.data.total)]]),
      bySource(sources, all, by),
      byMonth(months, what, now),
      ...(apart === 0 ? [] : [line(`⚠ Parts don't add up to the total in ${counted(apart, 'month')}.`)]),
      ...totalCheck(what, total.answer?.data.total, rows.data),
      ...brokenRows(rows.data.broken),
    ],
    chart: months.length < 2 ? undefined : { ...sideChart(months, sources, title), subtitle: runningText(months, now) },
    ...ages(rows, total.answer),
  };
}

const TOLERANCE_PER_PART = decimal('0.01');
function isIncomplete({ amount, details }: Month): boolean {
  const parts = details.flatMap((one) => one.amount ?? []);
  if (amount === undefined || parts.length === 0 || parts.length < details.length) return false;
  return isApart(sum(parts), amount, multiply(TOLERANCE_PER_PART, decimal(parts.length)));
}

const bySource = (sources: readonly SourceTotal[], all: Decimal | undefined, title: string): BlockDraft =>
  tableOf(
    [title, right('Amount')],
    sources.slice(0, MAX_SOURCES).map(({ name, amount }) => [name, `${usd(amount)}${shareOf(amount, all)}`]),
    Math.max(0, sources.length - MAX_SOURCES),
  );

const byMonth = (months: readonly Month[], what: string, now: Instant): BlockDraft =>
  tableOf(
    ['Month', right(`${what.charAt(0).toUpperCase()}${what.slice(1)}`)],
    months
      .toReversed()
      .slice(0, MAX_MONTHS)
      .map(({ at, amount }) => [`${month(at)}${isRunning(at, now) ? ' so far' : ''}`, usd(amount)]),
    Math.max(0, months.length - MAX_MONTHS),
  );

function sideChart(months: readonly Month[], sources: readonly SourceTotal[], title: string): ChartDraft {
  const shown = sources.slice(0, TONES.length).map(({ name }) => name);
  const bar = (name: string, tone: ChartSeries['tone'], of: (one: Month) => number | null) => ({
    name,
    draw: 'bar' as const,
    unit: 'usd' as const,
    tone,
    stack: 'months',
    points: months.map((one, place): [number, number | null] => [place, of(one)]),
  });
  const partOf = (one: Month, belongs: (name: string) => boolean): number | null => {
    const parts = one.details.flatMap(({ source, amount }) => (amount !== undefined && belongs(source ?? 'unnamed') ? [amount] : []));
    return parts.length === 0 ? null : Number(sum(parts));
  };
  const series = [
    ...shown.map((name, place) => bar(name, TONES[place] ?? 'quiet', (one) => partOf(one, (other) => other === name))),
    ...(sources.length > shown.length ? [bar('other', 'quiet', (one) => partOf(one, (name) => !shown.includes(name)))] : []),
  ];
  const plain = bar('per month', 'main', ({ amount }) => (amount === undefined ? null : Number(amount)));
  return { kind: 'xy', title, categories: months.map(({ at }) => month(at)), series: series.length === 0 ? [plain] : series };
}

/** Compares revenue and expenses of the months in which both are known. */
const both: FinanceView = async ({ analytics, project, range, now, signal }) => {
  const input = { slug: project.slug };
  const [came, went, cameInAll, wentInAll] = await Promise.all([
    optional(analytics.call(revenues, input, { signal })),
    optional(analytics.call(expenses, input, { signal })),
    optional(analytics.call(totalRevenue, input, { signal })),
    optional(analytics.call(totalExpense, input, { signal })),
  ]);
  needOne(came, went);
  const months = sideBySide(within(came.answer?.data.rows ?? [], range, now), within(went.answer?.data.rows ?? [], range, now));
  const finding = headline(project.name, months);
  const figure = (label: string, all: typeof cameInAll | typeof wentInAll) => ({
    label,
    value: all.answer === undefined ? missingText(all) : usd(all.answer.data.total),
  });
  return {
    finding,
    blocks: [
      { kind: 'figures', items: [figure('All-time revenue', cameInAll), figure('all-time expenses', wentInAll)] },
      table(months, now),
      ...(came.answer === undefined ? [line(`⚠ Revenue: ${missingText(came)}`)] : []),
      ...(went.answer === undefined ? [line(`⚠ Expenses: ${missingText(went)}`)] : []),
      ...totalCheck('revenue', cameInAll.answer?.data.total, came.answer?.data),
      ...totalCheck('expenses', wentInAll.answer?.data.total, went.answer?.data),
      ...brokenRows((came.answer?.data.broken ?? 0) + (went.answer?.data.broken ?? 0)),
    ],
    chart: months.length < 2 ? undefined : chartOf(months, finding, now),
    ...ages(came.answer, went.answer, cameInAll.answer, wentInAll.answer),
  };
};

function headline(name: string, months: readonly MonthBalance[]): Line {
  const known = months.filter((one) => one.net !== undefined);
  const total = (of: (one: MonthBalance) => Decimal | undefined): Decimal | undefined => {
    const all = months.flatMap((one) => of(one) ?? []);
    return all.length === 0 ? undefined : sum(all);
  };
  if (months.length === 0) return [{ strong: `${name}: no revenue or expenses published` }];
  if (known.length === 0) {
    const [came, went] = [total((one) => one.revenue), total((one) => one.expense)];
    return [{ strong: `${name}: revenue ${usd(came)}, expenses ${usd(went)}` }, ', no month with both figures'];
  }
  const [came, went] = [sum(known.flatMap((one) => one.revenue ?? [])), sum(known.flatMap((one) => one.expense ?? []))];
  const net = subtract(came, went);
  const difference = isZero(net)
    ? 'as much as it earned'
    : isNegative(net)
      ? `${usd(absolute(net))} more than it earned`
      : `${usd(net)} less than it earned`;
  return [{ strong: `${name} spent ${usd(went)}, ${difference}` }, ` (${counted(known.length, 'month')} with both figures)`];
}

const table = (months: readonly MonthBalance[], now: Instant): BlockDraft =>
  tableOf(
    ['Month', right('Revenue'), right('Expenses'), right('Net')],
    months
      .toReversed()
      .slice(0, MAX_MONTHS)
      .map((one) => [`${month(one.at)}${isRunning(one.at, now) ? ' so far' : ''}`, usd(one.revenue), usd(one.expense), usd(one.net)]),
    Math.max(0, months.length - MAX_MONTHS),
  );

function chartOf(months: readonly MonthBalance[], finding: Line, now: Instant): ChartDraft {
  const points = (of: (one: MonthBalance) => Decimal | undefined): [number, number | null][] =>
    months.map((one, place) => {
      const value = of(one);
      return [place, value === undefined ? null : Number(value)];
    });
  return {
    kind: 'xy',
    title: finding.map((span) => (typeof span === 'object' && 'strong' in span ? span.strong : '')).join(''),
    subtitle: runningText(months, now),
    categories: months.map(({ at }) => month(at)),
    series: [
      { name: 'revenue', draw: 'bar', unit: 'usd', tone: 'up', points: points((one) => one.revenue) },
      { name: 'expenses', draw: 'bar', unit: 'usd', tone: 'down', points: points((one) => one.expense) },
    ],
  };
}

const VIEWS = { both, revenue, expenses: expense } satisfies Record<string, FinanceView>;
const NAMES = ['both', 'revenue', 'expenses'] as const satisfies readonly (keyof typeof VIEWS)[];

export default defineCommand({
  name: 'finances',
  summary: 'Revenue and expenses of a project',
  args: z.object({
    project: projectOption,
    view: z.enum(NAMES).default('both').describe('what to show'),
    range: z.enum(RANGES).default('1Y').describe('time range'),
  }),
  examples: ['/finances tide', '/finances tide expenses', '/finances tide revenue ALL'],
  phrases: {
    '/finances {project} {range?}': `finances of {project} | {project} finances | profit and loss of {project} | p&l {project} | is {project} making money | is
      {project} profitable | does {project} earn more than it spends | income and expenses of {project} | revenue vs expenses
      {project} | {project} income statement | is {project} cash flow positive | is {project} making money or bleeding | does
      {project} earn anything or do they only spend | {project} financials`,
    '/finances {project} expenses {range?}': `expenses of {project} | {project} expenses last 6 months | what does {project} spend money on | {project} spending | what is
      {project} spending on | how much does {project} spend | costs of {project} | {project} costs 1y | monthly spending of {project}
      | where does the money of {project} go | burn rate of {project} | {project} opex | how much does {project} burn a month |
      salaries of {project} | what did {project} spend this year | for what did {project} spend money | expenditure {project} all time`,
    '/finances {project} revenue {range?}': `revenue of {project} | {project} revenue | {project} rev 1y | how much does {project} earn | income of {project} | what did
      {project} earn | earnings of {project} last year | {project} sales | how much income did {project} make in the past year | does
      {project} have revenue | where does the income of {project} come from | {project} top line`,
  },

  async run({ project: text, view, range }, { analytics, directory, signal, now }) {
    const project = await directory.find(text, signal);
    const shown = await VIEWS[view]({ analytics, project, range, now, signal });
    return reply({
      ...shown,
      actions: [
        ...choiceActions(NAMES, view, (other) => commandLine('finances', project.slug, other, range)),
        ...choiceActions(RANGES, range, (other) => commandLine('finances', project.slug, view, other)),
        ...commandActions(project.slug, 'treasury', 'watch'),
      ],
    });
  },
});
