/** The start of watching: can alerts be posted, and the first checks. */
import type { Target } from '../../alerts/watchlist/entry.js';
import { SECOND } from '../../base/clock.js';
import { both } from '../../base/sentence-lists.js';
import type { BlockDraft, Line } from '../../chat/reply.js';
import type { Context, FirstCheckRunner } from '../context.js';
import { line } from '../../replies/blocks.js';
import { UserError } from '../../replies/user-error.js';

const MAX_WAIT = 5 * SECOND;

export type FirstCheckCounts = Awaited<ReturnType<FirstCheckRunner['make']>>;

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
  const sum = (part: keyof FirstCheckCounts): number => made.reduce((total, one) => total + one[part], 0);
  return { done: sum('done'), pending: sum('pending'), failed: sum('failed') };
}

/** Found without an alert. */
export function firstCheckText({ done, pending, failed }: FirstCheckCounts): Line {
  const total = done + pending + failed;
  if (pending > 0)
    return [`${done} of ${total} first checks are done, the rest follow in the background. You'll be alerted to changes from now on.`];
  if (failed > 0)
    return [
      `${failed} of ${total} first checks failed and will be retried. You'll be alerted to what happens from now on. /status shows the service's state.`,
    ];
  return ["You'll be alerted to changes from now on."];
}
