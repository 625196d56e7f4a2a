/** This module finds an event's disposition in a chat. It is pure. */
import { omitUndefined } from '../../base/omit-undefined.js';
import { instant, MINUTE } from '../../base/clock.js';
import { never } from '../../base/never.js';
import type { EarlierAttempt } from '../../chat/notifier.js';
import type { Line } from '../../chat/reply.js';
import type { Crossing } from '../../domain/crossing.js';
import type { FeedEvent } from '../../domain/event.js';
import type { Instant } from '../../domain/scalars.js';
import { THRESHOLD_STAGE } from '../../feeds/feed.js';
import { undone, type Entry, shortName } from '../watchlist/entry.js';
import type { DeliveryDelay } from '../delivery/deliver.js';
import { suppressionOf, type Suppression } from '../queue/suppression.js';
import { withUndoneException } from '../watchlist/exceptions.js';
import { begun, match, type Match } from '../watchlist/match.js';
import type { Delivery, Member, Queue, Receipt } from '../queue/queue.js';
import { entryFor, type Chat } from '../watchlist/watchlists.js';

interface Queued {
  readonly queuedAt: Instant;
}
interface Sealed extends Queued {
  readonly attempts: number;
  readonly together: number;
  /** Text such as "Catching up: the bot was down for 6 h". */
  readonly summary?: string;
}

/** `says` states what is muted, and until when. */
interface SuppressedUntil extends Suppression {
  readonly until: Instant;
  readonly says: string;
}

export type Disposition =
  | (Sealed & {
      readonly kind: 'sent';
      readonly sentAt: Instant;
      readonly maybeSent?: number;
      readonly earlier?: EarlierAttempt;
      readonly live?: true;
    })
  /** The attempt was cut off, and the operator chose not to repeat it. */
  | (Sealed & { readonly kind: 'maybe sent'; readonly at: Instant; readonly because: string })
  /** The event waits for the message `behind`, or without one for its batch. */
  | (Queued & {
      readonly kind: 'waiting';
      readonly suppression?: SuppressedUntil;
      readonly behind?: { readonly problem?: string; readonly nextAt: Instant };
      readonly late?: Member['late'];
      readonly delay?: DeliveryDelay;
      /** An attempt at the chat's former address may have arrived. */
      readonly mayHaveArrived?: true;
    })
  /** With `mayHaveArrived`, an attempt before the one with the problem may have arrived. */
  | (Sealed & {
      readonly kind: 'under way';
      readonly nextAt: Instant;
      readonly problem?: string;
      readonly mayHaveArrived?: true;
      readonly delay?: DeliveryDelay;
    })
  /** The event was routed here, but never sent. */
  | (Queued & { readonly kind: 'given up'; readonly at: Instant; readonly because: string; readonly attempts: number })
  /** The event was not routed. `at` is the step, and `because` continues "no alert: ". */
  | {
      readonly kind: 'not-alerted';
      readonly at: Extract<Match, { matched: false }>['at'] | 'changed' | 'queued';
      readonly because: string;
      readonly since?: Instant;
    };

/** What happened to one event in one chat. */
export interface Explanation {
  readonly event: FeedEvent;
  readonly headline: Line;
  /** Undefined for a sample. */
  readonly entry: Entry | undefined;
  /** Undefined if the chat gets all events of the kind. */
  readonly rule?: string;
  readonly crossings: readonly Crossing[];
  /** Milliseconds; 0 means a fresh response. */
  readonly copyAge?: number;
  readonly late?: Member['late'];
  readonly sample: boolean;
  /** Text such as "Corrected: was 120, now 118". */
  readonly corrected?: Line;
  readonly disposition: Disposition;
}

export interface QueuePosition {
  readonly member: Member;
  readonly open?: Delivery;
  readonly receipt?: Receipt;
  readonly behind?: Delivery;
}

export function queuePositionOf(queue: Queue, event: string): QueuePosition | undefined {
  const isIt = (member: Member): boolean => member.event === event;
  const { open } = queue;
  const waiting = queue.waiting.find(isIt);
  if (waiting) return { member: waiting, ...(open && { behind: open }) };
  const under = open?.members.find(isIt);
  if (open && under) return { member: under, open };
  for (const receipt of queue.receipts) {
    const member = receipt.members.find(isIt);
    if (member) return { member, receipt };
  }
  return undefined;
}

interface DispositionContext {
  readonly chat: Chat;
  readonly entry: Entry | undefined;
  readonly position: QueuePosition | undefined;
  readonly now: Instant;
  /** The delay of the chat's next delivery. */
  readonly delay?: DeliveryDelay | undefined;
}

const ON_ITS_WAY = 10 * MINUTE;

export function dispositionOf(event: FeedEvent, { chat, entry, position: place, now, delay }: DispositionContext): Disposition {
  if (place !== undefined) return dispositionInQueue(place, { suppression: suppressed(event, { chat, entry, now }), delay });
  if (event.stage === THRESHOLD_STAGE) return { kind: 'not-alerted', at: 'changed', because: 'it crossed none of your thresholds' };
  // The clock may have been set back since the event was detected; the watch had begun then.
  const asOf = begun(chat, instant(Math.max(now, event.detectedAt)));
  const verdict = match(event, asOf);
  if (!verdict.matched) {
    const { at, because } = verdict;
    return { kind: 'not-alerted', at, because, ...(verdict.at === 'since' ? { since: verdict.since } : {}) };
  }
  if (event.detectedAt < verdict.entry.since)
    return { kind: 'not-alerted', at: 'since', because: 'detected before the watch began', since: verdict.entry.since };
  const former = formerVerdict(event, { chat: asOf, entry: verdict.entry });
  if (former !== undefined && !former.matched)
    return { kind: 'not-alerted', at: former.at, because: `${former.because}, by the rules before their last change` };
  const because =
    now - event.detectedAt < ON_ITS_WAY ? "on its way to this chat's queue" : 'its record was deleted, or earlier rules did not alert it';
  return { kind: 'not-alerted', at: 'queued', because };
}

/**
 * Matches the event with the rules that Undo would restore. Reasons are not stored, so this explains an event that today's rules would
 * alert.
 */
function formerVerdict(event: FeedEvent, { chat, entry }: { readonly chat: Chat; readonly entry: Entry }): Match | undefined {
  const former = formerChat(chat, entry);
  return former && match(event, former);
}

/** Undoes the latest change of a project's exception, or else of the entry. */
function formerChat(chat: Chat, { target, exception }: Entry): Chat | undefined {
  if (exception?.previous !== undefined) return withUndoneException(chat, { project: exception.project, now: instant(0) });
  const entry = entryFor(chat, target);
  const former = entry && undone(entry);
  return former && { ...chat, entries: chat.entries.map((one) => (one === entry ? former : one)) };
}

function suppressed(event: FeedEvent, { chat, entry, now }: Omit<DispositionContext, 'position'>): SuppressedUntil | undefined {
  const suppression = suppressionOf(event, entry, chat, now);
  return suppression && { ...suppression, says: suppressionWords(suppression, { feed: event.feed, entry }) };
}

function dispositionInQueue(
  { member, open, receipt, behind }: QueuePosition,
  { suppression, delay }: { readonly suppression: SuppressedUntil | undefined } & Pick<DispositionContext, 'delay'>,
): Disposition {
  const { queuedAt, late } = member;
  const sealed = ({ attempts, members, summary }: Delivery | Receipt): Sealed =>
    omitUndefined({
      queuedAt,
      attempts,
      together: members.length,
      summary,
    });
  if (open !== undefined) {
    const { notBefore, problem } = open;
    // After a suppression begins, an unsent alert waits with the rest of the queue; one that may have arrived waits only for the whole
    // chat.
    const waitsFor = open.state === 'sealed' && member.sample !== true ? suppression : undefined;
    if (waitsFor !== undefined && open.mayHaveArrived !== true)
      return omitUndefined({ kind: 'waiting', queuedAt, suppression: waitsFor, late });
    const nextAt = waitsFor?.what === 'chat' && waitsFor.until > notBefore ? waitsFor.until : notBefore;
    return { kind: 'under way', ...sealed(open), nextAt, ...omitUndefined({ problem, delay }), ...earlierMayHaveArrived(open) };
  }
  if (receipt === undefined)
    return {
      kind: 'waiting',
      queuedAt,
      ...(suppression === undefined || member.sample === true ? {} : { suppression }),
      ...(behind === undefined ? {} : { behind: { nextAt: behind.notBefore, ...(behind.problem && { problem: behind.problem }) } }),
      ...omitUndefined({ late, delay, mayHaveArrived: member.mayHaveArrived }),
    };
  const { end, endedAt, because = end, maybeSent, earlier, live } = receipt;
  if (end === 'sent')
    return {
      kind: 'sent',
      ...sealed(receipt),
      sentAt: endedAt,
      ...(maybeSent === undefined ? {} : { maybeSent }),
      ...(earlier === undefined ? {} : { earlier }),
      ...(live === undefined ? {} : { live }),
    };
  if (end === 'maybe sent') return { kind: 'maybe sent', ...sealed(receipt), at: endedAt, because: problemWords(because) };
  const words = problemWords(because);
  const { attempts } = receipt;
  // The words of an event that expired without an attempt say already that it is too old.
  const isTried = end === 'expired' && attempts > 0;
  return { kind: 'given up', queuedAt, at: endedAt, because: isTried ? `${words}, and it is older than its maximum age` : words, attempts };
}

const PROBLEMS: Readonly<Record<string, string>> = {
  'rate-limited': 'the platform is rate limiting the bot',
  unreachable: 'the platform cannot be reached',
  'server-error': 'the platform had an internal error',
  'not-read-back': 'an earlier attempt may have arrived, and the channel cannot be read at the moment to find out',
  'line-cut': 'the connection was cut',
  timeout: 'the platform did not answer in time',
  'missing-permission': 'the bot lacks a permission there',
  'topic-closed': 'the topic is closed',
};

const saysItMayHaveArrived = (problem: string): boolean => problem === 'not-read-back' || problem.startsWith('unclear: ');

/** Set if an attempt before the one with the problem may have arrived. */
const earlierMayHaveArrived = ({ problem, mayHaveArrived }: Delivery): { readonly mayHaveArrived?: true } =>
  mayHaveArrived === true && problem !== undefined && !saysItMayHaveArrived(problem) ? { mayHaveArrived } : {};

/** Returns the problem of a message that is not sent yet, or undefined if nothing went wrong so far. */
export const openProblemLine = (open: Delivery): string | undefined =>
  open.problem === undefined ? undefined : problemLine(open.problem, earlierMayHaveArrived(open));

const MAY_HAVE_ARRIVED = 'it may have arrived, because an earlier attempt was cut off';

/** Says why the latest attempt failed, and whether an earlier one may have arrived. */
export const problemLine = (problem: string, { mayHaveArrived }: { readonly mayHaveArrived?: true }): string =>
  `${mayHaveArrived === true ? `${MAY_HAVE_ARRIVED}; now ` : ''}${problemWords(problem)}`;

export function problemWords(problem: string): string {
  const unclear = /^unclear: (?<what>.*)$/u.exec(problem)?.groups?.['what'];
  if (unclear !== undefined) return `it may have arrived: ${PROBLEMS[unclear] ?? unclear}`;
  return PROBLEMS[problem] ?? problem;
}

export function dispositionLine(disposition: Disposition): Line {
  switch (disposition.kind) {
    case 'sent':
      if (disposition.live === true) return ['queued ', { at: disposition.queuedAt }, ', shown by editing an earlier message'];
      return [
        ...['queued ', { at: disposition.queuedAt }, ', sent ', { at: disposition.sentAt }],
        disposition.attempts === 1 ? ', first try' : ` (${disposition.attempts} attempts)`,
        ...earlierWords(disposition),
      ];
    case 'maybe sent':
      return [
        disposition.attempts > 1
          ? `maybe sent: an attempt was cut off, and it isn't repeated any more (${disposition.because}); `
          : `maybe sent: the attempt was cut off (${disposition.because}) and was not repeated; `,
        { at: disposition.at },
      ];
    case 'waiting':
      return disposition.mayHaveArrived === true ? [...waitingLine(disposition), `; ${MAY_HAVE_ARRIVED}`] : waitingLine(disposition);
    case 'under way':
      return [
        `being sent, attempt ${disposition.attempts}`,
        ...(disposition.problem === undefined
          ? disposition.delay === undefined
            ? []
            : ['; ', ...delayLine(disposition.delay)]
          : [`: ${problemLine(disposition.problem, disposition)}; next try `, { at: disposition.nextAt }]),
      ];
    case 'given up':
      return [`not delivered: ${disposition.because}; given up `, { at: disposition.at }];
    case 'not-alerted':
      return ['no alert: ', { strong: disposition.because }, ...(disposition.since === undefined ? [] : [' ', { at: disposition.since }])];
    default:
      return never(disposition);
  }
}

function waitingLine({ suppression, behind, delay }: Extract<Disposition, { kind: 'waiting' }>): Line {
  if (suppression !== undefined) return [`waiting: ${suppression.says}; will be sent `, { at: suppression.until }];
  if (behind?.problem === undefined) return delay === undefined ? ['waiting to be sent'] : delayLine(delay);
  return [`waiting for an earlier alert to go through: ${problemWords(behind.problem)}; next try `, { at: behind.nextAt }];
}

const delayLine = ({ since, pausedUntil }: DeliveryDelay): Line =>
  pausedUntil === undefined
    ? ['late: it has waited for its turn to be sent since ', { at: since }, ', much longer than planned']
    : ['waiting: the platform lets the bot post here again ', { at: pausedUntil }];

function earlierWords({ earlier, maybeSent }: Pick<Extract<Disposition, { kind: 'sent' }>, 'earlier' | 'maybeSent'>): Line {
  switch (earlier?.kind) {
    case 'recognised':
      return ['; an earlier attempt was cut off, and the repeat had the same id, so it appears once'];
    case 'found':
      return ['; an earlier attempt was cut off, but was found by reading the channel, so it was not sent again'];
    case 'absent':
      return ['; an earlier attempt was cut off, and reading the channel showed that it had not arrived'];
    case 'unknown':
      return [`; an earlier attempt was cut off, so it may appear twice: ${earlier.because}`];
    case undefined:
      return maybeSent === undefined ? [] : ['; an earlier attempt was cut off, so it may appear twice'];
    default:
      return never(earlier);
  }
}

/** Returns text such as "this chat is muted" or "supply alerts of tide are muted here". */
function suppressionWords(
  { because, what }: Suppression,
  { feed, entry }: { readonly feed: string; readonly entry: Entry | undefined },
): string {
  if (because === 'quiet hours') return 'quiet hours in this chat';
  if (what === 'chat') return 'this chat is muted';
  if (what === 'kind') return `${feed} alerts are muted in this chat`;
  if (what === 'topic') return `this ${feed === 'launches' ? 'launch' : 'proposal'} is muted here`;
  if (what === 'project') return 'muted for this project';
  if (what === 'project kind') return `${feed} alerts are muted for this project`;
  if (entry === undefined || entry.target.kind === 'all')
    return what === 'entry' ? 'all projects are muted here' : `${feed} alerts of all projects are muted here`;
  if (entry.target.kind === 'launches') return 'launches are muted here';
  const name = shortName(entry.target);
  return what === 'entry' ? `${name} is muted here` : `${feed} alerts of ${name} are muted here`;
}
