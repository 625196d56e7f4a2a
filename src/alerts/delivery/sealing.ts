/** This module seals the next message. Items that cannot be sent get a receipt in the same write. */
import { instant, later, MINUTE, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Address } from '../../chat/address.js';
import { chartInZone, type Chart } from '../../chat/chart.js';
import { inZone } from '../../chat/reply.js';
import type { FeedEvent, TopicStatus } from '../../domain/event.js';
import { REMINDER_STAGE, reminderOf } from '../../domain/reminder.js';
import type { MakeLinks } from '../../domain/links.js';
import type { AlertContext, EventContent } from '../../feeds/event-content.js';
import { feedOf } from '../../feeds/index.js';
import { StoreError } from '../../store/store.js';
import type { Archive } from '../queue/event-archive.js';
import { ageLeft, areSuppressed, maxAgeOf, next, tooOld, type Batch, type Free } from '../queue/batch.js';
import { isQuietReturn } from '../queue/returns.js';
import { compose, composeLive, mentionsOf, type ComposedEvent, headOf, type SuppressedPart } from './compose-message.js';
import { chartIn } from './event-chart.js';
import { calledHere } from '../watchlist/entry.js';
import { chartOfContent, liveContent, type LiveContent, type TopicStatuses } from './topic-statuses.js';
import { notPosted, shownStatus } from '../queue/live-message.js';
import { byImportance, byRankAndAge } from './event-list.js';
import { begun, isSilent } from '../watchlist/match.js';
import { mutedUntil, type PreparedMessage } from '../queue/prepared-message.js';
import {
  begin,
  drop,
  dropPrepared,
  rerouted,
  seal,
  sealPrepared,
  showInLive,
  type Delivery,
  type Dropping,
  type Member,
  type Queue,
} from '../queue/queue.js';
import { deliveryId } from '../queue/queued-event.js';
import { droppedSince } from '../queue/dropped-away.js';
import type { Queues } from '../queue/queues.js';
import { elsewhere, isOrphaned } from '../queue/orphaned-items.js';
import type { Chat, Watchlists } from '../watchlist/watchlists.js';

export interface SealingContext {
  readonly links: MakeLinks;
  readonly queues: Queues;
  readonly archive: Archive;
  readonly watchlists: Watchlists;
  readonly log: Log;
  readonly running?: Instant | undefined;
  readonly topics?: TopicStatuses | undefined;
  /** Undefined if the platform cannot edit messages. */
  readonly openTopics?: OpenTopics | undefined;
  readonly prepare?: ((chart: Chart) => Promise<void>) | undefined;
}

export type OpenTopics = (address: Address) => ((topic: string) => boolean) | undefined;

/** Seals the next delivery. Returns undefined if nothing is to be sent, or if orphaned items moved to another entry. */
export async function sealNext(address: Address, now: Instant, context: SealingContext): Promise<Delivery | undefined> {
  const { queues, watchlists, running } = context;
  const waiting = { queue: queues.read(address), chat: watchlists.read(address), now, running, isOpen: context.openTopics?.(address) };
  const { batch, prepared, due = now } = next(waiting) ?? {};
  if (prepared !== undefined && due <= now) return sealMessage(address, prepared, now, context);
  if (batch === undefined || batch.due > now) return undefined;
  if (batch.kind === 'step') {
    await showSteps(address, batch, { queues, now });
    return undefined;
  }
  // Applies an edit only if the batch's items still wait: the chat may have moved, and its queue with it.
  const whileWaiting =
    (edit: (queue: Queue) => Queue) =>
    (queue: Queue): Queue => {
      if (batch.again !== undefined) return queue.live?.[batch.topic ?? '']?.again?.since === batch.again ? edit(queue) : queue;
      const waiting = new Set(queue.waiting.map(({ event }) => event));
      return batch.members.every(({ member }) => waiting.has(member.event)) ? edit(queue) : queue;
    };
  const orphaned = batch.members.filter(isOrphaned);
  if (orphaned.length > 0) {
    const { members, drops } = await rerouteOrphaned(orphaned, { chat: begun(watchlists.read(address), now), now, context });
    await queues.change(
      address,
      whileWaiting((queue) => drops.reduce(drop, rerouted(queue, members))),
    );
    return undefined;
  }
  const { sendable: found, drops } = await sortedBySendable(batch, { now, context });
  const sendable = found.toSorted((a, b) => (batch.kind === 'now' ? byImportance(a.event, b.event) : byRankAndAge(a.event, b.event)));
  const sampleContent = batch.kind === 'sample' && waiting.isOpen !== undefined ? liveSample(sendable) : undefined;
  const live = batch.kind === 'live' ? liveContent(batch.topic, context) : undefined;
  const drawn = batch.kind === 'live' || sampleContent !== undefined ? undefined : chartIn(sendable, batch.kind);
  const chart = (live ?? sampleContent ?? drawn)?.chart;
  if (chart !== undefined && context.prepare !== undefined) {
    await context.prepare(chartInZone(chart, watchlists.read(address).timezone));
    // The chat may have been muted or left while the chart was drawn; its items still wait.
    const chat = watchlists.read(address);
    const members = batch.members.map(({ member }) => member);
    if (chat.left !== undefined || areSuppressed(members, chat, now)) return undefined;
  }
  const { entries, timezone, pings } = watchlists.read(address);
  const ages = entries.map(maxAgeOf);
  const oldest = now - Math.max(0, ...ages);
  const parts = { timezone, pings, sendable, batch, oldest, now, links: context.links, chartOf: drawn?.event, live, sampleContent };
  const { open } = await queues.change(
    address,
    whileWaiting((queue) => sending(sealed(drops.reduce(drop, queue), parts), now)),
  );
  return open;
}

async function sealMessage(
  address: Address,
  { id, until, reply: { chart } }: PreparedMessage,
  now: Instant,
  { queues, watchlists, prepare }: SealingContext,
): Promise<Delivery | undefined> {
  const isLate = now >= until;
  if (chart !== undefined && !isLate) await prepare?.(chartInZone(chart, watchlists.read(address).timezone));
  const { open } = await queues.change(address, (queue) => {
    const chat = watchlists.read(address);
    const isMuted = mutedUntil(chat, now) !== undefined;
    if (isLate) return dropPrepared(queue, id, { now, because: isMuted ? 'this chat was muted' : 'it could not be sent in time' });
    // The chat may have been muted or left while the picture was drawn.
    return chat.left !== undefined || isMuted ? queue : sending(sealPrepared(queue, id, { now, zone: chat.timezone }), now);
  });
  return open;
}

export async function showSteps(
  address: Address,
  { members }: Pick<Batch, 'members'>,
  { queues, now }: { readonly queues: Queues; readonly now: Instant },
): Promise<void> {
  await queues.change(address, (queue) => showInLive(queue, { members: members.map(({ member }) => member), now }));
}

const sending = (queue: Queue, now: Instant): Queue => (queue.open === undefined ? queue : begin(queue, queue.open.id, now));

const LOST = 'the event can no longer be read';

async function rerouteOrphaned(
  orphaned: readonly Free[],
  { chat, now, context }: { readonly chat: Chat; readonly now: Instant; readonly context: SealingContext },
): Promise<{ readonly members: readonly Member[]; readonly drops: readonly Dropping[] }> {
  const all = await Promise.all(
    orphaned.map(async ({ member }) => {
      const to = await readAs(member, context, (event) => elsewhere(member, event, chat));
      return { member, to: to ?? { because: LOST } };
    }),
  );
  const reasons = new Set(all.flatMap(({ to }) => ('because' in to ? [to.because] : [])));
  return {
    members: all.flatMap(({ to }) => ('member' in to ? [to.member] : [])),
    drops: [...reasons].map((because) => ({
      now,
      because,
      members: all.flatMap(({ member, to }) => ('because' in to && to.because === because ? [member] : [])),
    })),
  };
}

interface Readable extends ComposedEvent {
  readonly one: Free;
}

const keptOf = ({ one, content, event }: Readable): SuppressedPart => ({ one, about: content.about, feed: event.feed });

interface SealedParts {
  readonly sendable: readonly Readable[];
  readonly batch: Batch;
  /** The earliest time of an event that may still be alerted. */
  readonly oldest: number;
  readonly now: Instant;
  readonly links: MakeLinks;
  readonly chartOf: string | undefined;
  readonly live: LiveContent | undefined;
  readonly sampleContent: SampleContent | undefined;
  /** Sealed with the message, so that every attempt renders the same times. */
  readonly timezone: string | undefined;
  readonly pings: Chat['pings'];
}

function sealed(queue: Queue, { sendable, batch, oldest, now, links, chartOf, live, sampleContent, timezone, pings }: SealedParts): Queue {
  const [first, ...rest] = sendable;
  const { topic, again } = batch;
  if (first === undefined || (again !== undefined && live === undefined)) return again === undefined ? queue : notPosted(queue, { topic });
  const all = [first, ...rest] as const;
  const members = all.map(({ member }) => member);
  if (live !== undefined) return sealedLive(queue, { all, live, again, now, links, timezone, pings });
  const more = droppedSince(queue.droppedAway, oldest);
  const head = batch.kind === 'summary' ? { ...headOf([keptOf(first), ...rest.map(keptOf)]), more } : undefined;
  const id = deliveryId(queue.address, members);
  return seal(queue, {
    id,
    members,
    now,
    summary: head?.words,
    chartOf,
    reply: inZone(
      sampleContent === undefined
        ? compose({ id, events: all, head, links, pings })
        : composeLive({ id, links, ...sampleContent, entry: '' }),
      timezone,
    ),
    maxAge: Math.max(...all.map(({ one, event }) => ageLeft(one, event, now))),
    until: firstOver(all.map(({ event }) => event)),
    // The message rings if one of its events does.
    ...(all.every(({ silent }) => silent) ? { silent: true } : {}),
    replyTo: topic === undefined ? (rest.length === 0 ? first.member.corrects?.messageId : undefined) : queue.live?.[topic]?.messageId,
  });
}

interface SampleContent extends Pick<LiveContent, 'content' | 'chart'> {
  readonly status: Pick<TopicStatus, 'feed' | 'at' | 'topic' | 'ended'>;
}

/** Renders the sample of a topic as its live message, on platforms that edit messages. */
function liveSample([sample]: readonly Readable[]): SampleContent | undefined {
  if (sample === undefined) return undefined;
  const { feed, topic, project, stage, facts, detectedAt: at } = sample.event;
  const content = feedOf(feed)?.liveContent({ topic, feed, project, stage, step: stage, ended: false, at, facts });
  // The market of a sample cannot be muted, so its button mutes the kind.
  return content && { status: { feed, at, topic: '', ended: false }, content, chart: chartOfContent(content) };
}

/** Returns when the first of these reminders is over. */
function firstOver(events: readonly FeedEvent[]): Instant | undefined {
  const dates = events.flatMap((event) => reminderOf(event)?.at ?? []);
  return dates.length === 0 ? undefined : instant(Math.min(...dates));
}

interface LiveParts extends Pick<SealedParts, 'now' | 'links' | 'timezone' | 'pings'> {
  readonly all: readonly [Readable, ...Readable[]];
  readonly live: LiveContent;
  readonly again: Instant | undefined;
}

function sealedLive(queue: Queue, { all, live: { status, content }, again, now, links, timezone, pings }: LiveParts): Queue {
  const members = all.map(({ member }) => member);
  const message = again === undefined ? undefined : queue.live?.[status.topic];
  const isRecreated = message?.again?.because === 'deleted' || message?.recreated === true;
  const silent = again !== undefined || all.every((one) => one.silent);
  const id = deliveryId(queue.address, members, again);
  return seal(queue, {
    id,
    members,
    now,
    again,
    reply: inZone(
      composeLive({ id, links, status, content, entry: all[0].member.entry, mentions: silent ? [] : mentionsOf(all, pings) }),
      timezone,
    ),
    // A message that is posted again may wait for the whole maximum age.
    maxAge: Math.max(...all.map(({ one, entry, event }) => (again === undefined ? ageLeft(one, event, now) : maxAgeOf(entry)))),
    ...(silent ? { silent } : {}),
    shows: { ...shownStatus(status), ...(isRecreated ? { recreated: true } : {}) },
  });
}

async function sortedBySendable(
  batch: Batch,
  { now, context }: { now: Instant; context: SealingContext },
): Promise<{ readonly sendable: readonly Readable[]; readonly drops: readonly Dropping[] }> {
  const read = await Promise.all(batch.members.map(async (one) => ({ one, sendable: await readable(one, now, context) })));
  const lost = read.flatMap(({ one, sendable }) => (sendable === undefined ? [one.member] : []));
  const verdicts = read.flatMap(({ one, sendable }) =>
    sendable === undefined ? [] : [{ sendable, because: tooOld(one, sendable.event, now) }],
  );
  const old = [...new Set(verdicts.flatMap(({ because }) => (because === undefined ? [] : [because])))].map((because) => ({
    end: 'expired' as const,
    now,
    because,
    members: verdicts.flatMap((verdict) => (verdict.because === because ? [verdict.sendable.member] : [])),
  }));
  return {
    sendable: verdicts.flatMap(({ sendable, because }) => (because === undefined ? [sendable] : [])),
    drops: [{ members: lost, now, because: LOST }, ...old],
  };
}

const readable = async (one: Free, now: Instant, context: SealingContext): Promise<Readable | undefined> =>
  readAs(one.member, context, (event) => {
    const { member, entry } = one;
    // A reminder shows the time left at sending.
    const counted = event.stage === REMINDER_STAGE ? { sentAt: sharedTime(reminderOf(event)?.at ?? now, now) } : {};
    const content = contentOf(event, { name: entry && calledHere(entry.target), crossings: member.crossings, ...counted });
    // A sample has no entry.
    const silent = entry !== undefined && (isSilent(entry, event) || isQuietReturn(entry, member));
    return content && { one, member, entry, event, content, silent };
  });

/** Rounds the time until `at` to minutes, so that chats share one rendering. The clock's own minutes would miscount. */
const sharedTime = (at: Instant, now: Instant): Instant => later(at, -Math.round((at - now) / MINUTE) * MINUTE);

const contents = new WeakMap<FeedEvent, Map<string, EventContent | undefined>>();

function contentOf(event: FeedEvent, context: AlertContext): EventContent | undefined {
  const known = contents.get(event) ?? new Map<string, EventContent | undefined>();
  contents.set(event, known);
  const key = JSON.stringify(context);
  if (!known.has(key)) known.set(key, feedOf(event.feed)?.content(event, context));
  return known.get(key);
}

async function readAs<T>(
  member: Member,
  { archive, log }: SealingContext,
  as: (event: FeedEvent) => T | undefined,
): Promise<T | undefined> {
  try {
    const event = await archive.get(member.event);
    const read = event && as(event);
    if (read !== undefined) return read;
    log.error('delivery.event-missing', { member: member.event });
  } catch (cause) {
    // A locked or full store is retried; giving up would lose the alert.
    if (cause instanceof StoreError && cause.trouble !== 'unreadable') throw cause;
    log.error('delivery.event-unreadable', { member: member.event, cause });
  }
  return undefined;
}
