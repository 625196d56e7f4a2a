/** /finances <project> [view] [range]: revenue and expenses by month. */
import { z } from 'zod';
import { reply, type BlockDraft, type Line } from '../../src/chat/reply.js';
import { defineCommand } from '../../src/dispatch/command.js';
import { RANGES, isRunning, runningText, sideBySide, within, type MonthBalance } from './months.js';
import { expense, revenue } from './one-side.js';
import { totalCheck, type FinanceView } from './view.js';
import {
  ages,
  brokenRows,
  choiceActions,
  commandActions,
  commandLine,
  counted,
  line,
  missingText,
  needOne,
  optional,
  projectOption,
} from '../../src/reply/index.js';
import { expenses, revenues, totalExpense, totalRevenue } from '../../src/analytics/endpoints/finances.js';
import type { ChartDraft } from '../../src/chat/chart.js';
import { absolute, isNegative, isZero, subtract, sum } from '../../src/domain/decimal.js';
import { month, usd } from '../../src/domain/format.js';
import type { Decimal, Instant } from '../../src/domain/scalars.js';

const MAX_MONTHS = 24;

/** Revenue and expenses, compared only where both are known. */
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
      { kind: 'figures', items: [figure('Total revenue', cameInAll), figure('total expenses', wentInAll)] },
      table(months, now),
      ...(came.answer === undefined ? [line(`⚠ Revenue: ${missingText(came)}`)] : []),
      ...(went.answer === undefined ? [line(`⚠ Expenses: ${missingText(went)}`)] : []),
      ...totalCheck('revenue', cameInAll.answer?.data.total, came.answer?.data),
      ...totalCheck('expenses', wentInAll.answer?.data.total, went.answer?.data),
      ...brokenRows((came.answer?.data.broken ?? 0) + (went.answer?.data.broken ?? 0)),
    ],
    ...(months.length < 2 ? {} : { chart: chartOf(months, finding, now) }),
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

const table = (months: readonly MonthBalance[], now: Instant): BlockDraft => ({
  kind: 'table',
  columns: [
    { title: 'Month' },
    { title: 'Revenue', align: 'right' },
    { title: 'Expenses', align: 'right' },
    { title: 'Net', align: 'right' },
  ],
  rows: months
    .toReversed()
    .slice(0, MAX_MONTHS)
    .map((one) => [`${month(one.at)}${isRunning(one.at, now) ? ' so far' : ''}`, usd(one.revenue), usd(one.expense), usd(one.net)]),
  more: Math.max(0, months.length - MAX_MONTHS),
});

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
