/** Keeps updates until they are handled, and handles them in lanes. */
import { MINUTE, type Clock } from '../../base/clock.js';
import { lanes } from '../../base/lanes.js';
import { signalOnce } from '../../base/when-ready.js';
import type { Log } from '../../base/log.js';
import type { IncomingUpdate } from './incoming-update.js';
import type { PendingUpdate, TelegramDocument } from './document.js';

/** After this many crashes the question is taken for their cause and given up. */
const MAX_TRIES = 2;
const MAX_RECENT = 250;
const EVENT_RETRY = MINUTE;
const MAX_UPGRADED = 50;
/** How many questions of one person may wait in a chat, and in all chats. Further ones are left out and the person is told. */
const MAX_WAITING = 10;
const MAX_WAITING_OF_PERSON = 30;
/** How many plain-text questions may wait in one group, so that a crowd there does not delay other chats. */
const MAX_WAITING_OF_GROUP = 30;
/** Updates of all chats. At this number no more are taken; Telegram keeps them and repeats them for a day. */
const MAX_UNDER_WAY = 1_000;

/** What the handler of an update gets from the queue. */
export interface UpdateTurn {
  readonly signal: AbortSignal;
  /** Lets the next updates of the lane begin before this one is handled. */
  readonly endTurn?: () => void;
}

export interface UpdateQueueDeps {
  readonly document: TelegramDocument;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves with false if the update must be handled again at the next start. */
  readonly handle: (incoming: IncomingUpdate, turn: UpdateTurn) => Promise<boolean>;
  /** Called after `MAX_TRIES`. Must not reject. */
  readonly giveUp: (incoming: IncomingUpdate, signal: AbortSignal) => Promise<void>;
  /** Called for each stored update, before it is handled. */
  readonly taken: (incoming: IncomingUpdate) => void;
  /** Called for each question above the limit of one person. */
  readonly leftOut: (incoming: IncomingUpdate) => void;
  readonly stopping: AbortSignal;
  /** Aborts the updates under way; they are kept for the next start. */
  readonly signal: AbortSignal;
}

export interface Received {
  readonly update: number;
  readonly incoming: IncomingUpdate;
}

/** Handles a person's questions, and a message's presses, one after another. */
export class UpdateQueue {
  readonly #deps: UpdateQueueDeps;
  readonly #lane = lanes();
  readonly #working = new Map<number, { readonly done: Promise<void>; readonly endsTurn: Promise<void> }>();
  readonly #waiting = new Set<() => void>();
  /** The group moves under way, by the new group. */
  readonly #moves = new Map<number, Promise<void>>();

  constructor(deps: UpdateQueueDeps) {
    this.#deps = deps;
    const { stopping } = deps;
    stopping.addEventListener('abort', () => this.#proceedAll(), { once: true });
  }

  async resume(): Promise<void> {
    // After the last try, the question is not handled again; the asker is told that it is given up.
    const isLast = ({ tries, incoming }: PendingUpdate): boolean => tries > MAX_TRIES && isQuestion(incoming);
    const { pendingUpdates } = await this.#deps.document.change((now) =>
      now.pendingUpdates.length === 0
        ? now
        : // The tries are stored before any update is begun, so that a crash counts.
          { ...now, pendingUpdates: triedOnce(now.pendingUpdates.filter((one) => !isLast(one))) },
    );
    this.#begin(pendingUpdates);
  }

  /** Resolves when the updates are stored; they are handled in the background. Rejects if a stop ends the wait for room. */
  async take(received: readonly Received[]): Promise<void> {
    const { document, log, leftOut, taken } = this.#deps;
    await this.#room();
    const known = new Set(document.read().recent);
    const unknown = received.filter(({ update }) => !known.has(update)).map(({ update, incoming }) => ({ update, incoming, tries: 1 }));
    const { fresh, beyond } = bounded(unknown, document.read().pendingUpdates);
    if (fresh.length < received.length) log.debug('telegram.updates-left-out', { count: received.length - fresh.length });
    for (const { incoming } of beyond) leftOut(incoming);
    if (fresh.length === 0) return;
    const upgraded = fresh.flatMap(({ incoming }) => (incoming.kind === 'moved' ? [incoming.to] : []));
    await document.change((now) => ({
      ...now,
      pendingUpdates: [...now.pendingUpdates, ...fresh],
      upgraded: [...now.upgraded, ...upgraded].slice(-MAX_UPGRADED),
      recent: [...now.recent, ...fresh.map(({ update }) => update)].slice(-MAX_RECENT),
    }));
    for (const { incoming } of fresh) taken(incoming);
    this.#begin(fresh);
  }

  /** Resolves when the update is no longer under way. Calls `endTurn` when the next update of its lane may begin. */
  async handled(update: number, endTurn: () => void = () => {}): Promise<void> {
    const { done, endsTurn } = this.#working.get(update) ?? {};
    void endsTurn?.then(endTurn);
    await done;
  }

  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.all([...this.#working.values()].map(async ({ done }) => done));
  }

  #proceedAll(): void {
    for (const proceed of this.#waiting) proceed();
  }

  async #room(): Promise<void> {
    while (this.#working.size >= MAX_UNDER_WAY) {
      this.#deps.stopping.throwIfAborted();
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  #ended(update: number): void {
    this.#working.delete(update);
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    next();
  }

  async #work({ incoming, update, tries }: PendingUpdate, endTurn: () => void): Promise<void> {
    const { document, log, giveUp, signal, handle, clock, stopping } = this.#deps;
    const done = async (): Promise<void> =>
      void (await document.change((now) => ({ ...now, pendingUpdates: now.pendingUpdates.filter((other) => other.update !== update) })));
    const isGivenUp = isQuestion(incoming) && tries > MAX_TRIES;
    if (isGivenUp) log.error('telegram.question-given-up', { kind: incoming.kind });
    for (;;) {
      try {
        if (isGivenUp) await giveUp(incoming, signal);
        else if (!(await handle(incoming, { signal, endTurn }))) return;
        return await done();
      } catch (error) {
        log.error('telegram.not-handled', { kind: incoming.kind, error });
        // People can ask a question again, but Telegram reports an event only once, so events are retried.
        if (isQuestion(incoming)) return;
        await clock.sleep(EVENT_RETRY, stopping).catch(() => undefined);
        if (stopping.aborted) return;
      }
    }
  }

  #begin(entries: readonly PendingUpdate[]): void {
    for (const entry of entries) {
      const { incoming } = entry;
      // The watchlist is still being moved; without the wait a question would be answered with "not watched".
      const move = 'place' in incoming ? this.#moves.get(incoming.place.chat) : undefined;
      const { done: endsTurn, signal: endTurn } = signalOnce();
      const run = async (): Promise<void> =>
        this.#lane.run(laneOf(incoming), async (leave) =>
          this.#work(entry, () => {
            leave();
            endTurn();
          }),
        );
      const done = (move === undefined || !isQuestion(incoming) ? run() : move.then(run)).finally(() => this.#ended(entry.update));
      this.#working.set(entry.update, { done, endsTurn });
      if (incoming.kind !== 'moved') continue;
      const { to } = incoming;
      this.#moves.set(to, done);
      void done.finally(() => void (this.#moves.get(to) === done && this.#moves.delete(to)));
    }
  }
}

/** Counts a try of the first update of each lane. */
function triedOnce(pendingUpdates: readonly PendingUpdate[]): readonly PendingUpdate[] {
  const begun = new Set<string>();
  return pendingUpdates.map((one) => {
    const lane = laneOf(one.incoming);
    if (begun.has(lane)) return one;
    begun.add(lane);
    return { ...one, tries: one.tries + 1 };
  });
}

interface Bounded {
  readonly fresh: readonly PendingUpdate[];
  /** The questions above the limit of one person. */
  readonly beyond: readonly PendingUpdate[];
}

function bounded(unknown: readonly PendingUpdate[], pendingUpdates: readonly PendingUpdate[]): Bounded {
  const waiting = new Map<string, number>();
  const countOf = (key: string): number => waiting.get(key) ?? 0;
  const begin = (keys: readonly string[]): void => {
    for (const key of keys) waiting.set(key, countOf(key) + 1);
  };
  const [fresh, beyond]: [PendingUpdate[], PendingUpdate[]] = [[], []];
  for (const { incoming } of pendingUpdates) begin(Object.values(queuesOf(incoming)));
  for (const one of unknown) {
    const { lane, person, group } = queuesOf(one.incoming);
    const isBeyond =
      isQuestion(one.incoming) &&
      (countOf(lane) >= MAX_WAITING ||
        (person !== undefined && countOf(person) >= MAX_WAITING_OF_PERSON) ||
        (group !== undefined && countOf(group) >= MAX_WAITING_OF_GROUP));
    if (!isBeyond) begin(Object.values(queuesOf(one.incoming)));
    (isBeyond ? beyond : fresh).push(one);
  }
  return { fresh, beyond };
}

interface Queues {
  readonly lane: string;
  readonly person?: string;
  readonly group?: string;
}

/** The queues whose limits apply to a question: its lane, its person, and the plain-text questions of its group. */
const queuesOf = (incoming: IncomingUpdate): Queues => ({
  lane: laneOf(incoming),
  ...(incoming.kind === 'ask' || incoming.kind === 'press' ? { person: `person/${incoming.from.id}` } : {}),
  ...(incoming.kind === 'ask' && incoming.addressing !== undefined ? { group: `group/${incoming.place.chat}` } : {}),
});

/** Tells whether people can ask it again, unlike an event. */
const isQuestion = ({ kind }: IncomingUpdate): boolean => kind === 'ask' || kind === 'press' || kind === 'file';

function laneOf(incoming: IncomingUpdate): string {
  switch (incoming.kind) {
    case 'ask':
      return `${incoming.place.chat}/from/${incoming.from.id}`;
    case 'press':
      return `${incoming.place.chat}/under/${incoming.message}`;
    case 'file':
      return `${incoming.place.chat}/files`;
    case 'moved':
    case 'gone':
    case 'back':
    case 'joined':
      // Events are handled in the order in which they happened.
      return 'events';
  }
}
