/** Enforces a platform's rate limits: every request waits for a slot. */
import { FULL, paceAt, slowed, type Pace } from '../../base/backoff.js';
import { MINUTE, SECOND, instant, type Clock, type Instant } from '../../base/clock.js';
import { firstWhere } from '../../base/bisect.js';
import { RecentMap } from '../../base/bounded-cache.js';
import type { Slot, SlotKind } from '../../chat/notifier.js';

export interface RateLimits {
  /** The limit of all chats together. */
  readonly token: RateLimit;
  readonly chat: (chat: string) => readonly RateLimit[];
  /** The most calls in flight, by default 60: twice what 30 requests per second need. */
  readonly inFlight?: number;
}

export interface SlotRequest {
  readonly chat: string;
  readonly kind: SlotKind;
  /** Since when the request waits, by default since now. */
  readonly since?: Instant;
  /** The person who gets the answer. People take turns across chats, so that many questions of one do not delay another's first. */
  readonly asker?: string | undefined;
}

export interface Limiter {
  /** Waits for a slot, which the caller must end. Resolves with undefined once `signal` aborts, and for an answer whose chat is paused for longer than `MAX_ANSWER_WAIT`. */
  take(request: SlotRequest, signal?: AbortSignal): Promise<Slot | undefined>;
  /** Returns until when the platform makes this chat or the whole token wait; a time in the past if it does not. */
  pausedUntil(chat: string): Instant;
}

const DEFAULT_IN_FLIGHT = 60;
/** Each further answer of a chat or person queues as if it had been requested this much later. */
const ANSWER_SPACING = SECOND;
/** An answer queues at most this far behind, so that a person who asked a lot is soon equal to others again. */
const MAX_BEHIND = MINUTE;
const MAX_ASKERS = 1_000;
/** Rate-limit refusals in two chats within this time count as a refusal of the whole token. */
const SAME_REFUSAL = SECOND;
/** The time from a 429 back to full speed. */
const RECOVERY = 10 * MINUTE;
/** How much unused time delayed alerts may make up for, in milliseconds. */
const CATCH_UP = 20;
/** The longest pause of the whole token. A longer one is inferred or wrong, so afterwards one request at a time is tried. */
const MAX_TOKEN_PAUSE = 5 * MINUTE;
/** An answer that would wait longer gets no slot, because such answers would pile up and delay the updates of other chats. */
const MAX_ANSWER_WAIT = MINUTE;
const MAX_IDLE_CHATS = 1_000;
/** The abort reason when an earlier timer replaces one. Shared, because an abort without a reason creates an error each time. */
const SOONER = new Error('sooner');

interface Waiting {
  readonly kind: SlotKind;
  readonly chat: string;
  readonly since: number;
  readonly granted: (slot: Slot | undefined) => void;
}

interface ChatState {
  readonly windows: readonly RateWindow[];
  readonly parked: Waiting[];
  pausedUntil: number;
  nextAnswer: number;
}

/** The rate limiter of one process. */
export class ProcessLimiter implements Limiter {
  readonly #limits: RateLimits;
  readonly #clock: Clock;
  readonly #token: RateWindow;
  readonly #chats = new Map<string, ChatState>();
  readonly #parked = new Set<ChatState>();
  /** The next turn of each person, the least recent asker first. */
  readonly #nextOf = new RecentMap<string, number>(MAX_ASKERS);
  readonly #line = new WaitQueue();
  #inFlight = 0;
  #pace: Pace = FULL;
  #pausedUntil = 0;
  #isProbing = false;
  /** When the next alert may be sent, so that answers find room in between. */
  #nextAlert = 0;
  #refused: { readonly chat: string; readonly at: Instant } | undefined;
  #wake: { readonly at: number; readonly cancel: AbortController } | undefined;
  #keepIdle = MAX_IDLE_CHATS;

  constructor(limits: RateLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#token = new RateWindow(limits.token);
  }

  pausedUntil(chat: string): Instant {
    return instant(Math.max(this.#pausedUntil, this.#chats.get(chat)?.pausedUntil ?? 0));
  }

  async take({ chat, kind, asker, since = this.#clock.now() }: SlotRequest, signal?: AbortSignal): Promise<Slot | undefined> {
    if (signal?.aborted === true) return undefined;
    const state = this.#stateOf(chat);
    const stamp = kind === 'answer' ? this.#turnOf(state, asker, since) : since;
    return new Promise((resolve) => {
      const abort = (): void => {
        this.#line.remove(waiter);
        const index = state.parked.indexOf(waiter);
        if (index !== -1) state.parked.splice(index, 1);
        if (state.parked.length === 0) this.#parked.delete(state);
        resolve(undefined);
      };
      const waiter: Waiting = {
        chat,
        kind,
        since: stamp,
        granted: (slot) => {
          signal?.removeEventListener('abort', abort);
          resolve(slot);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#line.add(waiter);
      this.#pump();
    });
  }

  #stateOf(chat: string): ChatState {
    const known = this.#chats.get(chat);
    if (known !== undefined) return known;
    const fresh: ChatState = {
      windows: this.#limits.chat(chat).map((limit) => new RateWindow(limit)),
      parked: [],
      pausedUntil: 0,
      nextAnswer: 0,
    };
    this.#chats.set(chat, fresh);
    if (this.#chats.size > this.#keepIdle) {
      this.#forgetIdle();
      this.#keepIdle = Math.max(MAX_IDLE_CHATS, this.#chats.size * 2);
    }
    return fresh;
  }

  #forgetIdle(): void {
    const now = this.#clock.now();
    for (const [chat, { windows, parked: own, pausedUntil: until }] of this.#chats)
      if (own.length === 0 && until <= now && windows.every((window) => window.isIdle(now))) this.#chats.delete(chat);
  }

  /** Returns the place of an answer in the queue, after the earlier ones of its person and of its chat. */
  #turnOf(state: ChatState, asker: string | undefined, since: number): number {
    const own = asker === undefined ? 0 : (this.#nextOf.get(asker) ?? 0);
    const turn = Math.min(Math.max(since, state.nextAnswer, own), since + MAX_BEHIND);
    state.nextAnswer = turn + ANSWER_SPACING;
    if (asker !== undefined) this.#nextOf.set(asker, turn + ANSWER_SPACING);
    return turn;
  }

  /** Returns when the chat has room; undefined if that depends on a response that is still pending. */
  #freeAt({ windows, pausedUntil: until }: ChatState, now: Instant): number | undefined {
    let latest: number = until;
    for (const window of windows) {
      const at = window.freeAt(now, 1);
      if (at === undefined) return undefined;
      latest = Math.max(latest, at);
    }
    return latest;
  }

  #tokenFreeAt(now: Instant): number | undefined {
    if (this.#inFlight >= (this.#isProbing ? 1 : (this.#limits.inFlight ?? DEFAULT_IN_FLIGHT))) return undefined;
    const at = this.#token.freeAt(now, paceAt(this.#pace, now, RECOVERY));
    return at === undefined ? undefined : Math.max(at, this.#pausedUntil);
  }

  #unpark(state: ChatState): void {
    this.#parked.delete(state);
    for (const waiter of state.parked.splice(0)) this.#line.add(waiter);
  }

  #park(waiter: Waiting): void {
    const state = this.#stateOf(waiter.chat);
    if (waiter.kind === 'answer' && state.pausedUntil - this.#clock.now() > MAX_ANSWER_WAIT) return waiter.granted(undefined);
    state.parked.push(waiter);
    this.#parked.add(state);
  }

  #grant(waiter: Waiting): void {
    const state = this.#stateOf(waiter.chat);
    const windows = [this.#token, ...state.windows];
    for (const window of windows) window.begin();
    this.#inFlight += 1;
    if (waiter.kind !== 'answer') {
      const now = this.#clock.now();
      const spacing = this.#limits.token.per / (this.#limits.token.max * paceAt(this.#pace, now, RECOVERY));
      this.#nextAlert = Math.max(this.#nextAlert + spacing, now - Math.max(2 * spacing, CATCH_UP));
    }
    let ended = false;
    const end = (counts: boolean, refusedFor?: number): void => {
      if (ended) return;
      ended = true;
      const now = this.#clock.now();
      this.#inFlight -= 1;
      for (const window of windows) window.end(now, counts);
      if (refusedFor !== undefined) this.#slow(waiter.chat, state, { now, refusedFor });
      else if (counts) this.#isProbing = false;
      this.#pump();
    };
    waiter.granted({ answered: () => end(true), refused: (milliseconds = SECOND) => end(true, milliseconds), unused: () => end(false) });
  }

  #slow(chat: string, state: ChatState, { now, refusedFor }: { now: Instant; refusedFor: number }): void {
    state.pausedUntil = Math.max(state.pausedUntil, now + refusedFor);
    this.#parked.delete(state);
    for (const waiter of state.parked.splice(0)) this.#park(waiter);
    if (this.#isProbing || (this.#refused !== undefined && this.#refused.chat !== chat && now - this.#refused.at <= SAME_REFUSAL)) {
      this.#pace = slowed(this.#pace, now, RECOVERY);
      this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(refusedFor, MAX_TOKEN_PAUSE));
      if (refusedFor > MAX_TOKEN_PAUSE) this.#isProbing = true;
    }
    this.#refused = { chat, at: now };
  }

  #pump(): void {
    const now = this.#clock.now();
    // Waiters that may have room queue again; the others wait for a response or the next timer.
    let next: number | undefined;
    for (const state of this.#parked) {
      const at = this.#freeAt(state, now);
      if (at !== undefined && at <= now) this.#unpark(state);
      else if (at !== undefined) next = Math.min(next ?? at, at);
    }
    for (;;) {
      const at = this.#tokenFreeAt(now);
      if (at === undefined) break;
      if (at > now) {
        next = Math.min(next ?? at, at);
        break;
      }
      const isPaced = now < this.#nextAlert && this.#nextAlert - now <= this.#limits.token.per && !this.#line.hasAlerts(true);
      const waiter = this.#line.take(
        (one) => {
          const free = this.#freeAt(this.#stateOf(one.chat), now);
          if (free !== undefined && free <= now) return true;
          if (free !== undefined) next = Math.min(next ?? free, free);
          return false;
        },
        (one) => this.#park(one),
        isPaced ? 'answer' : undefined,
      );
      if (waiter === undefined) {
        if (isPaced && this.#line.hasAlerts()) next = Math.min(next ?? this.#nextAlert, this.#nextAlert);
        break;
      }
      this.#grant(waiter);
    }
    if (next !== undefined) this.#wakeAt(next, now);
  }

  #wakeAt(at: number, now: Instant): void {
    if (this.#wake !== undefined && this.#wake.at <= at && this.#wake.at > now) return;
    this.#wake?.cancel.abort(SOONER);
    const own = { at, cancel: new AbortController() };
    this.#wake = own;
    this.#clock.sleep(at - now, own.cancel.signal).then(
      () => {
        if (this.#wake === own) this.#wake = undefined;
        this.#pump();
      },
      () => undefined,
    );
  }
}

interface RateLimit {
  readonly max: number;
  /** The time is in milliseconds. */
  readonly per: number;
}

/** A rate limit as a sliding window: a request counts until `per` after its answer. */
class RateWindow {
  readonly #limit: RateLimit;
  readonly #ends: number[] = [];
  #inFlight = 0;

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Returns when the window has room; undefined while that depends on a pending response. `part` is the usable fraction of the limit. */
  freeAt(now: Instant, part: number): number | undefined {
    this.#expire(now);
    const room = Math.max(1, Math.floor(this.#limit.max * part));
    const taken = this.#inFlight + this.#ends.length;
    return taken < room ? now : this.#ends[taken - room];
  }

  begin(): void {
    this.#inFlight += 1;
  }

  /** Ends a request. `counts` is true if it was sent; otherwise its room is free at once. */
  end(now: Instant, counts: boolean): void {
    this.#inFlight -= 1;
    if (counts) this.#ends.push(now + this.#limit.per);
  }

  isIdle(now: Instant): boolean {
    this.#expire(now);
    return this.#inFlight === 0 && this.#ends.length === 0;
  }

  #expire(now: Instant): void {
    // If the clock was set back, entries lie in the future; they are dropped, so that none counts longer than `per`.
    while (this.#ends[0] !== undefined && (this.#ends[0] <= now || this.#ends[0] > now + this.#limit.per)) this.#ends.shift();
  }
}

/** A kind that was passed over this often goes first. */
const MAX_PASSED_OVER = 4;

const ALERTS = ['ringing', 'silent', 'prepared', 'edit'] as const;
const ORDER: readonly SlotKind[] = ['answer', ...ALERTS];

/** The waiting requests: answers first, then alerts, then digests, then edits. No kind starves. */
class WaitQueue {
  readonly #lines: Record<SlotKind, Waiting[]> = { answer: [], ringing: [], silent: [], prepared: [], edit: [] };
  readonly #passedOver: Record<SlotKind, number> = { answer: 0, ringing: 0, silent: 0, prepared: 0, edit: 0 };

  add(waiter: Waiting): void {
    const line = this.#lines[waiter.kind];
    const place = firstWhere(line, (other) => other.since > waiter.since);
    line.splice(place, 0, waiter);
  }

  remove(waiter: Waiting): void {
    const line = this.#lines[waiter.kind];
    const index = line.indexOf(waiter);
    if (index !== -1) line.splice(index, 1);
  }

  /** Tells whether alerts wait; with `passed`, whether one was passed over often enough to go first. */
  hasAlerts(passed = false): boolean {
    return ALERTS.some((kind) => this.#lines[kind].length > 0 && (!passed || this.#passedOver[kind] >= MAX_PASSED_OVER));
  }

  /** Takes the next waiter that is ready. Waiters before it are passed to `park`. */
  take(isReady: (waiter: Waiting) => boolean, park: (waiter: Waiting) => void, only?: 'answer'): Waiting | undefined {
    for (const kind of only === undefined ? this.#kinds() : [only]) {
      const line = this.#lines[kind];
      for (let waiter = line.shift(); waiter !== undefined; waiter = line.shift()) {
        if (!isReady(waiter)) {
          park(waiter);
          continue;
        }
        this.#passedOver[kind] = 0;
        for (const lower of ORDER.slice(ORDER.indexOf(kind) + 1)) if (this.#lines[lower].length > 0) this.#passedOver[lower] += 1;
        return waiter;
      }
    }
    return undefined;
  }

  #kinds(): readonly SlotKind[] {
    const waiting = ORDER.filter((kind) => this.#lines[kind].length > 0);
    const late = waiting.toReversed().find((kind) => this.#passedOver[kind] >= MAX_PASSED_OVER);
    return late === undefined ? waiting : [late, ...waiting.filter((kind) => kind !== late)];
  }
}
