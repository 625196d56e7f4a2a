/** This module chooses a chat's next batch and its time. It is pure. */
import { HOUR, instant, later, MINUTE, SECOND, type Instant } from '../../base/clock.js';
import { reminderOf } from '../../domain/reminder.js';
import { marketOf, momentOf, type FeedEvent } from '../../domain/event.js';
import { lastAbsence, type Absence } from '../watchlist/absence.js';
import { DEFAULT_AGE_HOURS, type Entry } from '../watchlist/entry.js';
import { entryOf } from './queued-event.js';
import { suppressionOf, suppressionSince, type ActiveSuppression, type SuppressionQuery, type PastSuppression } from './suppression.js';
import { preparedDue, type PreparedMessage } from './prepared-message.js';
import { followerOf } from '../watchlist/match.js';
import type { LiveMessage } from './live-message.js';
import { lastAlert, type Member, type Queue } from './queue.js';
import type { Chat } from '../watchlist/watchlists.js';

export const GATHER = 3 * SECOND;
export const MAX_GATHER = 20 * SECOND;
/** Pause between messages of a chat. */
export const PAUSE = 10 * SECOND;
export const SUMMARY_GATHER = 45 * SECOND;
export const MAX_SUMMARY_GATHER = 5 * MINUTE;
export const LATE_AFTER = 30 * MINUTE;
const MAX_REPLIES = 3;
/** Topics that get a message each. More would keep a chat busy for minutes. */
const MAX_TOPICS = 5;
export const MAX_IN_ONE = 1_000;

export interface Away {
  readonly from: Instant;
  readonly to: Instant;
  /** `sending` means that the event was detected in time but could not be sent. */
  readonly because: NonNullable<Member['late']>['because'] | 'sending';
  readonly chat?: boolean;
}

export interface Free {
  readonly member: Member;
  readonly entry: Entry | undefined;
  readonly since: Instant;
  readonly suppression: PastSuppression | undefined;
  readonly away: Away | undefined;
}

export interface Batch {
  /** `live` posts a live message, also again. A `step` is shown by editing a live message. */
  readonly kind: 'now' | 'summary' | 'sample' | 'live' | 'step';
  readonly due: Instant;
  /** The topic of the live message, or of the one replied to. */
  readonly topic?: string;
  /** Since when the message is to be posted again. */
  readonly again?: Instant;
  readonly members: readonly [Free, ...Free[]];
}

export interface Waiting {
  readonly queue: Pick<Queue, 'waiting' | 'prepared' | 'receipts' | 'alertedAt' | 'live'>;
  readonly chat: Chat;
  /** Absent if the platform cannot edit messages. */
  readonly isOpen?: ((topic: string) => boolean) | undefined;
  readonly now: Instant;
  readonly running?: Instant | undefined;
}

export interface Next {
  readonly due: Instant;
  readonly batch?: Batch;
  readonly prepared?: PreparedMessage;
}

type BatchDue = Required<Pick<Next, 'due' | 'batch'>>;

export function next({ queue, chat, now, running, isOpen }: Waiting): Next | undefined {
  if (queue.waiting.length === 0 && queue.prepared === undefined && queue.live === undefined) return undefined;
  const prepared = (queue.prepared ?? []).map((message) => ({ due: preparedDue(message, chat, now), prepared: message }));
  const again = isOpen === undefined ? [] : postedAgain({ queue, chat, now, isOpen });
  if (queue.waiting.length === 0) return [...again, ...prepared].toSorted(byDue(now))[0];
  const steps = isOpen === undefined ? [] : shownSteps({ queue, chat });
  if (steps.length > 0) return batch('step', steps, () => now)[0];
  const waiting = isOpen === undefined ? queue.waiting : queue.waiting.filter((member) => !isEdit(member));
  const { free, ends } = sifted({ queue: { ...queue, waiting }, chat, now });
  const [samples, all] = parted(free, ({ member }) => member.sample === true);
  const { firsts, notices, others } = liveParts(all, { queue, isOpen });
  const [followUps, alerts] = parted(others, (one) => one.member.corrects?.messageId !== undefined && !isKept(one));
  const [kept, fresh] = parted(alerts, waitsWithKept(alerts));
  const alone = (kind: Batch['kind'], topics: ReadonlyMap<string, readonly Free[]>): readonly Next[] =>
    [...topics].flatMap(([topic, members]) =>
      batch(kind, members, (those) => freshDue(those, { now, lastAlertAt: lastAlert(queue) }), topic),
    );
  const [summary] = batch('summary', kept, (members) => summaryDue(members, { now, began: beganOf({ chat, now, running }) }));
  const due: readonly Next[] = [
    ...prepared,
    ...samples.flatMap((one) => batch('sample', [one], () => now)),
    ...(summary === undefined ? [] : [summary.due <= now ? withBehind(summary, fresh, now) : summary]),
    ...batch('now', fresh, (members) => freshDue(members, { now, lastAlertAt: lastAlert(queue) })),
    ...alone('live', firsts),
    ...alone('now', notices),
    ...(followUps.length > MAX_REPLIES ? [followUps] : followUps.map((one) => [one])).flatMap((some) =>
      batch('now', some, (those) => freshDue(those, { now, lastAlertAt: lastAlert(queue) })),
    ),
    ...again,
    ...ends.map((end) => ({ due: later(end, GATHER) })),
  ];
  return due.toSorted(byDue(now))[0];
}

/** Orders what is due, with digests last. */
const byDue =
  (now: Instant) =>
  (a: Next, b: Next): number =>
    (a.due <= now && b.due <= now ? Number(a.prepared !== undefined) - Number(b.prepared !== undefined) : 0) || a.due - b.due;

/** Tells whether an item edits an earlier message and is not a message itself. */
export const isEdit = ({ corrects }: Member): boolean => corrects?.messageId !== undefined && corrects.followsUp !== true;

interface LiveParts {
  readonly firsts: ReadonlyMap<string, readonly Free[]>;
  readonly notices: ReadonlyMap<string, readonly Free[]>;
  readonly others: readonly Free[];
}

function liveParts(free: readonly Free[], { queue, isOpen }: Pick<Waiting, 'queue' | 'isOpen'>): LiveParts {
  if (isOpen === undefined) return { firsts: new Map(), notices: new Map(), others: free };
  const parts = free.map((one) => ({ one, topic: one.member.live?.topic ?? '', message: liveFor(one, queue) }));
  // After an outage, one summary has everything, so late items begin no live message.
  const begins = parts.filter(
    ({ topic, message, one: { entry, away } }) =>
      message === undefined && topic !== '' && entry !== undefined && away === undefined && isOpen(topic),
  );
  const replies = parts.filter(({ message, one }) => message?.messageId !== undefined && !isKept(one));
  const byTopic = (some: typeof parts): LiveParts['firsts'] => {
    const topics = new Map<string, Free[]>();
    for (const { topic, one } of some) topics.set(topic, [...(topics.get(topic) ?? []), one]);
    return topics.size > MAX_TOPICS ? new Map() : topics;
  };
  const firsts = byTopic(begins);
  // A correction of a notice that waits stands in its message, so that it does not precede it.
  const notices = new Map([...byTopic(replies)].map(([topic, members]) => [topic, [...members, ...free.filter(isCorrectionOf(members))]]));
  const taken = new Set([...firsts.values(), ...notices.values()].flat());
  return { firsts, notices, others: free.filter((one) => !taken.has(one)) };
}

const isCorrectionOf =
  (members: readonly Free[]) =>
  ({ member: { corrects } }: Free): boolean =>
    corrects !== undefined && corrects.messageId === undefined && members.some(({ member }) => member.event === corrects.event);

/** Finds the topic's live message, unless the entry is younger than the message. */
function liveFor({ member, entry }: Pick<Free, 'member' | 'entry'>, { live }: Waiting['queue']): LiveMessage | undefined {
  const message = member.live === undefined ? undefined : live?.[member.live.topic];
  return message !== undefined && entry !== undefined && entry.since <= message.postedAt ? message : undefined;
}

/** Returns items that a live message shows. Mutes do not matter, because edits go on during a mute. */
function shownSteps({ queue, chat }: Pick<Waiting, 'queue' | 'chat'>): readonly Free[] {
  if (queue.live === undefined) return [];
  return queue.waiting.flatMap((member) => {
    if (member.live?.part !== 'step') return [];
    const entry = entryOf(chat, member);
    const message = liveFor({ member, entry }, queue);
    const isShown = message !== undefined && (message.messageId !== undefined || message.again !== undefined);
    return isShown ? [{ member, entry, since: member.queuedAt, suppression: undefined, away: undefined }] : [];
  });
}

/** Returns live messages to post again, because people deleted them or the chat moved. */
function postedAgain({ queue, chat, now, isOpen }: Omit<Waiting, 'running'>): readonly Next[] {
  return Object.entries(queue.live ?? {}).flatMap(([topic, message]): readonly Next[] => {
    const entry = message.again === undefined ? undefined : followerOf({ ...message, topic }, chat);
    if (entry === undefined || message.again === undefined || isOpen?.(topic) !== true) return [];
    const suppressed = suppressionOf({ feed: message.feed, id: topic }, entry, chat, now);
    if (suppressed !== undefined) return [{ due: later(suppressed.until, GATHER) }];
    const { since } = message.again;
    const members = message.members.map((member) => ({ member, entry, since, suppression: undefined, away: undefined }));
    return batch('live', members, () => since, topic).map((one) => ({ ...one, batch: { ...one.batch, again: since } }));
  });
}

const isKept = ({ suppression, away }: Free): boolean => suppression !== undefined || away !== undefined;

/** Tells whether an item waits for a summary. A correction of such an item waits too, so that it does not precede the alert. */
function waitsWithKept(alerts: readonly Free[]): (one: Free) => boolean {
  const kept = new Set(alerts.filter(isKept).map(({ member }) => member.event));
  return (one) => isKept(one) || (one.member.corrects !== undefined && kept.has(one.member.corrects.event));
}

function awayOf(
  { member: { late, queuedAt }, since, suppression }: Omit<Free, 'away'>,
  now: Instant,
  absence: Absence | undefined,
): Free['away'] {
  const isMissed = late?.because === 'absence' || (absence !== undefined && since <= absence.to);
  if (absence !== undefined && isMissed) return { ...absence, because: 'absence', chat: true };
  if (late !== undefined)
    return { from: instant(Math.min(late.since, since)), to: suppression === undefined ? now : queuedAt, because: late.because };
  const [from, to] = suppression === undefined ? [since, now] : [queuedAt, suppression.from];
  return to - from >= LATE_AFTER ? { from, to, because: 'sending' } : undefined;
}

function withBehind({ due, batch: { kind, members } }: BatchDue, fresh: readonly Free[], now: Instant): Next {
  const [first, ...others] = members;
  const behind = fresh.filter(({ since }) => now - since > MAX_GATHER);
  return { due, batch: { kind, due, members: [first, ...[...others, ...behind].slice(0, MAX_IN_ONE - 1)] } };
}

function sifted({ queue: { waiting }, chat, now }: Omit<Waiting, 'running'>): {
  readonly free: readonly Free[];
  readonly ends: readonly Instant[];
} {
  const entries = new Map<string, Entry | undefined>();
  const suppressions = new Map<string, Suppressions>();
  const ends = new Set<Instant>();
  const free: Free[] = [];
  const absence = lastAbsence(chat, now);
  const add = (one: Omit<Free, 'away'>): void =>
    void free.push({ ...one, away: one.member.sample === true ? undefined : awayOf(one, now, absence) });
  for (const member of waiting) {
    const source = sourceOf(member);
    const entry = entries.has(source) ? entries.get(source) : entryOf(chat, member);
    entries.set(source, entry);
    const key = muteKeyOf(member, chat);
    const suppression = suppressions.get(key) ?? suppressionsOf({ about: aboutItem(member), entry, chat }, now);
    suppressions.set(key, suppression);
    if (member.sample === true) add({ member, entry, since: member.queuedAt, suppression: undefined });
    else if (suppression.now !== undefined) ends.add(suppression.now.until);
    // A time in the future was stored before the clock was set back: the item has waited long enough and is not late.
    else if (member.queuedAt > now) add({ member, entry, since: later(now, -MAX_SUMMARY_GATHER), suppression: undefined });
    else {
      const past = suppression.since(member.queuedAt);
      add({ member, entry, since: past?.until ?? member.queuedAt, suppression: past });
    }
  }
  return { free: free.toSorted((a, b) => a.since - b.since), ends: [...ends] };
}

/** Items with the same source have the same entry and the same exceptions. */
const sourceOf = ({ entry, event, project }: Member): string =>
  entry === 'all' ? `all/${project ?? event.slice(event.indexOf('/') + 1).replace(/\/.*$/u, '')}` : entry;

/** Items with the same key are suppressed alike. */
export const muteKeyOf = (member: Member, { mutedTopics }: Pick<Chat, 'mutedTopics'>): string =>
  `${kindOfItem(member)} ${sourceOf(member)}${mutedTopics === undefined ? '' : ` ${marketOf(member.event) ?? ''}`}`;

/** Returns what mutes are matched with. */
export const aboutItem = (member: Pick<Member, 'event'>): SuppressionQuery['about'] => ({ feed: kindOfItem(member), id: member.event });

export function areSuppressed(members: readonly Member[], chat: Chat, now: Instant): boolean {
  const alerts = new Map(members.filter(({ sample }) => sample !== true).map((member) => [muteKeyOf(member, chat), member]));
  return [...alerts.values()].some((member) => suppressionOf(aboutItem(member), entryOf(chat, member), chat, now) !== undefined);
}

interface Suppressions {
  readonly now: ActiveSuppression | undefined;
  readonly since: (ready: Instant) => PastSuppression | undefined;
}

function suppressionsOf(listening: SuppressionQuery, now: Instant): Suppressions {
  let known: { readonly ready: Instant; readonly suppression: PastSuppression | undefined } | undefined;
  const suppressedAt = (ready: Instant): PastSuppression | undefined => {
    if (known === undefined || ready < known.ready || ready >= (known.suppression?.until ?? now))
      known = { ready, suppression: suppressionSince(listening, ready, now) };
    const { suppression } = known;
    return suppression === undefined || suppression.from >= ready ? suppression : { ...suppression, from: ready };
  };
  return { now: suppressionOf(listening.about, listening.entry, listening.chat, now), since: suppressedAt };
}

export const kindOfItem = ({ event }: Pick<Member, 'event'>): string => event.slice(0, Math.max(0, event.indexOf('/')));

function batch(
  kind: Batch['kind'],
  all: readonly Free[],
  dueOf: (members: readonly [Free, ...Free[]]) => Instant,
  topic?: string,
): readonly BatchDue[] {
  const [first, ...others] = all.slice(0, MAX_IN_ONE);
  if (first === undefined) return [];
  const members = [first, ...others] as const;
  const due = dueOf(members);
  return [{ due, batch: { kind, due, members, ...(topic === undefined ? {} : { topic }) } }];
}

function freshDue(
  members: readonly Free[],
  { now, lastAlertAt }: { readonly now: Instant; readonly lastAlertAt: Instant | undefined },
): Instant {
  const times = members.map(({ since }) => since);
  // A full batch does not wait.
  const gathered = members.length === MAX_IN_ONE ? now : Math.min(Math.max(...times) + GATHER, Math.min(...times) + MAX_GATHER);
  return instant(lastAlertAt === undefined || lastAlertAt > now ? gathered : Math.max(gathered, lastAlertAt + PAUSE));
}

const beganOf = ({ chat, now, running }: Omit<Waiting, 'queue'>): Instant =>
  instant(Math.max(running === undefined || running > now ? 0 : running, lastAbsence(chat, now)?.to ?? 0));

function summaryDue(members: readonly Free[], { now, began }: { readonly now: Instant; readonly began: Instant }): Instant {
  if (members.length === MAX_IN_ONE) return now;
  const came = members.map(({ since, suppression }) => ({
    at: Math.max(since, began),
    wait: suppression !== undefined && since >= began ? GATHER : SUMMARY_GATHER,
  }));
  const last = Math.max(...came.map(({ at, wait }) => at + wait));
  return instant(Math.min(last, Math.min(...came.map(({ at }) => at)) + MAX_SUMMARY_GATHER));
}

export const maxAgeOf = (entry: Entry | undefined): number => (entry?.maxAgeHours ?? DEFAULT_AGE_HOURS) * HOUR;

type Dated = Pick<FeedEvent, 'occurredAt' | 'detectedAt'> & Partial<Pick<FeedEvent, 'stage' | 'facts'>>;

/** Says why an item is too old to send; undefined if it may be sent. */
export function tooOld(one: Free, event: Dated, now: Instant): string | undefined {
  if ((reminderOf(event)?.at ?? Infinity) <= now) return 'what it reminds of was over when it could be sent';
  if (!isKept(one) || ageLeft(one, event, now) >= 0) return undefined;
  return `it was older than ${maxAgeOf(one.entry) / HOUR} h, its maximum age, when it could be sent`;
}

/** Returns how long the item may still be sent, in ms. */
export const ageLeft = (one: Free, event: Dated, now: Instant): number =>
  Math.min(maxAgeOf(one.entry) - ageOf(one, event, now), (reminderOf(event)?.at ?? Infinity) - now);

/**
 * Returns the age in ms, without suppressions. Late items count from the event, others from queuing: the service may date an event long
 * before.
 */
function ageOf(one: Free, event: Dated, now: Instant): number {
  const { member, since, suppression } = one;
  if (!isKept(one)) return now - Math.min(since, now);
  const before = suppression === undefined || member.late !== undefined ? Math.max(0, member.queuedAt - momentOf(event)) : 0;
  const waited = suppression === undefined ? 0 : suppression.from - member.queuedAt;
  return before + waited + now - (suppression === undefined ? Math.min(member.queuedAt, now) : since);
}

const parted = <T>(all: readonly T[], test: (one: T) => boolean): readonly [readonly T[], readonly T[]] => [
  all.filter(test),
  all.filter((one) => !test(one)),
];
