/**
 * Why, and why not: what became of an event in a chat, and how far news of a kind got on its way there. Computed from the look, event, chat and
 * queue documents; nothing is written per chat that was not told.
 */
import type { Address } from '../../chat/address.js';
import type { NewsEvent } from '../../domain/event.js';
import type { Instant, Slug } from '../../domain/scalars.js';
import type { WalletAddress } from '../../domain/wallet.js';
import { LEVEL_STAGE } from '../../feeds/feed.js';
import { feedOf } from '../../feeds/index.js';
import type { Archive } from '../queue/events.js';
import { targetName, type Entry } from '../watchlist/entry.js';
import { levelKey } from '../evaluation/chat-rules.js';
import type { LookRecord, Looks, Overdue } from '../checks/check-records.js';
import { covering, match } from '../evaluation/match.js';
import type { Queue } from '../queue/queue.js';
import type { Queues } from '../queue/queues.js';
import { CHOICES, wanted } from '../rules/rule.js';
import { seriesOf } from '../evaluation/series.js';
import { tellingOf } from '../delivery/event-content.js';
import type { Chat, Watchlists } from '../watchlist/watchlists.js';
import { fateOf, placeOf, type Place } from './disposition.js';
import { figureStep } from './threshold-distance.js';
import type { Story } from './explanation.js';
import { nextCheckLine, uncheckedLine } from './unchecked.js';
import { currentRule, stepsOf, type Step, type Way } from './trace.js';

export { fateLine, type Fate } from './disposition.js';
export type { Story } from './explanation.js';
export type { Step, Way } from './trace.js';

export interface Why {
  /** What a delivery of this chat told; undefined where this chat has no such delivery, or no record of it any more. Events no longer kept are left out. */
  ofDelivery(address: Address, id: string): Promise<readonly Story[] | undefined>;
  /** The latest news this chat was or was not told, latest first. Figures are news only where they crossed a line. */
  lately(address: Address, limit: number): Promise<readonly Story[]>;
  /** How far news of a kind about a project, a wallet or everything gets on its way to this chat, with the latest story where there is one. */
  ofSilence(address: Address, subject: OneSubject, feed: string): Promise<Way & { readonly latest?: Story }>;
}

/** `everything` is for a kind that is looked at once for all projects. */
export type OneSubject = { readonly project: Slug } | { readonly wallet: WalletAddress } | 'everything';

export interface WhyContext {
  readonly archive: Archive;
  readonly looks: Looks;
  readonly queues: Queues;
  readonly watchlists: Watchlists;
  readonly now: () => Instant;
  /** Whether a check waits for its turn for long. Default: none does. */
  readonly overdue?: (feed: string, subject: string) => Overdue | undefined;
}

export function createWhy({ archive, looks, queues, watchlists, now, overdue }: WhyContext): Why {
  const storyOf = (event: NewsEvent, chat: Chat, place: Place | undefined): Story => {
    const entry = entryOf(event, chat, place);
    const { crossings = [], late, sample = false } = place?.member ?? {};
    const rule = ruleOf(event, { chat, entry, place });
    return {
      ...{ event, entry, crossings, sample },
      headline: tellingOf(event, { entry, crossings }).headline,
      ...(rule === undefined ? {} : { rule }),
      ...(event.lookedAt === undefined ? {} : { lookedAt: event.lookedAt, copyAge: Math.max(0, event.lookedAt - event.seenAt) }),
      ...(late === undefined ? {} : { late }),
      fate: fateOf(event, { chat, entry, place, now: now() }),
    };
  };
  /** With the receipts that stand in pages. */
  const wholeQueue = async (address: Address): Promise<Queue> => ({ ...queues.read(address), receipts: await queues.receipts(address) });
  /** Figures are news, and examples are there, only where they were routed; which wallets other chats watch is nobody's business here. */
  const concerns = (chat: Chat, queue: Queue): ((about: Pick<NewsEvent, 'id' | 'feed' | 'stage' | 'project' | 'wallet'>) => boolean) => {
    const routed = routedIn(queue);
    return (about) => {
      if (about.stage === LEVEL_STAGE || about.id.startsWith('sample/')) return routed.has(about.id);
      return about.wallet === undefined || routed.has(about.id) || covering(about, chat).length > 0;
    };
  };
  return {
    async ofDelivery(address, id) {
      const queue = await wholeQueue(address);
      const open = queue.open?.id === id ? queue.open : undefined;
      const receipt = open === undefined ? queue.receipts.find((one) => one.id === id) : undefined;
      const members = (open ?? receipt)?.members;
      if (members === undefined) return undefined;
      const chat = watchlists.read(address);
      const stories = await Promise.all(
        members.map(async (member) => {
          const event = await archive.get(member.event);
          return event && storyOf(event, chat, { member, ...(open && { open }), ...(receipt && { receipt }) });
        }),
      );
      return stories.filter((story) => story !== undefined);
    },
    async lately(address, limit) {
      const [chat, queue] = [watchlists.read(address), await wholeQueue(address)];
      const events = await archive.latest({ only: concerns(chat, queue), limit });
      return events.map((event) => storyOf(event, chat, placeOf(queue, event.id)));
    },
    async ofSilence(address, subject, feed) {
      const [chat, queue] = [watchlists.read(address), await wholeQueue(address)];
      const about = subject === 'everything' ? {} : subject;
      const [latest] = await archive.latest({ feed, ...about, only: concerns(chat, queue), limit: 1 });
      const story = latest && storyOf(latest, chat, placeOf(queue, latest.id));
      const of =
        subject === 'everything' || feedOf(feed)?.scope === 'global' ? 'all' : 'wallet' in subject ? subject.wallet : subject.project;
      const [entry] = covering({ feed, ...about }, chat);
      const look = looks.read(feed, of);
      const figures = entry === undefined ? [] : figureSteps(entry, { feed, look, queue, remembered: looks.readings(feed, of) });
      const checked = { look, entry, chat, now: now() };
      // What was detected after a gap came through it.
      const isBehind = look?.gap !== undefined && latest !== undefined && latest.seenAt > look.gap.to;
      const unchecked = isBehind ? undefined : uncheckedLine({ ...checked, data: feedOf(feed)?.data });
      const steps = stepsOf({
        ...{ feed, entry, look, figures, onlyFigures: hasOnlyFigures(feed), story },
        ...{ nextCheck: nextCheckLine(checked), unchecked, overdue: overdue?.(feed, of) },
      });
      return { feed, steps, ...(story ? { latest: story } : {}) };
    },
  };
}

const routedIn = ({ waiting, open, receipts }: Queue): ReadonlySet<string> =>
  new Set([...waiting, ...(open?.members ?? []), ...receipts.flatMap(({ members }) => members)].map(({ event }) => event));

function entryOf(event: NewsEvent, chat: Chat, place: Place | undefined): Entry | undefined {
  if (place?.member.sample === true) return undefined;
  const through = place?.member.entry;
  const verdict = match(event, chat);
  return chat.entries.find((entry) => targetName(entry.target) === through) ?? ('entry' in verdict ? verdict.entry : undefined);
}

/** What was routed keeps the words of then. */
function ruleOf(
  event: NewsEvent,
  { chat, entry, place }: { readonly chat: Chat; readonly entry: Entry | undefined; readonly place: Place | undefined },
): string | undefined {
  if (place !== undefined) return place.member.rule;
  const verdict = match(event, chat);
  return 'rule' in verdict ? verdict.rule : currentRule(entry, event.feed);
}

/** A kind that is told of through its lines alone. */
const hasOnlyFigures = (feed: string): boolean => {
  const { measures = [], stages = {} } = CHOICES[feed] ?? {};
  return measures.length > 0 && Object.keys(stages).length === 0;
};

/** Of a wallet with many tokens, as many as one reads through. */
const MOST_SERIES = 8;

interface Known {
  readonly feed: string;
  readonly look: LookRecord | undefined;
  readonly queue: Queue;
  readonly remembered: ReturnType<Looks['readings']>;
}

/** What each rule of an entry made of what the last look read. */
function figureSteps(entry: Entry, { feed, look, queue, remembered }: Known): readonly Step[] {
  const { levels } = wanted(entry.rules, feed);
  const figures = look?.figures ?? [];
  if (figures.length === 0) return levels.map((rule) => figureStep({ rule, read: undefined, state: undefined, history: undefined }));
  return figures.slice(0, MOST_SERIES).flatMap(({ series, name, at, values }) =>
    levels.map((rule) => {
      const reading = remembered.find((one) => seriesOf(one) === series);
      const state = queue.levels?.[levelKey(series, entry, rule)];
      return figureStep({ rule, name, read: { at, value: values[rule.measure] }, state, history: reading?.history?.[rule.measure] });
    }),
  );
}
