/**
 * What was heard, until it is done with. Telegram forgets an update once a later one is asked for, so each is durable here before that: a
 * question in hand at a crash is begun again after it, once, and then whoever asked is told that it was given up. Questions of one person wait for each other, and so do presses under one message.
 */
import { MINUTE, type Clock } from '../../base/clock.js';
import { lanes } from '../../base/lanes.js';
import type { Log } from '../../base/log.js';
import type { Heard } from './heard.js';
import type { Memory, Taken } from './memory.js';

/** A question that took the process down with it twice is not begun a third time. */
const MOST_TRIES = 2;
/** More than two batches of updates. */
const REMEMBERED = 250;
const RETRY_NEWS = MINUTE;
const UPGRADES_REMEMBERED = 50;
/** So many questions of one person may wait; who asks faster than they are answered is not heard further. */
const MOST_WAITING = 10;

export interface InboxNeeds {
  readonly memory: Memory;
  readonly clock: Clock;
  readonly log: Log;
  /** Does what was heard. False: it was given up because of the signal, and is begun again at the next start. Rejects where it failed. */
  readonly handle: (heard: Heard, signal: AbortSignal) => Promise<boolean>;
  /** Says that a question is given up, because it was in hand when the process ended, as often as it may be. Never rejects. */
  readonly giveUp: (heard: Heard, signal: AbortSignal) => Promise<void>;
  /** Told of everything that was taken, before it is done. */
  readonly taken: (heard: Heard) => void;
  /** Ends waiting for another attempt. */
  readonly stopping: AbortSignal;
  /** What is in hand when it aborts is kept for the next start. */
  readonly signal: AbortSignal;
}

export interface Inbox {
  /** Begins what an earlier life left. */
  resume(): Promise<void>;
  /** Resolves when all of it is durable; the work goes on behind it. */
  take(heard: readonly { readonly update: number; readonly heard: Heard }[]): Promise<void>;
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>;
}

export function openInbox({ memory, clock, log, handle, giveUp, taken, stopping, signal }: InboxNeeds): Inbox {
  const lane = lanes();

  async function work(entry: Taken): Promise<void> {
    const { heard, update, tries } = entry;
    const done = async (): Promise<void> =>
      void (await memory.change((now) => ({ ...now, inHand: now.inHand.filter((other) => other.update !== update) })));
    const isLost = isQuestion(heard) && tries > MOST_TRIES;
    if (isLost) log.error('telegram.question-given-up', { kind: heard.kind });
    const isNews = !isQuestion(heard);
    for (;;) {
      try {
        if (isLost) await giveUp(heard, signal);
        else if (!(await handle(heard, signal))) return;
        return await done();
      } catch (error) {
        log.error('telegram.not-handled', { kind: heard.kind, error });
        // A question can be asked again; that a chat moved is said only once.
        if (!isNews) return;
        await clock.sleep(RETRY_NEWS, stopping).catch(() => undefined);
        if (stopping.aborted) return;
      }
    }
  }

  const begin = (entries: readonly Taken[]): void => {
    for (const entry of entries) void lane.run(laneOf(entry.heard), async () => work(entry));
  };

  return {
    async resume() {
      // The try after the last one only says that it is given up.
      const isLost = ({ tries, heard }: Taken): boolean => tries > MOST_TRIES && isQuestion(heard);
      const { inHand } = await memory.change((now) =>
        now.inHand.length === 0
          ? now
          : // Durable before any of it is begun again.
            { ...now, inHand: now.inHand.filter((one) => !isLost(one)).map((one) => ({ ...one, tries: one.tries + 1 })) },
      );
      begin(inHand);
    },
    async take(heard) {
      const known = new Set(memory.read().recent);
      const fresh = bounded(
        heard.filter(({ update }) => !known.has(update)),
        memory.read().inHand,
      ).map((one) => ({ ...one, tries: 1 }));
      if (fresh.length < heard.length) log.debug('telegram.updates-left-out', { count: heard.length - fresh.length });
      if (fresh.length === 0) return;
      await memory.change((now) => ({
        ...now,
        inHand: [...now.inHand, ...fresh],
        upgraded: [...now.upgraded, ...fresh.flatMap(({ heard: one }) => (one.kind === 'moved' ? [one.to] : []))].slice(
          -UPGRADES_REMEMBERED,
        ),
        recent: [...now.recent, ...fresh.map(({ update }) => update)].slice(-REMEMBERED),
      }));
      for (const { heard: one } of fresh) taken(one);
      begin(fresh);
    },
    idle: async () => lane.idle(),
  };
}

/** Without the questions that are too many in their lane. Pure. */
function bounded<T extends { readonly heard: Heard }>(fresh: readonly T[], inHand: readonly { readonly heard: Heard }[]): readonly T[] {
  const waiting = new Map<string, number>();
  const count = (heard: Heard): number => {
    const lane = laneOf(heard);
    const number = (waiting.get(lane) ?? 0) + 1;
    waiting.set(lane, number);
    return number;
  };
  for (const { heard } of inHand) count(heard);
  return fresh.filter(({ heard }) => !isQuestion(heard) || count(heard) <= MOST_WAITING);
}

/** What somebody can do again, so that it may be given up. */
const isQuestion = ({ kind }: Heard): boolean => kind === 'ask' || kind === 'press' || kind === 'file';

function laneOf(heard: Heard): string {
  switch (heard.kind) {
    case 'ask':
      return `${heard.place.chat}/from/${heard.from.id}`;
    case 'press':
      return `${heard.place.chat}/under/${heard.message}`;
    case 'file':
      return `${heard.place.chat}/files`;
    case 'moved':
    case 'gone':
    case 'back':
    case 'joined':
      // In the order in which they happened.
      return 'news';
  }
}
