/** This feed watches launches in three lists, until completion, refund or graveyard. The watermark keeps their projects. */
import { z } from 'zod';
import type { Walk } from '../analytics/analytics.js';
import { completedLaunches, graveyardLaunches, recentLaunches } from '../analytics/endpoints/launches.js';
import { AnalyticsError, type Trouble } from '../analytics/errors.js';
import { DAY, HOUR, instant, later } from '../base/clock.js';
import { omitUndefined } from '../base/omit-undefined.js';
import type { Line, Tone } from '../chat/reply.js';
import { compare } from '../domain/decimal.js';
import { usdExact } from '../domain/format.js';
import { decimal, decimalSchema, slugSchema, type Decimal, type Instant } from '../domain/scalars.js';
import { REMINDER_STAGE } from '../domain/reminder.js';
import { offered, unoffered, UNLISTED_STAGE, type AlertKind } from './alert-kind.js';
import { defineFeed, type FoundCorrection, type FoundEvent } from './feed.js';
import type { EventContent } from './event-content.js';
import { detailsOf, findingOf, launchFactsSchema, progressOf, type LaunchFacts } from './launch-content.js';
import { endOf, joinLists, MAX_NOTICE, reachedStages, type TrackedLaunch } from './launch-stages.js';
import { noticeFrom } from './proposal-stages.js';
import { correctedAgain, isCorrectionDue, keptRestatements, restatementsSchema, versionOf } from './restatements.js';
import { SAMPLE } from '../domain/sample-project.js';

const MAX_WINDOWS = 8;

/** An end that moves by less is not an extension. */
const MIN_EXTENSION = HOUR;

const knownSchema = z.object({
  stages: z.array(z.string()).readonly(),
  slug: z.string().optional(),
  mint: z.string().optional(),
  runsFor: z.number().optional(),
  /** The first known `runsFor`. */
  planned: z.number().optional(),
  /** Amounts as they were reported, with the later corrections. */
  numbers: z.record(z.string(), decimalSchema).optional(),
  restated: restatementsSchema.optional(),
});

const watermarkSchema = z.object({
  known: z.record(z.string(), knownSchema),
  /** False until every row was read. Until then, an unknown launch without a date may be old. */
  whole: z.boolean(),
});

const alerts: AlertKind<LaunchFacts> = {
  words: ['launch changed', 'launches changed'],
  rank: 'progress',
  stages: {
    new: offered('progress', 'launch announced', 'launches announced'),
    live: offered('live', 'launch opened', 'launches opened'),
    minimum: offered('live', 'launch reached its minimum', 'launches reached their minimum'),
    extended: offered('soon', 'launch extended', 'launches extended'),
    ending: offered('soon', 'launch ending soon', 'launches ending soon'),
    closed: offered('closed', 'launch closed', 'launches closed'),
    complete: offered('closed', 'launch completed', 'launches completed'),
    refunding: offered('closed', 'launch refunding', 'launches refunding'),
    graveyard: offered('closed', 'project wound down', 'projects wound down'),
    [REMINDER_STAGE]: unoffered('soon', 'reminder', 'reminders'),
  },
  stageGroups: { ended: ['closed', 'complete', 'refunding', 'graveyard', UNLISTED_STAGE] },
  filters: ['stages', 'updates', 'remind'],
  live: { notices: ['live', 'minimum', 'ending', 'ended'], results: ['complete', 'refunding', 'graveyard'] },
  measures: [],
  defaultRules: [],
  important: {
    says: 'launches',
    filters: { stages: ['live', 'minimum', 'ending', 'ended'] },
    thresholds: [],
  },
  most: { says: 'launches', filters: {}, thresholds: [] },
  sound: 'rings',
  size: () => ({ noun: 'change' }),
  offers: { example: 'stages:live,ending', hint: 'stages live, ending', percents: [], thresholds: [], moves: [] },
};

export const launches = defineFeed({
  id: 'launches',
  summary: 'launches announced, live, past their minimum, extended, ending, closed, refunded and wound down',
  order: 30,
  alerts,
  scope: 'global',
  every: 1,
  data: 'state',
  watermark: watermarkSchema,
  empty: { known: {}, whole: false },
  facts: launchFactsSchema,

  async read(_subject, { analytics, options, isThrifty }) {
    // If requests are few, recent launches are read each time, and the lists of past ones every few days.
    const past = isThrifty === true ? { ...options, maxAge: Math.max(options.maxAge ?? 0, PAST_AGE) } : options;
    const byAddress = (row: { readonly address: string }) => row.address;
    const [recent, completed, graveyard] = await Promise.all([
      unlessHidden(async () => analytics.walk(recentLaunches, {}, byAddress, options)),
      unlessHidden(async () => analytics.walk(completedLaunches, {}, byAddress, past)),
      unlessHidden(async () => analytics.walk(graveyardLaunches, {}, byAddress, past)),
    ]);
    const walks = [recent, completed, graveyard].filter((walk) => walk !== undefined);
    const [first] = walks;
    if (!first)
      throw new AnalyticsError({ trouble: 'forbidden', row: recentLaunches.id, detail: 'none of the three launch lists can be had' });
    return {
      data: joinLists({ recent: recent?.rows ?? [], completed: completed?.rows ?? [], graveyard: graveyard?.rows ?? [] }),
      // The time is that of the recent launches if cached lists of past ones were used.
      at: isThrifty === true && recent !== undefined ? recent.at : instant(Math.min(...walks.map((walk) => walk.at))),
      complete: walks.length === 3 && walks.every((walk) => walk.complete),
      hidden: walks.reduce((total, walk) => total + walk.hidden, 0),
      broken: walks.reduce((total, walk) => total + walk.broken, 0),
    };
  },

  history: { unavailable: 'The service lists launches as they are now and has no history of them.' },

  diff(_subject, before, { data: snapshot, at, complete, broken }) {
    const known = new Map(Object.entries(before?.known ?? {}));
    const slugOf = slugsByMint([...known.values(), ...snapshot]);
    const events: FoundEvent<LaunchFacts>[] = [];
    const corrections: FoundCorrection[] = [];
    for (const launch of snapshot) {
      const old = known.get(launch.address);
      const slug = launch.slug ?? old?.slug ?? slugOf.get(launch.mint ?? '');
      const moved = old?.runsFor !== undefined && launch.runsFor !== undefined ? launch.runsFor - old.runsFor : 0;
      const longerBy = moved >= MIN_EXTENSION ? moved : 0;
      // A launch that was extended gets the stage `ending` again.
      const knownStages = old?.stages.filter((stage) => !(stage === 'ending' && longerBy > 0)) ?? [];
      const reached = reachedStages(launch, at).filter(({ stage }) => stage !== 'new' || old === undefined);
      const { numbers, restated, found } = comparedNumbers(launch, old ?? {}, { numbers: numbersOf(launch, reached), at });
      corrections.push(...found);
      known.set(launch.address, {
        ...(Object.keys(numbers).length === 0 ? {} : { numbers }),
        ...(restated === undefined ? {} : { restated }),
        stages: [...new Set([...knownStages, ...reached.map(({ stage }) => stage)])],
        slug,
        mint: launch.mint ?? old?.mint,
        // An end that moves a little at each check counts as one extension once it has moved by `MIN_EXTENSION`.
        runsFor: old?.runsFor === undefined || longerBy > 0 ? launch.runsFor : old.runsFor,
        planned: old?.planned ?? old?.runsFor ?? launch.runsFor,
      });
      if (before === undefined) continue;
      if (longerBy > 0) events.push(eventOf({ launch, slug, stage: 'extended', occurredAt: undefined, extra: { longerBy } }));
      // An amount that is restated after the result may reach the minimum, and nobody can commit any more.
      const wasOver = reached.some(({ stage }) => RESULTS.has(stage) && knownStages.includes(stage));
      for (const { stage, at: date } of reached) {
        if (wasOver && OPEN.has(stage)) continue;
        if (knownStages.includes(stage) || (old === undefined && date === undefined && !before.whole)) continue;
        // A launch that was open at the last check ended after it, whatever date its plan gave. The graveyard may have been hidden at
        // that check.
        const since = old !== undefined && (stage !== 'graveyard' || before.whole);
        events.push(eventOf({ launch, slug, stage, occurredAt: since ? undefined : date, extra: {} }));
      }
    }
    const whole = (before?.whole ?? false) || (complete && broken === 0);
    return { watermark: { known: Object.fromEntries(known), whole }, events, corrections };
  },

  priorityWindows: (snapshot) =>
    snapshot
      .filter(({ state, ended }) => state?.toLowerCase() === 'live' && ended === undefined)
      .slice(0, MAX_WINDOWS)
      .map((launch) => {
        const endsAt = endOf(launch);
        return { kind: 'launch', decisiveFrom: endsAt && noticeFrom(launch.startedAt, endsAt, MAX_NOTICE), endsAt };
      }),

  dates: (_subject, { data, at: now }, { known }) =>
    data.map((launch) => {
      const isOpen = ['live', 'initialized'].includes(launch.state?.toLowerCase() ?? '') && launch.ended === undefined;
      const end = isOpen ? endOf(launch) : undefined;
      const at = end !== undefined && end > now ? end : undefined;
      const slug = launch.slug ?? known[launch.address]?.slug;
      const facts = factsOf(launch, slug, {});
      const title = facts.symbol ? `${facts.name} (${facts.symbol})` : facts.name;
      return {
        topic: topicOf(launch),
        what: 'close' as const,
        at,
        title,
        project: slug === undefined ? undefined : slugSchema.parse(slug),
        facts,
      };
    }),

  content: ({ facts, stage, project, detectedAt }, { now = detectedAt }) =>
    worded(
      HEADLINE_OF,
      { facts, stage, project },
      { finding: findingOf(stage, facts), details: detailsOf(stage, facts, { detectedAt, now }) },
    ),

  live: {
    statuses: ({ watermark, snapshot: { data, at } }, isWanted) =>
      data.flatMap((launch) => {
        const topic = topicOf(launch);
        if (!isWanted(topic)) return [];
        const { slug, runsFor = 0, planned = runsFor } = watermark.known[launch.address] ?? {};
        const stage = reachedStages(launch, at).at(-1)?.stage ?? 'new';
        const longer = runsFor > planned ? { longerBy: runsFor - planned } : {};
        return [
          {
            topic,
            stage,
            step: `${stage}/${runsFor}`,
            ended: RESULTS.has(stage),
            ...(slug === undefined ? {} : { project: slugSchema.parse(slug) }),
            facts: factsOf(launch, slug, longer),
          },
        ];
      }),
    content: ({ facts, stage, project, at }) =>
      worded(
        HEADLINE_OF,
        { facts, stage, project },
        OPEN.has(stage)
          ? { finding: '', details: progressOf(facts, at) }
          : { finding: findingOf(stage, facts), details: detailsOf(stage, facts, { detectedAt: at, now: at }) },
      ),
  },

  sample: (now) => ({
    id: 'launches/sample/1/minimum',
    topic: 'launches/sample/1',
    stage: 'minimum',
    project: SAMPLE.slug,
    facts: {
      address: 'sample',
      mint: SAMPLE.mint,
      name: SAMPLE.name,
      symbol: SAMPLE.symbol,
      minimum: decimal('750000'),
      committed: decimal('960000'),
      endsAt: later(now, 5 * HOUR),
      permissionless: true,
    },
  }),
});

const HEADLINE_OF: Readonly<Record<string, (who: string, name: string) => string>> = {
  new: (who) => `New launch: ${who}`,
  live: (who) => `Launch live: ${who}`,
  minimum: (_, name) => `${name}'s launch reached its minimum`,
  extended: (_, name) => `${name}'s launch was extended`,
  ending: (who) => `Launch ending soon: ${who}`,
  closed: (_, name) => `${name}'s launch closed`,
  complete: (_, name) => `${name}'s launch completed`,
  refunding: (_, name) => `${name}'s launch is refunding`,
  graveyard: (who) => `${who} was wound down`,
};
const OPEN = new Set(['live', 'minimum', 'ending']);
const RESULTS = new Set(['complete', 'refunding', 'graveyard']);
const TONE_OF: Readonly<Record<string, Tone>> = {
  new: 'over',
  live: 'live',
  minimum: 'up',
  extended: 'live',
  ending: 'warning',
  closed: 'over',
  complete: 'up',
  refunding: 'down',
  graveyard: 'down',
};
const LISTS: Readonly<Record<string, string>> = { complete: '/launches completed', graveyard: '/launches graveyard' };

/** Maximum age of the lists of past launches if requests are few. */
const PAST_AGE = 3 * DAY;

/** Errors after which one list is left out. */
const HIDES: ReadonlySet<Trouble> = new Set(['forbidden', 'unknown', 'rejected', 'malformed']);

async function unlessHidden<T>(walk: () => Promise<Walk<T>>): Promise<Walk<T> | undefined> {
  try {
    return await walk();
  } catch (cause) {
    if (cause instanceof AnalyticsError && HIDES.has(cause.trouble)) return undefined;
    throw cause;
  }
}

/** Returns slugs by mint. A launch without a slug may have it in another row of its mint. */
const slugsByMint = (launches: readonly Pick<TrackedLaunch, 'mint' | 'slug'>[]): ReadonlyMap<string, string> =>
  new Map(launches.flatMap(({ mint, slug }) => (mint !== undefined && slug !== undefined ? [[mint, slug] as const] : [])));

/** Returns the amounts of a stage that ends a launch. */
function numbersOf(
  { accepted, committed, ended }: TrackedLaunch,
  reached: readonly { readonly stage: string }[],
): Readonly<Record<string, Decimal>> {
  const by = { complete: accepted, refunding: committed, graveyard: ended?.raised };
  const known = Object.entries(by).flatMap(([stage, value]) => (value === undefined ? [] : [[stage, value] as const]));
  return Object.fromEntries(known.filter(([stage]) => reached.some((one) => one.stage === stage)));
}

/** Compares amounts with the reported ones, and returns the corrections that are due. */
function comparedNumbers(
  launch: TrackedLaunch,
  old: Pick<z.infer<typeof knownSchema>, 'numbers' | 'restated'>,
  { numbers, at }: { readonly numbers: Readonly<Record<string, Decimal>>; readonly at: Instant },
) {
  const reported = new Map(Object.entries(old.numbers ?? {}));
  const restated = new Map(Object.entries(old.restated ?? {}));
  const found = Object.entries(numbers).flatMap(([stage, now]): readonly FoundCorrection[] => {
    const [was, last] = [reported.get(stage), restated.get(stage)];
    if (was !== undefined && (compare(was, now) === 0 || !isCorrectionDue(last, at))) return [];
    reported.set(stage, now);
    if (was === undefined) return [];
    restated.set(stage, correctedAgain(last, at));
    const { committed, accepted, minimum, ended } = launch;
    const facts = omitUndefined({ committed, accepted, minimum, raised: ended?.raised });
    const version = versionOf(`${was}>${now}`, last);
    return [{ event: `${topicOf(launch)}/${stage}`, version, was: usdExact(was), now: usdExact(now), facts }];
  });
  return { numbers: Object.fromEntries(reported), restated: keptRestatements(restated, () => true), found };
}

/** Stages that can come again if a launch is extended. */
const AGAIN = new Set(['extended', 'ending']);

function eventOf(of: {
  launch: TrackedLaunch;
  slug: string | undefined;
  stage: string;
  occurredAt: Instant | undefined;
  extra: Partial<LaunchFacts>;
}): FoundEvent<LaunchFacts> {
  const { launch, slug, stage, occurredAt, extra } = of;
  const topic = topicOf(launch);
  return {
    id: `${topic}/${stage}${AGAIN.has(stage) ? `/${launch.runsFor}` : ''}`,
    topic,
    stage,
    project: slug === undefined ? undefined : slugSchema.parse(slug),
    occurredAt,
    facts: factsOf(launch, slug, extra),
  };
}

const topicOf = ({ address }: Pick<TrackedLaunch, 'address'>): string => `launches/${address}`;

const factsOf = (launch: TrackedLaunch, slug: string | undefined, extra: Partial<LaunchFacts>): LaunchFacts => ({
  address: launch.address,
  mint: launch.mint,
  name: launch.title ?? slug ?? launch.address,
  symbol: launch.symbol,
  minimum: launch.minimum,
  committed: launch.committed,
  accepted: launch.accepted,
  endsAt: endOf(launch),
  permissionless: launch.permissionless,
  reason: launch.ended?.reason,
  raised: launch.ended?.raised,
  ...extra,
});

function worded(
  headlines: typeof HEADLINE_OF,
  { facts, stage, project }: { readonly facts: LaunchFacts; readonly stage: string; readonly project?: string | undefined },
  { finding, details }: { readonly finding: string; readonly details: readonly Line[] },
): EventContent {
  const who = facts.symbol ? `${facts.name} (${facts.symbol})` : facts.name;
  return {
    tone: TONE_OF[stage] ?? 'plain',
    about: facts.name,
    headline: [{ strong: (headlines[stage] ?? (() => `${facts.name}'s launch is now "${stage}"`))(who, facts.name) }, finding],
    details,
    actions: [
      { label: 'Launches', line: LISTS[stage] ?? '/launches' },
      ...(project ? [{ label: 'Treasury', line: `/treasury ${project}` }] : []),
    ],
    links: [
      { to: 'site', slug: project, mint: facts.mint },
      { to: 'token', mint: facts.mint, slug: project },
    ],
  };
}
