/** This module lists a chat's alerts in pages, from queue documents and the archive. */
import type { Clock } from '../../base/clock.js';
import type { Address } from '../../chat/address.js';
import type { Line, Tone } from '../../chat/reply.js';
import { momentOf, type FeedEvent } from '../../domain/event.js';
import type { Instant } from '../../domain/scalars.js';
import { StoreError } from '../../store/store.js';
import type { Archive } from '../queue/event-archive.js';
import { entryOf } from '../queue/queued-event.js';
import { shortName, type Entry } from '../watchlist/entry.js';
import type { Delivery, Member, Receipt } from '../queue/queue.js';
import type { Queues } from '../queue/queues.js';
import { contentOf } from '../delivery/event-content.js';
import type { Watchlists } from '../watchlist/watchlists.js';
import { openProblemLine, problemWords } from './disposition.js';

export interface HistoryItem {
  readonly id: string;
  readonly end: Receipt['end'] | 'under way';
  readonly because?: string;
  /** Text such as "Catching up: the bot was down for 6 h". */
  readonly summary?: string;
  /** When the delivery ended, or else when it was sealed. */
  readonly at: Instant;
  readonly attempts: number;
  /** Set if an earlier message was edited. */
  readonly live?: true;
  readonly count: number;
  readonly headlines: readonly Line[];
}

/** An event of a delivery; one that is no longer stored shows its id. */
export interface HistoryEvent {
  readonly id: string;
  readonly tone: Tone;
  readonly headline: Line;
  readonly details: readonly Line[];
  readonly at?: Instant;
  /** Text such as "tide → supply, at least $10,000". Absent for a sample. */
  readonly through?: string;
}

/** A page of results. `page` counts from 1. */
export interface Paging {
  readonly page: number;
  readonly size: number;
}

export interface History {
  /** Returns one page of deliveries, newest first. */
  page(address: Address, paging: Paging): Promise<{ readonly total: number; readonly deliveries: readonly HistoryItem[] }>;
  delivery(
    address: Address,
    id: string,
    paging: Paging,
  ): Promise<{ readonly delivery: HistoryItem; readonly total: number; readonly events: readonly HistoryEvent[] } | undefined>;
}

const HEADLINES = 3;

export interface HistoryContext {
  readonly archive: Pick<Archive, 'get'>;
  readonly queues: Pick<Queues, 'read' | 'receipts'>;
  readonly watchlists: Pick<Watchlists, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
}

export function createHistory({ archive, queues, watchlists, clock }: HistoryContext): History {
  const kept = async (id: string): Promise<FeedEvent | undefined> => {
    try {
      return await archive.get(id);
    } catch (cause) {
      if (cause instanceof StoreError && cause.trouble === 'unreadable') return undefined;
      throw cause;
    }
  };
  const inFull = async (address: Address, member: Member): Promise<HistoryEvent> => {
    const event = await kept(member.event);
    if (event === undefined) return { id: member.event, tone: 'plain', headline: [member.event], details: [] };
    const entry = entryOf(watchlists.read(address), member);
    const { tone, headline, details } = contentOf(event, { entry, crossings: member.crossings, now: clock.now() });
    const through = `${entry === undefined ? member.entry : throughName(entry, event.feed)} → ${event.feed}${member.rule === undefined ? '' : `, ${member.rule}`}`;
    return {
      id: event.id,
      tone,
      headline: member.sample === true ? ['Example: ', ...headline] : headline,
      details,
      at: momentOf(event),
      ...(member.sample === true ? {} : { through }),
    };
  };
  const toldOf = async (address: Address, of: Delivery | Receipt): Promise<HistoryItem> => {
    const first = await Promise.all(of.members.slice(0, HEADLINES).map(async (member) => inFull(address, member)));
    const { id, attempts, members, summary } = of;
    const because = 'end' in of ? of.because && problemWords(of.because) : openProblemLine(of);
    return {
      id,
      attempts,
      count: members.length,
      headlines: first.map(({ headline }) => headline),
      ...('end' in of ? { end: of.end, at: of.endedAt } : { end: 'under way', at: of.sealedAt }),
      ...(because === undefined ? {} : { because }),
      ...(summary === undefined ? {} : { summary }),
      ...('live' in of && of.live === true ? { live: true } : {}),
    };
  };
  const all = async (address: Address): Promise<readonly (Delivery | Receipt)[]> => {
    const [{ open }, receipts] = [queues.read(address), await queues.receipts(address)];
    return open === undefined ? receipts : [open, ...receipts];
  };
  return {
    async page(address, paging) {
      const deliveries = await all(address);
      return {
        total: deliveries.length,
        deliveries: await Promise.all(onPage(deliveries, paging).map(async (one) => toldOf(address, one))),
      };
    },
    async delivery(address, id, paging) {
      const found = (await all(address)).find((one) => one.id === id);
      if (found === undefined) return undefined;
      const events = await Promise.all(onPage(found.members, paging).map(async (member) => inFull(address, member)));
      return { delivery: await toldOf(address, found), total: found.members.length, events };
    },
  };
}

/** Returns text such as "all" or "all, exception for tide". */
const throughName = (entry: Entry, feed: string): string =>
  entry.exception?.rules?.[feed] === undefined
    ? shortName(entry.target)
    : `${shortName(entry.target)}, exception for ${entry.exception.project}`;

const onPage = <T>(all: readonly T[], { page, size }: Paging): readonly T[] => all.slice((page - 1) * size, page * size);
