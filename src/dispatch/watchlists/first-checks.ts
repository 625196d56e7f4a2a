/** The start of watching: can alerts be posted, and the first checks. */
import type { Target } from '../../alerts/watchlist/entry.js';
import { MINUTE } from '../../base/clock.js';
import { both } from '../../base/sentence-lists.js';
import type { BlockDraft, Line } from '../../chat/reply.js';
import type { Context, FirstCheckCounts } from '../context.js';
import { line } from '../../replies/blocks.js';
import { UserError } from '../../replies/user-error.js';

/** In ms. The reply comes within a second and in its turn; the other checks continue in the background. */
const MAX_WAIT = 700;

/** What alerts will lack. Rejects with a `UserError`. */
export async function requirePosting(again: string, { probe }: Pick<Context, 'probe'>): Promise<readonly BlockDraft[]> {
  const { missing, blocked, pictures } = await probe();
  if (blocked !== undefined) throw new UserError(blocked);
  if (missing.length === 0)
    return pictures === undefined ? [] : [line('⚠ Alerts come without charts: grant me ', { strong: pictures }, ' for them.')];
  const grant = missing.length === 1 ? '. Grant it, then run ' : '. Grant them, then run ';
  throw new UserError(["I can't post alerts here: I need ", { strong: both(missing) }, grant, { code: again }, ' again.']);
}

export async function runFirstChecks(
  targets: readonly Target[],
  { firstChecks, chat }: Pick<Context, 'firstChecks' | 'chat'>,
): Promise<FirstCheckCounts> {
  const made = await Promise.all(targets.map(async (target) => firstChecks.make(target, { chat, patience: MAX_WAIT })));
  const sum = (part: 'done' | 'pending' | 'failed'): number => made.reduce((total, one) => total + one[part], 0);
  const waits = made.flatMap(({ pending, readyIn }) => (pending === 0 ? [] : [readyIn]));
  const known = waits.filter((wait) => wait !== undefined);
  return {
    ...{ done: sum('done'), pending: sum('pending'), failed: sum('failed') },
    ...(made.some(({ isDeferred }) => isDeferred) && { isDeferred: true as const }),
    readyIn: waits.length > 0 && known.length === waits.length ? Math.max(...known) : undefined,
  };
}

/** Found without an alert. */
export function firstCheckText({ done, pending, failed, readyIn, isDeferred }: FirstCheckCounts): Line {
  const total = done + pending + failed;
  if (isDeferred)
    return [
      `${done} of ${total} first checks are done. The others follow when the API budget allows. You'll be alerted to changes from now on. /status shows the budget.`,
    ];
  if (pending > 0)
    return [
      `First checks are running (${done} of ${total} done). You'll be alerted to changes from now on`,
      readyIn === undefined ? '.' : `; the first alerts can come in about ${Math.max(1, Math.ceil(readyIn / MINUTE))} min.`,
    ];
  if (failed > 0)
    return [
      `${failed} of ${total} first checks failed and will be retried. You'll be alerted to what happens from now on. /status shows the service's state.`,
    ];
  return ["You'll be alerted to changes from now on."];
}
