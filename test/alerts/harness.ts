/** The rooms of `alerts/` over one store, events of a real feed, and a notifier that knows its deliveries as a good platform does. */
import { openArchive } from '../../src/alerts/queue/event-archive.js';
import { dueAt, openTopicsOf, type DeliverContext } from '../../src/alerts/delivery/deliver.js';
import { openTopicStatuses } from '../../src/alerts/delivery/topic-statuses.js';
import type { Entry, Target } from '../../src/alerts/watchlist/entry.js';
import { openCheckRecords } from '../../src/alerts/checks/check-records.js';
import { openQueues } from '../../src/alerts/queue/queues.js';
import { RuleStates } from '../../src/alerts/evaluation/rule-states.js';
import { route } from '../../src/alerts/evaluation/route.js';
import { openWatchlists, withEntry } from '../../src/alerts/watchlist/watchlists.js';
import { createReachability } from '../../src/alerts/delivery/reachability.js';
import { HOUR, instant, later, type Instant } from '../../src/base/clock.js';
import type { Log } from '../../src/base/log.js';
import { address, type Address } from '../../src/chat/address.js';
import type { Pictures, Theme } from '../../src/chat/chart.js';
import type { DeliveryRequest, EditOutcome, EditRequest, Notifier, Outcome } from '../../src/chat/notifier.js';
import { plainText } from '../../src/chat/plain-text.js';
import type { FeedEvent } from '../../src/domain/event.js';
import { DEFAULT_TEMPLATES, makeLinks } from '../../src/domain/links.js';
import { slug } from '../../src/domain/scalars.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { handClock, type HandClock } from '../support/clock.js';

export const CHAT = address('console', 'main');
export const TIDE: Target = { kind: 'project', slug: slug('tide') };
export const ALL: Target = { kind: 'all' };
export const LAUNCHES: Target = { kind: 'launches' };

export const entry = (target: Target, since: Instant, extra: Partial<Entry> = {}): Entry => ({
  target,
  since,
  by: 'Ada',
  preset: 'everything',
  ...extra,
});

/** A burn of so many tokens, which is how the tests tell events apart. */
export const burn = (amount: number, detectedAt: Instant, extra: Partial<FeedEvent> = {}): FeedEvent => ({
  id: `supply/tide/${amount}`,
  feed: 'supply',
  project: slug('tide'),
  topic: `supply/tide/${amount}`,
  stage: 'burn',
  occurredAt: detectedAt,
  detectedAt,
  facts: { name: 'Tidewater', symbol: 'TIDE', type: 'Burn', amount: String(amount) },
  ...extra,
});

/** What was shown, in order, and what is to be answered next; `sent` when nothing is said. */
export interface Platform {
  readonly notifier: Notifier;
  readonly shown: { readonly id: string; readonly text: string }[];
  readonly tried: DeliveryRequest[];
  readonly editsTried: EditRequest[];
  answers(...outcomes: (Outcome | 'shown, unclear')[]): void;
  /** What it answers to everything that `answers` says nothing about; without an outcome it shows it again. */
  always(outcome?: Outcome): void;
  /** Every edit that changed a message, in order. Without `edits` the platform cannot. */
  readonly edited: { readonly id: string; readonly text: string }[];
  editAnswers(...outcomes: EditOutcome[]): void;
  /** People delete a message. */
  delete(id: string): void;
}

/** It outlives the process. Unless said otherwise it knows its deliveries, as a platform with nonces or a database of its own. */
export function platform({
  platformName = 'console',
  knowsRepeats = true,
  pictureTheme,
  edits = false,
}: { platformName?: string; knowsRepeats?: boolean; pictureTheme?: Theme; edits?: boolean } = {}): Platform {
  const edited: { id: string; text: string }[] = [];
  const editsTried: EditRequest[] = [];
  const deleted = new Set<string>();
  const nextEdits: EditOutcome[] = [];
  const shown: { id: string; text: string }[] = [];
  const tried: DeliveryRequest[] = [];
  const next: (Outcome | 'shown, unclear')[] = [];
  let otherwise: Outcome | undefined;
  const show = ({ id, reply }: DeliveryRequest): Outcome => {
    if (!knowsRepeats || !shown.some((one) => one.id === id)) shown.push({ id, text: plainText(reply, reply.asOf ?? instant(0)) });
    return { kind: 'sent', messageId: id };
  };
  const revise: NonNullable<Notifier['revise']> = async (_to, request) => {
    const { messageId: id, reply } = request;
    editsTried.push(request);
    const outcome = nextEdits.shift();
    if (outcome !== undefined) return outcome;
    if (deleted.has(id) || !shown.some((one) => one.id === id)) return { kind: 'lost', because: 'deleted' };
    const text = plainText(reply, reply.asOf ?? instant(0));
    const before = [...shown, ...edited].findLast((one) => one.id === id);
    if (before?.text !== text) edited.push({ id, text });
    return { kind: 'edited' };
  };
  return {
    shown,
    tried,
    editsTried,
    edited,
    editAnswers: (...outcomes) => void nextEdits.push(...outcomes),
    delete: (id) => void deleted.add(id),
    answers: (...outcomes) => void next.push(...outcomes),
    always: (outcome) => {
      otherwise = outcome;
    },
    notifier: {
      platform: platformName,
      knowsRepeats,
      ...(pictureTheme === undefined ? {} : { pictureTheme }),
      ...(edits ? { revise } : {}),
      async deliver(_to, delivery) {
        tried.push(delivery);
        const outcome = next.shift() ?? otherwise;
        if (outcome === undefined) return show(delivery);
        if (outcome !== 'shown, unclear') return outcome;
        show(delivery);
        return { kind: 'unclear', because: 'line-cut' };
      },
      probe: async () => ({ missing: [] }),
      diagnose: async () => ({ ok: true, says: 'ok' }),
    },
  };
}

/** The amounts that stand in what was shown, in order: one for each event alerted. */
export const amounts = (shown: Platform['shown']): readonly number[] =>
  shown.flatMap(({ text }) => [...text.matchAll(/burned ([\d,]+) TIDE/g)].map(([, number = '']) => Number(number.replaceAll(',', ''))));

/** A log that remembers which events it was given. */
export function listening(): { log: Log; events: string[] } {
  const events: string[] = [];
  const write = (event: string): void => void events.push(event);
  return { events, log: { error: write, warn: write, info: write, debug: () => {} } };
}

export async function openAlertsHarness({
  store,
  clock = handClock(),
  to = platform(),
  log = listening().log,
  ambiguous = 'repeat',
  listed = [],
  settle,
  pictures,
}: {
  pictures?: Pictures;
  store?: Store;
  clock?: HandClock;
  to?: Platform;
  log?: Log;
  ambiguous?: 'repeat' | 'hold';
  listed?: readonly string[];
  settle?: (key: string) => Promise<void>;
} = {}) {
  const base = store ?? (await openStore('memory://'));
  const rooms = {
    watchlists: await openWatchlists(base, { clock }),
    queues: await openQueues(base),
    rules: await RuleStates.open(base),
    checkRecords: await openCheckRecords(base, settle),
    archive: openArchive(base),
  };
  rooms.watchlists.evaluating(rooms.rules.evaluatedAt());
  const reachability = createReachability({ ...rooms, listed, clock, log });
  const context: DeliverContext = {
    ...rooms,
    links: makeLinks(DEFAULT_TEMPLATES),
    reachability,
    ambiguous,
    notifiers: [to.notifier],
    clock,
    random: () => 0.5,
    outcomes: new Map(),
    log,
    pictures,
  };
  const topics = await openTopicStatuses(base, log);
  const live = { ...context, topics };
  const withEdits: DeliverContext = { ...live, openTopics: openTopicsOf(live) };
  return {
    ...rooms,
    reachability,
    store: base,
    clock,
    to,
    context: withEdits,
    topics,
    signal: new AbortController().signal,
    watch: async (target: Target, extra: Partial<Entry> = {}, chat: Address = CHAT) =>
      rooms.watchlists.change(chat, (before) => withEntry(before, entry(target, later(clock.now(), -HOUR), extra))),
    /** The same for what was seen late. */
    announceLate: async (why: 'service' | 'bot', ...events: readonly FeedEvent[]) => {
      for (const event of events) await rooms.archive.keep(event);
      await route(events, {
        ...rooms,
        now: clock.now(),
        lateBy: (event) => ({ because: why, since: event.occurredAt ?? event.detectedAt }),
      });
    },
    /** Announces and routes, as the poller does. */
    announce: async (...events: readonly FeedEvent[]) => {
      for (const event of events) await rooms.archive.keep(event);
      await route(events, { ...rooms, now: clock.now() });
    },
    due: (chat: Address = CHAT) => dueAt(rooms.queues.read(chat), { ...rooms, now: clock.now(), openTopics: withEdits.openTopics }),
  };
}
