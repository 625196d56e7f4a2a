/** This module prepares due digests. A missed tick loses nothing. */
import { digestId, digestPeriods, type DigestPeriod, type DigestPeriods } from '../alerts/digest/schedule.js';
import { digestTitle, hasReceipt, type LastDigest } from '../alerts/digest/setting.js';
import { prepare, type Queue } from '../alerts/queue/queue.js';
import type { Queues } from '../alerts/queue/queues.js';
import { mutedUntil } from '../alerts/queue/prepared-message.js';
import type { Chat, Watchlists } from '../alerts/watchlist/watchlists.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { DAY, HOUR, MINUTE, instant, later, type Clock, type Instant } from '../base/clock.js';
import { yieldToEventLoop } from '../base/yield.js';
import { DueIndex } from '../base/due-index.js';
import type { Log } from '../base/log.js';
import { circleOf, type Address } from '../chat/address.js';
import type { Reply } from '../chat/reply.js';
import { composeDigest } from './digest/compose.js';
import { gatherDigest, type DigestFacts, type EventContents, type GatherContext } from './digest/gather.js';
import type { DigestSpan } from './digest/moves.js';
import { byImportance } from '../alerts/delivery/event-list.js';
import { THRESHOLD_STAGE } from '../feeds/feed.js';

export interface DigestDeps extends Omit<GatherContext, 'queues'> {
  readonly queues: Queues;
  readonly watchlists: Watchlists;
  readonly clock: Clock;
  readonly log: Log;
}

const RETRY = MINUTE;
const INDEXED_AT_ONCE = 20;
/** Time after midnight in which a delivery that began before may still end. */
const MIN_DELIVERY = HOUR;
/** The archive keeps events for the same time. */
const MAX_COVERED = 30 * DAY;

const lengthOf = (every: LastDigest['every']): number => (every === 'day' ? DAY : 7 * DAY);

/** Returns the span of a digest. It begins at the last digest, but not long before `since`. */
export function spanOf({ digest }: Pick<Chat, 'digest'>, last: LastDigest | undefined, now: Instant): DigestSpan {
  const length = lengthOf(digest?.every ?? 'day');
  const covered = last?.coveredUntil;
  const from =
    covered === undefined || covered > now ? now - length : Math.max(covered, (digest?.since ?? now) - length, now - MAX_COVERED);
  return { from: instant(Math.min(from, now)), to: now };
}

interface Due extends DigestPeriods {
  /** The period whose digest is composed now. */
  readonly now?: DigestPeriod;
  /** When the next action is due; undefined without a digest. */
  readonly at?: Instant;
}

/** Decides what is due for a chat's digest. */
export function digestDue(chat: Chat, last: LastDigest | undefined, now: Instant): Due {
  const { digest, timezone, entries, left } = chat;
  if (digest === undefined || left !== undefined || entries.length === 0) return {};
  const periods = digestPeriods({ setting: digest, timezone, last, now });
  const { missed, next } = periods;
  if (next === undefined) return missed === undefined ? periods : { ...periods, at: now };
  const muted = mutedUntil(chat, now);
  const isDue = next.dueAt <= now && muted === undefined;
  // During a mute, wait for its end or for the digest's deadline.
  const at = missed !== undefined || isDue ? now : next.dueAt > now ? next.dueAt : instant(Math.min(muted ?? now, next.until));
  return { ...periods, at, ...(isDue ? { now: next } : {}) };
}

export class Digests {
  readonly #deps: DigestDeps;
  readonly #index = new DueIndex<Address>();
  readonly #changed = new Set<Address>();
  readonly #failing = new Set<Address>();
  readonly #waiting = new Set<Address>();
  /** Cached during a run, because many chats are due together and watch the same. */
  readonly #documents = new Map<string, ReturnType<DigestDeps['watermarks']['get']>>();
  readonly #contents: EventContents = new WeakMap();
  #running: Promise<void> | undefined;
  #isStopped = false;
  #lastTick: Instant | undefined;

  constructor(deps: DigestDeps) {
    this.#deps = deps;
    deps.watchlists.onChange((address) => this.#changed.add(address));
  }

  /** Starts due digests without waiting for them. */
  tick(): void {
    if (this.#isStopped) return;
    const { clock, watchlists } = this.#deps;
    const now = clock.now();
    // If the clock was set back, all due times change.
    if (this.#lastTick === undefined || now < this.#lastTick) for (const address of watchlists.withDigest()) this.#changed.add(address);
    this.#lastTick = now;
    // Digests are composed one after another, because many chats have theirs at the same time.
    this.#running ??= this.#runAll().finally(() => (this.#running = undefined));
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** `next` may be overdue during a mute. */
  state(chat: Address): { readonly next?: DigestPeriod | undefined; readonly last?: LastDigest | undefined } {
    const { clock, watchlists } = this.#deps;
    const last = this.#lastOf(chat);
    return { next: digestDue(watchlists.read(chat), last, clock.now()).next, last };
  }

  /** Composes what happened since the last digest, without storing it. */
  async preview(chat: Address, record?: (source: DigestSource) => void): Promise<Reply> {
    const { watchlists, watermarks } = this.#deps;
    const { facts, reply } = await this.#compose(watchlists.read(chat), { title: 'Digest', watermarks });
    if (record !== undefined) for (const source of digestSources(facts)) record(source);
    return reply;
  }

  /** Finds the last digest, including one sent at a former address. */
  #lastOf(address: Address): LastDigest | undefined {
    const { queues, watchlists } = this.#deps;
    return [address, ...watchlists.formerly(circleOf(address)).filter((from) => watchlists.read(from).left?.movedTo === address)]
      .flatMap((one) => queues.read(one).digest ?? [])
      .toSorted((a, b) => b.dueAt - a.dueAt)[0];
  }

  async #runAll(): Promise<void> {
    await this.#indexChanged();
    for (const address of this.#index.take(this.#deps.clock.now())) this.#waiting.add(address);
    for (const address of this.#waiting) {
      if (this.#isStopped) return;
      this.#waiting.delete(address);
      try {
        await this.#run(address);
        this.#failing.delete(address);
        this.#changed.add(address);
      } catch (cause) {
        this.#retryLater(address, cause);
      }
      await yieldToEventLoop();
    }
    this.#documents.clear();
  }

  async #indexChanged(): Promise<void> {
    const { clock, watchlists } = this.#deps;
    for (const [count, address] of [...this.#changed].entries()) {
      if (this.#isStopped) return;
      if (count % INDEXED_AT_ONCE === INDEXED_AT_ONCE - 1) await yieldToEventLoop();
      this.#changed.delete(address);
      try {
        this.#index.set(address, digestDue(watchlists.read(address), this.#lastOf(address), clock.now()).at);
      } catch (cause) {
        this.#retryLater(address, cause);
      }
    }
  }

  /** Schedules a retry. Logs once per outage. */
  #retryLater(address: Address, cause: unknown): void {
    const { clock, log } = this.#deps;
    if (!this.#failing.has(address)) log.error('digest.failed', { chat: address, cause });
    this.#failing.add(address);
    this.#index.set(address, later(clock.now(), RETRY));
  }

  async #run(address: Address): Promise<void> {
    const { clock, log, queues, watchlists } = this.#deps;
    const chat = watchlists.read(address);
    const period = digestDue(chat, this.#lastOf(address), clock.now()).now;
    const made = period && { period, ...(await this.#composeDue(chat, period)) };
    const now = clock.now();
    await queues.change(address, (queue) => {
      // The setting, a mute or the queue may have changed while the digest was composed.
      const current = watchlists.read(address);
      const due = digestDue(current, this.#lastOf(address), now);
      const after = due.missed === undefined ? queue : skipped(queue, due.missed, { chat: current, now });
      return made === undefined || due.now === undefined || digestId(due.now) !== digestId(made.period)
        ? after
        : prepared(after, made, { chat: current, now });
    });
    if (made !== undefined) log.debug('digest.prepared', { chat: address });
  }

  async #composeDue(chat: Chat, period: DigestPeriod): Promise<Composed> {
    const watermarks: DigestDeps['watermarks'] = {
      get: async (key) => {
        const document = this.#documents.get(key) ?? this.#deps.watermarks.get(key);
        this.#documents.set(key, document);
        return document;
      },
    };
    return this.#compose(chat, { title: digestTitle(period.every), id: digestId(period), watermarks, contents: this.#contents });
  }

  async #compose(
    chat: Chat,
    { title, id, ...parts }: { readonly title: string; readonly id?: string } & Pick<GatherContext, 'watermarks' | 'contents'>,
  ): Promise<Composed> {
    const last = this.#lastOf(chat.address);
    const facts = await gatherDigest(chat, spanOf(chat, last, this.#deps.clock.now()), { ...this.#deps, ...parts });
    const isReported = last?.unknown?.join(' ') === facts.unknown.join(' ');
    return {
      facts,
      reply: composeDigest(isReported ? { ...facts, unknown: [] } : facts, {
        title,
        zone: zoneIn(chat),
        id,
        hasReceipt: hasReceipt(chat.digest),
      }),
    };
  }
}

interface Composed {
  readonly reply: Reply;
  readonly facts: DigestFacts;
}

/** Adds the digest to the queue as a prepared message. */
function prepared(
  queue: Queue,
  { period: { until, ...last }, reply, facts }: Composed & { readonly period: DigestPeriod },
  { chat, now }: { readonly chat: Chat; readonly now: Instant },
): Queue {
  const message = {
    id: digestId(last),
    summary: digestTitle(last.every),
    reply,
    queuedAt: now,
    until: instant(Math.max(until, now + MIN_DELIVERY)),
    ...(chat.digest?.rings === true ? {} : { silent: true as const }),
  };
  return prepare({ ...queue, digest: { ...last, coveredUntil: facts.span.to, unknown: facts.unknown } }, message);
}

/** Adds a receipt for a missed period to the queue, for `/history` and `/why`. */
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

/** Returns the sources of a digest's values. */
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
