/** This module sends reminders of known dates. They are routed as events of their feeds. It makes no request itself. */
import type { CheckRecord, KnownDate } from '../alerts/checks/check-records.js';
import { begun, match } from '../alerts/watchlist/match.js';
import { instant, later, MINUTE, SECOND, type Instant } from '../base/clock.js';
import { yieldToEventLoop } from '../base/yield.js';
import type { FeedEvent } from '../domain/event.js';
import { REMINDER_STAGE, reminderOf } from '../domain/reminder.js';
import { subjectKey } from '../feeds/feed.js';
import { CONFIRM_AFTER } from '../feeds/reminder.js';
import type { Call } from './plan.js';
import { hand, type RoutingContext } from './unrouted.js';
import type { Task } from './wanted-checks.js';

/** Time before a reminder at which a check confirms an old date. */
const CONFIRM_BEFORE = 2 * MINUTE;
/** Maximum wait of a reminder for that check. It is shorter for a short offset, of which it takes `WAITED_PART` at most. */
const MAX_WAIT = 3 * MINUTE;
const WAITED_PART = 1 / 5;
/** A date that moves by less counts as the same date, so there is no second reminder. */
const MIN_MOVE = 5 * MINUTE;
const AFTER_FAILURE = MINUTE;
const READ_AT_ONCE = 500;
/**
 * Interval at which unwanted reminders are tried again: somebody may follow the topic, and an entry is stored a little after its `since`.
 */
const ASKED_AGAIN = 10 * SECOND;

export interface RemindersContext extends RoutingContext {
  /** The service's name in watermarks. */
  readonly source: string;
  /** Called if a check is needed at once. */
  readonly wake: () => void;
}

interface Candidate {
  readonly date: KnownDate;
  readonly before: number;
  readonly dueAt: Instant;
}

const idOf = ({ date: { topic, what, at }, before }: Candidate): string => `${topic}/${REMINDER_STAGE}/${what}/${before}/${at}`;
const nameOf = ({ date: { topic, what }, before }: Candidate): string => `${topic}/${what}/${before}`;

export class Reminders {
  readonly #context: RemindersContext;
  /** Ids that need nothing before a time. A restart decides again from what is stored. */
  readonly #decided = new Map<string, Instant>();
  /** Checks that must confirm a date, and since when. */
  readonly #calls = new Map<string, Instant>();
  readonly #running = new Map<string, Promise<void>>();
  /** Keys that were due again during their run. */
  readonly #missed = new Set<string>();
  #seen: { readonly revision: number; readonly offsets: string } | undefined;
  #next = instant(0);
  #isStopped = false;

  constructor(context: RemindersContext) {
    this.#context = context;
  }

  /** Starts due reminders without waiting for them. */
  tick(): void {
    const { checks, clock, watchlists } = this.#context;
    const [now, offsets] = [clock.now(), watchlists.kept.offsets()];
    const seen = { revision: checks.revision(), offsets: offsets.join(',') };
    if (this.#isStopped || (now < this.#next && seen.revision === this.#seen?.revision && seen.offsets === this.#seen.offsets)) return;
    this.#seen = seen;
    this.#next = later(now, MINUTE);
    for (const [id, at] of this.#decided) if (at <= now) this.#decided.delete(id);
    if (offsets.length === 0) return;
    for (const record of checks.all()) {
      if ((record.dates ?? []).length > 0 && this.#dueIn(record, now).length > 0) this.#start(record);
    }
  }

  /** Returns since when a check is needed to confirm the date of a due reminder. */
  called({ feed, subject }: Task): Call | undefined {
    const at = this.#calls.get(`${feed.id}/${subjectKey(subject)}`);
    return at && { at };
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.idle();
  }

  /** Returns reminders that are due, or whose date must be confirmed now. Schedules the next wake-up. */
  #dueIn({ dates = [] }: CheckRecord, now: Instant): readonly Candidate[] {
    const due: Candidate[] = [];
    for (const date of dates) {
      if (date.what === 'start' || date.at <= now) continue;
      for (const before of this.#context.watchlists.kept.offsets()) {
        const candidate = { date, before, dueAt: later(date.at, -before * MINUTE) };
        const begins = later(candidate.dueAt, -CONFIRM_BEFORE);
        if (begins > now) this.#wakeAt(begins);
        else if (!this.#decided.has(idOf(candidate))) due.push(candidate);
      }
    }
    return due;
  }

  #wakeAt(at: Instant): void {
    if (at < this.#next) this.#next = at;
  }

  #start({ feed, subject }: CheckRecord): void {
    const key = `${feed}/${subject}`;
    if (this.#running.has(key)) {
      this.#missed.add(key);
      return;
    }
    const { lanes, clock, log } = this.#context;
    const run = lanes
      .run(key, async () => this.#send(key, { feed, subject }))
      .catch((cause: unknown) => {
        log.error('reminder.failed', { check: key, cause });
        this.#next = later(clock.now(), AFTER_FAILURE);
      })
      .finally(() => {
        this.#running.delete(key);
        if (this.#missed.delete(key)) this.#next = instant(0);
      });
    this.#running.set(key, run);
  }

  async #send(key: string, { feed, subject }: Pick<CheckRecord, 'feed' | 'subject'>): Promise<void> {
    const { checks, clock, source, watermarks } = this.#context;
    const [document, record] = [await watermarks.get(key), checks.read(feed, subject)];
    const now = clock.now();
    if (this.#isStopped || document === undefined || record === undefined || document.source !== source) return;
    const last = new Map(Object.entries(document.reminded ?? {}));
    const events: FeedEvent[] = [];
    let isCalling = false;
    for (const candidate of this.#dueIn(record, now)) {
      const { date } = candidate;
      const earlier = last.get(nameOf(candidate));
      const event = eventOf(candidate, { feed, now });
      const isRepeated = earlier !== undefined && Math.abs(earlier - date.at) < MIN_MOVE;
      const isConfirming = isToBeConfirmed(candidate, now);
      if (isRepeated) {
        this.#rest(candidate, date.at);
      } else if (candidate.dueAt > now && !isConfirming) {
        this.#rest(candidate, candidate.dueAt);
      } else if (await this.#isUnwanted(event)) {
        this.#rest(candidate, askedAgain(candidate, now));
      } else if (isConfirming) {
        isCalling = true;
        this.#wakeAt(later(now, MINUTE / 6));
      } else {
        events.push(event);
        last.set(nameOf(candidate), date.at);
      }
    }
    this.#call(key, isCalling ? now : undefined);
    if (events.length === 0) return;
    const reminded = Object.fromEntries([...last].filter(([, at]) => later(at, MIN_MOVE) > now));
    // One write makes events and dates durable. After a crash the events are routed from this document and not created again.
    await watermarks.set(key, { ...document, pending: [...document.pending, ...events], reminded });
    await hand(key, this.#context);
    for (const event of events) this.#decided.set(event.id, reminderOf(event)?.at ?? now);
  }

  #rest(candidate: Candidate, until: Instant): void {
    this.#decided.set(idOf(candidate), until);
    this.#wakeAt(until);
  }

  #call(key: string, now: Instant | undefined): void {
    if (now === undefined) {
      this.#calls.delete(key);
      return;
    }
    if (this.#calls.has(key)) return;
    this.#calls.set(key, now);
    this.#context.wake();
  }

  /** Tells whether no chat wants the reminder. Chats are asked when it is due, so that nothing is stored for them. */
  async #isUnwanted(event: FeedEvent): Promise<boolean> {
    const { clock, watchlists } = this.#context;
    const now = clock.now();
    // A reminder whose date is confirmed early is matched as at its due time.
    const asDue = { ...event, detectedAt: instant(Math.max(now, event.occurredAt ?? now)) };
    let read = 0;
    for (const address of watchlists.kept.to(event)) {
      if ((read += 1) % READ_AT_ONCE === 0) await yieldToEventLoop();
      if (match(asDue, begun(watchlists.read(address), now)).matched) return false;
    }
    return true;
  }
}

/** Tells whether the date was read long ago and there is time for a check. */
function isToBeConfirmed({ date: { readAt }, before, dueAt }: Candidate, now: Instant): boolean {
  const asOf = Math.max(now, dueAt);
  return asOf - readAt > CONFIRM_AFTER && now < later(dueAt, Math.min(MAX_WAIT, before * MINUTE * WAITED_PART));
}

/** Returns when an unwanted reminder is tried again, as long as a new follower would still be reminded. */
function askedAgain({ date, dueAt }: Candidate, now: Instant): Instant {
  if (now < dueAt) return instant(Math.min(dueAt, later(now, ASKED_AGAIN)));
  const stored = later(dueAt, ASKED_AGAIN);
  return now < stored ? stored : date.at;
}

function eventOf(candidate: Candidate, { feed, now }: { readonly feed: string; readonly now: Instant }): FeedEvent {
  const { date, before, dueAt } = candidate;
  const { topic, project, what, at, readAt, title, facts } = date;
  return {
    id: idOf(candidate),
    feed,
    ...(project === undefined ? {} : { project }),
    topic,
    stage: REMINDER_STAGE,
    occurredAt: dueAt,
    detectedAt: now,
    checkedAt: readAt,
    facts: { ...facts, reminder: { what, at, before, title } },
  };
}
