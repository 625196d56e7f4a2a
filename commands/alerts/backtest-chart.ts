/** Chart of a backtest: past values, threshold and alerts. */
import { BACKTEST_DAYS, type BacktestReport } from '../../src/alerts/backtest/backtest.js';
import type { ChartDraft } from '../../src/chat/chart.js';
import { axisNamesOf, chartUnitOf, thresholdLevels } from '../../src/chat/measure-chart.js';
import { DAY, later } from '../../src/base/clock.js';
import { date, exact, month, usdLimit } from '../../src/domain/format.js';
import { MEASURES } from '../../src/domain/measures.js';
import type { Instant } from '../../src/domain/scalars.js';

const MIN_VALUES = 3;
const MAX_MARKS = 200;

interface About {
  readonly who: string;
  readonly now: Instant;
  readonly title: string;
}

export function backtestChart(report: BacktestReport, { who, now, title }: About): ChartDraft | undefined {
  const { series, firings, rules } = report;
  if (series === undefined) return monthsChart(report, { who, now, title });
  if (series.points.length < MIN_VALUES) return undefined;
  const points = series.points.map(({ at, value }): [number, number] => [at, Number(value)]);
  const isMeasure = series.of === 'measure';
  const values = new Map(points);
  const own = firings.filter(({ crossings }) => !isMeasure || crossings.some(({ rule }) => rule.measure === series.measure));
  const marked = own.filter(({ at }) => values.has(at)).slice(-MAX_MARKS);
  const name = isMeasure ? MEASURES[series.measure].name : `${rules.kind} by size`;
  return {
    kind: 'xy',
    title,
    subtitle: `${who} ${name}, ${report.from <= now - (BACKTEST_DAYS - 1) * DAY ? 'last 365 days' : `since ${date(report.from, now)}`}; a dot is an alert`,
    series: [
      {
        name,
        points,
        draw: isMeasure ? 'line' : 'bar',
        unit: isMeasure ? chartUnitOf(series.measure) : series.of,
      },
    ],
    ...(isMeasure ? axisNamesOf(series.measure) : {}),
    levels: isMeasure ? thresholdLevels(rules.levels.filter(({ measure }) => measure === series.measure)) : filterLevel(report),
    // Dates beside the dots would cover one another; the text has the newest.
    marks: marked.map(({ at, crossings }) => ({
      name: '',
      series: 0,
      at,
      value: values.get(at) ?? 0,
      tone: crossings.some(({ side }) => side === 'low') ? ('down' as const) : ('up' as const),
    })),
  };
}

function monthsChart({ firings, from, rules: { kind } }: BacktestReport, { who, now, title }: About): ChartDraft | undefined {
  if (firings.length === 0) return undefined;
  const months = new Map<string, number>();
  for (let at = from; at <= now; at = later(at, DAY)) months.set(month(at), 0);
  for (const { at } of firings) months.set(month(at), (months.get(month(at)) ?? 0) + 1);
  return {
    kind: 'xy',
    title,
    subtitle: `${who} ${kind}, alerts by month since ${date(from, now)}`,
    // Without the year thirteen of them fit.
    categories: [...months.keys()].map((name) => name.slice(0, 3)),
    series: [{ name: 'alerts', draw: 'bar', unit: 'count', points: [...months.values()].map((count, index) => [index, count]) }],
  };
}

function filterLevel({ series, rules: { filters } }: BacktestReport): { readonly name: string; readonly value: number }[] {
  const least = series?.of === 'usd' ? filters.leastUsd : series?.of === 'percent' ? filters.leastPercent : undefined;
  if (least === undefined) return [];
  return [{ name: series?.of === 'usd' ? `${usdLimit(least)} and up` : `${exact(least)}% and up`, value: Number(least) }];
}
