/**
 * What of one chat's waiting news is told next, together, and when. News that is free and fresh comes within seconds; what came late or was held back
 * comes as one summary. Pure: the same queue, chat and moment give the same answer.
 */
import { HOUR, instant, later, MINUTE, SECOND, type Instant } from '../base/clock.js';
import type { NewsEvent } from '../domain/event.js';
import { targetName, USUAL_AGE_HOURS, type Entry } from './entry.js';
import { heldBy, type Held } from './hold.js';
import type { Member } from './queue.js';
import type { Chat } from './watchlists.js';

/** How long fresh news waits for company after the latest of it, and after the first of it. */
export const GATHER = 3 * SECOND;
export const LONGEST_GATHER = 20 * SECOND;
/** The same for what came late: looks that were missed are made up for one by one. */
export const SUMMARY_GATHER = 45 * SECOND;
export const LONGEST_SUMMARY_GATHER = 5 * MINUTE;
/** Who hears of something so long after it could be told hears that it is late. */
export const LATE_AFTER = 30 * MINUTE;
/** So many events are told in one message, most of them as a count. */
export const MOST_IN_ONE = 1_000;

/** A waiting member that nothing holds back now. */
export interface Free {
  readonly member: Member;
  /** The entry it came through, where that still stands. */
  readonly entry: Entry | undefined;
  /** From when it could be told. */
  readonly since: Instant;
  /** What held it back until then. */
  readonly held: Held | undefined;
}

export interface Batch {
  /** `now`: fresh news; `summary`: what was kept back, by the outside or by a hold; `sample`: what somebody asked to be shown. */
  readonly kind: 'now' | 'summary' | 'sample';
  readonly due: Instant;
  readonly members: readonly [Free, ...Free[]];
}

export interface Waiting {
  readonly waiting: readonly Member[];
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

export function next({ waiting, chat, now, running }: Waiting): Next | undefined {
  if (waiting.length === 0) return undefined;
  const { free, ends } = sifted({ waiting, chat, now });
  const [samples, news] = parted(free, ({ member }) => member.sample === true);
  const [kept, fresh] = parted(news, (one) => isKept(one, now));
  const [summary] = batch('summary', kept, (members) => summaryDue(members, { now, running }));
  const due: readonly Next[] = [
    ...batch('sample', samples, () => now),
    ...(summary === undefined ? [] : [summary.due <= now ? withBehind(summary, fresh, now) : summary]),
    ...batch('now', fresh, (members) => freshDue(members, now)),
    ...ends.map((end) => ({ due: later(end, GATHER) })),
  ];
  return due.toSorted((a, b) => a.due - b.due)[0];
}

/** Whether it is told in a summary: it came late, could not be told for long, or was held back. */
const isKept = ({ member, since, held }: Free, now: Instant): boolean =>
  held !== undefined || member.late !== undefined || now - since >= LATE_AFTER;

/** The summary with what waited behind it because nothing could be sent: that is no message of its own. */
function withBehind({ due, batch: { kind, members } }: Required<Next>, fresh: readonly Free[], now: Instant): Next {
  const [first, ...others] = members;
  const behind = fresh.filter(({ since }) => now - since > LONGEST_GATHER);
  return { due, batch: { kind, due, members: [first, ...[...others, ...behind].slice(0, MOST_IN_ONE - 1)] } };
}

/** What is free, oldest first, and when holds of the rest end. */
function sifted({ waiting, chat, now }: Omit<Waiting, 'running'>): { readonly free: readonly Free[]; readonly ends: readonly Instant[] } {
  const entries = new Map(chat.entries.map((entry) => [targetName(entry.target), entry]));
  const holds = new Map<string, Held | undefined>();
  // The same for all news of a kind through an entry, of which a thousand may wait.
  const holdNow = (member: Member): Held | undefined => {
    const key = `${feedOf(member)} ${member.entry}`;
    if (!holds.has(key)) holds.set(key, heldBy({ feed: feedOf(member) }, entries.get(member.entry), chat, now));
    return holds.get(key);
  };
  const ends: Instant[] = [];
  const free: Free[] = [];
  for (const member of waiting) {
    const entry = entries.get(member.entry);
    if (member.sample === true) free.push({ member, entry, since: member.queuedAt, held: undefined });
    else {
      const hold = holdNow(member);
      if (hold === undefined) free.push({ member, entry, ...waited(member, { entry, chat, now }) });
      else ends.push(hold.until);
    }
  }
  return { free: free.toSorted((a, b) => a.since - b.since), ends: [...new Set(ends)] };
}

/** What was queued in the future was queued before the clock was set back: it has waited long enough to be told, and is not late. */
const AFTER_A_JUMP = LONGEST_GATHER;

function waited(
  member: Member,
  { entry, chat, now }: { readonly entry: Entry | undefined; readonly chat: Chat; readonly now: Instant },
): Pick<Free, 'since' | 'held'> {
  if (member.queuedAt > now) return { since: later(now, -AFTER_A_JUMP), held: undefined };
  const held = heldBy({ feed: feedOf(member) }, entry, chat, member.queuedAt);
  return { since: held?.until ?? member.queuedAt, held };
}

/** Ids of events begin with their kind. */
const feedOf = ({ event }: Member): string => event.slice(0, Math.max(0, event.indexOf('/')));

function batch(
  kind: Batch['kind'],
  all: readonly Free[],
  dueOf: (members: readonly [Free, ...Free[]]) => Instant,
): readonly Required<Next>[] {
  const [first, ...others] = all.slice(0, MOST_IN_ONE);
  if (first === undefined) return [];
  const members = [first, ...others] as const;
  const due = dueOf(members);
  return [{ due, batch: { kind, due, members } }];
}

function freshDue(members: readonly Free[], now: Instant): Instant {
  // A full message has nothing to wait for.
  if (members.length === MOST_IN_ONE) return now;
  const times = members.map(({ since }) => since);
  return instant(Math.min(Math.max(...times) + GATHER, Math.min(...times) + LONGEST_GATHER));
}

function summaryDue(members: readonly Free[], { now, running }: Pick<Waiting, 'now' | 'running'>): Instant {
  if (members.length === MOST_IN_ONE) return now;
  const began = running === undefined || running > now ? instant(0) : running;
  const came = members.map(({ since, held }) => ({
    at: Math.max(since, began),
    wait: held !== undefined && since >= began ? GATHER : SUMMARY_GATHER,
  }));
  const last = Math.max(...came.map(({ at, wait }) => at + wait));
  return instant(Math.min(last, Math.min(...came.map(({ at }) => at)) + LONGEST_SUMMARY_GATHER));
}

/** How old news through an entry may be, in milliseconds. */
export const maxAgeOf = (entry: Entry | undefined): number => (entry?.maxAgeHours ?? USUAL_AGE_HOURS) * HOUR;

/**
 * Why news that was kept back is too old to be told, or undefined. It ages from when it happened; what a hold kept back does not age while it is held,
 * since it was this chat that wanted it later.
 */
export function tooOld(one: Free, event: Pick<NewsEvent, 'occurredAt' | 'seenAt'>, now: Instant): string | undefined {
  if (!isKept(one, now)) return undefined;
  const { member, entry, since, held } = one;
  const moment = event.occurredAt ?? event.seenAt;
  const before = held === undefined || member.late !== undefined ? Math.max(0, member.queuedAt - moment) : 0;
  const age = before + now - (held === undefined ? Math.min(member.queuedAt, now) : since);
  const hours = maxAgeOf(entry) / HOUR;
  return age > hours * HOUR ? `it was older than ${hours} h, its maximum age, when it could be told` : undefined;
}

const parted = <T>(all: readonly T[], test: (one: T) => boolean): readonly [readonly T[], readonly T[]] => [
  all.filter(test),
  all.filter((one) => !test(one)),
];
