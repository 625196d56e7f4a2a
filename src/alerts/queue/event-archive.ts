/** This module stores events as `event/<id>` and keeps them longer than any suppression. */
import { RecentMap } from '../../base/bounded-cache.js';
import { DAY, instant } from '../../base/clock.js';
import { yieldToEventLoop } from '../../base/yield.js';
import { eventSchema, type FeedEvent } from '../../domain/event.js';
import type { Instant, Slug } from '../../domain/scalars.js';
import type { WalletAddress } from '../../domain/wallet.js';
import { StoreError, type Store } from '../../store/store.js';

/** Receipts that refer to events are kept as long. */
export const EVENTS_KEPT_FOR = 30 * DAY;
/** Limits what `/why` searches. */
export const MAX_EVENTS = 20_000;

export interface EventQuery {
  readonly feed?: string;
  readonly project?: Slug;
  readonly wallet?: WalletAddress;
  readonly screen?: string;
  readonly only?: (about: Pick<FeedEvent, 'id' | 'feed' | 'stage' | 'project' | 'wallet' | 'screen'>) => boolean;
  /** Events found after `after` and until `until`. */
  readonly after?: Instant;
  readonly until?: Instant;
  readonly limit: number;
}

export interface Archive {
  keep(event: FeedEvent): Promise<void>;
  get(id: string): Promise<FeedEvent | undefined>;
  /** Returns events, newest first. Unreadable events are left out. */
  latest(wanted: EventQuery): Promise<readonly FeedEvent[]>;
  /** Deletes old events and those beyond the maximum, unless `wanted`. */
  sweep(now: Instant, wanted: (id: string) => boolean): Promise<void>;
}

interface Card extends Pick<FeedEvent, 'detectedAt' | 'feed' | 'stage' | 'project' | 'wallet' | 'screen'> {
  readonly foundAt: Instant;
}

/** Returns when a check found the event. `detectedAt` is earlier if the response was a cached copy. */
const foundAtOf = ({ detectedAt, checkedAt = detectedAt }: FeedEvent): Instant => (checkedAt > detectedAt ? checkedAt : detectedAt);

const MAX_REMEMBERED = 500;
const READ_AT_ONCE = 50;

/** Scans the store once, then keeps an index in memory. */
class StoredArchive implements Archive {
  readonly #documents;
  readonly #cards = new Map<string, Card>();
  #sorted: readonly (readonly [string, Card])[] | undefined;
  #loading: Promise<void> | undefined;
  readonly #remembered = new RecentMap<string, FeedEvent>(MAX_REMEMBERED);

  readonly #readable = async (id: string): Promise<FeedEvent | undefined> => {
    try {
      return await this.get(id);
    } catch (cause) {
      if (cause instanceof StoreError && cause.trouble === 'unreadable') return undefined;
      throw cause;
    }
  };

  constructor(store: Store) {
    this.#documents = store.collection({ prefix: 'event', schema: eventSchema, version: 1 });
  }

  async get(id: string): Promise<FeedEvent | undefined> {
    const known = this.#remembered.get(id);
    if (known !== undefined) return known;
    const event = await this.#documents.get(id);
    if (event !== undefined) this.#remembered.set(event.id, event);
    return event;
  }

  async keep(event: FeedEvent): Promise<void> {
    if ((await this.#readable(event.id)) === undefined) {
      await this.#documents.set(event.id, event);
      this.#remembered.set(event.id, event);
    }
    this.#note(event.id, event);
  }

  async latest(wanted: EventQuery): Promise<readonly FeedEvent[]> {
    await this.#loaded();
    const ids = this.#found(wanted);
    const events: FeedEvent[] = [];
    for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
      if (start > 0) await yieldToEventLoop();
      const read = await Promise.all(ids.slice(start, start + READ_AT_ONCE).map(this.#readable));
      events.push(...read.filter((event) => event !== undefined));
    }
    return events;
  }

  async sweep(now: Instant, wanted: (id: string) => boolean): Promise<void> {
    await this.#loaded();
    const old = this.#newestFirst().filter(
      ([id, { detectedAt }], place) => (place >= MAX_EVENTS || detectedAt < instant(now - EVENTS_KEPT_FOR)) && !wanted(id),
    );
    for (const [id] of old) {
      await this.#documents.delete(id);
      this.#remembered.delete(id);
      this.#cards.delete(id);
      this.#sorted = undefined;
    }
  }

  #note(id: string, event: FeedEvent): void {
    if (this.#cards.has(id)) return;
    this.#sorted = undefined;
    const { detectedAt, feed, stage, project, wallet, screen } = event;
    const of = {
      ...(project === undefined ? {} : { project }),
      ...(wallet === undefined ? {} : { wallet }),
      ...(screen === undefined ? {} : { screen }),
    };
    this.#cards.set(id, { detectedAt, feed, stage, ...of, foundAt: foundAtOf(event) });
  }

  async #load(): Promise<void> {
    for await (const { found } of this.#documents.scan()) for (const [id, event] of found) this.#note(id, event);
  }

  async #loaded(): Promise<void> {
    this.#loading ??= this.#load();
    try {
      await this.#loading;
    } catch (cause) {
      this.#loading = undefined;
      throw cause;
    }
  }

  #newestFirst(): readonly (readonly [string, Card])[] {
    return (this.#sorted ??= [...this.#cards].toReversed().toSorted(([, a], [, b]) => b.foundAt - a.foundAt));
  }

  #found({ feed, project, wallet, screen, only, after, until, limit }: EventQuery): readonly string[] {
    const ids: string[] = [];
    for (const [id, about] of this.#newestFirst()) {
      if (ids.length >= limit || (after !== undefined && about.foundAt <= after)) break;
      const isAbout =
        (until === undefined || about.foundAt <= until) &&
        (feed === undefined || about.feed === feed) &&
        (project === undefined || about.project === project) &&
        (wallet === undefined || about.wallet === wallet) &&
        (screen === undefined || about.screen === screen);
      if (isAbout && (only?.({ id, ...about }) ?? true)) ids.push(id);
    }
    return ids;
  }
}

export const openArchive = (store: Store): Archive => new StoredArchive(store);
