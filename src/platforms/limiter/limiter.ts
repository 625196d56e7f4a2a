/** The rate limits of a platform: requests take slots. */
import { MINUTE, SECOND, instant, type Clock, type Instant } from '../../base/clock.js';
import { FULL, paceAt, slowed, type Pace } from '../../base/adaptive-rate.js';
import type { Slot, SlotKind } from '../../chat/notifier.js';
import { openWaitQueue, type Waiter } from './wait-queue.js';

export interface RateLimits {
  /** For all chats together. */
  readonly token: RateLimit;
  readonly chat: (chat: string) => readonly RateLimit[];
  /** Default 60: twice what 30 a second use. */
  readonly inFlight?: number;
}

export interface SlotRequest {
  readonly chat: string;
  readonly kind: SlotKind;
  /** Since when it waits. Default: now. */
  readonly since?: Instant;
  /** Who gets the answer. People take turns across chats, so that nobody's many questions delay another's first. */
  readonly asker?: string | undefined;
}

export interface Limiter {
  /** The slot must be ended. Undefined once `signal` aborts, and for an answer while its chat is paused for longer than people wait. */
  take(request: SlotRequest, signal?: AbortSignal): Promise<Slot | undefined>;
  /** Until when the platform has this chat or the whole token wait; in the past if it does not. */
  pausedUntil(chat: string): Instant;
}

const DEFAULT_IN_FLIGHT = 60;
/** Each further answer of a chat or person queues as if it had been asked this much later. */
const ANSWER_SPACING = SECOND;
/** At most this far behind, so that whoever asked a lot is soon on a par with others again. */
const MAX_BEHIND = MINUTE;
const MAX_ASKERS = 1_000;
/** Then refusals in two chats concern the token. */
const SAME_REFUSAL = SECOND;
/** After a 429, to full speed. */
const RECOVERY = 10 * MINUTE;
/** Unused time for delayed alerts, in ms. */
const CATCH_UP = 20;
/** A longer pause of the whole token is only inferred, or wrong: then one request at a time is tried. */
const MAX_TOKEN_PAUSE = 5 * MINUTE;
/** Answers that wait longer would pile up, and hold back the updates of other chats. */
const MAX_ANSWER_WAIT = MINUTE;
const MAX_IDLE_CHATS = 1_000;
/** A timer is replaced by an earlier one. Made once: without a reason each abort makes an error. */
const SOONER = new Error('sooner');

interface Waiting extends Waiter {
  readonly granted: (slot: Slot | undefined) => void;
}

interface ChatState {
  readonly windows: readonly RateWindow[];
  readonly parked: Waiting[];
  pausedUntil: number;
  nextAnswer: number;
}

export function createLimiter(
  { token: tokenLimit, chat: limitsOf, inFlight: most = DEFAULT_IN_FLIGHT }: RateLimits,
  clock: Clock,
): Limiter {
  const token = openWindow(tokenLimit);
  const chats = new Map<string, ChatState>();
  const parked = new Set<ChatState>();
  /** The next turn of each person, the one who asked longest ago first. */
  const nextOf = new Map<string, number>();
  const line = openWaitQueue<Waiting>();
  let inFlight = 0;
  let pace: Pace = FULL;
  let pausedUntil = 0;
  let isProbing = false;
  /** An answer must find room. */
  let nextAlert = 0;
  let refused: { readonly chat: string; readonly at: Instant } | undefined;
  let wake: { readonly at: number; readonly cancel: AbortController } | undefined;
  let keepIdle = MAX_IDLE_CHATS;

  const stateOf = (chat: string): ChatState => {
    const known = chats.get(chat);
    if (known !== undefined) return known;
    const fresh: ChatState = { windows: limitsOf(chat).map(openWindow), parked: [], pausedUntil: 0, nextAnswer: 0 };
    chats.set(chat, fresh);
    if (chats.size > keepIdle) {
      forgetIdle();
      keepIdle = Math.max(MAX_IDLE_CHATS, chats.size * 2);
    }
    return fresh;
  };
  const forgetIdle = (): void => {
    const now = clock.now();
    for (const [chat, { windows, parked: own, pausedUntil: until }] of chats)
      if (own.length === 0 && until <= now && windows.every((window) => window.isIdle(now))) chats.delete(chat);
  };

  /** The place of an answer in the queue: after the earlier ones of its person and of its chat. */
  const turnOf = (state: ChatState, asker: string | undefined, since: number): number => {
    const own = asker === undefined ? 0 : (nextOf.get(asker) ?? 0);
    const turn = Math.min(Math.max(since, state.nextAnswer, own), since + MAX_BEHIND);
    state.nextAnswer = turn + ANSWER_SPACING;
    if (asker === undefined) return turn;
    nextOf.delete(asker);
    nextOf.set(asker, turn + ANSWER_SPACING);
    const [oldest] = nextOf.keys();
    if (nextOf.size > MAX_ASKERS && oldest !== undefined) nextOf.delete(oldest);
    return turn;
  };

  /** Undefined: depends on an answer. */
  const freeAt = ({ windows, pausedUntil: until }: ChatState, now: Instant): number | undefined => {
    let latest: number = until;
    for (const window of windows) {
      const at = window.freeAt(now, 1);
      if (at === undefined) return undefined;
      latest = Math.max(latest, at);
    }
    return latest;
  };
  const tokenFreeAt = (now: Instant): number | undefined => {
    if (inFlight >= (isProbing ? 1 : most)) return undefined;
    const at = token.freeAt(now, paceAt(pace, now, RECOVERY));
    return at === undefined ? undefined : Math.max(at, pausedUntil);
  };

  const unpark = (state: ChatState): void => {
    parked.delete(state);
    for (const waiter of state.parked.splice(0)) line.add(waiter);
  };
  const park = (waiter: Waiting): void => {
    const state = stateOf(waiter.chat);
    if (waiter.kind === 'answer' && state.pausedUntil - clock.now() > MAX_ANSWER_WAIT) return waiter.granted(undefined);
    state.parked.push(waiter);
    parked.add(state);
  };

  const grant = (waiter: Waiting): void => {
    const state = stateOf(waiter.chat);
    const windows = [token, ...state.windows];
    for (const window of windows) window.begin();
    inFlight += 1;
    if (waiter.kind !== 'answer') {
      const now = clock.now();
      const spacing = tokenLimit.per / (tokenLimit.max * paceAt(pace, now, RECOVERY));
      nextAlert = Math.max(nextAlert + spacing, now - Math.max(2 * spacing, CATCH_UP));
    }
    let ended = false;
    const end = (counts: boolean, refusedFor?: number): void => {
      if (ended) return;
      ended = true;
      const now = clock.now();
      inFlight -= 1;
      for (const window of windows) window.end(now, counts);
      if (refusedFor !== undefined) slow(waiter.chat, state, { now, refusedFor });
      else if (counts) isProbing = false;
      pump();
    };
    waiter.granted({ answered: () => end(true), refused: (milliseconds = SECOND) => end(true, milliseconds), unused: () => end(false) });
  };

  const slow = (chat: string, state: ChatState, { now, refusedFor }: { now: Instant; refusedFor: number }): void => {
    state.pausedUntil = Math.max(state.pausedUntil, now + refusedFor);
    parked.delete(state);
    for (const waiter of state.parked.splice(0)) park(waiter);
    if (isProbing || (refused !== undefined && refused.chat !== chat && now - refused.at <= SAME_REFUSAL)) {
      pace = slowed(pace, now, RECOVERY);
      pausedUntil = Math.max(pausedUntil, now + Math.min(refusedFor, MAX_TOKEN_PAUSE));
      if (refusedFor > MAX_TOKEN_PAUSE) isProbing = true;
    }
    refused = { chat, at: now };
  };

  function pump(): void {
    const now = clock.now();
    // Waiters that may have room queue again; the others wait for an answer or the next timer.
    let next: number | undefined;
    for (const state of parked) {
      const at = freeAt(state, now);
      if (at !== undefined && at <= now) unpark(state);
      else if (at !== undefined) next = Math.min(next ?? at, at);
    }
    for (;;) {
      const at = tokenFreeAt(now);
      if (at === undefined) break;
      if (at > now) {
        next = Math.min(next ?? at, at);
        break;
      }
      const isPaced = now < nextAlert && nextAlert - now <= tokenLimit.per && !line.hasAlerts(true);
      const waiter = line.take(
        (one) => {
          const free = freeAt(stateOf(one.chat), now);
          if (free !== undefined && free <= now) return true;
          if (free !== undefined) next = Math.min(next ?? free, free);
          return false;
        },
        park,
        isPaced ? 'answer' : undefined,
      );
      if (waiter === undefined) {
        if (isPaced && line.hasAlerts()) next = Math.min(next ?? nextAlert, nextAlert);
        break;
      }
      grant(waiter);
    }
    if (next !== undefined) wakeAt(next, now);
  }

  function wakeAt(at: number, now: Instant): void {
    if (wake !== undefined && wake.at <= at && wake.at > now) return;
    wake?.cancel.abort(SOONER);
    const own = { at, cancel: new AbortController() };
    wake = own;
    clock.sleep(at - now, own.cancel.signal).then(
      () => {
        if (wake === own) wake = undefined;
        pump();
      },
      () => undefined,
    );
  }

  return {
    pausedUntil: (chat) => instant(Math.max(pausedUntil, chats.get(chat)?.pausedUntil ?? 0)),
    async take({ chat, kind, asker, since = clock.now() }, signal) {
      if (signal?.aborted === true) return undefined;
      const state = stateOf(chat);
      const stamp = kind === 'answer' ? turnOf(state, asker, since) : since;
      return new Promise((resolve) => {
        const abort = (): void => {
          line.remove(waiter);
          const index = state.parked.indexOf(waiter);
          if (index !== -1) state.parked.splice(index, 1);
          if (state.parked.length === 0) parked.delete(state);
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
        line.add(waiter);
        pump();
      });
    },
  };
}

interface RateLimit {
  readonly max: number;
  /** Milliseconds. */
  readonly per: number;
}

/** A request counts until `per` after its answer. */
interface RateWindow {
  /** Undefined while it depends on an answer. `part`: of the limit. */
  freeAt(now: Instant, part: number): number | undefined;
  begin(): void;
  /** `counts`: it was sent; else its room is free at once. */
  end(now: Instant, counts: boolean): void;
  isIdle(now: Instant): boolean;
}

/** Opens a rate limit as a sliding window. */
function openWindow({ max, per }: RateLimit): RateWindow {
  let inFlight = 0;
  const ends: number[] = [];
  const expire = (now: Instant): void => {
    // After a clock was set back, no entry counts longer than a whole span.
    while (ends[0] !== undefined && (ends[0] <= now || ends[0] > now + per)) ends.shift();
  };
  return {
    freeAt(now, part) {
      expire(now);
      const room = Math.max(1, Math.floor(max * part));
      const taken = inFlight + ends.length;
      return taken < room ? now : ends[taken - room];
    },
    begin: () => void (inFlight += 1),
    end(now, counts) {
      inFlight -= 1;
      if (counts) ends.push(now + per);
    },
    isIdle(now) {
      expire(now);
      return inFlight === 0 && ends.length === 0;
    },
  };
}
