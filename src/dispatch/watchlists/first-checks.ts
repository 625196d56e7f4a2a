/** Prepares a new entry: checks whether alerts can be posted, and makes the first checks. */
import { kindsOff, rulesFor } from '../../alerts/rules/presets.js';
import { kindsFor, type Entry, type Target } from '../../alerts/watchlist/entry.js';
import { MINUTE } from '../../base/clock.js';
import { both } from '../../base/sentence-lists.js';
import type { BlockDraft, Line } from '../../chat/reply.js';
import { flipDelayWords, groupedDelays, type ExpectedDelay } from '../../chat/status-strip.js';
import { duration } from '../../domain/format.js';
import type { Context, FirstCheckCounts } from '../context.js';
import { line, UserError } from '../../reply/index.js';

/** How long the reply waits for first checks, in milliseconds, so that it comes within a second. The remaining checks continue in the background. */
const MAX_WAIT = 700;

/** Resolves with warnings about missing permissions. Rejects with a `UserError` if alerts cannot be posted at all. */
export async function requirePosting(
  again: string,
  { probe, place, isElsewhere }: Pick<Context, 'probe' | 'place' | 'isElsewhere'>,
): Promise<readonly BlockDraft[]> {
  const { missing, blocked, pictures } = await probe();
  if (blocked !== undefined) throw new UserError(blocked);
  if (missing.length === 0)
    return pictures === undefined ? [] : [line('⚠ Alerts come without charts: grant me ', { strong: pictures }, ' for them.')];
  const grant = missing.length === 1 ? '. Grant it, then ' : '. Grant them, then ';
  const lacks = { strong: both(missing) };
  if (!isElsewhere) throw new UserError(["I can't post alerts here: I need ", lacks, `${grant}run `, { code: again }, ' again.']);
  throw new UserError([`I can't post alerts in ${place}: I need `, lacks, ` there${grant}try again.`], {
    actions: [{ label: 'Try again', line: again }],
  });
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

/** Returns the expected delays of the kinds that these entries alert of; undefined without a monthly limit. */
export function expectedOf(
  entries: readonly Entry[],
  { analytics, firstChecks }: Pick<Context, 'analytics' | 'firstChecks'>,
): readonly ExpectedDelay[] | undefined {
  if (analytics.state().budget.limit === undefined) return undefined;
  const isOff = (kind: string): boolean =>
    entries.every((entry) => kindsOff(entry).includes(kind) || kindsFor(entry.target, [kind]).length === 0);
  // Before the first plan there are no expected delays.
  const expected = firstChecks.expectedDelays(entries.map(({ target }) => target)) ?? [];
  const canFlip = (kind: string): boolean => entries.some((entry) => rulesFor(entry, kind).thresholds.some(({ when }) => when === 'flip'));
  return expected.filter(({ kind }) => !isOff(kind)).map(({ flips, ...one }) => (flips && canFlip(one.kind) ? { ...one, flips } : one));
}

/** Words the expected delays, the shortest first. */
export function expectedLine(
  expected: readonly ExpectedDelay[] | undefined,
  { analytics }: Pick<Context, 'analytics'>,
): readonly BlockDraft[] {
  const { limit } = analytics.state().budget;
  if (expected === undefined || expected.length === 0 || limit === undefined) return [];
  if (expected.some(({ within }) => !Number.isFinite(within))) return [line('Checks are paused until the API budget has requests left.')];
  const parts = groupedDelays(expected.map((one) => ({ ...one, within: one.mostly ?? one.within }))).map(
    ({ within, kinds }) => `${duration(within)} for ${both(kinds)}`,
  );
  const apart = expected.filter(({ mostly }) => mostly !== undefined).map(({ within }) => within);
  const others = apart.length === 0 ? '' : ` Projects that the service's lists don't show take up to ${duration(Math.max(...apart))}.`;
  const faster = expected.some(({ kind }) => kind !== WALLET_KIND) ? ' Fewer projects are checked sooner.' : '';
  const [flips] = expected.flatMap((one) => one.flips ?? []);
  return [
    line(`On ${limit.toLocaleString('en-US')} requests a month changes are detected within about ${parts.join(', ')}.${others}${faster}`),
    ...(flips === undefined ? [] : [line(`A market that flips is seen ${flipDelayWords(flips)}.`)]),
  ];
}
const WALLET_KIND = 'wallet';

/** Says that the first checks take days: under a monthly limit those of many projects are spread. */
function spreadText(expected: readonly ExpectedDelay[]): Line {
  const startsNow = ({ isListed, mostly }: ExpectedDelay): boolean => isListed || mostly !== undefined;
  const [listed, others] = [expected.filter(startsNow), expected.filter((one) => !startsNow(one))];
  const names = (some: readonly ExpectedDelay[]): string => both(some.map(({ kind }) => kind));
  const over = duration(Math.max(0, ...others.map(({ within }) => within)));
  if (others.length === 0) return [`Alerts on ${names(listed)} start now.`];
  if (listed.length === 0) return [`First checks follow within ${over}, and alerts start with them.`];
  return [
    `Alerts on ${names(listed)} start now; ${names(others)} ${others.length === 1 ? 'gets its' : 'get their'} first check within ${over}.`,
  ];
}

/** Words the result of the first checks, which send no alerts. */
export function firstCheckText(
  { done, pending, failed, readyIn, isDeferred }: FirstCheckCounts,
  expected?: readonly ExpectedDelay[],
): Line {
  const total = done + pending + failed;
  if (isDeferred && expected !== undefined && expected.length > 0 && expected.every(({ within }) => Number.isFinite(within)))
    return spreadText(expected);
  if (isDeferred)
    return [
      `${done} of ${total} first checks are done. The others follow when the API budget allows. You'll be alerted to changes from now on. /status shows the budget.`,
    ];
  if (pending > 0 && expected?.length === 0)
    return ['First checks are being planned for the API budget. /status shows how soon changes are detected.'];
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
