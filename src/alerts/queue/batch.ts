/**
 * What of one chat's waiting news is told next, together, and when. News that is free and fresh comes within seconds; what came late or was held back
 * comes as one summary. Pure: the same queue, chat and moment give the same answer.
 */
import { HOUR, instant, later, MINUTE, SECOND, type Instant } from '../../base/clock.js';
import type { FeedEvent } from '../../domain/event.js';
import { lastAbsence, type Absence } from '../watchlist/absence.js';
import { targetName, DEFAULT_AGE_HOURS, type Entry } from '../watchlist/entry.js';
import { suppressionOf, suppressionSince, type ActiveSuppression, type SuppressionQuery, type PastSuppression } from './suppression.js';
import { lastAlert, type Member, type Queue } from './queue.js';
import type { Chat } from '../watchlist/watchlists.js';

/** How long fresh news waits for company after the latest of it, and after the first of it. */
export const GATHER = 3 * SECOND;
export const LONGEST_GATHER = 20 * SECOND;
/** How long fresh news waits after the last message of its chat, so that ten seconds of whatever happens are two messages at most. */
export const PAUSE = 10 * SECOND;
/** The same for what came late: looks that were missed are made up for one by one. */
export const SUMMARY_GATHER = 45 * SECOND;
export const LONGEST_SUMMARY_GATHER = 5 * MINUTE;
/** Who hears of something so long after it could be told hears that it is late. */
export const LATE_AFTER = 30 * MINUTE;
/** So many events are told in one message, most of them as a count. */
export const MAX_IN_ONE = 1_000;

/** A waiting member that nothing holds back now. */
export interface Free {
  readonly member: Member;
  /** The entry it came through, where that still stands. */
  readonly entry: Entry | undefined;
  /** From when it could be told. */
  readonly since: Instant;
  /** What held it back until then. */
  readonly held: PastSuppression | undefined;
  /** While it could not come because the service, the bot or the platform was away, where that was long; `chat`: because the bot was not in this chat. */
  readonly away: { readonly from: Instant; readonly to: Instant; readonly chat?: boolean } | undefined;
}

export interface Batch {
  /** `now`: fresh news; `summary`: what was kept back, by the outside or by a hold; `sample`: what somebody asked to be shown. */
  readonly kind: 'now' | 'summary' | 'sample';
  readonly due: Instant;
  readonly members: readonly [Free, ...Free[]];
}

export interface Waiting {
  readonly queue: Pick<Queue, 'waiting' | 'receipts' | 'alertedAt'>;
  readonly chat: Chat;
  readonly now: Instant;
  /** Since when anything could be delivered at all, which is since the process runs: it gives what it missed the time to come in. */
  readonly running?: Instant | undefined;
}

/** What comes next; without a batch, only a hold ends then. Undefined where nothing waits. */
export interface Next {
  readonly due: Instant;
  readonly batch?: Batch;
}

export function next({ queue, chat, now, running }: Waiting): Next | undefined {
  if (queue.waiting.length === 0) return undefined;
  const { free, ends } = sifted({ queue, chat, now });
  const [samples, news] = parted(free, ({ member }) => member.sample === true);
  const [kept, fresh] = parted(news, isKept);
  const [summary] = batch('summary', kept, (members) => summaryDue(members, { now, began: beganOf({ chat, now, running }) }));
  const due: readonly Next[] = [
    ...batch('sample', samples, () => now),
    ...(summary === undefined ? [] : [summary.due <= now ? withBehind(summary, fresh, now) : summary]),
    ...batch('now', fresh, (members) => freshDue(members, { now, told: lastAlert(queue) })),
    ...ends.map((end) => ({ due: later(end, GATHER) })),
  ];
  return due.toSorted((a, b) => a.due - b.due)[0];
}

/** Whether it is told in a summary: it came late, could not be told for long, or was held back. */
const isKept = ({ held, away }: Free): boolean => held !== undefined || away !== undefined;

/** What a hold kept back ends with the hold: only what was before it, or came after it, was an outage. */
function awayOf({ member: { late, queuedAt }, since, held }: Omit<Free, 'away'>, now: Instant, absence: Absence | undefined): Free['away'] {
  const isMissed = late?.because === 'absence' || (absence !== undefined && since <= absence.to);
  if (absence !== undefined && isMissed) return { ...absence, chat: true };
  if (late !== undefined) return { from: instant(Math.min(late.since, since)), to: held === undefined ? now : queuedAt };
  if (held !== undefined) return held.from - queuedAt >= LATE_AFTER ? { from: queuedAt, to: held.from } : undefined;
  return now - since >= LATE_AFTER ? { from: since, to: now } : undefined;
}

/** The summary with what waited behind it because nothing could be sent: that is no message of its own. */
function withBehind({ due, batch: { kind, members } }: Required<Next>, fresh: readonly Free[], now: Instant): Next {
  const [first, ...others] = members;
  const behind = fresh.filter(({ since }) => now - since > LONGEST_GATHER);
  return { due, batch: { kind, due, members: [first, ...[...others, ...behind].slice(0, MAX_IN_ONE - 1)] } };
}

/** What is free, oldest first, and when holds of the rest end. */
function sifted({ queue: { waiting }, chat, now }: Omit<Waiting, 'running'>): {
  readonly free: readonly Free[];
  readonly ends: readonly Instant[];
} {
  const entries = new Map(chat.entries.map((entry) => [targetName(entry.target), entry]));
  const holds = new Map<string, Holds>();
  const ends = new Set<Instant>();
  const free: Free[] = [];
  const absence = lastAbsence(chat, now);
  const add = (one: Omit<Free, 'away'>): void =>
    void free.push({ ...one, away: one.member.sample === true ? undefined : awayOf(one, now, absence) });
  for (const member of waiting) {
    const entry = entries.get(member.entry);
    const key = `${feedOf(member)} ${member.entry}`;
    const held = holds.get(key) ?? holdsOf({ about: { feed: feedOf(member) }, entry, chat }, now);
    holds.set(key, held);
    if (member.sample === true) add({ member, entry, since: member.queuedAt, held: undefined });
    else if (held.now !== undefined) ends.add(held.now.until);
    // What was queued in the future was queued before the clock was set back: it has waited long enough, and is not late.
    else if (member.queuedAt > now) add({ member, entry, since: later(now, -LONGEST_SUMMARY_GATHER), held: undefined });
    else {
      const past = held.since(member.queuedAt);
      add({ member, entry, since: past?.until ?? member.queuedAt, held: past });
    }
  }
  return { free: free.toSorted((a, b) => a.since - b.since), ends: [...ends] };
}

/** Whether some of these, which were free when they were sealed, are held back now. */
export function areSuppressed(members: readonly Member[], chat: Chat, now: Instant): boolean {
  const news = new Map(members.filter(({ sample }) => sample !== true).map((member) => [`${feedOf(member)} ${member.entry}`, member]));
  const entryOf = (member: Member): Entry | undefined => chat.entries.find(({ target }) => targetName(target) === member.entry);
  return [...news.values()].some((member) => suppressionOf({ feed: feedOf(member) }, entryOf(member), chat, now) !== undefined);
}

interface Holds {
  readonly now: ActiveSuppression | undefined;
  /** What held back what was ready then. */
  readonly since: (ready: Instant) => PastSuppression | undefined;
}

/** What holds news of one kind through one entry. A thousand such may have waited for one hold, which is worked out once. */
function holdsOf(listening: SuppressionQuery, now: Instant): Holds {
  let known: { readonly ready: Instant; readonly held: PastSuppression | undefined } | undefined;
  const asked = (ready: Instant): PastSuppression | undefined => {
    if (known === undefined || ready < known.ready || ready >= (known.held?.until ?? now))
      known = { ready, held: suppressionSince(listening, ready, now) };
    const { held } = known;
    return held === undefined || held.from >= ready ? held : { ...held, from: ready };
  };
  return { now: suppressionOf(listening.about, listening.entry, listening.chat, now), since: asked };
}

/** Ids of events begin with their kind. */
const feedOf = ({ event }: Member): string => event.slice(0, Math.max(0, event.indexOf('/')));

function batch(
  kind: Batch['kind'],
  all: readonly Free[],
  dueOf: (members: readonly [Free, ...Free[]]) => Instant,
): readonly Required<Next>[] {
  const [first, ...others] = all.slice(0, MAX_IN_ONE);
  if (first === undefined) return [];
  const members = [first, ...others] as const;
  const due = dueOf(members);
  return [{ due, batch: { kind, due, members } }];
}

function freshDue(members: readonly Free[], { now, told }: { readonly now: Instant; readonly told: Instant | undefined }): Instant {
  const times = members.map(({ since }) => since);
  // A full message has nothing to wait for.
  const gathered = members.length === MAX_IN_ONE ? now : Math.min(Math.max(...times) + GATHER, Math.min(...times) + LONGEST_GATHER);
  return instant(told === undefined || told > now ? gathered : Math.max(gathered, told + PAUSE));
}

/** Since when this chat can be delivered to: since the process runs, and since the chat came back. */
const beganOf = ({ chat, now, running }: Omit<Waiting, 'queue'>): Instant =>
  instant(Math.max(running === undefined || running > now ? 0 : running, lastAbsence(chat, now)?.to ?? 0));

function summaryDue(members: readonly Free[], { now, began }: { readonly now: Instant; readonly began: Instant }): Instant {
  if (members.length === MAX_IN_ONE) return now;
  const came = members.map(({ since, held }) => ({
    at: Math.max(since, began),
    wait: held !== undefined && since >= began ? GATHER : SUMMARY_GATHER,
  }));
  const last = Math.max(...came.map(({ at, wait }) => at + wait));
  return instant(Math.min(last, Math.min(...came.map(({ at }) => at)) + LONGEST_SUMMARY_GATHER));
}

/** How old news through an entry may be, in milliseconds. */
export const maxAgeOf = (entry: Entry | undefined): number => (entry?.maxAgeHours ?? DEFAULT_AGE_HOURS) * HOUR;

/**
 * Why news that was kept back is too old to be told, or undefined. It ages from when it happened; what a hold kept back does not age while it is held,
 * since it was this chat that wanted it later.
 */
export function tooOld(one: Free, event: Pick<FeedEvent, 'occurredAt' | 'detectedAt'>, now: Instant): string | undefined {
  if (!isKept(one)) return undefined;
  const { member, entry, since, held } = one;
  const moment = event.occurredAt ?? event.detectedAt;
  const before = held === undefined || member.late !== undefined ? Math.max(0, member.queuedAt - moment) : 0;
  const waited = held === undefined ? 0 : held.from - member.queuedAt;
  const age = before + waited + now - (held === undefined ? Math.min(member.queuedAt, now) : since);
  const hours = maxAgeOf(entry) / HOUR;
  return age > hours * HOUR ? `it was older than ${hours} h, its maximum age, when it could be told` : undefined;
}

const parted = <T>(all: readonly T[], test: (one: T) => boolean): readonly [readonly T[], readonly T[]] => [
  all.filter(test),
  all.filter((one) => !test(one)),
];
