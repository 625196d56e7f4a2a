/** This feed watches proposals: created, live, TWAP window, ending, result. They are known by public key, or else by number. */
import { z } from 'zod';
import { proposalIdentity, type ProposalRow } from '../analytics/endpoints/proposals.js';
import { capitalised } from '../base/sentence-lists.js';
import { HOUR, later } from '../base/clock.js';
import { omitUndefined } from '../base/omit-undefined.js';
import type { Line, Tone } from '../chat/reply.js';
import { isZero } from '../domain/decimal.js';
import { percent, tokens, usd } from '../domain/format.js';
import { marginOf, phaseOf, requirement, verdict } from '../domain/market-phase.js';
import { decimal, decimalSchema, instantSchema, type Instant } from '../domain/scalars.js';
import { keyFault } from '../domain/wallet.js';
import { UNLISTED_STAGE, offered, type AlertKind } from './alert-kind.js';
import { defineFeed, type FoundEvent, type PriorityWindow, type Subject } from './feed.js';
import type { EventContent } from './event-content.js';
import { projectOf } from './check-subject.js';
import { pastProposals } from './past-proposals.js';
import { MAX_DETAILS, readListedProposals, readPastProposals, readProposals } from './proposal-rows.js';
import { noticeFrom, reached } from './proposal-stages.js';
import { SAMPLE, SAMPLE_PROPOSAL } from './sample-project.js';
import { dated, ending, oneLine } from './date-phrases.js';

const watermarkSchema = z.object({
  /** It holds the stages reached, by identity. */
  known: z.record(z.string(), z.array(z.string()).readonly()),
  /** It is kept because a later row may show only one of them. */
  keys: z.record(z.string(), z.string()),
  /** Without a whole list, an undated stage may be old. */
  whole: z.boolean(),
});

const factsSchema = z.object({
  name: z.string(),
  publicKey: z.string().optional(),
  title: z.string().optional(),
  startsAt: instantSchema.optional(),
  twapStartsAt: instantSchema.optional(),
  endsAt: instantSchema.optional(),
  passEdge: decimalSchema.optional(),
  threshold: decimalSchema.optional(),
  margin: decimalSchema.optional(),
  traders: z.int().optional(),
  volume: decimalSchema.optional(),
  staked: decimalSchema.optional(),
  stakeNeeded: decimalSchema.optional(),
});
type Facts = z.infer<typeof factsSchema>;

const alerts: AlertKind<Facts> = {
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
  },
  stageGroups: { resolved: ['passed', 'failed', 'removed', UNLISTED_STAGE] },
  filters: ['stages', 'updates'],
  live: { notices: ['live', 'ending', 'resolved'] },
  measures: [],
  defaultRules: [],
  important: { says: 'proposals', filters: { stages: ['live', 'ending', 'resolved'] }, thresholds: [] },
  most: { says: 'proposals', filters: {}, thresholds: [] },
  sound: 'rings',
  size: () => ({ noun: 'change' }),
  offers: { example: 'stages:live,resolved', hint: 'stages live, resolved', percents: [], thresholds: [], moves: [] },
};

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

  async read(subject, { analytics, options, listed }) {
    const shown = listed && (await readListedProposals(listed, { analytics, options }));
    if (shown !== undefined) return shown;
    const { rows, ...how } = await readProposals(projectOf(subject).slug, { analytics, options });
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
    measures: [],
    lacks: { events: 'A stage that only edits a live message counts too.' },
    cost: undefined,
    // The starts are in the list of the decision markets of all projects.
    otherLists: 1,
    async read(subject, context) {
      const { rows, unread, at, dataAt, stale, cut, hidden, broken } = await readPastProposals(projectOf(subject).slug, context);
      return { ...omitUndefined({ at, dataAt, stale, cut }), hidden, broken, ...pastProposals(rows, { ...context, unread }) };
    },
  },

  diff(subject, before, { data: snapshot, at, complete, broken }) {
    const known = new Map(Object.entries(before?.known ?? {}));
    const keys = new Map(Object.entries(before?.keys ?? {}));
    const events: FoundEvent<Facts>[] = [];
    const listed = keysIn(snapshot);
    for (const row of snapshot) {
      const key = keyOf(row, keys.get(row.id ?? ''), listed);
      if (row.publicKey !== undefined && row.id !== undefined) keys.set(row.id, key);
      const names = [key, ...(row.id === undefined || row.id === key ? [] : [row.id])];
      const isKnown = names.some((name) => known.has(name));
      const knownStages = new Set(names.flatMap((name) => known.get(name) ?? []));
      const now = reached(row, at);
      // From now on the public key identifies it.
      for (const name of names) known.delete(name);
      known.set(key, [...new Set([...knownStages, ...now.map(({ stage }) => stage)])]);
      if (before === undefined) continue;
      for (const { stage, at: date } of now) {
        if (knownStages.has(stage) || (!isKnown && date === undefined && !before.whole)) continue;
        // A proposal open at the last check was resolved after it, so the planned end is not the date of its result.
        const occurredAt = isKnown && isResult(stage) ? undefined : date;
        events.push(eventOf(subject, { row, key, stage, occurredAt }));
      }
    }
    const whole = (before?.whole ?? false) || (complete && broken === 0);
    return { watermark: { known: Object.fromEntries(known), keys: Object.fromEntries(keys), whole }, events };
  },

  // Each date of a market has a stage of its own: its start, its TWAP window, the notice before its end, and its end.
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

  content: ({ facts, stage, project, detectedAt }, { now = detectedAt }) =>
    worded(headlineOf(stage, facts), { facts, stage, project }, detailsOf(stage, facts, { detectedAt, now })),

  live: {
    statuses: ({ subject, watermark, snapshot: { data, at } }, isWanted) => {
      const [listed, keys] = [keysIn(data), new Map(Object.entries(watermark.keys))];
      return data.flatMap((row) => {
        const { slug, name } = projectOf(subject);
        const topic = topicOf(slug, keyOf(row, keys.get(row.id ?? ''), listed));
        if (!isWanted(topic)) return [];
        const stage = reached(row, at).at(-1)?.stage ?? 'created';
        return [{ topic, stage, step: stage, ended: isResult(stage), project: slug, facts: factsOf(name, row) }];
      });
    },
    content: ({ facts, stage, project, at }) =>
      worded(LIVE_HEADLINE_OF[stage] ?? headlineOf(stage, facts), { facts, stage, project }, progressOf(stage, facts, at)),
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
    },
  }),
});

const HEADLINE_OF: Readonly<Record<string, string>> = {
  created: 'New proposal',
  live: 'Live',
  twap: 'TWAP window open',
  ending: 'Ending soon',
  removed: 'Removed',
};
const LIVE_HEADLINE_OF: Readonly<Record<string, string>> = { twap: 'Live' };
const TONE_OF: Readonly<Record<string, Tone>> = {
  created: 'over',
  live: 'live',
  twap: 'live',
  ending: 'warning',
  passed: 'up',
  failed: 'down',
  removed: 'over',
};
const RESULTS = new Set(['passed', 'failed', 'removed']);
const isResult = (stage: string): boolean => RESULTS.has(stage) || stage.startsWith('said ');

function eventOf(
  subject: Subject,
  { row, key, stage, occurredAt }: { row: ProposalRow; key: string; stage: string; occurredAt: FoundEvent<Facts>['occurredAt'] },
): FoundEvent<Facts> {
  const { slug, name } = projectOf(subject);
  const topic = topicOf(slug, key);
  return { id: `${topic}/${stage}`, topic, stage, project: slug, occurredAt, facts: factsOf(name, row) };
}

const keysIn = (rows: readonly ProposalRow[]): ReadonlySet<string> => new Set(rows.flatMap(({ publicKey }) => publicKey ?? []));

/** It takes a number's first key, because two that are listed at once are two proposals. */
function keyOf(row: ProposalRow, first: string | undefined, listed: ReadonlySet<string>): string {
  return first !== undefined && (row.publicKey === undefined || !listed.has(first)) ? first : proposalIdentity(row);
}

const topicOf = (slug: string, key: string): string => `proposals/${slug}/${key}`;

function factsOf(name: string, row: ProposalRow): Facts {
  const { publicKey, title, startsAt, twapStartsAt, endsAt, passEdge, threshold, margin, traders, volume, staked, stakeNeeded } = row;
  return { name, publicKey, title, startsAt, twapStartsAt, endsAt, passEdge, threshold, margin, traders, volume, staked, stakeNeeded };
}

function worded(
  headline: string,
  { facts, stage, project }: { readonly facts: Facts; readonly stage: string; readonly project?: string | undefined },
  details: readonly Line[],
): EventContent {
  const title = facts.title ? `"${facts.title}"` : 'an untitled proposal';
  return {
    tone: TONE_OF[stage] ?? 'plain',
    about: facts.name,
    headline: [{ strong: `${headline}: ${title}` }, ` (${facts.name})`],
    details,
    actions: [
      ...(keyFault(facts.publicKey ?? '') !== undefined ? [] : [{ label: 'Details', line: `/proposal ${facts.publicKey}` }]),
      { label: 'Proposals', line: `/proposals ${project}` },
    ],
    links: [{ to: 'proposal', publicKey: facts.publicKey, slug: project }],
  };
}

function headlineOf(stage: string, facts: Facts): string {
  if (stage === 'passed' || stage === 'failed') return capitalised(verdict(stage, marginOf(facts)));
  return HEADLINE_OF[stage] ?? capitalised(stage.replace(/^said /u, ''));
}

function detailsOf(
  stage: string,
  facts: Facts,
  { detectedAt, now }: { readonly detectedAt: Instant; readonly now: Instant },
): readonly Line[] {
  const stake: readonly Line[] =
    stage === 'created' && facts.staked !== undefined && facts.stakeNeeded !== undefined
      ? [[`stake ${tokens(facts.staked)} of ${tokens(facts.stakeNeeded)} needed`]]
      : [];
  const when: readonly Line[] = RESULTS.has(stage)
    ? []
    : [
        ...(stage === 'live' && facts.twapStartsAt !== undefined
          ? [dated(facts.twapStartsAt, now, { ahead: 'TWAP window opens', over: 'TWAP window opened' })]
          : []),
        ...(facts.endsAt !== undefined && facts.endsAt > detectedAt ? [ending(facts.endsAt, now)] : []),
      ];
  const edge = stage === 'created' ? undefined : edgeText(stage, facts);
  const parts: readonly Line[] = [
    ...stake,
    ...(edge === undefined ? [] : [[edge]]),
    ...when,
    ...(stage === 'created' ? [] : crowdOf(facts)),
  ];
  return oneLine(parts);
}

/** It is what a live message says below its headline. */
function progressOf(stage: string, facts: Facts, at: Instant): readonly Line[] {
  const { staked, stakeNeeded, twapStartsAt, endsAt } = facts;
  const edge = stage === 'created' ? undefined : edgeText(stage, facts);
  const isMarket = stage !== 'created' && !isResult(stage);
  return oneLine([
    ...(stage === 'created' && staked !== undefined && stakeNeeded !== undefined
      ? [[`stake ${tokens(staked)} of ${tokens(stakeNeeded)} needed`]]
      : []),
    ...(edge === undefined ? [] : [[edge]]),
    ...(isMarket && twapStartsAt !== undefined
      ? [twapStartsAt <= at ? ['TWAP window open'] : ['TWAP window opens ', { at: twapStartsAt }]]
      : []),
    ...(!isResult(stage) && endsAt !== undefined && endsAt > at ? [ending(endsAt, at)] : []),
    ...(stage === 'created' ? [] : crowdOf(facts)),
  ]);
}

function crowdOf({ traders, volume }: Facts): readonly Line[] {
  const crowd = [
    ...(volume === undefined || isZero(volume) ? [] : [`${usd(volume)} volume`]),
    ...(traders === undefined || traders === 0 ? [] : [`${traders} ${traders === 1 ? 'trader' : 'traders'}`]),
  ];
  return crowd.length === 0 ? [] : [[crowd.join(', ')]];
}

/** It gives "Passing by 0.6 pts (+2.1%, needs +1.5%)". */
function edgeText(stage: string, facts: Facts): string | undefined {
  const { passEdge, threshold } = facts;
  const needs = RESULTS.has(stage) ? 'needed' : 'needs';
  const edges = [
    ...(passEdge === undefined ? [] : [percent(passEdge)]),
    ...(threshold === undefined ? [] : [`${needs} ${percent(threshold)}`]),
  ].join(', ');
  const margin = marginOf(facts);
  if (passEdge === undefined && margin === undefined) return threshold && `${needs} ${requirement(threshold)}`;
  if (RESULTS.has(stage) || margin === undefined) return edges === '' ? undefined : `pass edge ${edges}`;
  return `${verdict('live', margin)}${edges === '' ? '' : ` (${edges})`}`;
}
