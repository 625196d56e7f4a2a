/** Prepares due digests; a missed tick loses nothing. */
import { digestId, digestPeriods, type DigestPeriod, type DigestPeriods } from '../alerts/digest/schedule.js';
import { digestTitle, type LastDigest } from '../alerts/digest/setting.js';
import { prepare, type Queue } from '../alerts/queue/queue.js';
import type { Queues } from '../alerts/queue/queues.js';
import { mutedUntil } from '../alerts/queue/prepared-message.js';
import type { Chat, Watchlists } from '../alerts/watchlist/watchlists.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { DAY, HOUR, MINUTE, instant, later, type Clock, type Instant } from '../base/clock.js';
import { yieldToEventLoop } from '../base/yield.js';
import { dueIndex } from '../base/due-index.js';
import type { Log } from '../base/log.js';
import { circleOf, type Address } from '../chat/address.js';
import type { Reply } from '../chat/reply.js';
import { composeDigest } from './digest/compose.js';
import { gatherDigest, type DigestFacts, type DigestSpan, type EventContents, type GatherContext } from './digest/gather.js';
import { byImportance } from '../alerts/delivery/event-list.js';
import { THRESHOLD_STAGE } from '../feeds/feed.js';

export interface Digests {
  /** Does not wait for the digests. */
  tick(): void;
  idle(): Promise<void>;
  stop(): Promise<void>;
  /** Since the last digest, unstored. */
  preview(chat: Address, record?: (source: DigestSource) => void): Promise<Reply>;
  /** `next` may be overdue during a mute. */
  state(chat: Address): { readonly next?: DigestPeriod | undefined; readonly last?: LastDigest | undefined };
}

export interface DigestDeps extends Omit<GatherContext, 'queues'> {
  readonly queues: Queues;
  readonly watchlists: Watchlists;
  readonly clock: Clock;
  readonly log: Log;
}

const RETRY = MINUTE;
const INDEXED_AT_ONCE = 20;
/** Deliveries under way at midnight may still end. */
const MIN_DELIVERY = HOUR;
/** The archive keeps events as long. */
const MAX_COVERED = 30 * DAY;

const lengthOf = (every: LastDigest['every']): number => (every === 'day' ? DAY : 7 * DAY);

/** From the last digest, but not long before `since`. */
export function spanOf({ digest }: Pick<Chat, 'digest'>, last: LastDigest | undefined, now: Instant): DigestSpan {
  const length = lengthOf(digest?.every ?? 'day');
  const covered = last?.coveredUntil;
  const from =
    covered === undefined || covered > now ? now - length : Math.max(covered, (digest?.since ?? now) - length, now - MAX_COVERED);
  return { from: instant(Math.min(from, now)), to: now };
}

interface Due extends DigestPeriods {
  /** To be composed now. */
  readonly now?: DigestPeriod;
  /** Next action; undefined without a digest. */
  readonly at?: Instant;
}

/** Pure. */
export function digestDue(chat: Chat, last: LastDigest | undefined, now: Instant): Due {
  const { digest, timezone, entries, left } = chat;
  if (digest === undefined || left !== undefined || entries.length === 0) return {};
  const periods = digestPeriods({ setting: digest, timezone, last, now });
  const { missed, next } = periods;
  if (next === undefined) return missed === undefined ? periods : { ...periods, at: now };
  const muted = mutedUntil(chat, now);
  const isDue = next.dueAt <= now && muted === undefined;
  // During a mute it waits for the end, or until it is too late.
  const at = missed !== undefined || isDue ? now : next.dueAt > now ? next.dueAt : instant(Math.min(muted ?? now, next.until));
  return { ...periods, at, ...(isDue ? { now: next } : {}) };
}

export function createDigests(deps: DigestDeps): Digests {
  const { queues, watchlists, clock, log } = deps;
  const index = dueIndex<Address>();
  const changed = new Set<Address>();
  const failing = new Set<Address>();
  const waiting = new Set<Address>();
  let isRunning = false;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  let lastTick: Instant | undefined;
  watchlists.onChange((address) => changed.add(address));

  /** Also of a former address. */
  const lastOf = (address: Address): LastDigest | undefined =>
    [address, ...watchlists.formerly(circleOf(address)).filter((from) => watchlists.read(from).left?.movedTo === address)]
      .flatMap((one) => queues.read(one).digest ?? [])
      .toSorted((a, b) => b.dueAt - a.dueAt)[0];

  /** Many chats are due together and watch the same. */
  const documents = new Map<string, ReturnType<DigestDeps['watermarks']['get']>>();
  const shared: DigestDeps['watermarks'] = {
    async get(key) {
      const document = documents.get(key) ?? deps.watermarks.get(key);
      documents.set(key, document);
      return document;
    },
  };

  const contents: EventContents = new WeakMap();

  const compose = async (
    chat: Chat,
    { title, id, ...parts }: { readonly title: string; readonly id?: string } & Pick<GatherContext, 'watermarks' | 'contents'>,
  ): Promise<{ readonly reply: Reply; readonly facts: DigestFacts }> => {
    const last = lastOf(chat.address);
    const facts = await gatherDigest(chat, spanOf(chat, last, clock.now()), { ...deps, ...parts });
    const isReported = last?.unknown?.join(' ') === facts.unknown.join(' ');
    return { facts, reply: composeDigest(isReported ? { ...facts, unknown: [] } : facts, { title, zone: zoneIn(chat), id }) };
  };

  const run = async (address: Address): Promise<void> => {
    const chat = watchlists.read(address);
    const period = digestDue(chat, lastOf(address), clock.now()).now;
    const title = period === undefined ? '' : digestTitle(period.every);
    const made = period === undefined ? undefined : await compose(chat, { title, id: digestId(period), watermarks: shared, contents });
    const now = clock.now();
    await queues.change(address, (queue) => {
      // The setting, a mute or the queue may have changed while it was composed.
      const current = watchlists.read(address);
      const due = digestDue(current, lastOf(address), now);
      const after = due.missed === undefined ? queue : skipped(queue, due.missed, { chat: current, now });
      if (made === undefined || period === undefined || due.now === undefined || digestId(due.now) !== digestId(period)) return after;
      const { until, ...last } = period;
      const message = {
        id: digestId(period),
        summary: title,
        reply: made.reply,
        queuedAt: now,
        until: instant(Math.max(until, now + MIN_DELIVERY)),
        ...(current.digest?.rings === true ? {} : { silent: true as const }),
      };
      return prepare({ ...after, digest: { ...last, coveredUntil: made.facts.span.to, unknown: made.facts.unknown } }, message);
    });
    if (made !== undefined) log.debug('digest.prepared', { chat: address });
  };

  /** Logged once per outage. */
  const retryLater = (address: Address, cause: unknown): void => {
    if (!failing.has(address)) log.error('digest.failed', { chat: address, cause });
    failing.add(address);
    index.set(address, later(clock.now(), RETRY));
  };

  const indexChanged = async (): Promise<void> => {
    for (const [count, address] of [...changed].entries()) {
      if (isStopped) return;
      if (count % INDEXED_AT_ONCE === INDEXED_AT_ONCE - 1) await yieldToEventLoop();
      changed.delete(address);
      try {
        index.set(address, digestDue(watchlists.read(address), lastOf(address), clock.now()).at);
      } catch (cause) {
        retryLater(address, cause);
      }
    }
  };

  const runAll = async (): Promise<void> => {
    await indexChanged();
    for (const address of index.take(clock.now())) waiting.add(address);
    for (const address of waiting) {
      if (isStopped) return;
      waiting.delete(address);
      try {
        await run(address);
        failing.delete(address);
        changed.add(address);
      } catch (cause) {
        retryLater(address, cause);
      }
      await yieldToEventLoop();
    }
    documents.clear();
  };

  return {
    tick() {
      if (isStopped) return;
      const now = clock.now();
      // After the clock was set back all due times change.
      if (lastTick === undefined || now < lastTick) for (const address of watchlists.withDigest()) changed.add(address);
      lastTick = now;
      if (isRunning) return;
      isRunning = true;
      // One after another: many chats have theirs at the same time.
      running = runAll().finally(() => (isRunning = false));
    },
    idle: async () => running,
    async stop() {
      isStopped = true;
      await running;
    },
    state(address) {
      const last = lastOf(address);
      return { next: digestDue(watchlists.read(address), last, clock.now()).next, last };
    },
    async preview(address, record) {
      const { facts, reply } = await compose(watchlists.read(address), { title: 'Digest', watermarks: deps.watermarks });
      if (record !== undefined) for (const source of digestSources(facts)) record(source);
      return reply;
    },
  };
}

/** With a receipt, for `/history` and `/why`. */
function skipped(queue: Queue, { until, ...period }: DigestPeriod, { chat, now }: { readonly chat: Chat; readonly now: Instant }): Queue {
  const { coveredUntil, unknown } = queue.digest ?? {};
  const isMuted = (chat.mutedUntil ?? 0) >= until;
  const because = isMuted ? 'this chat was muted' : 'the bot was not running, or not in this chat, until it was too late';
  return {
    ...queue,
    digest: { ...period, ...omitUndefined({ coveredUntil, unknown }) },
    receipts: [
      { id: digestId(period), members: [], end: 'dropped', endedAt: now, attempts: 0, because, summary: digestTitle(period.every) },
      ...queue.receipts,
    ],
  };
}

const zoneIn = ({ timezone }: Chat): string => timezone ?? 'UTC';

interface DigestSource {
  readonly record: { readonly what: string; readonly at: Instant; readonly dataAt?: Instant };
  readonly data: unknown;
}

const MAX_SOURCE_EVENTS = 28;

/** The sources of a digest's figures. */
function digestSources({ moves, events }: Pick<DigestFacts, 'moves' | 'events'>): readonly DigestSource[] {
  const shown = events.toSorted((a, b) => byImportance(a.event, b.event)).slice(0, MAX_SOURCE_EVENTS);
  return [
    ...moves.map(({ slug, foundAt, gap, gapBefore, nav, navBefore }) => ({
      record: { what: `check premium/${slug}`, at: foundAt },
      data: omitUndefined({ premium: gap, premiumBefore: gapBefore, nav, navBefore }),
    })),
    ...shown.map(({ event: { id, stage, detectedAt, occurredAt, facts } }) => ({
      record: { what: `${stage === THRESHOLD_STAGE ? 'check' : 'event'} ${id}`, at: detectedAt, ...omitUndefined({ dataAt: occurredAt }) },
      data: facts,
    })),
  ];
}
