/** This feed watches the treasury: NAV, runway and allowance (§4.9). */
import { z } from 'zod';
import { treasuryOverview } from '../analytics/endpoints/treasury.js';
import { DAY, MINUTE, later } from '../base/clock.js';
import { capitalised } from '../base/sentence-lists.js';
import { memoize } from '../base/bounded-cache.js';
import { omitUndefined } from '../base/omit-undefined.js';
import type { Line } from '../chat/reply.js';
import type { Point } from '../domain/crossing.js';
import { MEASURES, TREASURY_ROWS, defaultHysteresis, measuresOf } from '../domain/measures.js';
import type { ThresholdRule } from '../domain/threshold-rule.js';
import { crossingWords, whenWords, zWords } from '../domain/crossing-words.js';
import { decimal, decimalSchema, instantSchema, type Instant } from '../domain/scalars.js';
import { alertChart, pastValues } from './alert-chart.js';
import { alsoCrossed, type EventContent } from './event-content.js';
import { unoffered, type AlertKind } from './alert-kind.js';
import { THRESHOLD_STAGE, defineFeed, type Snapshot } from './feed.js';
import { dayBefore, rememberedSchema, withMeasured } from './remembered-measurements.js';
import { keptNavHistory, navHistory, PAST_ALLOWANCE, PAST_RUNWAY, pastNavSnapshots, type PastPoint } from './nav-history.js';
import { projectOf } from './check-subject.js';
import { SAMPLE, samplePast } from '../domain/sample-project.js';

const READ = measuresOf('treasury');

const valuesSchema = z.object(fieldPerMeasure(READ, decimalSchema.optional()));
type Values = z.infer<typeof valuesSchema>;
const pointSchema = valuesSchema.extend({ at: instantSchema });
type ValuesAt = z.infer<typeof pointSchema>;

const factsSchema = valuesSchema.extend({
  name: z.string(),
  mint: z.string().optional(),
  updatedAt: instantSchema.optional(),
  before: pointSchema.optional(),
});
type Facts = z.infer<typeof factsSchema>;

export interface TreasurySeen extends Values {
  readonly updatedAt: Instant | undefined;
  readonly past: readonly PastPoint[];
  /** The chart of the past is more than a day old. */
  readonly isPastOld?: boolean;
}

/** Alerts state the date of values older than this. */
const OLD = DAY;

const navsOf = memoize((points: readonly PastPoint[]) => {
  const navs = points.flatMap(({ at, nav }) => (nav === undefined ? [] : [{ at, nav }]));
  return { navs, history: navs.map((point): Point => ({ at: point.at, value: point.nav })) };
});

const measuredIn = (points: readonly ValuesAt[]) => {
  const of = (measure: keyof Values): readonly Point[] =>
    points.flatMap(({ at, [measure]: value }) => (value === undefined ? [] : [{ at, value }]));
  return { nav: of('nav'), runway: of('runway'), allowance: of('allowance') };
};

/** A runway below this many months alerts. */
const SHORT_RUNWAY = decimal('6');

const SPENDING_RULES: readonly ThresholdRule[] = [
  { when: 'below', measure: 'runway', threshold: SHORT_RUNWAY, hysteresis: defaultHysteresis('runway', SHORT_RUNWAY) },
  { when: 'change', measure: 'allowance' },
];

const USUAL_RULES: readonly ThresholdRule[] = [{ when: 'move', measure: 'nav', by: decimal('10') }, ...SPENDING_RULES];

const alerts: AlertKind<Facts> = {
  words: ['treasury alert', 'treasury alerts'],
  rank: 'moved',
  stages: { [THRESHOLD_STAGE]: unoffered('result', 'treasury alert', 'treasury alerts') },
  stageGroups: {},
  filters: ['back'],
  measures: READ,
  defaultRules: USUAL_RULES,
  important: { says: 'runway under 6 months', filters: {}, thresholds: SPENDING_RULES },
  most: { says: 'NAV and runway', filters: {}, thresholds: USUAL_RULES },
  sound: 'rings',
  size: () => ({ noun: 'change' }),
  offers: {
    example: 'nav move 5',
    hint: 'runway<6 or nav move 5',
    percents: [],
    thresholds: ['runway below 6', 'runway below 12', 'runway below 24', 'allowance changes'],
    moves: ['nav move 5', 'nav move 10', 'nav move 20', 'nav extreme 90', 'nav z 2'],
  },
};

export const treasury = defineFeed({
  id: 'treasury',
  summary: 'NAV moves, short runways and allowance changes',
  order: 60,
  alerts,
  scope: 'project',
  // The same interval as the premium, so one response serves both.
  every: 2,
  data: 'state',
  watermark: rememberedSchema(pointSchema),
  facts: factsSchema,

  async read(subject, { analytics, options, historyAge }): Promise<Snapshot<TreasurySeen>> {
    const { slug } = projectOf(subject);
    const { data, at } = await analytics.call(treasuryOverview, { slug }, options);
    const values: Values = Object.fromEntries(READ.map((measure) => [measure, data[TREASURY_ROWS[measure].overview]]));
    // The premium feed reads the same chart, so it is usually cached.
    const { past, isPastOld } =
      values.nav === undefined ? { past: [], isPastOld: false } : await navHistory(slug, { analytics, options, now: at, historyAge });
    return { data: { ...values, updatedAt: data.updatedAt, past, isPastOld }, at, complete: true, hidden: 0, broken: 0 };
  },

  companion: 'premium',

  listed: {
    list: 'projects',
    async snapshot({ slug, now: { treasury: nav, runway, allowance, updatedAt }, analytics }) {
      // A stale row has no NAV. Its runway of zero must not be taken as a value.
      if (nav === undefined) return undefined;
      return { nav, runway, allowance, updatedAt, past: await keptNavHistory(slug, analytics) };
    },
  },

  history: {
    resolution: 'day',
    measures: ['nav'],
    lacks: {
      runway: PAST_RUNWAY,
      allowance: PAST_ALLOWANCE,
    },
    cost: 1,
    read: async (subject, context) =>
      pastNavSnapshots(subject, { context, seen: ({ at, nav }, past) => ({ ...omitUndefined({ nav }), updatedAt: at, past }) }),
  },

  diff(subject, before, { data: snapshot, at }) {
    const { updatedAt, past, isPastOld = false, ...all } = snapshot;
    const values = known(all);
    if (Object.keys(values).length === 0) return { watermark: before ?? { past: [] }, events: [] };
    const { slug, name, mint } = projectOf(subject);
    const of = (moment: Instant) => {
      const { navs, history } = navsOf(past);
      // The watermark knows all three measures, the chart only NAV.
      const dayAgo = dayBefore<ValuesAt>(before?.past ?? [], moment) ?? dayBefore<ValuesAt>(navs, moment);
      const facts: Facts = { ...values, name, mint, updatedAt, before: dayAgo };
      const charted = pastValues(measuredIn([...navs, ...(before?.past ?? []), { ...values, at: moment }]), moment);
      return {
        values,
        facts,
        past: charted,
        ...(values.nav === undefined || history.length === 0 || isPastOld ? {} : { history: { nav: history } }),
      };
    };
    return withMeasured(before, { values, updatedAt, at }, { id: `treasury/${slug}`, project: slug, of });
  },

  content({ facts, project, detectedAt }, { crossings = [] }): EventContent {
    const about = { who: facts.name };
    const [first] = crossings;
    const words = first && crossingWords(first, about);
    const valueText = valueTextOf(facts);
    const ofYear = crossings.find((one) => one.zScore !== undefined);
    const zScore = ofYear && zWords({ ...ofYear, value: ofYear.now.value });
    const change = [words?.was, zScore].filter((part) => part !== undefined);
    return {
      tone: words === undefined ? 'plain' : words.rose ? 'up' : 'down',
      about: facts.name,
      headline:
        words === undefined ? [{ strong: `${facts.name}'s treasury: ${valueText}` }] : [{ strong: `${words.finding}: ${words.value}` }],
      details: [
        ...alsoCrossed(crossings, about),
        ...(change.length === 0 ? [] : [[capitalised(change.join(' · '))]]),
        ...(words === undefined ? beforeLine(facts, detectedAt) : [[capitalised(valueText)]]),
        ...(facts.updatedAt === undefined || detectedAt - facts.updatedAt <= OLD ? [] : [['⚠ Last updated ', { at: facts.updatedAt }]]),
      ],
      actions: [
        { label: 'Treasury', line: `/treasury ${project}` },
        { label: 'Runway', line: `/treasury ${project} runway` },
      ],
      links: [
        { to: 'chart', mint: facts.mint, slug: project },
        { to: 'site', mint: facts.mint, slug: project },
      ],
    };
  },

  chart: ({ past, facts }, crossings) => alertChart(past, crossings, facts.name),

  sample(now) {
    const at = later(now, -MINUTE);
    const before = { at: later(at, -DAY), nav: decimal('5766000'), runway: decimal('57.66'), allowance: decimal('100000') };
    const was = { at: before.at, value: before.allowance };
    return {
      id: 'treasury/sample/1',
      topic: 'treasury/sample/1',
      stage: 'level',
      project: SAMPLE.slug,
      occurredAt: at,
      past: samplePast('allowance', ['80000', '80000', '100000', '100000', '100000', '120000'], at),
      facts: {
        name: SAMPLE.name,
        mint: SAMPLE.mint,
        nav: decimal('5766000'),
        runway: decimal('48.05'),
        allowance: decimal('120000'),
        before,
      },
      crossings: [{ rule: { when: 'change', measure: 'allowance' }, side: 'high', now: { at, value: decimal('120000') }, was, since: was }],
    };
  },
});

function fieldPerMeasure<V>(measures: typeof READ, field: V): Readonly<Record<(typeof READ)[number], V>>;
function fieldPerMeasure(measures: typeof READ, field: unknown): object {
  return Object.fromEntries(measures.map((measure) => [measure, field]));
}

const known = (values: Values): Values =>
  Object.fromEntries(READ.flatMap((measure) => (values[measure] === undefined ? [] : [[measure, values[measure]]])));

/** Returns text such as "NAV $5,766,000 · runway 57.7 months". */
const valueTextOf = (values: Values): string =>
  READ.flatMap((measure) => {
    const value = values[measure];
    return value === undefined ? [] : [`${MEASURES[measure].name} ${MEASURES[measure].value(value)}`];
  }).join(' · ');

function beforeLine({ before, updatedAt }: Facts, detectedAt: Instant): readonly Line[] {
  const valueText = before === undefined ? '' : valueTextOf(before);
  return before === undefined || valueText === '' ? [] : [[capitalised(`${whenWords(before.at, updatedAt ?? detectedAt)}: ${valueText}`)]];
}
