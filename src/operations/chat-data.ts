/** Provides the watchlists and alerts of chats to programs, from the documents that the bot stores anyway. */
import { correctionsOf } from '../alerts/corrections/corrected-message.js';
import { deliveredEvents } from '../alerts/delivery/message-data.js';
import type { Archive } from '../alerts/queue/event-archive.js';
import type { Member, Queue, Receipt } from '../alerts/queue/queue.js';
import type { Queues } from '../alerts/queue/queues.js';
import { calledHere, targetName, type Entry } from '../alerts/watchlist/entry.js';
import type { Chat, Watchlists } from '../alerts/watchlist/watchlists.js';
import type { Directory } from '../analytics/directory.js';
import { RecentMap } from '../base/bounded-cache.js';
import { nearestWord } from '../base/edit-distance.js';
import { DAY, instant, type Clock } from '../base/clock.js';
import { omitUndefined } from '../base/omit-undefined.js';
import { yieldToEventLoop } from '../base/yield.js';
import { circleOf, type Address } from '../chat/address.js';
import type { AlertQuery, ChatData, SentAlert, UnknownFilter, WatchedChat, WrittenEntry, WrittenSettings } from '../chat/chat-data.js';
import { FEEDS } from '../feeds/index.js';
import type { Correction } from '../domain/event.js';
import type { MakeLinks } from '../domain/links.js';
import type { Instant } from '../domain/scalars.js';
import type { ChatCalendar } from './chat-calendar.js';

export interface ChatDataDeps {
  readonly watchlists: Watchlists;
  readonly queues: Pick<Queues, 'read' | 'receipts'>;
  readonly archive: Archive;
  readonly links: MakeLinks;
  readonly calendar: ChatCalendar;
  readonly directory: Pick<Directory, 'named' | 'complete'>;
  /** Tells whether a platform has this chat even if nothing about it is stored. */
  readonly isHere: (chat: Address) => boolean;
  readonly written: WatchlistWriter;
  readonly clock: Clock;
}

/** Writes choices in the form of the watchlist file. */
export interface WatchlistWriter {
  readonly entry: (of: { readonly entry: Entry; readonly chat: Address }, written: WrittenAt) => WrittenEntry;
  readonly settings: (chat: Chat, written: WrittenAt) => WrittenSettings;
}

interface WrittenAt {
  readonly kinds: readonly string[];
  readonly now: Instant;
}

/** How far back alerts are shown. Receipts and events are stored as long. */
const SHOWN_FOR = 30 * DAY;
const MAX_MOVES = 10;
const MAX_NEAREST = 3;
const KINDS: readonly string[] = FEEDS.map(({ id }) => id);
const READ_AT_ONCE = 100;
/** How many rendered alerts are cached, because programs read the latest ones often and rendering is the slowest part. */
const MAX_MADE = 1_000;

/** One event of one message. */
interface Sent {
  readonly receipt: Receipt;
  readonly member: Member;
}

/** A cached alert, valid while the chat's watchlist and the correction do not change. */
interface Made {
  readonly chat: Chat;
  readonly correction: Correction | undefined;
  readonly at: Instant | undefined;
  readonly alert: SentAlert;
}

interface SentList {
  readonly all: readonly Sent[];
  readonly corrections: ReadonlyMap<string, Correction>;
  readonly correctedAt: ReadonlyMap<string, Instant>;
}

export class KnownChats implements ChatData {
  readonly #deps: ChatDataDeps;
  /** Cached by queue document, which is a new object after each change. */
  readonly #sent = new WeakMap<Queue, Promise<SentList>>();

  readonly #made = new RecentMap<string, Made>(MAX_MADE);

  constructor(deps: ChatDataDeps) {
    this.#deps = deps;
  }

  present(chat: Address): Address | undefined {
    const { watchlists, isHere } = this.#deps;
    let address = chat;
    for (let moves = 0; moves < MAX_MOVES; moves += 1) {
      const { left } = watchlists.read(address);
      if (left?.movedTo === undefined) return watchlists.has(address) || isHere(address) ? address : undefined;
      address = left.movedTo;
    }
    return undefined;
  }

  formerly(chat: Address): readonly Address[] {
    return this.#deps.watchlists.formerly(circleOf(chat));
  }

  chats(): readonly Address[] {
    const { watchlists } = this.#deps;
    const isWatching = (chat: Address): boolean => {
      const { left, entries } = watchlists.read(chat);
      return left === undefined && entries.length > 0;
    };
    return [...watchlists.addresses()].filter(isWatching).toSorted((a, b) => (a < b ? -1 : 1));
  }

  watched(chat: Address): WatchedChat {
    const { watchlists, written, clock } = this.#deps;
    const read = watchlists.read(chat);
    const { timezone, left, entries } = read;
    const at = { kinds: KINDS, now: clock.now() };
    const { quiet, mutedUntil, mutedKinds, mutedTopics } = written.settings(read, at);
    return omitUndefined({
      ...{ chat, timezone, quiet, mutedUntil, mutedKinds, mutedTopics },
      away: left && { since: left.at, because: left.because },
      entries: entries.map((entry) => {
        const { target, preset, since } = entry;
        const {
          on,
          silent,
          off,
          rules,
          maxAgeHours,
          mutedUntil: until,
          mutedKinds: kinds,
          mentions,
          exceptions,
        } = written.entry({ entry, chat }, at);
        return omitUndefined({
          ...{ target: targetName(target), kind: target.kind, label: calledHere(target), preset, since },
          ...{ on, silent, off, rules, maxAgeHours, mutedUntil: until, mutedKinds: kinds, mentions, exceptions },
        });
      }),
    });
  }

  async alerts(chat: Address, { project, kind, since, before, limit }: AlertQuery) {
    const from = since ?? instant(this.#deps.clock.now() - SHOWN_FOR);
    const list = await this.#sentTo(chat);
    const wanted = list.all.filter(({ receipt: { endedAt }, member }) => {
      const [feed, subject] = member.event.split('/');
      // The event is not read for this filter, because its id contains the kind and the subject.
      return (
        endedAt > from && (kind === undefined || feed === kind) && (project === undefined || subject === project || feed === 'launches')
      );
    });
    const start = before === undefined ? 0 : startAfter(wanted, before);
    const alerts: SentAlert[] = [];
    let place = start;
    for (; place < wanted.length && alerts.length <= limit; place += 1) {
      if ((place - start) % READ_AT_ONCE === READ_AT_ONCE - 1) await yieldToEventLoop();
      const one = wanted[place];
      const alert = one && (await this.#alert(chat, one, list));
      if (alert !== undefined && (project === undefined || alert.event.project === project)) alerts.push(alert);
    }
    return { alerts: alerts.slice(0, limit), hasMore: alerts.length > limit };
  }

  async filters(
    chat: Address,
    { project, kind }: Pick<AlertQuery, 'project' | 'kind'>,
  ): Promise<Pick<AlertQuery, 'project' | 'kind'> | UnknownFilter> {
    if (kind !== undefined && !KINDS.includes(kind)) {
      const near = nearestWord(kind, KINDS);
      return { unknown: 'kind', nearest: near === undefined ? KINDS : [near] };
    }
    if (project === undefined) return { kind };
    const slug = await this.#projectOf(chat, project);
    return typeof slug === 'string' ? { kind, project: slug } : { unknown: 'project', nearest: slug };
  }

  /** Returns the slug of a project; for an unknown name the nearest slugs. */
  async #projectOf(chat: Address, written: string): Promise<string | readonly string[]> {
    const { directory } = this.#deps;
    const named = await directory.named(written);
    const exact = named.find(({ slug }) => slug === written) ?? (named.length === 1 ? named[0] : undefined);
    if (exact !== undefined) return exact.slug;
    if (named.length > 1) return named.map(({ slug }) => slug);
    // Any slug is accepted if this chat has alerts of it, or if no project was discovered yet.
    const { all } = await this.#sentTo(chat);
    const isFree = all.some(({ member }) => member.event.split('/')[1] === written) || (await directory.complete('', 1)).length === 0;
    return isFree ? written : (await directory.complete(written, MAX_NEAREST)).map(({ slug }) => slug);
  }

  moments: ChatData['moments'] = async (chat) => this.#deps.calendar.moments(this.#deps.watchlists.read(chat));

  async #sentTo(chat: Address): Promise<SentList> {
    const { queues } = this.#deps;
    const queue = queues.read(chat);
    const known = this.#sent.get(queue);
    if (known !== undefined) return known;
    const reading = this.#readSent(chat, queue);
    this.#sent.set(queue, reading);
    reading.catch(() => this.#sent.delete(queue));
    return reading;
  }

  async #readSent(chat: Address, { waiting }: Queue): Promise<SentList> {
    const { queues, archive } = this.#deps;
    const receipts = await queues.receipts(chat);
    const correctedAt = new Map<string, Instant>();
    const all: Sent[] = [];
    for (const receipt of receipts)
      for (const member of receipt.members) {
        const { corrects } = member;
        if (corrects !== undefined) correctedAt.set(corrects.event, correctedAt.get(corrects.event) ?? receipt.endedAt);
        const isShown = receipt.live !== true && (receipt.end === 'sent' || receipt.end === 'maybe sent');
        if (isShown && member.sample !== true && corrects === undefined) all.push({ receipt, member });
      }
    // Corrections whose edits still wait count too.
    for (const { corrects, queuedAt } of waiting) if (corrects !== undefined) correctedAt.set(corrects.event, queuedAt);
    const corrections = await correctionsOf({ receipts, waiting }, () => true, archive);
    return { all, corrections, correctedAt };
  }

  /** Returns undefined if the event is no longer stored. */
  async #alert(address: Address, { receipt, member }: Sent, { corrections, correctedAt }: SentList): Promise<SentAlert | undefined> {
    const { watchlists, archive, links } = this.#deps;
    const chat = watchlists.read(address);
    const correction = corrections.get(member.event);
    const at = correctedAt.get(member.event);
    const key = `${address} ${receipt.id} ${member.event}`;
    const known = this.#made.get(key);
    if (known?.chat === chat && known.correction === correction && known.at === at) return known.alert;
    const [event] = await deliveredEvents([member], { archive, links, chat, corrections });
    if (event === undefined) return undefined;
    const alert = {
      event,
      delivery: receipt.id,
      sentAt: receipt.endedAt,
      ...(correction === undefined || at === undefined ? {} : { correction: { correction, at } }),
    };
    this.#made.set(key, { chat, correction, at, alert });
    return alert;
  }
}

const idOf = ({ receipt, member }: Sent): string => `${receipt.id} ${member.event}`;

/** Returns the index after `before`. If that alert no longer exists, the index after all that were sent at its time or later. */
function startAfter(wanted: readonly Sent[], before: NonNullable<AlertQuery['before']>): number {
  const known = wanted.findIndex((one) => idOf(one) === before.id);
  if (known !== -1) return known + 1;
  const older = wanted.findIndex(({ receipt: { endedAt } }) => endedAt < before.at);
  return older === -1 ? wanted.length : older;
}
