/** /growth <project> [metric] [range]: daily operating metrics. */
import { z } from 'zod';
import { COMMON_METRICS } from '../src/alerts/rules/kinds.js';
import { brief } from '../src/base/one-line.js';
import { growthFeed, type GrowthMetric } from '../src/analytics/endpoints/project.js';
import { reply, type BlockDraft } from '../src/chat/reply.js';
import { lineText } from '../src/chat/plain-text.js';
import {
  UserError,
  ages,
  brokenRows,
  choiceActions,
  commandLine,
  growthChart,
  line,
  metricTitle,
  projectOption,
  right,
  tableOf,
  textOption,
} from '../src/reply/index.js';
import { defineCommand } from '../src/dispatch/command.js';
import { either } from '../src/base/sentence-lists.js';
import { addDays, dayOf, daysUpTo } from '../src/domain/day.js';
import { amount, day as dayText, percent, share, usd } from '../src/domain/format.js';
import type { Day, Decimal, Instant } from '../src/domain/scalars.js';
import { mean, percentChange } from '../src/domain/decimal.js';

const RANGES = ['7', '30', '90'] as const;
const LEAD = 7;

export default defineCommand({
  name: 'growth',
  summary: 'Daily metrics of a project: users, fees, volume',
  args: z.object({
    project: projectOption,
    metric: textOption('one metric, such as fees-usd').meta({ offers: COMMON_METRICS }),
    range: z.enum(RANGES).default('30').describe('number of days'),
  }),
  examples: ['/growth tide', '/growth tide 90', '/growth tide fees-usd 7'],
  phrases: {
    '/growth {project} {metric?} {range?}': `users of {project} | {project} users | how many users does {project} have | {project} growth | is {project} growing | {project}
      metrics | growth of {project} last 90 days | {project} fees | {project} fees last 7 days | fees and volume of {project} | do
      people use {project} | daily active users {project} | {project} usage | traction of {project} | {project} tvl | how many people
      use {project} | adoption of {project} | product metrics of {project} last 30 days | user growth {project} | how much fees did
      {project} bring in`,
  },

  async run({ project: text, metric: wanted, range }, { analytics, directory, signal, now }) {
    const project = await directory.find(text, signal);
    const { slug, name } = project;
    // Values exist for completed UTC days, so the latest is yesterday's.
    const to = addDays(dayOf(now), -1);
    const days = daysUpTo(to, Number(range));
    const answer = await analytics.call(growthFeed, { slug, from: addDays(to, 1 - Number(range) - LEAD), to }, { signal });
    const { published, metrics, broken } = answer.data;
    const watch = { label: 'Watch', line: commandLine('watch', slug) };
    if (!published) return reply({ finding: [{ strong: `${name} publishes no metrics` }], actions: [watch], ...ages(answer) });
    const chosen = wanted === undefined ? undefined : pick(metrics, wanted, { slug, range });
    const drawn = chosen ?? (metrics.length === 1 ? metrics[0] : undefined);
    return reply({
      chart: drawn && growthChart(drawn, days, lineText(headline(name, drawn, now), now)),
      finding: chosen ? headline(name, chosen, now) : [{ strong: `${name}: ${metrics.length} metrics` }, ` over ${range} days`],
      blocks: [
        chosen ? course(chosen, days, now) : overview(metrics, days, now),
        ...(chosen?.semantics === undefined ? [] : [line(`Daily value: ${chosen.semantics}`)]),
        ...brokenRows(broken),
      ],
      actions: [
        ...choiceActions(RANGES, range, (other) => commandLine('growth', slug, ...(chosen ? [`metric:${chosen.id}`] : []), other)),
        ...metrics.map((one) => ({
          label: metricTitle(one),
          line: commandLine('growth', slug, `metric:${one.id}`, range),
          on: one.id === chosen?.id,
        })),
        watch,
      ],
      ...ages(answer),
    });
  },
});

function pick(metrics: readonly GrowthMetric[], wanted: string, { slug, range }: { slug: string; range: string }): GrowthMetric {
  const word = wanted.toLowerCase();
  const found =
    metrics.find(({ id, name }) => [id, name].some((own) => own?.toLowerCase() === word)) ??
    metrics.find(({ id }) => id.toLowerCase().startsWith(`${word}-`));
  if (found) return found;
  throw new UserError(
    `No metric called "${brief(wanted)}". ${metrics.length === 0 ? 'None has data yet.' : `Try ${either(metrics.map(({ id }) => id))}.`}`,
    {
      actions: metrics.map((one) => ({ label: metricTitle(one), line: commandLine('growth', slug, `metric:${one.id}`, range) })),
    },
  );
}

function headline(name: string, metric: GrowthMetric, now: Instant) {
  const last = latest(metric);
  const title = metricTitle(metric);
  if (last === undefined) return [{ strong: `${name}: no data for ${title}` }];
  const gap = change(metric, last.day);
  return [
    { strong: `${name}: ${title} ${valueText(metric, last.value)}` },
    ` on ${dayText(last.day, now)}${gap === undefined ? '' : `, ${percent(gap)} vs 7-day average`}`,
  ];
}

const overview = (metrics: readonly GrowthMetric[], days: readonly Day[], now: Instant): BlockDraft =>
  tableOf(
    ['Metric', 'Latest', right('Value'), right('vs 7-day avg'), right('Days with data')],
    metrics.map((metric) => {
      const last = latest(metric);
      const known = metric.days.filter(({ day }) => days.includes(day)).length;
      const gap = last && change(metric, last.day);
      return [
        metricTitle(metric),
        last ? dayText(last.day, now) : 'no data',
        last ? valueText(metric, last.value) : 'n/a',
        percent(gap),
        `${known} of ${days.length}`,
      ];
    }),
  );

const course = (metric: GrowthMetric, days: readonly Day[], now: Instant): BlockDraft =>
  tableOf(
    [days.length > 30 ? 'Week to' : 'Day', right('Value'), right('Data')],
    (days.length > 30 ? weekly(metric, days) : daily(metric, days)).map(({ day, text, note }) => [dayText(day, now), text, note]),
  );

const WEEK = 7;

/** A metric on one day. A day without data is a gap, not 0. */
interface DayRow {
  readonly day: Day;
  readonly text: string;
  readonly note: string;
}

const latest = ({ days }: Pick<GrowthMetric, 'days'>): GrowthMetric['days'][number] | undefined => days.at(-1);

function valueText({ unit }: Pick<GrowthMetric, 'unit'>, value: Decimal): string {
  const word = unit?.toLowerCase();
  if (word === 'usd') return usd(value);
  if (word === 'percent' || word === '%') return share(value);
  return word === undefined || word === 'count' ? amount(value) : `${amount(value)} ${unit}`;
}

/** Returns how far a day is above the mean of the previous seven days with data, in percent. */
function change(metric: Pick<GrowthMetric, 'days'>, day: Day): Decimal | undefined {
  const week = new Set(daysUpTo(addDays(day, -1), WEEK));
  const before = mean(metric.days.filter((one) => week.has(one.day)).map(({ value }) => value));
  const own = metric.days.find((one) => one.day === day);
  return before && own && percentChange(before, own.value);
}

function daily(metric: GrowthMetric, days: readonly Day[]): readonly DayRow[] {
  const values = new Map(metric.days.map(({ day, value }) => [day, value]));
  return days.toReversed().map((day) => {
    const value = values.get(day);
    return { day, text: value === undefined ? '–' : valueText(metric, value), note: value === undefined ? 'no data' : '' };
  });
}

function weekly(metric: GrowthMetric, days: readonly Day[]): readonly DayRow[] {
  const values = new Map(metric.days.map(({ day, value }) => [day, value]));
  const newestFirst = days.toReversed();
  const weeks = Array.from({ length: Math.ceil(days.length / WEEK) }, (_, index) => newestFirst.slice(index * WEEK, (index + 1) * WEEK));
  return weeks.flatMap((week): DayRow[] => {
    const [day] = week;
    if (day === undefined) return [];
    const known = week.flatMap((one) => values.get(one) ?? []);
    const average = mean(known);
    return [
      { day, text: average === undefined ? '–' : `${valueText(metric, average)} a day`, note: `${known.length} of ${week.length} days` },
    ];
  });
}
