/** Revenue or expenses by month and by source. */
import { expenses, revenues, totalExpense, totalRevenue, type Month } from '../../src/analytics/endpoints/finances.js';
import type { Answer } from '../../src/analytics/analytics.js';
import type { Rows } from '../../src/analytics/endpoint-row.js';
import type { ChartDraft, ChartSeries } from '../../src/chat/chart.js';
import type { BlockDraft } from '../../src/chat/reply.js';
import { isApart, multiply, sum } from '../../src/domain/decimal.js';
import { month, usd } from '../../src/domain/format.js';
import { decimal, type Decimal, type Instant } from '../../src/domain/scalars.js';
import { ages, missingText, optional, brokenRows, counted, line, shareOf, type OptionalAnswer } from '../../src/reply/index.js';
import { countText, isRunning, rangeText, runningText, sourcesOf, sumOf, within, type SourceTotal } from './months.js';
import { totalCheck, type FinanceViewDeps, type FinanceView } from './view.js';

const MAX_MONTHS = 24;
const MAX_SOURCES = 8;
const TONES = ['main', 'second', 'third'] as const;

export const revenue: FinanceView = async (deps) => {
  const { analytics, project, signal } = deps;
  const input = { slug: project.slug };
  const [rows, total] = await Promise.all([
    analytics.call(revenues, input, { signal }),
    optional(analytics.call(totalRevenue, input, { signal })),
  ]);
  return show(deps, { rows, total, what: 'revenue', verb: 'earned', by: 'Source' });
};

export const expense: FinanceView = async (deps) => {
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
  // A part without a value may be the largest.
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
      {
        kind: 'figures' as const,
        items: [{ label: `Total ${what}`, value: total.answer === undefined ? missingText(total) : usd(total.answer.data.total) }],
      },
      bySource(sources, all, by),
      byMonth(months, what, now),
      ...(apart === 0 ? [] : [line(`⚠ Parts don't add up to the total in ${counted(apart, 'month')}.`)]),
      ...totalCheck(what, total.answer?.data.total, rows.data),
      ...brokenRows(rows.data.broken),
    ],
    ...(months.length < 2 ? {} : { chart: { ...chartOf(months, sources, title), subtitle: runningText(months, now) } }),
    ...ages(rows, total.answer),
  };
}

const TOLERANCE = decimal('0.01');
function isIncomplete({ amount, details }: Month): boolean {
  const parts = details.flatMap((one) => one.amount ?? []);
  if (amount === undefined || parts.length === 0 || parts.length < details.length) return false;
  return isApart(sum(parts), amount, multiply(TOLERANCE, decimal(parts.length)));
}

const bySource = (sources: readonly SourceTotal[], all: Decimal | undefined, title: string): BlockDraft => ({
  kind: 'table',
  columns: [{ title }, { title: 'Amount', align: 'right' }],
  rows: sources.slice(0, MAX_SOURCES).map(({ name, amount }) => [name, `${usd(amount)}${shareOf(amount, all)}`]),
  more: Math.max(0, sources.length - MAX_SOURCES),
});

const byMonth = (months: readonly Month[], what: string, now: Instant): BlockDraft => ({
  kind: 'table',
  columns: [{ title: 'Month' }, { title: `${what.charAt(0).toUpperCase()}${what.slice(1)}`, align: 'right' }],
  rows: months
    .toReversed()
    .slice(0, MAX_MONTHS)
    .map(({ at, amount }) => [`${month(at)}${isRunning(at, now) ? ' so far' : ''}`, usd(amount)]),
  more: Math.max(0, months.length - MAX_MONTHS),
});

function chartOf(months: readonly Month[], sources: readonly SourceTotal[], title: string): ChartDraft {
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
