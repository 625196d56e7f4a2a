/** Handles updates in a process that only answers: it answers questions itself and forwards everything else to the active process. */
import { MINUTE, SECOND, type Clock } from '../../base/clock.js';
import { within } from '../../base/deadline.js';
import type { Log } from '../../base/log.js';
import { ActiveOnlyError, type ForwardedUpdate, type Forwarding } from '../../chat/forwarding.js';
import { readUpdate, type BotIdentity, type IncomingUpdate, type InlineQuery } from './incoming-update.js';
import type { Questions } from './questions.js';
import { forwardedOf, readOne, type ReceiveUpdates } from './receiving.js';

export interface AnswerUpdatesDeps {
  readonly bot: BotIdentity;
  readonly forwarding: Forwarding;
  readonly questions: Pick<Questions, 'ask' | 'press' | 'file' | 'waiting'>;
  readonly inline: (query: InlineQuery) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly stopping: AbortSignal;
  /** When this aborts, another process handles the update from the beginning. */
  readonly signal: AbortSignal;
  /** Makes a stop wait for the work. */
  readonly underWay: (work: Promise<unknown>) => void;
}

/** Telegram ends a webhook request after a minute, and sends no other update of the chat until then. */
const ANSWER_WITHIN = 20 * SECOND;
/** If we do not finish within this time, the active process answers. */
const HELD_FOR = 2 * MINUTE;

export function openAnswerUpdates(deps: AnswerUpdatesDeps): ReceiveUpdates {
  const { bot, forwarding, questions, inline, clock, log, stopping, signal, underWay } = deps;
  /** Updates under way, because Telegram may repeat one of them. */
  const working = new Map<string, Promise<void>>();

  async function forward(update: ForwardedUpdate, incoming: IncomingUpdate): Promise<void> {
    const kept = await forwarding.keep(update);
    if (kept !== 'kept' || (incoming.kind !== 'ask' && incoming.kind !== 'press')) return;
    underWay(
      forwarding.isStuck(update, stopping).then(async (isStuck) => {
        if (isStuck) await questions.waiting(incoming, signal);
      }),
    );
  }

  /** Resolves with false if the active process should answer instead. Rejects at a stop. */
  async function answered(incoming: IncomingUpdate): Promise<boolean> {
    try {
      if (incoming.kind === 'file') await questions.file(incoming, signal);
      else if (incoming.kind === 'ask' || incoming.kind === 'press') {
        if (!(await (incoming.kind === 'ask' ? questions.ask(incoming, { signal }) : questions.press(incoming, { signal }))))
          throw new Error('telegram: the process stops');
      } else return false;
      return true;
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(error instanceof ActiveOnlyError)) log.error('telegram.not-handled', { kind: incoming.kind, error });
      return false;
    }
  }

  async function handle(update: ForwardedUpdate, incoming: IncomingUpdate): Promise<void> {
    const isHere = !(await forwarding.waits(update)) && (await forwarding.mayTry(update));
    if (!isHere) return forward(update, incoming);
    const work = answered(incoming);
    const first = await within(clock, ANSWER_WITHIN, work, 'late' as const);
    if (first === 'late') {
      // The update is stored before Telegram forgets it, so another process takes over if this one ends.
      await forwarding.keep(update, HELD_FOR);
      underWay(work.then(async (isDone) => (isDone ? forwarding.drop(update) : undefined)).catch(() => undefined));
    } else if (!first) await forward(update, incoming);
  }

  return async (updates) => {
    for (const raw of updates) {
      const [read] = readOne(raw, log);
      if (read === undefined) continue;
      if (read.inline_query !== undefined) inline(read.inline_query);
      const [update, incoming] = [forwardedOf(raw), readUpdate(read, bot)];
      if (update === undefined || incoming === undefined) continue;
      const done = working.get(update.id) ?? handle(update, incoming).finally(() => working.delete(update.id));
      working.set(update.id, done);
      underWay(done);
      await done;
    }
  };
}
