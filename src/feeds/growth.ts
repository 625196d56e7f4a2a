/** This feed watches daily growth metrics. Each new or restated daily value is an event; 0 is a value. */
import { z } from 'zod';
import { growthFeed, type GrowthMetric } from '../analytics/endpoints/project.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { addDays, dayOf } from '../domain/day.js';
import { compare, mean, percentChange } from '../domain/decimal.js';
import { day as dayText, exact, percent } from '../domain/format.js';
import { daySchema, decimal, decimalSchema, type Day, type Decimal } from '../domain/scalars.js';
import { DateTime } from 'luxon';
import { largestChange, offered, type AlertKind } from './alert-kind.js';
import { defineFeed, subjectKey, type FoundEvent, type Subject, type PastSnapshots } from './feed.js';
import { projectOf } from './check-subject.js';
import { correctedAgain, isCorrectionDue, keptRestatements, restatementsSchema, versionOf } from './restatements.js';
import { SAMPLE } from '../domain/sample-project.js';
import { instant, type Instant } from '../base/clock.js';

/** Days that are remembered. The service shows 90. */
export const WINDOW_DAYS = 120;
const WEEK = 7;

const valuesSchema = z.record(daySchema, decimalSchema);
type Values = Readonly<Record<Day, Decimal>>;

const watermarkSchema = z.object({
  published: z.boolean(),
  metrics: z.record(z.string(), valuesSchema),
  /** Metrics whose missing days may have been unreadable. */
  unsure: z.array(z.string()).readonly(),
  restated: restatementsSchema.optional(),
});

const factsSchema = z.object({
  name: z.string(),
  metric: z.object({ id: z.string(), unit: z.string().optional() }).optional(),
  day: daySchema.optional(),
  value: decimalSchema.optional(),
  was: decimalSchema.optional(),
  last: decimalSchema.optional(),
  weekMean: decimalSchema.optional(),
});
type Facts = z.infer<typeof factsSchema>;

const alerts: AlertKind<Facts> = {
  words: ['growth value', 'growth values'],
  rank: 'daily',
  stages: {
    value: offered('daily', 'growth value', 'growth values'),
    restated: offered('daily', 'growth value corrected', 'growth values corrected'),
    published: offered('daily', 'growth feed published', 'growth feeds published'),
  },
  stageGroups: {},
  filters: ['leastPercent', 'stages', 'metrics'],
  measures: [],
  defaultRules: [],
  important: 'off',
  most: { says: 'growth metrics', filters: {}, thresholds: [] },
  sound: 'silent',
  size: ({ metric, value, was, last, weekMean }) => ({
    noun: 'change',
    percent: largestChange(value, [was, last, weekMean]),
    metric: metric?.id,
  }),
  offers: { example: 'metrics:fees', hint: 'metrics fees percent>20', percents: ['10', '20', '50'], thresholds: [], moves: [] },
};

export const growth = defineFeed({
  id: 'growth',
  summary: 'daily growth metrics and their corrections',
  order: 40,
  alerts,
  scope: 'project',
  every: 10,
  data: 'ledger',
  watermark: watermarkSchema,
  facts: factsSchema,

  async read(subject, { analytics, options }) {
    const { data, at } = await analytics.call(growthFeed, { slug: subjectKey(subject) }, options);
    return { data, at, complete: true, hidden: 0, broken: data.broken };
  },

  history: {
    resolution: 'day',
    measures: [],
    lacks: { events: 'Corrections of earlier values are not in the history.' },
    cost: 1,
    async read(subject, { analytics, options, now, from }) {
      const to = addDays(dayOf(now), -1);
      const { data, ...answer } = await analytics.call(growthFeed, { slug: subjectKey(subject), from: dayOf(from), to }, options);
      return { ...pastDays(data), ...omitUndefined({ at: answer.at, dataAt: answer.dataAt, stale: answer.stale }) };
    },
  },

  diff(subject, before, { data: snapshot, at }) {
    const metrics = new Map(Object.entries(before?.metrics ?? {}));
    const unsure = new Set(before?.unsure);
    const restated = new Map(Object.entries(before?.restated ?? {}));
    const events: FoundEvent<Facts>[] = [];
    if (before && !before.published && snapshot.published) events.push(published(subject));
    for (const metric of snapshot.metrics) {
      const known = metrics.get(metric.id);
      const isEarly = (day: Day, value: Decimal): boolean =>
        known?.[day] !== undefined && known[day] !== value && !isCorrectionDue(restated.get(`${metric.id}/${day}`), at);
      const shown = metric.days.filter(({ day, value }) => !isEarly(day, value));
      const now: Values = { ...known, ...Object.fromEntries(shown.map(({ day, value }) => [day, value])) };
      // The first check of a metric returns no events: it would alert on ninety days at once.
      if (before && known)
        for (const { restates, ...event } of changes(subject, metric, { known, now, past: unsure.has(metric.id) ? 'unsure' : 'known' })) {
          const last = restates === undefined ? undefined : restated.get(restates);
          if (restates !== undefined) restated.set(restates, correctedAgain(last, at));
          events.push({ ...event, id: versionOf(event.id, last) });
        }
      metrics.set(metric.id, newest(now));
      if (metric.broken === 0) unsure.delete(metric.id);
      else if (known === undefined) unsure.add(metric.id);
    }
    const watermark = {
      published: snapshot.published || (before?.published ?? false),
      metrics: Object.fromEntries(metrics),
      unsure: [...unsure],
      ...omitUndefined({ restated: keptRestatements(restated, (key) => isRemembered(key, metrics)) }),
    };
    return { watermark, events };
  },

  content({ facts, project, detectedAt }) {
    const actions = [{ label: 'Growth', line: `/growth ${project}${facts.metric ? ` metric:${facts.metric.id}` : ''}` }];
    if (!facts.metric || !facts.day || facts.value === undefined) {
      return {
        tone: 'live',
        about: facts.name,
        headline: [{ strong: `${facts.name} now publishes growth metrics` }],
        details: [],
        actions,
      };
    }
    const when = dayText(facts.day, detectedAt);
    const value = withUnit(facts.value, facts.metric.unit);
    const metric = facts.metric.id.replace(/[-_]usd$/u, '').replaceAll(/[-_]/gu, ' ');
    if (facts.was !== undefined) {
      return {
        tone: 'warning',
        about: facts.name,
        headline: [
          { strong: `${facts.name} corrected its ${metric}: ${value}` },
          ` (${when}, was ${withUnit(facts.was, facts.metric.unit)})`,
        ],
        details: [],
        actions,
      };
    }
    const against: string[] = [];
    const change = facts.weekMean && percentChange(facts.weekMean, facts.value);
    if (change !== undefined) against.push(`${percent(change)} vs. the 7-day average`);
    if (facts.last !== undefined) against.push(`${withUnit(facts.last, facts.metric.unit)} the day before`);
    const rose = facts.last === undefined ? 0 : compare(facts.value, facts.last);
    return {
      about: facts.name,
      tone: rose > 0 ? 'up' : rose < 0 ? 'down' : 'plain',
      headline: [{ strong: `${facts.name} ${metric}: ${value}` }, ` (${when})`],
      details: against.length === 0 ? [] : [[against.join(' · ')]],
      actions,
    };
  },

  sample(now) {
    const day = addDays(dayOf(now), -1);
    return {
      id: `growth/sample/daily-traders/${day}`,
      topic: `growth/sample/daily-traders/${day}`,
      stage: 'value',
      project: SAMPLE.slug,
      facts: {
        name: SAMPLE.name,
        metric: { id: 'daily-traders', unit: 'count' },
        day,
        value: decimal('3105'),
        last: decimal('2904'),
        weekMean: decimal('2250'),
      },
    };
  },
});

const withUnit = (value: Decimal, unit: string | undefined): string =>
  unit?.toLowerCase() === 'usd' ? dollars(exact(value)) : exact(value);

const dollars = (figure: string): string => figure.replace(/^−?/u, (sign) => `${sign}$`).replace(/\.\d$/u, (tenths) => `${tenths}0`);

function published(subject: Subject): FoundEvent<Facts> {
  const { slug, name } = projectOf(subject);
  const id = `growth/${slug}/published`;
  return { id, topic: id, stage: 'published', project: slug, facts: { name } };
}

/** Returns changes, oldest first. Days before all remembered ones are not new. */
function changes(
  subject: Subject,
  metric: GrowthMetric,
  { known, now, past }: { known: Values; now: Values; past: 'known' | 'unsure' },
): readonly (FoundEvent<Facts> & { readonly restates?: string })[] {
  const { slug, name } = projectOf(subject);
  const days = Object.keys(known).toSorted();
  const shown = Object.keys(now).toSorted();
  const isLate = (day: Day): boolean => {
    if (days.length === 0) return day === shown.at(-1);
    return day > (past === 'unsure' ? (days.at(-1) ?? '') : days.length >= WINDOW_DAYS ? (days[0] ?? '') : '');
  };
  const once = new Map(metric.days.map(({ day }) => [day, now[day]]));
  return [...once].flatMap(([day, value]): readonly (FoundEvent<Facts> & { readonly restates?: string })[] => {
    const was = known[day];
    if (value === undefined || was === value || (was === undefined && !isLate(day))) return [];
    const topic = `growth/${slug}/${metric.id}/${day}`;
    const facts = { name, metric: { id: metric.id, unit: metric.unit }, day, value };
    const week = daysBefore(day, WEEK).flatMap((earlier) => now[earlier] ?? []);
    const compared = { last: now[daysBefore(day, 1)[0] ?? day], weekMean: mean(week) };
    if (was !== undefined) {
      const unit = metric.unit;
      const corrects = { event: topic, was: withUnit(was, unit), now: withUnit(value, unit), facts: { value, ...compared } };
      const restates = `${metric.id}/${day}`;
      return [{ id: `${topic}/${was}>${value}`, topic, stage: 'restated', project: slug, corrects, restates, facts: { ...facts, was } }];
    }
    return [{ id: topic, topic, stage: 'value', project: slug, facts: { ...facts, ...compared } }];
  });
}

const isRemembered = (key: string, metrics: ReadonlyMap<string, Values>): boolean => {
  const end = key.lastIndexOf('/');
  return metrics.get(key.slice(0, end))?.[daySchema.parse(key.slice(end + 1))] !== undefined;
};

const daysBefore = (day: Day, count: number): Day[] => {
  const from = DateTime.fromISO(day, { zone: 'utc' });
  return Array.from({ length: count }, (_, index) => daySchema.parse(from.minus({ days: index + 1 }).toISODate()));
};

const newest = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values)
      .toSorted(([a], [b]) => b.localeCompare(a))
      .slice(0, WINDOW_DAYS),
  );

interface GrowthHistory {
  readonly published: boolean;
  readonly metrics: GrowthMetric[];
  readonly broken: number;
}

/** Returns one snapshot for each day, at the time when its values are complete. */
export function pastDays(feed: GrowthHistory): Pick<PastSnapshots<GrowthHistory>, 'snapshots' | 'since' | 'hidden' | 'broken'> {
  const byDay = new Map<Day, GrowthMetric[]>();
  for (const metric of feed.metrics)
    for (const value of metric.days) {
      const ofDay = byDay.get(value.day) ?? [];
      ofDay.push({ ...metric, days: [value], broken: 0 });
      byDay.set(value.day, ofDay);
    }
  const days = [...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const [first] = days;
  return {
    hidden: 0,
    broken: feed.broken,
    since: first && startOfDay(first[0]),
    snapshots: days.map(([day, metrics]) => ({
      data: { published: feed.published, metrics, broken: 0 },
      at: startOfDay(addDays(day, 1)),
      complete: true,
      hidden: 0,
      broken: 0,
    })),
  };
}

const startOfDay = (day: Day): Instant => instant(Date.parse(day));
