/** This module gathers what a digest reports. */
import type { CheckRecords } from '../../alerts/checks/check-records.js';
import { isAbsent } from '../../alerts/checks/check-records.js';
import { sizeOf } from '../../alerts/rules/filter.js';
import { begun, covering, match, type Match } from '../../alerts/watchlist/match.js';
import { aboutItem, muteKeyOf } from '../../alerts/queue/batch.js';
import { entryOf } from '../../alerts/queue/queued-event.js';
import { editedAs, isExcluded } from '../../alerts/watchlist/exceptions.js';
import type { Archive } from '../../alerts/queue/event-archive.js';
import type { Queues } from '../../alerts/queue/queues.js';
import { suppressionOf } from '../../alerts/queue/suppression.js';
import { isOff } from '../../alerts/rules/presets.js';
import {
  calledHere,
  feedOfMarket,
  marketIn,
  projectOfMarket,
  shortName,
  targetName,
  type About,
  type Entry,
} from '../../alerts/watchlist/entry.js';
import type { Chat } from '../../alerts/watchlist/watchlists.js';
import type { Analytics } from '../../analytics/analytics.js';
import type { Directory } from '../../analytics/directory.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import { yieldToEventLoop } from '../../base/yield.js';
import { momentOf, type FeedEvent } from '../../domain/event.js';
import { priceSince } from '../../domain/price-since.js';
import { proposals } from '../../feeds/proposals.js';
import type { Decimal, Instant, Slug } from '../../domain/scalars.js';
import { instant } from '../../base/clock.js';
import { slugSchema } from '../../domain/scalars.js';
import { THRESHOLD_STAGE } from '../../feeds/feed.js';
import type { EventContent } from '../../feeds/event-content.js';
import { FEEDS, feedOf } from '../../feeds/index.js';
import { navHistory } from '../../feeds/nav-history.js';
import { premium } from '../../feeds/premium.js';
import { treasury } from '../../feeds/treasury.js';
import { gapOf } from '../../domain/premium.js';
import { ifUnreadable } from '../../store/store.js';
import type { Watermarks } from '../watermarks.js';
import { hasCard } from '../../alerts/digest/setting.js';
import { gatherCard, type CardFacts } from './card.js';
import { moveOf, topMoves, type BackedPoint, type DigestSpan, type MeasuredProject, type ProjectMove } from './moves.js';
import { digestOnlyRules, thresholdEvents } from './threshold-events.js';

export interface DigestEvent {
  readonly event: FeedEvent;
  readonly content: EventContent;
  /** Price change since a result, in percent. */
  readonly priceSince?: Decimal | undefined;
  /** The rule that filtered the event. */
  readonly by?: FilteringRule;
}

export interface FilteringRule {
  /** The entry's name for people, such as "tide" or a label. */
  readonly name: string;
  readonly rule: string;
  /** The command line that shows the rule. */
  readonly line: string;
}

export interface DigestFacts {
  readonly span: DigestSpan;
  readonly moves: readonly ProjectMove[];
  /** Newest first. Proposals and launches are included whatever the filters. */
  readonly events: readonly DigestEvent[];
  readonly filtered: readonly DigestEvent[];
  /** Older events were left out. */
  readonly isCut: boolean;
  /** Number of alerts that a mute or quiet hours suppress. */
  readonly suppressed: number;
  /** Number of alerts that were dropped, expired or refused. */
  readonly undelivered: number;
  /** Number of watched projects, without those that only lists of launches name. */
  readonly projects: number;
  /** Projects without a known premium or NAV, sorted. */
  readonly unknown: readonly string[];
  /** When the first watch began, if that was within the span: earlier events are not known. */
  readonly watchedSince: Instant | undefined;
  readonly wallets: number;
  readonly failing: number;
  /** The oldest successful check, without checks that fail. */
  readonly checkedAt: Instant | undefined;
  /** Undefined if the chat wants no card, or no range is known. */
  readonly card?: CardFacts | undefined;
}

export interface GatherContext {
  readonly archive: Pick<Archive, 'latest'>;
  readonly checkRecords: Pick<CheckRecords, 'all' | 'read' | 'measurements'>;
  readonly watermarks: Pick<Watermarks, 'get'>;
  readonly queues: Pick<Queues, 'read' | 'receipts'>;
  readonly directory: Pick<Directory, 'described'>;
  readonly analytics: Analytics;
  /** A cache of contents that chats share. */
  readonly contents?: EventContents | undefined;
}

/** Contents by event. Chats without their own name for a subject share one object. */
export type EventContents = WeakMap<FeedEvent, EventContent>;

const MAX_EVENTS = 400;
/** Maximum number of events read of one proposal or launch. */
const MAX_BY_TOPIC = 200;
/** Maximum number of records read to find `checkedAt`. */
const MAX_RECORDS = 5_000;
const MAX_PROJECTS = 200;
const JUDGED_AT_ONCE = 20;
/** Maximum number of histories. They are read only without a monthly limit. */
const MAX_HISTORIES = 20;
const BY_TOPIC: ReadonlySet<string> = new Set(['proposals', 'launches']);

export async function gatherDigest(chat: Chat, span: DigestSpan, context: GatherContext): Promise<DigestFacts> {
  const { archive, queues } = context;
  const covers = coveredBy(chat);
  const read = async (isByTopic: boolean, limit: number): Promise<readonly FeedEvent[]> =>
    archive.latest({
      after: span.from,
      // An event that is found while this digest is composed belongs to the next one.
      until: span.to,
      limit: limit + 1,
      only: (about) =>
        BY_TOPIC.has(about.feed) === isByTopic && about.stage !== THRESHOLD_STAGE && !about.id.startsWith('sample/') && covers(about),
    });
  const [byTopic, others] = [await read(true, MAX_BY_TOPIC), await read(false, MAX_EVENTS)];
  const found = [...byTopic.slice(0, MAX_BY_TOPIC), ...others.slice(0, MAX_EVENTS)].toSorted((a, b) => b.detectedAt - a.detectedAt);
  const judged = await judgedEvents(found, begun(chat, span.to), context);
  const slugs = projectsOf(chat, premium.id, context);
  const followed = [...new Set([...slugs, ...projectsOf(chat, treasury.id, context)])];
  const crossed = await thresholdEvents(
    begun(chat, span.to),
    { slugs: followed, from: span.from, rulesOf: digestOnlyRules },
    {
      ...context,
      watermarkOf: async (key) => (await context.watermarks.get(key).catch(ifUnreadable))?.watermark,
    },
  );
  const projects = await measuredProjects(slugs, span, context);
  const moves = projects.flatMap((project) => moveOf(project, span) ?? []);
  const receipts = await queues.receipts(chat.address);
  const lost = receipts.filter(({ end, endedAt }) => end !== 'sent' && end !== 'maybe sent' && endedAt > span.from && endedAt <= span.to);
  const records = context.checkRecords.all().filter(({ feed, subject }) => isFollowed(chat, feed, subject));
  const answering = records.filter(({ okAt }) => okAt !== undefined);
  const healthy = answering.filter(({ failures }) => failures === 0);
  // Where every check fails now, what is shown is as old as the last answers.
  const answered = (healthy.length === 0 ? answering : healthy).flatMap(({ okAt }) => okAt ?? []);
  return {
    span,
    filtered: judged.filtered,
    events: newestFirst([...crossed, ...withPrices(judged.events, projects)]),
    moves: topMoves(moves),
    isCut: byTopic.length > MAX_BY_TOPIC || others.length > MAX_EVENTS,
    suppressed: suppressedIn(chat, span.to, context),
    undelivered: lost.reduce((count, { members }) => count + members.filter(({ sample }) => sample !== true).length, 0),
    projects: slugs.length,
    unknown: projects
      .flatMap(({ slug, last }) => (last?.gap === undefined && last?.nav === undefined ? [slug] : []))
      .toSorted((a, b) => a.localeCompare(b, 'en')),
    watchedSince: watchedSince(chat, span),
    wallets: chat.entries.filter(({ target }) => target.kind === 'wallet').length,
    failing: records.filter((record) => record.failures > 0 && !isAbsent(record)).length,
    card: hasCard(chat.digest) ? await gatherCard(chat, { projects, span }, context) : undefined,
    checkedAt: answered.length === 0 ? undefined : instant(Math.min(...answered.slice(0, MAX_RECORDS))),
  };
}

function watchedSince({ entries }: Chat, { from, to }: DigestSpan): Instant | undefined {
  const first = Math.min(...entries.map(({ since }) => since));
  return entries.length > 0 && first > from && first <= to ? instant(first) : undefined;
}

export function coveredBy({ entries }: Chat): (about: About) => boolean {
  const markets = new Set(entries.flatMap(({ target }) => (target.kind === 'market' ? [target.topic] : [])));
  const names = new Set(entries.map(({ target }) => targetName(target)));
  const [all, launches] = [entries.find(({ target }) => target.kind === 'all'), names.has('launches')];
  return ({ feed, project, wallet, screen, ...about }) => {
    if (screen !== undefined) return names.has(targetName({ kind: 'screen', filter: screen }));
    return wallet === undefined
      ? (markets.size > 0 && markets.has(marketIn({ feed, ...about }) ?? '')) ||
          (all !== undefined && !isExcluded(all, { project })) ||
          (launches && feed === 'launches') ||
          (project !== undefined && names.has(project))
      : names.has(wallet);
  };
}

/** Dates an undated event by when it was found, so that a digest has nothing from before the watch. */
const dated = (event: FeedEvent): FeedEvent => ({
  ...event,
  occurredAt: event.occurredAt ?? instant(Math.max(event.detectedAt, event.checkedAt ?? event.detectedAt)),
});

const isLeftOut = (verdict: Match, { feed }: Pick<FeedEvent, 'feed'>): verdict is Extract<Match, { readonly at: 'filter' }> =>
  !verdict.matched && verdict.at === 'filter' && verdict.digestOnly !== true && !BY_TOPIC.has(feed);

/** Tells whether a digest counts the event as filtered by the chat's rules. */
export const isCountedAsFiltered = (event: FeedEvent, chat: Chat): boolean => isLeftOut(match(dated(event), chat), event);

async function judgedEvents(
  found: readonly FeedEvent[],
  chat: Chat,
  { contents }: Pick<GatherContext, 'contents'>,
): Promise<Pick<DigestFacts, 'events' | 'filtered'>> {
  const [events, filtered]: [DigestEvent[], DigestEvent[]] = [[], []];
  const topics = new Set<string>();
  for (const [index, event] of found.entries()) {
    if (index % JUDGED_AT_ONCE === JUDGED_AT_ONCE - 1) await yieldToEventLoop();
    const verdict = match(dated(event), chat);
    if (!verdict.matched && verdict.at !== 'filter') continue;
    const byTopic = BY_TOPIC.has(event.feed);
    if (byTopic && topics.has(event.topic)) continue;
    const content = contentIn(event, verdict.entry, contents);
    if (content === undefined) continue;
    topics.add(event.topic);
    // Computes and caches the size here, because sorting all events later runs without a pause.
    sizeOf(event);
    if (isLeftOut(verdict, event)) filtered.push({ event, content, by: filteringRule(verdict, event) });
    else events.push({ event, content });
  }
  return { events, filtered };
}

const filteringRule = ({ entry, rule }: Extract<Match, { readonly at: 'filter' }>, { feed }: FeedEvent): FilteringRule => ({
  name: entry.exception?.project ?? shortName(entry.target),
  rule,
  line: `/alerts ${editedAs(entry, feed)} ${feed}`,
});

/** Returns an event's content; undefined if its facts cannot be read. */
export function contentIn(event: FeedEvent, entry: Entry, contents: EventContents | undefined): EventContent | undefined {
  const name = calledHere(entry.target);
  const known = name === undefined ? contents?.get(event) : undefined;
  if (known !== undefined) return known;
  try {
    const content = feedOf(event.feed)?.content(event, { name });
    if (content !== undefined && name === undefined) contents?.set(event, content);
    return content;
  } catch {
    return undefined;
  }
}

const entryFor = (chat: Chat, feed: string, project: Slug): Entry | undefined => covering({ feed, project }, chat)[0];

export function isFollowed(chat: Chat, feed: string, subject: string): boolean {
  const about = feedOf(feed)?.scope;
  const isOn = (entry: Entry): boolean => !isOff(entry, feed);
  if (about === 'global') return chat.entries.some((entry) => covering({ feed }, { ...chat, entries: [entry] }).length > 0 && isOn(entry));
  if (about === 'wallet') return chat.entries.some((entry) => isOn(entry) && targetName(entry.target) === subject);
  const project = slugSchema.safeParse(subject);
  const isMarkets = ({ target }: Entry): boolean =>
    target.kind === 'market' && target.endedAt === undefined && projectOfMarket(target) === subject && feedOfMarket(target) === feed;
  if (chat.entries.some((entry) => isMarkets(entry) && isOn(entry))) return true;
  return project.success && covering({ feed, project: project.data }, chat).some(isOn);
}

/** Adds to results how the project's price changed since, as far as known values reach. */
function withPrices(events: readonly DigestEvent[], projects: readonly MeasuredProject[]): readonly DigestEvent[] {
  const bySlug = new Map<string, MeasuredProject>(projects.map((project) => [project.slug, project]));
  return events.map((one): DigestEvent => {
    const { event } = one;
    const project = event.feed === proposals.id && DECIDED.has(event.stage) ? bySlug.get(event.project ?? '') : undefined;
    const points = project && [...project.past, ...(project.last === undefined ? [] : [project.last])];
    const move = points && priceSince(points, momentOf(event));
    return move === undefined ? one : { ...one, priceSince: move.change };
  });
}
const DECIDED: ReadonlySet<string> = new Set(['passed', 'failed']);

const newestFirst = (events: readonly DigestEvent[]): readonly DigestEvent[] =>
  events.toSorted((a, b) => b.event.detectedAt - a.event.detectedAt);

/** Returns the projects that this chat watches for a kind. */
export function projectsOf(chat: Chat, kind: string, { checkRecords }: Pick<GatherContext, 'checkRecords'>): readonly Slug[] {
  const own = chat.entries.flatMap(({ target }) => (target.kind === 'project' ? [target.slug] : []));
  const all = chat.entries.some(({ target }) => target.kind === 'all')
    ? checkRecords.all().flatMap(({ feed, subject }) => {
        const slug = slugSchema.safeParse(subject);
        return feed === kind && slug.success ? [slug.data] : [];
      })
    : [];
  const followed = [...new Set([...own, ...all])].filter((slug) => {
    const entry = entryFor(chat, kind, slug);
    return entry !== undefined && !isOff(entry, kind) && isServed(slug, checkRecords);
  });
  return followed.slice(0, MAX_PROJECTS);
}

/** Tells whether the service has data of a project. Lists of launches name projects without any. */
function isServed(slug: Slug, checkRecords: GatherContext['checkRecords']): boolean {
  const records = FEEDS.flatMap(({ id, scope }) => (scope === 'project' ? (checkRecords.read(id, slug) ?? []) : []));
  return records.length === 0 || !records.every(isAbsent);
}

async function measuredProjects(slugs: readonly Slug[], span: DigestSpan, context: GatherContext): Promise<readonly MeasuredProject[]> {
  let histories = context.analytics.state().budget.limit === undefined ? MAX_HISTORIES : 0;
  const projects: MeasuredProject[] = [];
  for (const [index, slug] of slugs.entries()) {
    if (index % 20 === 19) await yieldToEventLoop();
    const known = await knownValues(slug, context);
    const isOld = moveOf(known, span)?.gapBefore === undefined && known.last !== undefined;
    if (isOld && histories > 0) {
      histories -= 1;
      const { past } = await navHistory(slug, { analytics: context.analytics, options: { priority: 'poll' }, now: span.to });
      const points = past.map(({ at, nav, ...prices }) => ({ at, nav, price: prices.price, gap: gapOf(omitUndefined(prices)).percent }));
      projects.push({ ...known, past: [...known.past, ...points] });
    } else projects.push(known);
  }
  return projects;
}

/** Returns a project's values from its watermarks, which have the last values and some of the day before. */
async function knownValues(slug: Slug, { watermarks, checkRecords, directory }: GatherContext): Promise<MeasuredProject> {
  const { symbol, name } = await directory.described(slug);
  const watermark = premium.spec.watermark.safeParse((await watermarks.get(`${premium.id}/${slug}`).catch(ifUnreadable))?.watermark).data;
  const [measured] = checkRecords.read(premium.id, slug)?.measurements ?? [];
  const [held] = checkRecords.measurements(premium.id, slug);
  const [treasury] = checkRecords.measurements('treasury', slug);
  const days: readonly BackedPoint[] = [
    ...(held?.history?.premium ?? []).map(({ at, value }) => ({ at, gap: value })),
    ...(held?.history?.price ?? []).map(({ at, value }) => ({ at, price: value })),
    ...(treasury?.history?.nav ?? []).map(({ at, value }) => ({ at, nav: value })),
  ];
  return {
    slug,
    name: symbol ?? name,
    last: watermark?.last,
    past: [...(watermark?.past ?? []), ...days],
    foundAt: measured?.foundAt ?? measured?.at,
  };
}

function suppressedIn(chat: Chat, now: Instant, { queues }: GatherContext): number {
  const known = new Map<string, boolean>();
  return queues.read(chat.address).waiting.filter((member) => {
    const key = muteKeyOf(member, chat);
    const isSuppressed = known.get(key) ?? suppressionOf(aboutItem(member), entryOf(chat, member), chat, now) !== undefined;
    known.set(key, isSuppressed);
    return isSuppressed && member.sample !== true;
  }).length;
}
