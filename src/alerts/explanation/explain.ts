/** This module explains what happened to an event in a chat, or why a kind is silent. */
import type { ThresholdRule } from '../../domain/threshold-rule.js';
import type { ClockDoubt } from '../../base/trusted-clock.js';
import type { Address } from '../../chat/address.js';
import { marketOf, type FeedEvent } from '../../domain/event.js';
import { screenKinds } from '../../domain/screen.js';
import type { Instant, Slug } from '../../domain/scalars.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { WalletAddress } from '../../domain/wallet.js';
import { THRESHOLD_STAGE, type Feed } from '../../feeds/feed.js';
import { feedOf } from '../../feeds/index.js';
import type { Archive } from '../queue/event-archive.js';
import { feedOfMarket, projectOfMarket, targetName, type About, type Entry } from '../watchlist/entry.js';
import { entryAbout } from '../watchlist/exceptions.js';
import { standsSince } from '../watchlist/standing.js';
import { NO_RULES, stateOf, type OwnStates, type RuleStates, type SubjectRules } from '../evaluation/rule-states.js';
import {
  type CheckRecord,
  type CheckRecords,
  type LastMeasurement,
  type OverdueCheck,
  gapOf,
  isAbsent,
  knownIn,
  lastPoint,
  seriesOf,
} from '../checks/check-records.js';
import { covering, isExcludedIn, match } from '../watchlist/match.js';
import type { Queue } from '../queue/queue.js';
import type { Queues } from '../queue/queues.js';
import { alertKind, hasOnlyMeasures } from '../rules/kinds.js';
import { ruleName, rulesFor } from '../rules/presets.js';
import { correctionSays } from '../corrections/corrected-message.js';
import type { DeliveryDelay } from '../delivery/deliver.js';
import { contentOf } from '../delivery/event-content.js';
import type { Chat, Watchlists } from '../watchlist/watchlists.js';
import { dispositionOf, queuePositionOf, type Explanation, type QueuePosition } from './disposition.js';
import { ruleStep } from './threshold-distance.js';
import { currentRule, stepsOf, type Observed, type Step, type Trace } from './trace.js';
import type { Line } from '../../chat/reply.js';
import { absenceBehind } from '../watchlist/absence.js';

export { dispositionLine, type Disposition } from './disposition.js';
export type { Explanation } from './disposition.js';
export { listName, type Step, type Trace } from './trace.js';

export interface Why {
  /** Explains the events of a delivery. Returns undefined without a record; events that are no longer stored are left out. */
  ofDelivery(address: Address, id: string): Promise<readonly Explanation[] | undefined>;
  /** Explains the latest events, newest first, sent or not. Measurements count if they crossed a threshold. */
  lately(address: Address, limit: number): Promise<readonly Explanation[]>;
  /** Explains the latest events of the proposal with this public key. */
  ofProposal(address: Address, publicKey: string, limit: number): Promise<readonly Explanation[]>;
  ofSilence(address: Address, subject: OneSubject, feed: string): Promise<Silence>;
  /** Finds a proposal or launch by its key in stored checks and alerts. */
  marketNamed(address: Address, key: string): Promise<StoredMarket | undefined>;
  /** Says why the machine's clock is not trusted, or undefined if it is. */
  clockDoubt(): ClockDoubt | undefined;
}

/** A proposal or launch, and whether an event said that it is over. */
export interface StoredMarket {
  readonly topic: string;
  readonly title?: string | undefined;
  readonly isOver: boolean;
}

/** `everything` is for a kind that is checked once for all projects. */
export type OneSubject =
  | { readonly project: Slug }
  | { readonly wallet: WalletAddress }
  | { readonly screen: string }
  /** The topic of a proposal or launch. */
  | { readonly market: string }
  | 'everything';

/** `entry` is the deciding entry, with the subject's exception applied. */
export type Silence = Trace & { readonly latest?: Explanation; readonly entry: Entry | undefined };

interface WhyContext {
  readonly archive: Archive;
  readonly checkRecords: CheckRecords;
  readonly queues: Queues;
  readonly watchlists: Watchlists;
  readonly now: () => Instant;
  /** Returns the delays of deliveries. */
  readonly delays?: () => ReadonlyMap<Address, DeliveryDelay>;
  /** Finds a check that should have run by now. */
  readonly overdue?: (feed: string, subject: string) => OverdueCheck | undefined;
  /** Finds how a list for all projects showed the subject. */
  readonly observed?: (feed: string, subject: string) => Observed | undefined;
  /** Says why the machine's clock is not trusted. */
  readonly clockDoubt?: () => ClockDoubt | undefined;
  /** Finds the states of rules. */
  readonly rules?: Pick<RuleStates, 'of'>;
}

class StoredWhy implements Why {
  readonly #context: WhyContext;

  constructor(context: WhyContext) {
    this.#context = context;
  }

  async ofDelivery(address: Address, id: string): Promise<readonly Explanation[] | undefined> {
    const queue = await this.#wholeQueue(address);
    const open = queue.open?.id === id ? queue.open : undefined;
    const receipt = open === undefined ? queue.receipts.find((one) => one.id === id) : undefined;
    const members = (open ?? receipt)?.members;
    if (members === undefined) return undefined;
    const chat = this.#context.watchlists.read(address);
    const explanations = await Promise.all(
      members.map(async (member) => {
        const event = await this.#context.archive.get(member.event);
        if (event === undefined) return undefined;
        const corrected = await correctionSays(event, queue, this.#context.archive);
        const explanation = this.#explanationOf(event, chat, { member, ...(open && { open }), ...(receipt && { receipt }) });
        return { ...explanation, ...(corrected === undefined ? {} : { corrected }) };
      }),
    );
    return explanations.filter((explanation) => explanation !== undefined);
  }

  async lately(address: Address, limit: number): Promise<readonly Explanation[]> {
    const [chat, queue] = [this.#context.watchlists.read(address), await this.#wholeQueue(address)];
    const events = await this.#context.archive.latest({ only: this.#concerns(chat, queue, { isAsked: false }), limit });
    return events.map((event) => this.#explanationOf(event, chat, queuePositionOf(queue, event.id)));
  }

  async ofProposal(address: Address, publicKey: string, limit: number): Promise<readonly Explanation[]> {
    const [chat, queue] = [this.#context.watchlists.read(address), await this.#wholeQueue(address)];
    const concernsChat = this.#concerns(chat, queue);
    const only: typeof concernsChat = (about) => about.id.split('/').includes(publicKey) && concernsChat(about);
    const events = await this.#context.archive.latest({ feed: PROPOSALS_FEED, only, limit });
    return events.map((event) => this.#explanationOf(event, chat, queuePositionOf(queue, event.id)));
  }

  async ofSilence(address: Address, subject: OneSubject, feed: string): Promise<Silence> {
    const [chat, queue] = [this.#context.watchlists.read(address), await this.#wholeQueue(address)];
    const { market, ...about } = aboutOf(subject, feed, chat);
    const [concerns, isSame] = [this.#concerns(chat, queue), isOfMarket(market)];
    const [latest] = await this.#context.archive.latest({ feed, ...about, only: (one) => isSame(one.id) && concerns(one), limit: 1 });
    const explanation = latest && this.#explanationOf(latest, chat, queuePositionOf(queue, latest.id));
    const of = feedOf(feed)?.scope === 'global' ? 'all' : subjectOf(subject, about.project);
    // The entry of a followed proposal or launch decides about its events, even if the project is watched too.
    const [entry] = covering({ feed, ...about, ...omitUndefined({ topic: market ?? marketOf(latest?.id ?? '') }) }, chat);
    // If the project has no event yet, explain its followed proposal instead of the entry for all projects.
    const followed =
      latest === undefined && entry?.target.kind === 'all' && about.project ? followedIn(chat, feed, about.project) : undefined;
    if (followed !== undefined) return this.ofSilence(address, { market: followed }, feed);
    const topic = entry?.target.kind === 'market' ? entry.target.topic : market;
    const record =
      typeof subject === 'object' && 'screen' in subject
        ? this.#screenRecord(feed, subject.screen)
        : this.#context.checkRecords.read(feed, of);
    const remembered = this.#context.checkRecords.measurements(feed, of);
    const { shared, own } = this.#context.rules?.of(`${feed}/${of}`) ?? NO_RULES;
    const observed = this.#context.observed?.(feed, of);
    const every = observed?.list === undefined ? observed?.every : undefined;
    const known = {
      feed,
      record,
      remembered,
      about: { feed, ...about, ...omitUndefined({ topic }) },
      shared,
      own: own.get(address),
      every,
    };
    const ruleSteps = entry === undefined ? [] : ruleStepsOf(entry, known);
    const checked = { record, entry, chat, now: this.#context.now() };
    // An event detected after the gap shows that the check covered it.
    const isBehind = record?.gap !== undefined && latest !== undefined && latest.detectedAt > record.gap.to;
    const unchecked = isBehind ? undefined : uncheckedLine({ ...checked, data: feedOf(feed)?.data });
    const steps = stepsOf({
      feed,
      entry,
      isExcluded: isExcludedIn(chat, { feed, ...about }),
      record,
      ruleSteps,
      onlyThresholds: hasOnlyMeasures(feed),
      explanation,
      nextCheck: nextCheckLine(checked),
      unchecked,
      overdue: this.#context.overdue?.(feed, of),
      observed,
    });
    return { feed, steps, entry, ...(explanation ? { latest: explanation } : {}) };
  }

  async marketNamed(address: Address, key: string): Promise<StoredMarket | undefined> {
    const topicIn = (text: string): string | undefined => {
      const topic = marketOf(text);
      return topic?.endsWith(`/${key}`) === true ? topic : undefined;
    };
    const events = await this.#context.archive.latest({ only: ({ id }) => topicIn(id) !== undefined, limit: MAX_EVENTS_OF_MARKET });
    const dates = this.#context.checkRecords.all().flatMap(({ dates: ahead = [] }) => ahead);
    const date = dates.find(({ topic }) => topicIn(topic) !== undefined);
    const live = Object.keys(this.#context.queues.read(address).live ?? {});
    const [topic] = [...events.map(({ id }) => id), ...dates.map((one) => one.topic), ...live].flatMap((text) => topicIn(text) ?? []);
    if (topic === undefined) return undefined;
    const title = [date?.title, ...events.map(({ facts }) => facts['title'])].find((text) => typeof text === 'string');
    const isOver = events.some(({ feed, stage }) => alertKind(feed)?.live?.results?.includes(stage) === true);
    return { topic, title, isOver };
  }

  /** Screens have no check of their own, so this returns the newest successful check of their kinds, of any project. */
  #screenRecord(feed: string, screen: string): CheckRecord | undefined {
    const kinds = screenKinds(screen);
    const [newest] = this.#context.checkRecords
      .all()
      .filter((record) => kinds.includes(record.feed) && !isAbsent(record))
      .toSorted((a, b) => (b.okAt ?? 0) - (a.okAt ?? 0));
    if (newest === undefined) return undefined;
    const { triedAt, okAt, failures, problem, failingSince } = newest;
    const all = { hidden: 0, broken: 0, complete: true };
    return omitUndefined({ feed, subject: screen, triedAt, okAt, failures, problem, failingSince, ...all });
  }

  clockDoubt(): ClockDoubt | undefined {
    return this.#context.clockDoubt?.();
  }

  #explanationOf(event: FeedEvent, chat: Chat, place: QueuePosition | undefined): Explanation {
    const entry = entryOf(event, chat, place);
    const { crossings = [], late, sample = false } = place?.member ?? {};
    const rule = ruleOf(event, { chat, entry, place });
    return {
      event,
      entry,
      crossings,
      sample,
      headline: contentOf(event, { entry, crossings }).headline,
      ...(rule === undefined ? {} : { rule }),
      ...(event.checkedAt === undefined ? {} : { copyAge: Math.max(0, event.checkedAt - event.detectedAt) }),
      ...(late === undefined ? {} : { late }),
      disposition: dispositionOf(event, {
        chat,
        entry,
        position: place,
        now: this.#context.now(),
        delay: this.#context.delays?.().get(chat.address),
      }),
    };
  }

  async #wholeQueue(address: Address): Promise<Queue> {
    return { ...this.#context.queues.read(address), receipts: await this.#context.queues.receipts(address) };
  }

  /**
   * Returns a filter for this chat's events. Measurements and samples count if routed here; wallets and screens of other chats never
   * do, and what other chats watch of a project only if the project is asked about.
   */
  #concerns(chat: Chat, queue: Queue, { isAsked = true }: { readonly isAsked?: boolean } = {}): (about: Archived) => boolean {
    const routed = routedIn(queue);
    return (about) => {
      if (about.stage === THRESHOLD_STAGE || about.id.startsWith('sample/')) return routed.has(about.id);
      const isOpen = isAsked && about.wallet === undefined && about.screen === undefined;
      return isOpen || routed.has(about.id) || covering(about, chat).length > 0 || isExcludedIn(chat, about);
    };
  }
}

type Archived = Pick<FeedEvent, 'id' | 'feed' | 'stage' | 'project' | 'wallet' | 'screen'>;

export const createWhy = (context: WhyContext): Why => new StoredWhy(context);

const PROPOSALS_FEED = 'proposals';

const MAX_EVENTS_OF_MARKET = 20;

const routedIn = ({ waiting, open, receipts }: Queue): ReadonlySet<string> =>
  new Set([...waiting, ...(open?.members ?? []), ...receipts.flatMap(({ members }) => members)].map(({ event }) => event));

function entryOf(event: FeedEvent, chat: Chat, place: QueuePosition | undefined): Entry | undefined {
  if (place?.member.sample === true) return undefined;
  const through = place?.member.entry;
  const verdict = match(event, chat);
  const entry = chat.entries.find(({ target }) => targetName(target) === through);
  return (entry && entryAbout(entry, event)) ?? ('entry' in verdict ? verdict.entry : undefined);
}

function ruleOf(
  event: FeedEvent,
  { chat, entry, place }: { readonly chat: Chat; readonly entry: Entry | undefined; readonly place: QueuePosition | undefined },
): string | undefined {
  if (place !== undefined) return place.member.rule;
  const verdict = match(event, chat);
  return 'rule' in verdict ? verdict.rule : currentRule(entry, event.feed);
}

const MAX_SHOWN_SERIES = 8;

const subjectOf = (subject: OneSubject, project: Slug | undefined): string => {
  if (typeof subject === 'object' && 'screen' in subject) return subject.screen;
  return typeof subject === 'object' && 'wallet' in subject ? subject.wallet : (project ?? 'all');
};

type AboutSubject = Pick<About, 'project' | 'wallet' | 'screen'> & { readonly market?: string };

/** Returns what the question is about: if only one proposal or launch of a project is followed, then that one. */
function aboutOf(subject: OneSubject, feed: string, chat: Chat): AboutSubject {
  if (typeof subject === 'object' && 'market' in subject) return aboutMarket(subject.market);
  const about: AboutSubject = subject === 'everything' ? {} : subject;
  if (about.wallet !== undefined || about.screen !== undefined || covering({ feed, ...about }, chat).length > 0) return about;
  const market = followedIn(chat, feed, about.project);
  return market === undefined ? about : aboutMarket(market);
}

/** Finds a followed proposal or launch of the project; prefers one that is not over. */
function followedIn({ entries }: Pick<Chat, 'entries'>, feed: string, project: Slug | undefined): string | undefined {
  const followed = entries.flatMap(({ target }) => (target.kind === 'market' && feedOfMarket(target) === feed ? [target] : []));
  const own = followed.filter((target) => projectOfMarket(target) === project);
  return (own.find(({ endedAt }) => endedAt === undefined) ?? own[0])?.topic;
}

const aboutMarket = (topic: string): AboutSubject => omitUndefined({ market: topic, project: projectOfMarket({ topic }) });

const isOfMarket =
  (market: string | undefined) =>
  (id: string): boolean =>
    market === undefined || marketOf(id) === market;

interface Known {
  readonly feed: string;
  readonly record: CheckRecord | undefined;
  readonly remembered: ReturnType<CheckRecords['measurements']>;
  readonly about: About;
  readonly shared: SubjectRules['shared'];
  readonly own: OwnStates | undefined;
  readonly every: number | undefined;
}

function ruleStepsOf(entry: Entry, { feed, record, remembered, about, every, ...known }: Known): readonly Step[] {
  const { thresholds } = rulesFor(entry, feed);
  const key = about.topic?.slice(about.topic.lastIndexOf('/') + 1);
  const measurements = (record?.measurements ?? []).filter(({ series }) => key === undefined || series.split('/').includes(key));
  if (measurements.length === 0) return thresholds.map((rule) => ruleStep({ rule, read: undefined, state: undefined, history: undefined }));
  return measurements.slice(0, MAX_SHOWN_SERIES).flatMap((last) => {
    const { series, name, at, foundAt, values } = last;
    return thresholds
      .filter((rule) => isOf(rule, last, measurements))
      .map((rule) => {
        const measurement = remembered.find((one) => seriesOf(one) === series);
        const rulesName = ruleName(rule);
        const state = stateOf(known, { series, name: rulesName, stands: standsSince(entry, about, rulesName) });
        const history = measurement?.history?.[rule.measure];
        return ruleStep({
          rule,
          name,
          read: { at, value: values[rule.measure], others: knownIn(last) },
          seenAt: foundAt,
          every,
          state,
          history,
        });
      });
  });
}

/**
 * Tells whether a rule evaluates a series. A rule for one topic ignores others; a series without the measure counts only if none has it.
 */
function isOf(rule: ThresholdRule, last: LastMeasurement, all: readonly LastMeasurement[]): boolean {
  if (rule.only !== undefined && !last.series.split('/').includes(rule.only)) return false;
  const has = (one: LastMeasurement): boolean => lastPoint(one, rule.measure) !== undefined;
  return has(last) || (last === all[0] && !all.some(has));
}

interface Checked {
  readonly record: CheckRecord | undefined;
  readonly entry: Entry | undefined;
  readonly chat: Pick<Chat, 'absence'>;
  readonly now: Instant;
}

/** Says which rows were not read; undefined once all were. */
function uncheckedLine({
  record,
  entry,
  chat: { absence },
  data,
}: Checked & { readonly data: Feed['data'] | undefined }): Line | undefined {
  const gap = record?.gap;
  if (record === undefined || gap === undefined || entry === undefined || absence === undefined) return undefined;
  const isHere = gap.from < absence.to && gap.to > absence.from && entry.since <= gap.from;
  if (!isHere || (data === 'ledger' && gapOf(record) === undefined)) return undefined;
  const lost = data === 'ledger' ? 'rows of that time that are hidden now' : 'changes undone in that time';
  return ['not checked from ', { at: gap.from }, ' to ', { at: gap.to }, `, while the bot was not in this chat; ${lost} are unknown`];
}

function nextCheckLine({ record, chat, now }: Checked): Line | undefined {
  const absence = absenceBehind(chat, record?.okAt, now);
  if (record?.okAt === undefined || absence === undefined || record.okAt > absence.from) return undefined;
  return ['not checked since ', { at: record.okAt }, ': the bot was not in this chat; the next check is scheduled'];
}
