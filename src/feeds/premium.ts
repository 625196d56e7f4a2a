/** This feed watches the gap between price and NAV/share (§4.9). */
import { z } from 'zod';
import { treasuryOverview } from '../analytics/endpoints/treasury.js';
import { DAY, HOUR, MINUTE, later } from '../base/clock.js';
import { capitalised } from '../base/sentence-lists.js';
import { memoize } from '../base/bounded-cache.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { yearSpreadSchema, type Point } from '../domain/crossing.js';
import { crossingWords, zWords } from '../domain/crossing-words.js';
import { MEASURES, defaultHysteresis, measuresOf, type MeasureOf } from '../domain/measures.js';
import { percent, price, usd } from '../domain/format.js';
import { isZero, percentChange } from '../domain/decimal.js';
import type { ThresholdRule } from '../domain/threshold-rule.js';
import { gapOf, premiumChangeWords } from '../domain/premium.js';
import { decimal, decimalSchema, instantSchema, type Decimal, type Instant } from '../domain/scalars.js';
import { yearSpreadOf, zScoreOf } from '../domain/z-score.js';
import type { Line } from '../chat/reply.js';
import { unoffered, type AlertKind } from './alert-kind.js';
import { THRESHOLD_STAGE, defineFeed, type Snapshot } from './feed.js';
import { alsoCrossed, type EventContent } from './event-content.js';
import { alertChart, pastValues } from './alert-chart.js';
import { dayBefore, rememberedSchema, withMeasured } from './remembered-measurements.js';
import { keptNavHistory, navHistory, PAST_ALLOWANCE, PAST_RUNWAY, pastNavSnapshots, type PastPoint } from './nav-history.js';
import { projectOf } from './check-subject.js';
import { SAMPLE, samplePast } from '../domain/sample-project.js';

/** `gap` is in percent of NAV/share, `runway` in months, the others in USD. */
const valuesSchema = z.object({
  gap: decimalSchema,
  price: decimalSchema.optional(),
  navPerShare: decimalSchema.optional(),
  nav: decimalSchema.optional(),
  /** Rules can join runway and allowance with the premium, so a change of one of them is a measurement too. */
  runway: decimalSchema.optional(),
  allowance: decimalSchema.optional(),
});
const pointSchema = valuesSchema.extend({ at: instantSchema });
type GapAt = z.infer<typeof pointSchema>;

const factsSchema = valuesSchema.extend({
  name: z.string(),
  symbol: z.string().optional(),
  mint: z.string().optional(),
  /** The premium that the service reports, if it differs from the computed one. */
  reported: decimalSchema.optional(),
  updatedAt: instantSchema.optional(),
  before: pointSchema.optional(),
  zScore: decimalSchema.optional(),
  year: yearSpreadSchema.optional(),
});
type Facts = z.infer<typeof factsSchema>;

export interface PremiumSeen {
  readonly gap: Decimal | undefined;
  readonly reported: Decimal | undefined;
  readonly price: Decimal | undefined;
  readonly navPerShare: Decimal | undefined;
  readonly nav: Decimal | undefined;
  readonly runway?: Decimal | undefined;
  readonly allowance?: Decimal | undefined;
  readonly updatedAt: Instant | undefined;
  readonly past: readonly PastPoint[];
  /** The chart of the past is more than a day old. */
  readonly isPastOld?: boolean;
}

const NAV_ITSELF = decimal('0');

const OLD = DAY;

const CROSSING_NAV: readonly ThresholdRule[] = [
  { when: 'above', measure: 'premium', threshold: NAV_ITSELF, hysteresis: defaultHysteresis('premium', NAV_ITSELF) },
  { when: 'below', measure: 'premium', threshold: NAV_ITSELF, hysteresis: defaultHysteresis('premium', NAV_ITSELF) },
];

const USUAL_RULES: readonly ThresholdRule[] = [
  ...CROSSING_NAV,
  { when: 'extreme', measure: 'premium', days: decimal('90') },
  { when: 'z-score', measure: 'premium', least: decimal('2') },
];

const alerts: AlertKind<Facts> = {
  words: ['premium alert', 'premium alerts'],
  rank: 'moved',
  stages: { [THRESHOLD_STAGE]: unoffered('result', 'premium alert', 'premium alerts') },
  stageGroups: {},
  filters: ['back'],
  measures: measuresOf('premium'),
  defaultRules: USUAL_RULES,
  important: {
    says: 'premium crossing 0% or at a 1-year extreme',
    filters: {},
    thresholds: [...CROSSING_NAV, { when: 'extreme', measure: 'premium', days: decimal('365') }],
  },
  most: { says: 'premium crossing 0% or at an extreme', filters: {}, thresholds: USUAL_RULES },
  sound: 'rings',
  size: () => ({ noun: 'change' }),
  offers: {
    example: 'below -10',
    hint: 'below -10 band 2',
    percents: [],
    thresholds: ['below -10', 'below -20', 'below 0', 'above 0', 'above 10'],
    moves: ['move 2', 'move 5', 'move 10', 'extreme 30', 'extreme 90', 'extreme 365', 'z 2', 'z 3'],
  },
};

export const premium = defineFeed({
  id: 'premium',
  summary: 'premiums and discounts crossing a threshold',
  order: 50,
  alerts,
  scope: 'project',
  // Time without checks loses only values that went back, so half the frequency of a ledger feed is enough.
  every: 2,
  data: 'state',
  watermark: rememberedSchema(pointSchema),
  facts: factsSchema,

  async read(subject, { analytics, options, historyAge }): Promise<Snapshot<PremiumSeen>> {
    const { slug } = projectOf(subject);
    const { data, at } = await analytics.call(treasuryOverview, { slug }, options);
    const { percent: gap, reported } = gapOf(data);
    const { past, isPastOld } =
      gap === undefined ? { past: [], isPastOld: false } : await navHistory(slug, { analytics, options, now: at, historyAge });
    const { price: each, navPerShare, netAssetValue: nav, runway, allowance, updatedAt } = data;
    // The chart may be a day old, so `at` is that of this response.
    return {
      data: { gap, reported, price: each, navPerShare, nav, runway, allowance, updatedAt, past, isPastOld },
      at,
      complete: true,
      hidden: 0,
      broken: 0,
    };
  },

  companion: 'treasury',

  listed: {
    list: 'projects',
    async snapshot({ slug, now: { price: each, navPerShare, premium: said, treasury, runway, allowance, updatedAt }, analytics }) {
      const { percent: gap, reported } = gapOf(omitUndefined({ price: each, navPerShare, premium: said }));
      if (gap === undefined || (each === undefined && navPerShare === undefined)) return undefined;
      // A stale row has no treasury, and zeros for other values.
      const told = (value: Decimal | undefined) => (treasury === undefined && value !== undefined && isZero(value) ? undefined : value);
      const backing = { nav: treasury, runway: told(runway), allowance: told(allowance) };
      return { gap, reported, price: each, navPerShare, ...backing, updatedAt, past: await keptNavHistory(slug, analytics) };
    },
  },

  history: {
    resolution: 'day',
    measures: [...measuresOf('premium'), 'nav'],
    lacks: { runway: PAST_RUNWAY, allowance: PAST_ALLOWANCE },
    cost: 1,
    read: async (subject, context) =>
      pastNavSnapshots(subject, {
        context,
        seen: ({ at: updatedAt, premium: said, price: each, navPerShare, nav }, past) => {
          const { percent: gap, reported } = gapOf({ price: each, navPerShare, premium: said });
          return { gap, reported, price: each, navPerShare, nav, updatedAt, past };
        },
      }),
  },

  diff(subject, before, { data: snapshot, at }) {
    const { gap, price: each, navPerShare, nav, runway, allowance, reported, updatedAt, past, isPastOld = false } = snapshot;
    if (gap === undefined) return { watermark: before ?? { past: [] }, events: [] };
    const values: z.infer<typeof valuesSchema> = { gap, price: each, navPerShare, nav, runway, allowance };
    const { slug, name, symbol, mint } = projectOf(subject);
    const of = (moment: Instant) => {
      const { known, history, prices } = gapsOf(past);
      const facts: Facts = {
        name,
        symbol,
        mint,
        ...values,
        reported,
        updatedAt,
        before: dayBefore([...known, ...(before?.past ?? [])], moment),
        zScore: zScoreOf({ at: moment, value: gap }, history),
        year: yearSpreadOf({ at: moment }, history),
      };
      const measured: Record<MeasureOf<'premium'>, Decimal | undefined> = { premium: gap, price: each, price24h: dayChange(facts, moment) };
      return {
        values: omitUndefined(measured),
        others: omitUndefined({ nav, runway, allowance }),
        facts,
        ...(history.length === 0 || isPastOld ? {} : { history: { premium: history, price: prices } }),
        past: pastValues(measuredIn([...known, ...(before?.past ?? []), { ...values, gap, at: moment }]), moment),
      };
    };
    return withMeasured(before, { values, updatedAt, at }, { id: `premium/${slug}`, project: slug, of });
  },

  content({ facts, project, occurredAt, detectedAt }, { crossings = [] }): EventContent {
    const { name } = facts;
    // Computed again, so that `/sources` can show the calculation.
    const gap = gapOf({ price: facts.price, navPerShare: facts.navPerShare }).percent ?? facts.gap;
    const at = occurredAt ?? detectedAt;
    const who = facts.symbol ?? name;
    const about = { who };
    const [first] = crossings;
    const words = first && crossingWords(first, about);
    const finding = words === undefined ? `${who} trades ${MEASURES.premium.value(gap)}` : `${words.finding}: ${words.value}`;
    const isPremium = (first?.rule.measure ?? 'premium') === 'premium';
    const ofYear = crossings.find((one) => one.zScore !== undefined);
    const zScore =
      ofYear === undefined ? (isPremium ? zWords({ ...facts, value: gap }) : undefined) : zWords({ ...ofYear, value: ofYear.now.value });
    const since = crossings[0] !== undefined && FROM_ITS_OWN.has(crossings[0].rule.when) ? words : undefined;
    const was =
      isPremium || words === undefined ? premiumChangeWords(facts, { at, words, since }) : [words.was, MEASURES.premium.value(gap)];
    const change = [...was, ...(zScore === undefined ? [] : [zScore])];
    return {
      tone: words === undefined ? 'plain' : words.rose ? 'up' : 'down',
      about: name,
      headline: [{ strong: finding }],
      details: [
        ...alsoCrossed(crossings, about),
        ...(change.length === 0 ? [] : [[capitalised(change.join(' · '))]]),
        ...backingLines(facts, detectedAt),
      ],
      actions: [
        { label: 'Premium', line: `/premium ${project}` },
        { label: 'Treasury', line: `/treasury ${project}` },
      ],
      links: [
        { to: 'chart', mint: facts.mint, slug: project },
        { to: 'site', mint: facts.mint, slug: project },
      ],
    };
  },

  chart: ({ past, facts }, crossings) => alertChart(past, crossings, facts.symbol ?? facts.name),

  sample(now) {
    const at = later(now, -MINUTE);
    const before = { at: later(at, -DAY), gap: decimal('-9.098360655737705'), price: decimal('0.8872'), navPerShare: decimal('0.976') };
    const gap = decimal('-17.2');
    const point = { at, value: gap };
    return {
      id: 'premium/sample/1',
      topic: 'premium/sample/1',
      stage: 'level',
      project: SAMPLE.slug,
      occurredAt: at,
      past: samplePast('premium', SAMPLE_PREMIUMS, at),
      facts: {
        name: SAMPLE.name,
        symbol: SAMPLE.symbol,
        mint: SAMPLE.mint,
        gap,
        price: decimal('0.828'),
        navPerShare: decimal('1'),
        nav: decimal('10000000'),
        before: { ...before, nav: decimal('9760000') },
        zScore: decimal('-2.1'),
        year: { mean: decimal('-5.02'), deviation: decimal('5.8'), count: 365 },
      },
      crossings: [
        {
          rule: { when: 'below', measure: 'premium', threshold: decimal('-10'), hysteresis: defaultHysteresis('premium', decimal('-10')) },
          side: 'low',
          now: point,
          was: { at: later(at, -2 * MINUTE), value: decimal('-9.6') },
          since: { at: before.at, value: before.gap },
        },
      ],
    };
  },
});

const SAMPLE_PREMIUMS = ['4.1', '6.8', '3.2', '1.5', '-2.4', '-1.1', '0.6', '-3.7', '-6.2', '-4.9', '-5.8', '-7.6', '-9.1', '-17.2'];

const gapsOf = memoize((points: readonly PastPoint[]) => {
  const known = points.flatMap(({ premium: reported, ...point }): GapAt[] => {
    const { percent: gap } = gapOf({ ...point, premium: reported });
    return gap === undefined ? [] : [{ ...point, gap }];
  });
  const prices = known.flatMap(({ at, price: value }): readonly Point[] => (value === undefined ? [] : [{ at, value }]));
  return { known, history: known.map((point): Point => ({ at: point.at, value: point.gap })), prices };
});

const measuredIn = (points: readonly GapAt[]): { readonly premium: readonly Point[]; readonly price: readonly Point[] } => ({
  premium: points.map(({ at, gap }) => ({ at, value: gap })),
  price: points.flatMap(({ at, price: value }) => (value === undefined ? [] : [{ at, value }])),
});

const FROM_ITS_OWN: ReadonlySet<ThresholdRule['when']> = new Set(['above', 'below', 'move']);

/** Maximum distance of the earlier point from a day ago. */
const DAY_TOLERANCE = 6 * HOUR;

type DayBefore = Pick<GapAt, 'at' | 'price'>;

/** Returns the change in percent, or undefined without a price of about a day before. */
export function dayChange(
  { price: now, before }: Pick<Facts, 'price'> & { readonly before?: DayBefore | undefined },
  moment: Instant,
): Decimal | undefined {
  if (now === undefined || before?.price === undefined || Math.abs(moment - before.at - DAY) > DAY_TOLERANCE) return undefined;
  return percentChange(before.price, now);
}

function backingLines({ price: each, navPerShare, nav, reported, gap, updatedAt }: Facts, detectedAt: Instant): readonly Line[] {
  const measurements = [
    ...(each === undefined ? [] : [`Price ${price(each)}`]),
    ...(navPerShare === undefined ? [] : [`NAV/share ${price(navPerShare)}`]),
    ...(nav === undefined ? [] : [`NAV ${usd(nav)}`]),
  ];
  return [
    ...(measurements.length === 0 ? [] : [[measurements.join(' · ')]]),
    ...(updatedAt === undefined || detectedAt - updatedAt <= OLD ? [] : [['⚠ NAV was last updated ', { at: updatedAt }]]),
    ...(reported === undefined ? [] : [[`⚠ ${percent(reported)} as reported; price and NAV/share give ${percent(gap)}`]]),
  ];
}
