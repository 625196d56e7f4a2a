/** Follows the machine's clock only if another clock agrees: the monotonic clock while the bot runs, a second clock after a jump. */
import { HOUR, instant, later, MINUTE, type Clock, type ClockReading, type Instant } from './clock.js';

/** How far the wall clock may advance at once against the monotonic one. All time limits of the bot are longer. */
export const MAX_STEP = 5 * MINUTE;
/** After a longer break a start waits for a second clock, because nothing measured the break. */
export const MAX_BREAK = HOUR;

type ClockState =
  | { readonly kind: 'trusted'; readonly last: ClockReading }
  /** Time continues from `time`, at the pace of the monotonic clock since `from`. */
  | {
      readonly kind: 'jumped';
      readonly time: number;
      readonly from: number;
      readonly since: Instant;
      /** Another clock showed an earlier time than this machine's. */
      readonly isContradicted: boolean;
    };

/** The time of another clock. It may be slightly old but never ahead. */
export interface SecondClock {
  readonly at: number;
  /** Whether the clock may confirm a jump. False for a clock that may be this machine's own; it can only contradict. */
  readonly confirms: boolean;
}

/** The state while the machine's clock is not followed. */
export interface ClockDoubt {
  /** The beginning of the doubt, in the bot's time. */
  readonly since: Instant;
  /** How far the machine's clock is ahead of the bot's time, in milliseconds. */
  readonly ahead: number;
  readonly isContradicted: boolean;
}

const trusted = (last: ClockReading): ClockState => ({ kind: 'trusted', last });

const elapsedTo = (state: Extract<ClockState, { kind: 'jumped' }>, now: ClockReading): number =>
  state.time + Math.max(0, now.monotonic - state.from);

/** Applies a reading. A clock that is set back is followed at once and ends the doubt. */
function afterReading(state: ClockState, now: ClockReading): ClockState {
  if (state.kind === 'jumped') return now.wall - elapsedTo(state, now) <= MAX_STEP ? trusted(now) : state;
  const expected = state.last.wall + Math.max(0, now.monotonic - state.last.monotonic);
  if (now.wall - expected <= MAX_STEP) return trusted(now);
  return { kind: 'jumped', time: expected, from: now.monotonic, since: wholeInstant(expected), isContradicted: false };
}

/** Advances time as far as both clocks agree: if the machine slept for an hour and is a day ahead, by the hour. */
function afterSecondClock(state: ClockState, now: ClockReading, { at, confirms }: SecondClock): ClockState {
  const current = afterReading(state, now);
  if (current.kind === 'trusted') return current;
  const isBehind = now.wall - at > MAX_STEP;
  if (!isBehind) return confirms ? trusted(now) : current;
  return { ...current, time: Math.max(elapsedTo(current, now), at), from: now.monotonic, isContradicted: true };
}

/** Chooses the time at the start from the database's clock, or without one from when the bot last ran. */
function atStart(
  now: ClockReading,
  { lastSeen, database }: { readonly lastSeen: Instant | undefined; readonly database: SecondClock | undefined },
): ClockState {
  const jumpedFrom = (time: number, isContradicted: boolean): ClockState => ({
    kind: 'jumped',
    time,
    from: now.monotonic,
    since: wholeInstant(time),
    isContradicted,
  });
  if (database !== undefined && now.wall - database.at > MAX_STEP) return jumpedFrom(database.at, true);
  if (database?.confirms === true || lastSeen === undefined || now.wall - lastSeen <= MAX_BREAK) return trusted(now);
  return jumpedFrom(lastSeen, false);
}

const timeAt = (state: ClockState, now: ClockReading): Instant =>
  state.kind === 'trusted' ? instant(now.wall) : wholeInstant(elapsedTo(state, now));

/** Rounds down, because a monotonic clock shows fractions of a millisecond. */
const wholeInstant = (milliseconds: number): Instant => instant(Math.floor(milliseconds));

/** A second clock `confirmed` the change, or the machine's clock was `set-back` to the right time. */
export type ClockChange =
  | { readonly kind: 'jumped' | 'contradicted'; readonly doubt: ClockDoubt }
  | { readonly kind: 'confirmed' | 'set-back'; readonly now: Instant };

export interface TrustedClock extends Clock {
  /** Returns undefined while the machine's clock is followed. */
  doubt(): ClockDoubt | undefined;
  /** Returns the machine's clocks, whether or not they are followed. */
  reading(): ClockReading;
  observe(second: SecondClock): void;
  /** Takes the unparsed `Date` header of a response. */
  observeDate(header: string | undefined): void;
  /** Starts the clock once the database is open. Readings from before count too. */
  begin(start: { readonly lastSeen: Instant | undefined }): void;
  onChange(listener: (change: ClockChange) => void): void;
}

export interface MachineClock extends Clock {
  /** Returns milliseconds that do not depend on the wall clock. */
  monotonic(): number;
}

export function openTrustedClock(machine: MachineClock): TrustedClock {
  const reading = (): ClockReading => ({ wall: machine.now(), monotonic: machine.monotonic() });
  const listeners: ((change: ClockChange) => void)[] = [];
  let state: ClockState = trusted(reading());
  let hasBegun = false;
  let database: (SecondClock & { readonly seenAt: number }) | undefined;

  const doubtAt = (now: ClockReading): ClockDoubt | undefined =>
    state.kind === 'trusted'
      ? undefined
      : { since: state.since, ahead: Math.round(now.wall - elapsedTo(state, now)), isContradicted: state.isContradicted };
  const changeFrom = (before: ClockState, now: ClockReading, by: 'confirmed' | 'set-back'): ClockChange | undefined => {
    const doubt = doubtAt(now);
    if (doubt === undefined) return before.kind === 'trusted' ? undefined : { kind: by, now: timeAt(state, now) };
    if (before.kind === 'trusted') return { kind: doubt.isContradicted ? 'contradicted' : 'jumped', doubt };
    return doubt.isContradicted && !before.isContradicted ? { kind: 'contradicted', doubt } : undefined;
  };
  const become = (next: ClockState, now: ClockReading, by: 'confirmed' | 'set-back' = 'set-back'): void => {
    const before = state;
    state = next;
    const change = changeFrom(before, now, by);
    if (change !== undefined) for (const listener of listeners) listener(change);
  };
  const read = (): ClockReading => {
    const now = reading();
    become(afterReading(state, now), now);
    return now;
  };
  const observe = (second: SecondClock): void => {
    const now = read();
    if (hasBegun) become(afterSecondClock(state, now, second), now, 'confirmed');
    else database = { ...second, seenAt: now.monotonic };
  };
  return {
    now() {
      const now = read();
      return timeAt(state, now);
    },
    sleep: async (milliseconds, signal) => machine.sleep(milliseconds, signal),
    doubt() {
      const now = read();
      return doubtAt(now);
    },
    reading,
    observe,
    observeDate(header) {
      const at = header === undefined ? Number.NaN : Date.parse(header);
      if (!Number.isNaN(at)) observe({ at, confirms: true });
    },
    begin({ lastSeen }) {
      const now = reading();
      hasBegun = true;
      const seen = database && { ...database, at: later(instant(database.at), now.monotonic - database.seenAt) };
      become(atStart(now, { lastSeen, database: seen }), now);
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
