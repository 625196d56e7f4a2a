/** This feed watches proposals: created, live, TWAP window, ending, result. They are known by public key, or else by number. */
import { z } from 'zod';
import { proposalIdentity, type ProposalRow } from '../analytics/endpoints/proposals.js';
import { HOUR, later } from '../base/clock.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { MAX_PAST_VALUES } from '../domain/event.js';
import { phaseOf } from '../domain/market-phase.js';
import { UNLISTED_MEASURES, measuresOf } from '../domain/measures.js';
import { REMINDER_STAGE } from '../domain/reminder.js';
import { decimal, type Instant } from '../domain/scalars.js';
import type { ThresholdRule } from '../domain/threshold-rule.js';
import { alertChart, pastValues } from './alert-chart.js';
import { UNLISTED_STAGE, offered, unoffered, type AlertKind } from './alert-kind.js';
import {
  THRESHOLD_STAGE,
  defineFeed,
  type FoundEvent,
  type Measurements,
  type PriorityWindow,
  type Snapshot,
  type Subject,
} from './feed.js';
import { projectOf } from './check-subject.js';
import { marginChart } from './margin-chart.js';
import { LISTED_LATE } from './market-trades.js';
import { historyOf, marketSchema, measureMarkets, type MarketRow, type MeasuredMarket, type RememberedMarket } from './market-values.js';
import { pastProposals } from './past-proposals.js';
import {
  LIVE_HEADLINE_OF,
  detailsOf,
  factsOf,
  factsSchema,
  headlineOf,
  isResult,
  measuredContent,
  progressOf,
  worded,
  type ProposalFacts,
} from './proposal-content.js';
import { MAX_COURSES, MAX_DETAILS, readCourses, readListedProposals, readPastProposals, readProposals } from './proposal-rows.js';
import { noticeFrom, reached } from './proposal-stages.js';
import { SAMPLE, SAMPLE_PROPOSAL } from '../domain/sample-project.js';

const watermarkSchema = z.object({
  /** Stages reached, by identity. */
  known: z.record(z.string(), z.array(z.string()).readonly()),
  /** First identities by public key and number, because a later row may show only one of them. */
  keys: z.record(z.string(), z.string()),
  /** False until the list was read whole. Until then, an undated stage may be old. */
  whole: z.boolean(),
  /** Values of open markets, by identity. */
  markets: z.record(z.string(), marketSchema).optional(),
});

/** A flip between passing and failing alerts by default, because the last alert may have said the opposite. */
const FLIP: readonly ThresholdRule[] = [{ when: 'flip', measure: 'margin' }];

const alerts: AlertKind<ProposalFacts> = {
  words: ['proposal changed', 'proposals changed'],
  rank: 'progress',
  stages: {
    created: offered('progress', 'proposal created', 'proposals created'),
    live: offered('live', 'proposal went live', 'proposals went live'),
    twap: offered('soon', 'TWAP window opened', 'TWAP windows opened'),
    ending: offered('soon', 'proposal ending soon', 'proposals ending soon'),
    passed: offered('result', 'proposal passed', 'proposals passed'),
    failed: offered('result', 'proposal failed', 'proposals failed'),
    removed: offered('result', 'proposal removed', 'proposals removed'),
    [THRESHOLD_STAGE]: unoffered('result', 'market alert', 'market alerts'),
    [REMINDER_STAGE]: unoffered('soon', 'reminder', 'reminders'),
  },
  stageGroups: { resolved: ['passed', 'failed', 'removed', UNLISTED_STAGE] },
  filters: ['stages', 'title', 'updates', 'remind', 'back'],
  live: { notices: ['live', 'ending', 'resolved'], results: ['resolved'] },
  measures: measuresOf('proposals'),
  defaultRules: FLIP,
  important: { says: 'proposals and markets that flip', filters: { stages: ['live', 'ending', 'resolved'] }, thresholds: FLIP },
  most: { says: 'proposals and markets that flip', filters: {}, thresholds: FLIP },
  sound: 'rings',
  // A flip is more important than a single trade.
  size: ({ title, trade }) => ({
    noun: 'change',
    labels: { title: title ? [title] : [] },
    ...(trade === undefined ? {} : { rank: 'moved', usd: trade.value }),
  }),
  offers: {
    example: 'stages:live,resolved',
    hint: 'margin<2, or title:buyback',
    percents: [],
    thresholds: ['flip', 'margin below 1', 'margin below 2', 'margin above 2', 'volume above 50000', 'trade above 10000'],
    moves: ['margin move 3 in 1h', 'margin move 3', 'worth move 2'],
  },
};

/** Margins of the sample, three hours apart. */
const SAMPLE_COURSE = [
  '-0.9',
  '-0.7',
  '-0.8',
  '-0.4',
  '-0.1',
  '0.2',
  '0.1',
  '-0.2',
  '0.3',
  '0.7',
  '0.9',
  '0.8',
  '0.5',
  '0.4',
  '0.7',
  '0.5',
];

const sampleCourse = (now: Instant): NonNullable<ProposalFacts['margins']> =>
  SAMPLE_COURSE.map((margin, index) => [later(now, (index - SAMPLE_COURSE.length) * 3 * HOUR), decimal(margin)]);

export const proposals = defineFeed({
  id: 'proposals',
  summary: 'proposals created, live, in their TWAP window, ending and resolved',
  order: 20,
  alerts,
  scope: 'project',
  every: 1,
  data: 'state',
  watermark: watermarkSchema,
  empty: { known: {}, keys: {}, whole: false },
  facts: factsSchema,

  async read(
    subject,
    { analytics, options, listed, isThrifty = false, checkedAt, wants = () => false },
  ): Promise<Snapshot<readonly MarketRow[]>> {
    const markets = isThrifty ? undefined : { trades: wants('trade'), since: checkedAt && later(checkedAt, -LISTED_LATE) };
    // A check that a list called for is cheap unless a rule is about what only the markets' own endpoints show.
    const own = UNLISTED_MEASURES.some(wants) ? markets : undefined;
    const shown = listed && (await readListedProposals(listed, { analytics, options, markets: own }));
    if (shown !== undefined) return shown;
    const { rows, ...how } = await readProposals(projectOf(subject).slug, { analytics, options, markets });
    return { ...how, data: rows };
  },

  listed: {
    list: 'markets',
    snapshot: ({ now: { markets } }) => markets,
    // Only the project's own endpoints have the result of a market that is gone.
    isChanged: ({ open }, base, watermark) =>
      open !== undefined &&
      (base.open ?? []).some((identity) => !open.includes(identity) && watermark?.known[identity]?.some(isResult) !== true),
  },

  history: {
    resolution: 'event',
    measures: ['margin', 'worth', 'pass', 'fail'],
    lacks: {
      events: 'A stage that only edits a live message counts too.',
      volume: 'The service has no past volumes of a market.',
      traders: 'The service has no past numbers of traders.',
      stake: 'The service has no past stakes.',
      trade: 'Past trades would take every page of every market.',
    },
    cost: undefined,
    measuredCost: MAX_COURSES,
    // Starts are in the list of decision markets of all projects.
    otherLists: 1,
    async read(subject, context) {
      const { rows, unread, at, dataAt, stale, cut, hidden, broken } = await readPastProposals(projectOf(subject).slug, context);
      const { measured = [] } = context;
      const courses = measured.length === 0 ? [] : await readCourses(rows, measured, context);
      return { ...omitUndefined({ at, dataAt, stale, cut }), hidden, broken, ...pastProposals(rows, { ...context, unread, courses }) };
    },
  },

  diff(subject, before, { data: snapshot, at, complete, broken }) {
    const known = new Map(Object.entries(before?.known ?? {}));
    const keys = new Map(Object.entries(before?.keys ?? {}));
    const events: FoundEvent<ProposalFacts>[] = [];
    const open: { key: string; topic: string; row: MarketRow }[] = [];
    const listed = keysIn(snapshot);
    for (const row of snapshot) {
      const key = keyOf(row, keys.get(row.id ?? ''), listed);
      if (row.publicKey !== undefined && row.id !== undefined) keys.set(row.id, key);
      const names = [key, ...(row.id === undefined || row.id === key ? [] : [row.id])];
      const isKnown = names.some((name) => known.has(name));
      const knownStages = new Set(names.flatMap((name) => known.get(name) ?? []));
      const now = reached(row, at);
      // A row may reveal the public key of a proposal that was known by number: merge both under one key.
      for (const name of names) known.delete(name);
      known.set(key, [...new Set([...knownStages, ...now.map(({ stage }) => stage)])]);
      open.push({ key, topic: topicOf(projectOf(subject).slug, key), row });
      if (before === undefined) continue;
      for (const { stage, at: date } of now) {
        if (knownStages.has(stage) || (!isKnown && date === undefined && !before.whole)) continue;
        // A proposal that was open at the last check was resolved later, so the planned end is not the date of its result.
        const occurredAt = isKnown && isResult(stage) ? undefined : date;
        events.push(eventOf(subject, { row, key, stage, occurredAt }));
      }
    }
    const whole = (before?.whole ?? false) || (complete && broken === 0);
    const { markets, measured, same, over } = measureMarkets(before?.markets, open, at);
    const remembered = Object.keys(markets).length === 0 ? {} : { markets };
    return {
      watermark: { known: Object.fromEntries(known), keys: Object.fromEntries(keys), whole, ...remembered },
      events,
      measurements: measured.map(measurementOf(subject)),
      same,
      over,
    };
  },

  // A live market is decisive from its TWAP window on, and again from the notice before its end; a draft at its start.
  priorityWindows: (snapshot) => [
    ...snapshot
      .filter((row) => phaseOf(row) === 'live')
      .slice(0, MAX_DETAILS)
      .flatMap(({ startsAt, twapStartsAt, endsAt }): readonly PriorityWindow[] => [
        { kind: 'market', decisiveFrom: twapStartsAt, endsAt },
        ...(endsAt === undefined ? [] : [{ kind: 'market' as const, decisiveFrom: noticeFrom(startsAt, endsAt), endsAt }]),
      ]),
    ...snapshot
      .filter(({ startsAt, ...row }) => phaseOf(row) === 'draft' && startsAt !== undefined)
      .slice(0, MAX_DETAILS)
      .map(({ startsAt }): PriorityWindow => ({ kind: 'market', decisiveFrom: startsAt, endsAt: startsAt })),
  ],

  dates: (subject, { data, at: now }, { keys: stored }) => {
    const [listed, keys] = [keysIn(data), new Map(Object.entries(stored))];
    const { slug, name } = projectOf(subject);
    return data.flatMap((row) => {
      const phase = phaseOf(row);
      const dates = [
        ...(phase === 'live' ? [['end', row.endsAt] as const, ['twap', row.twapStartsAt] as const] : []),
        ...(phase === 'draft' ? [['start', row.startsAt] as const] : []),
        ...(phase === 'live' || phase === 'draft' ? [] : [['end', undefined] as const]),
      ];
      const about = { topic: topicOf(slug, keyOf(row, keys.get(row.id ?? ''), listed)), project: slug, facts: factsOf(name, row) };
      const title = `${row.title ? `"${row.title}"` : 'an untitled proposal'} (${name})`;
      return dates.map(([what, at]) => ({ ...about, what, at: at !== undefined && at > now ? at : undefined, title }));
    });
  },

  content: ({ facts, stage, project, detectedAt }, { now = detectedAt, crossings = [] }) =>
    stage === THRESHOLD_STAGE
      ? measuredContent({ facts, project, detectedAt }, crossings)
      : worded(headlineOf(stage, facts), { facts, stage, project }, detailsOf(stage, facts, { detectedAt, now })),

  chart: ({ past, facts }, crossings) => alertChart(past, crossings, facts.title ?? facts.name),

  live: {
    statuses: ({ subject, before, watermark, snapshot: { data, at } }, isWanted) => {
      const [listed, keys] = [keysIn(data), new Map(Object.entries(watermark.keys))];
      return data.flatMap((row) => {
        const { slug, name } = projectOf(subject);
        const key = keyOf(row, keys.get(row.id ?? ''), listed);
        const topic = topicOf(slug, key);
        if (!isWanted(topic)) return [];
        const stage = reached(row, at).at(-1)?.stage ?? 'created';
        // The result ends the series, but its message still shows the course.
        const facts = { ...factsOf(name, row), ...courseOf(watermark.markets?.[key] ?? before?.markets?.[key]) };
        return [{ topic, stage, step: stage, ended: isResult(stage), project: slug, facts }];
      });
    },
    // Past margins change with time even if the current one does not; they are redrawn with the next change.
    compared: (facts) => ({ ...facts, margins: undefined }),
    content: ({ facts, stage, project, at }) => ({
      ...worded(LIVE_HEADLINE_OF[stage] ?? headlineOf(stage, facts), { facts, stage, project }, progressOf(stage, facts, at)),
      chart: marginChart(stage, facts, at),
    }),
  },

  sample: (now) => ({
    id: 'proposals/sample/1/twap',
    topic: 'proposals/sample/1',
    stage: 'twap',
    project: SAMPLE.slug,
    occurredAt: later(now, -5 * HOUR),
    facts: {
      name: SAMPLE.name,
      publicKey: SAMPLE_PROPOSAL,
      title: 'Fund the second audit',
      startsAt: later(now, -53 * HOUR),
      twapStartsAt: later(now, -5 * HOUR),
      endsAt: later(now, 19 * HOUR),
      passEdge: decimal('2.1'),
      threshold: decimal('1.5'),
      margin: decimal('0.6'),
      traders: 42,
      volume: decimal('18300'),
      margins: sampleCourse(now),
    },
  }),
});

function eventOf(
  subject: Subject,
  { row, key, stage, occurredAt }: { row: ProposalRow; key: string; stage: string; occurredAt: FoundEvent<ProposalFacts>['occurredAt'] },
): FoundEvent<ProposalFacts> {
  const { slug, name } = projectOf(subject);
  const topic = topicOf(slug, key);
  return { id: `${topic}/${stage}`, topic, stage, project: slug, occurredAt, facts: factsOf(name, row) };
}

const keysIn = (rows: readonly ProposalRow[]): ReadonlySet<string> => new Set(rows.flatMap(({ publicKey }) => publicKey ?? []));

/** Returns a proposal's key: the first one known for its number, unless the list has both, which are then two proposals. */
function keyOf(row: ProposalRow, first: string | undefined, listed: ReadonlySet<string>): string {
  return first !== undefined && (row.publicKey === undefined || !listed.has(first)) ? first : proposalIdentity(row);
}

const topicOf = (slug: string, key: string): string => `proposals/${slug}/${key}`;

/** Makes a measurement. A trade has its own time, other values have that of the check. */
const measurementOf =
  (subject: Subject) =>
  ({ row, topic, at, values, history, trade }: MeasuredMarket): Measurements<ProposalFacts> => {
    const { slug, name } = projectOf(subject);
    const { value, at: madeAt, market, direction, price, wallet } = trade ?? {};
    return {
      id: `${topic}/${at}`,
      project: slug,
      at,
      values,
      ...(Object.keys(history).length === 0 ? {} : { history }),
      past: pastValues(history, at),
      facts: {
        ...factsOf(name, row),
        ...(value === undefined ? {} : { trade: omitUndefined({ value, at: madeAt, market, direction, price, wallet }) }),
      },
    };
  };

/** Returns the past margins for the sparkline of a live message. */
function courseOf(market: RememberedMarket | undefined): Pick<ProposalFacts, 'margins'> {
  const { margin = [] } = market === undefined ? {} : historyOf(market);
  return margin.length === 0 ? {} : { margins: margin.slice(-MAX_PAST_VALUES).map(({ at, value }) => [at, value] as const) };
}
