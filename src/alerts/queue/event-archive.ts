/** This module stores events as `event/<id>` and keeps them longer than any suppression. */
import { RecentMap } from '../../base/bounded-cache.js';
import { DAY, instant } from '../../base/clock.js';
import { yieldToEventLoop } from '../../base/yield.js';
import { eventSchema, type FeedEvent } from '../../domain/event.js';
import type { Instant, Slug } from '../../domain/scalars.js';
import type { WalletAddress } from '../../domain/wallet.js';
import { StoreError, type Store } from '../../store/store.js';

/** Receipts that name the events are kept as long. */
export const EVENTS_KEPT_FOR = 30 * DAY;
/** It bounds what `/why` searches. */
export const MAX_EVENTS = 20_000;

export interface EventQuery {
  readonly feed?: string;
  readonly project?: Slug;
  readonly wallet?: WalletAddress;
  readonly only?: (about: Pick<FeedEvent, 'id' | 'feed' | 'stage' | 'project' | 'wallet'>) => boolean;
  /** Events were found after `after`, and until `until`. */
  readonly after?: Instant;
  readonly until?: Instant;
  readonly limit: number;
}

export interface Archive {
  keep(event: FeedEvent): Promise<void>;
  get(id: string): Promise<FeedEvent | undefined>;
  /** The newest is first; unreadable events are omitted. */
  latest(wanted: EventQuery): Promise<readonly FeedEvent[]>;
  /** It deletes old events and those beyond the maximum, unless `wanted`. */
  sweep(now: Instant, wanted: (id: string) => boolean): Promise<void>;
}

interface Card extends Pick<FeedEvent, 'detectedAt' | 'feed' | 'stage' | 'project' | 'wallet'> {
  readonly foundAt: Instant;
}

/** The response of a check may be an older copy. */
const foundAtOf = ({ detectedAt, checkedAt = detectedAt }: FeedEvent): Instant => (checkedAt > detectedAt ? checkedAt : detectedAt);

const MAX_REMEMBERED = 500;
const READ_AT_ONCE = 50;

/** It scans the store once, then keeps an index in memory. */
export function openArchive(store: Store): Archive {
  const documents = store.collection({ prefix: 'event', schema: eventSchema, version: 1 });
  const cards = new Map<string, Card>();
  let sorted: readonly (readonly [string, Card])[] | undefined;
  let loading: Promise<void> | undefined;
  const remembered = new RecentMap<string, FeedEvent>(MAX_REMEMBERED);

  const note = (id: string, event: FeedEvent): void => {
    if (cards.has(id)) return;
    sorted = undefined;
    const { detectedAt, feed, stage, project, wallet } = event;
    const of = { ...(project === undefined ? {} : { project }), ...(wallet === undefined ? {} : { wallet }) };
    cards.set(id, { detectedAt, feed, stage, ...of, foundAt: foundAtOf(event) });
  };
  const load = async (): Promise<void> => {
    for await (const { found } of documents.scan()) for (const [id, event] of found) note(id, event);
  };
  const loaded = async (): Promise<void> => {
    loading ??= load();
    try {
      await loading;
    } catch (cause) {
      loading = undefined;
      throw cause;
    }
  };
  const newestFirst = (): readonly (readonly [string, Card])[] =>
    (sorted ??= [...cards].toReversed().toSorted(([, a], [, b]) => b.foundAt - a.foundAt));
  const found = ({ feed, project, wallet, only, after, until, limit }: EventQuery): readonly string[] => {
    const ids: string[] = [];
    for (const [id, about] of newestFirst()) {
      if (ids.length >= limit || (after !== undefined && about.foundAt <= after)) break;
      const isAbout =
        (until === undefined || about.foundAt <= until) &&
        (feed === undefined || about.feed === feed) &&
        (project === undefined || about.project === project) &&
        (wallet === undefined || about.wallet === wallet);
      if (isAbout && (only?.({ id, ...about }) ?? true)) ids.push(id);
    }
    return ids;
  };

  return {
    async keep(event) {
      if ((await readable(event.id)) === undefined) {
        await documents.set(event.id, event);
        remembered.set(event.id, event);
      }
      note(event.id, event);
    },
    get: read,
    async latest(wanted) {
      await loaded();
      const ids = found(wanted);
      const events: FeedEvent[] = [];
      for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
        if (start > 0) await yieldToEventLoop();
        const read = await Promise.all(ids.slice(start, start + READ_AT_ONCE).map(readable));
        events.push(...read.filter((event) => event !== undefined));
      }
      return events;
    },
    async sweep(now, wanted) {
      await loaded();
      const old = newestFirst().filter(
        ([id, { detectedAt }], place) => (place >= MAX_EVENTS || detectedAt < instant(now - EVENTS_KEPT_FOR)) && !wanted(id),
      );
      for (const [id] of old) {
        await documents.delete(id);
        remembered.delete(id);
        cards.delete(id);
        sorted = undefined;
      }
    },
  };

  async function read(id: string): Promise<FeedEvent | undefined> {
    const known = remembered.get(id);
    if (known !== undefined) return known;
    const event = await documents.get(id);
    if (event !== undefined) remembered.set(event.id, event);
    return event;
  }

  async function readable(id: string): Promise<FeedEvent | undefined> {
    try {
      return await read(id);
    } catch (cause) {
      if (cause instanceof StoreError && cause.trouble === 'unreadable') return undefined;
      throw cause;
    }
  }
}
