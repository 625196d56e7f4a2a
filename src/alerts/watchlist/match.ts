/**
 * This module decides whether and why an event alerts a chat, whether it makes a sound, and whether a live message shows it. It is pure.
 */
import { instant, type Instant } from '../../base/clock.js';
import type { FeedEvent } from '../../domain/event.js';
import { THRESHOLD_STAGE } from '../../feeds/feed.js';
import { thresholdWords } from '../../domain/threshold-rule.js';
import { ENDING_STAGE, offsetsText, REMINDER_STAGE, reminderOf } from '../../domain/reminder.js';
import { LAUNCHES_FEED, marketIn, type About, type Entry, type Target } from './entry.js';
import { entryAbout, EXCLUDED, isExcluded } from './exceptions.js';
import { notNamedIn, passes } from '../rules/filter.js';
import { areEventsInDigest, isDigestOnly, isOff, PRESET_TITLES, rulesFor, modeOf, type Subscription } from '../rules/presets.js';
import { filterText } from '../rules/rule.js';
import { noReminder, remindersOf } from './reminders.js';
import type { Chat } from './watchlists.js';
import { alertKind, includesStage } from '../rules/kinds.js';

/** Whether an event alerts a chat, or why not. `because` continues the text "no alert: ". */
export type Match =
  | { readonly matched: true; readonly entry: Entry; readonly rule?: string }
  | { readonly matched: false; readonly at: 'watched'; readonly because: string; readonly entry?: Entry }
  | { readonly matched: false; readonly at: 'since'; readonly because: string; readonly entry: Entry; readonly since: Instant }
  | {
      readonly matched: false;
      readonly at: 'filter';
      readonly because: string;
      readonly entry: Entry;
      readonly rule: string;
      /** The event is reported in the digest only. */
      readonly digestOnly?: true;
    };

export const IN_DIGEST = 'it is for the digest only';

type Judged = About & Pick<FeedEvent, 'occurredAt' | 'stage' | 'facts'> & Partial<Pick<FeedEvent, 'detectedAt'>>;

/** Matches an event with a chat. The most specific entry decides, but one younger than the event defers to the next. */
export function match(event: Judged, chat: Chat): Match {
  const verdicts = covering(event, chat).map((entry) => judge(event, entry, chat));
  const deciding = verdicts.find((verdict) => verdict.matched || verdict.at !== 'since');
  return deciding ?? verdicts[0] ?? { matched: false, at: 'watched', because: isExcludedIn(chat, event) ? EXCLUDED : 'not watched' };
}

/** Corrects times in the future, which were stored before the clock was set back. */
export const begun = (chat: Chat, now: Instant): Chat =>
  chat.entries.some(({ since, exceptions = {} }) => [{ since }, ...Object.values(exceptions)].some((one) => (one.since ?? 0) > now))
    ? { ...chat, entries: chat.entries.map((entry) => begunEntry(entry, now)) }
    : chat;

function begunEntry({ exceptions, ...entry }: Entry, now: Instant): Entry {
  const past = <T extends { readonly since?: Instant | undefined }>(one: T): T =>
    one.since !== undefined && one.since > now ? { ...one, since: instant(0) } : one;
  if (exceptions === undefined) return past(entry);
  return { ...past(entry), exceptions: Object.fromEntries(Object.entries(exceptions).map(([project, one]) => [project, past(one)])) };
}

/** Returns the entries that cover an event, most specific first, with the exceptions of the event's project applied. */
export const covering = (event: About, chat: Pick<Chat, 'entries'>): readonly Entry[] =>
  specificFirst(chat.entries.flatMap((entry) => (covers(entry.target, event) ? (entryAbout(entry, event) ?? []) : [])));

/** Tells whether only an exception keeps the project from being watched. */
export const isExcludedIn = ({ entries }: Pick<Chat, 'entries'>, event: About): boolean =>
  entries.some((entry) => covers(entry.target, event) && isExcluded(entry, event));

/** Returns a function that tells whether an entry covers one of these events. */
export const coversOneOf =
  (events: readonly About[]) =>
  (entry: Pick<Entry, 'target' | 'exceptions'>): boolean =>
    events.some((event) => covers(entry.target, event) && !isExcluded(entry, event));

/** Returns the indexes in `entries` of those that cover an event, most specific first. */
export const coveringPlaces = (event: About, entries: readonly Pick<Entry, 'target' | 'exceptions'>[]): readonly number[] =>
  specificFirst(
    entries.flatMap((entry, place) => (covers(entry.target, event) && !isExcluded(entry, event) ? { target: entry.target, place } : [])),
  ).map(({ place }) => place);

const SPECIFIC_FIRST: readonly Target['kind'][] = ['wallet', 'market', 'project', 'launches', 'screen', 'all'];

const specificFirst = <E extends Pick<Entry, 'target'>>(entries: readonly E[]): readonly E[] =>
  entries.length < 2 ? entries : entries.toSorted((a, b) => breadthOf(a) - breadthOf(b));

const breadthOf = ({ target }: Pick<Entry, 'target'>): number => SPECIFIC_FIRST.indexOf(target.kind);

function covers(target: Target, event: About): boolean {
  if (event.screen !== undefined || target.kind === 'screen') return target.kind === 'screen' && target.filter === event.screen;
  if (event.wallet !== undefined || target.kind === 'wallet') return target.kind === 'wallet' && target.address === event.wallet;
  if (target.kind === 'market') return target.topic === marketIn(event);
  if (target.kind === 'project') return target.slug === event.project;
  return target.kind === 'all' || event.feed === LAUNCHES_FEED;
}

function judge(event: Judged, entry: Entry, chat: Chat): Match {
  if (isOff(entry, event.feed)) return { matched: false, at: 'watched', because: 'switched off', entry };
  if (event.occurredAt !== undefined && event.occurredAt < entry.since)
    return { matched: false, at: 'since', because: 'before the watch began', entry, since: entry.since };
  const reminder = reminderOf(event);
  const isOfRule = reminder !== undefined || event.stage === THRESHOLD_STAGE;
  if (isOfRule ? isDigestOnly(entry, event.feed) : areEventsInDigest(entry, event.feed))
    return { matched: false, at: 'filter', because: IN_DIGEST, entry, rule: PRESET_TITLES.digest, digestOnly: true };
  if (reminder !== undefined) {
    const because = notNamedIn(event, rulesFor(entry, event.feed).filters) ?? noReminder(event, { entry, chat, reminder });
    const rule = `remind ${offsetsText(remindersOf(entry, event.feed, chat))}`;
    return because === undefined ? { matched: true, entry, rule } : { matched: false, at: 'filter', because, entry, rule };
  }
  const { filters, thresholds } = rulesFor(entry, event.feed);
  const passage = passes(event, filters);
  if (!passage.passes) return { matched: false, at: 'filter', because: passage.because, entry, rule: filterText(filters) };
  if (event.stage === ENDING_STAGE) {
    const offsets = remindersOf(entry, event.feed, chat);
    // The reminder and this event would both say that it ends soon.
    if (offsets.length > 0) {
      const rule = `remind ${offsetsText(offsets)}`;
      return { matched: false, at: 'filter', because: `your reminders replace it (${offsetsText(offsets)} before)`, entry, rule };
    }
  }
  // A rule on ranks replaces alerts of single rank changes, which would repeat the rule's alert.
  const ranks =
    event.stage === 'rank' ? thresholds.filter(({ measure }) => measure === 'rank').map((threshold) => thresholdWords(threshold)) : [];
  if (ranks.length > 0)
    return {
      matched: false,
      at: 'filter',
      because: `rank changes are alerted by your rule (${ranks.join('; ')})`,
      entry,
      rule: ranks.join('; '),
    };
  const rule = filterText(filters);
  return { matched: true, entry, ...(rule === '' ? {} : { rule }) };
}

/** Tells whether an alert makes no sound. Small events of some kinds are silent unless the chat chose a mode. */
export function isSilent(entry: Subscription, event: Pick<FeedEvent, 'feed' | 'stage' | 'facts'>): boolean {
  const sound = entry.modes?.[event.feed] === undefined ? alertKind(event.feed)?.sound : undefined;
  if (typeof sound === 'object') return !passes(event, sound.ringsFrom).passes;
  return modeOf(entry, event.feed) === 'silent';
}

/** The value of `updates` that turns live messages off: every event is a message. */
const NO_UPDATES = 'off';

/** How an event relates to its topic's live message: a `notice` is a message of its own, a `step` only edits the live message. */
export interface LivePart {
  readonly topic: string;
  readonly part: 'step' | 'notice';
}

export function livePart(
  entry: Pick<Subscription, 'preset' | 'rules'>,
  { feed, topic, stage }: Pick<FeedEvent, 'feed' | 'topic' | 'stage'>,
): LivePart | undefined {
  // Threshold alerts and reminders are always messages of their own.
  if (stage === THRESHOLD_STAGE || stage === REMINDER_STAGE) return undefined;
  const notices = noticesOf(entry, feed);
  return notices && { topic, part: includesStage(feed, notices, stage) ? 'notice' : 'step' };
}

function noticesOf(entry: Pick<Subscription, 'preset' | 'rules'>, feed: string): readonly string[] | undefined {
  const usual = alertKind(feed)?.live?.notices;
  const { updates = usual } = rulesFor(entry, feed).filters;
  return usual === undefined || updates?.includes(NO_UPDATES) === true ? undefined : updates;
}

/** Tells whether a chat follows a kind's dates for a project. `/next` and calendars show these dates. */
export function followsDates(about: Pick<About, 'feed' | 'project' | 'topic'>, chat: Pick<Chat, 'entries'>): boolean {
  const [entry] = covering(about, chat);
  return entry !== undefined && !isOff(entry, about.feed);
}

/** Returns the entry for which a live message is edited; undefined if edits stop. */
export function followerOf(
  {
    feed,
    project,
    topic,
    postedAt,
  }: Pick<FeedEvent, 'feed' | 'project'> & Partial<Pick<FeedEvent, 'topic'>> & { readonly postedAt: Instant },
  chat: Chat,
): Entry | undefined {
  if (chat.left !== undefined) return undefined;
  const [entry] = covering({ feed, project, topic }, chat);
  const alerts = entry !== undefined && !isOff(entry, feed) && !areEventsInDigest(entry, feed);
  const isFollowed = alerts && entry.since <= postedAt && noticesOf(entry, feed) !== undefined;
  return isFollowed ? entry : undefined;
}
