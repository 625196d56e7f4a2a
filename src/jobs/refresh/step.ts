/** This module acts for a wallet until it must wait. An intent is stored before each request. */
import type { Analytics, Meter } from '../../analytics/analytics.js';
import { refreshHoldings, refreshStatus, refreshToken, walletOverview } from '../../analytics/endpoints/wallets.js';
import { AnalyticsError, type Trouble } from '../../analytics/errors.js';
import { instant, later, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { never } from '../../base/never.js';
import type { WalletAddress } from '../../domain/wallet.js';
import {
  accepted,
  checkPause,
  checked,
  failurePause,
  following,
  forgotten,
  intending,
  noted,
  overdue,
  pausing,
  refused,
  rejected,
  retryPause,
  unasked,
  type WalletDocument,
  type WalletState,
} from './document.js';
import type { Waiters } from './waiters.js';
import { goesOn, nextAction, type NextAction, type TargetState } from './next-action.js';

export interface StepContext {
  readonly analytics: Analytics;
  readonly clock: Clock;
  readonly log: Log;
  readonly waiters: Waiters;
  readonly read: (address: WalletAddress) => WalletDocument;
  /** Resolves when durable; rejects without a change. */
  readonly write: (document: WalletDocument) => Promise<void>;
  readonly target: (address: WalletAddress) => TargetState;
  readonly changed: (address: WalletAddress) => void;
  readonly meterOf: (address: WalletAddress) => Meter;
  readonly signal: AbortSignal;
  /** Aborts some seconds after `signal`. */
  readonly givenUp: AbortSignal;
}

export interface RefreshPace {
  readonly checks: number;
  /** Steps in a row without an answer. */
  readonly tries: number;
}

/** `until` is when the next step is due; undefined until somebody requests one. */
export interface Rest extends RefreshPace {
  readonly until: Instant | undefined;
}

/** Maximum actions in a step, in case answers lead in circles. */
const MAX_ACTIONS = 20;
const DEFINITE: ReadonlySet<Trouble> = new Set(['unknown', 'rejected', 'forbidden', 'key-refused']);

/** Acts until the wallet must wait. Rejects only on store errors and a stop. */
export async function refreshStep(address: WalletAddress, pace: RefreshPace, context: StepContext): Promise<Rest> {
  const { clock, log } = context;
  try {
    let seen: WalletState | undefined;
    for (let actions = 0; actions < MAX_ACTIONS; actions += 1) {
      const action = nextAction({ document: context.read(address), seen, target: context.target(address), now: clock.now() });
      if (action.kind === 'rest') return await rested(address, action, context);
      if (action.kind === 'read') seen = await readOverview(address, context);
      else if (await act(address, action, context)) {
        const checks = action.kind === 'check' ? pace.checks + 1 : 0;
        return { until: later(clock.now(), checkPause(checks)), checks, tries: 0 };
      } else if (action.kind !== 'pause') seen = undefined;
    }
  } catch (cause) {
    if (!(cause instanceof AnalyticsError) || context.signal.aborted) throw cause;
    return unanswered(address, { cause, pace, context });
  }
  log.error('refresh.in-circles', { address });
  return { until: later(clock.now(), failurePause(1)), checks: 0, tries: 0 };
}

async function rested(
  address: WalletAddress,
  action: Extract<NextAction, { kind: 'rest' }>,
  { waiters, read, write }: StepContext,
): Promise<Rest> {
  const { until, because } = action;
  const { snapshotAt, left, intent } = read(address);
  // The request never arrived. Without this, every step would read the overview for it.
  if (intent !== undefined) await write(unasked(read(address)));
  if (because === 'fresh' || because === 'done')
    waiters.release(address, { kind: 'refreshed', snapshotAt, incomplete: left?.accounts ?? 0 });
  else if (until !== undefined) waiters.release(address, { kind: 'wait', until, because });
  return { until, checks: 0, tries: 0 };
}

/** Fails the waiters, unless a job runs. */
function unanswered(
  address: WalletAddress,
  { cause, pace, context }: { readonly cause: AnalyticsError; readonly pace: RefreshPace; readonly context: StepContext },
): Rest {
  const { waiters, clock, log, read } = context;
  const tries = pace.tries + 1;
  if (tries === 1) log.warn('refresh.unanswered', { address, trouble: cause.trouble, cause });
  if (read(address).job === undefined) waiters.fail(address, cause);
  const wait = DEFINITE.has(cause.trouble) ? failurePause(tries) : retryPause(tries);
  return { until: instant(Math.max(later(clock.now(), wait), cause.until ?? 0)), checks: pace.checks, tries };
}

/** Reads the overview. `at` is its arrival, from which waits count. */
async function readOverview(
  address: WalletAddress,
  { analytics, target, read, write, changed, meterOf, signal }: StepContext,
): Promise<WalletState> {
  const priority = target(address).kind === 'now' ? 'question' : 'poll';
  const how = { priority, maxAge: 0, ifFailing: 'refuse', signal, meter: meterOf(address) } as const;
  const { data: overview, at } = await analytics.call(walletOverview, { walletPublicKey: address }, how);
  const before = read(address);
  await write(noted(before, { overview, at }));
  // A refresh started elsewhere also triggers a check.
  if (overview.snapshotAt !== undefined && before.snapshotAt !== undefined && overview.snapshotAt > before.snapshotAt) changed(address);
  return { overview, at };
}

async function act(address: WalletAddress, action: Exclude<NextAction, { kind: 'rest' | 'read' }>, context: StepContext): Promise<boolean> {
  const { read, write, clock, log } = context;
  switch (action.kind) {
    case 'pause':
      await write(pausing(read(address), action.until, action.because));
      return false;
    case 'follow':
      await write(following(read(address), action.id, { now: clock.now(), token: read(address).intent?.token }));
      log.info('refresh.followed', { address, job: action.id });
      return true;
    case 'ask':
      return ask(address, action.token, context);
    case 'check':
      return check(address, context);
    default:
      return never(action);
  }
}

async function ask(address: WalletAddress, token: string | undefined, context: StepContext): Promise<boolean> {
  const { analytics, waiters, clock, log, read, write, target, meterOf, givenUp: signal } = context;
  const how = { priority: target(address).kind === 'now' ? 'question' : 'poll', signal, meter: meterOf(address) } as const;
  await write(intending(read(address), clock.now(), token));
  try {
    // After a stop the request has some seconds; without an answer its outcome stays unknown.
    const { data } =
      token === undefined
        ? await analytics.call(refreshHoldings, { walletPublicKey: address }, how)
        : await analytics.call(refreshToken, { walletPublicKey: address, tokenAddress: token }, how);
    await write(accepted(read(address), data, clock.now()));
    log.info('refresh.asked', { address, token, job: data.jobId, alreadyRunning: data.alreadyRunning });
    waiters.notify(address, { resumed: read(address).left?.resumed ?? 0 });
    return true;
  } catch (cause) {
    if (!(cause instanceof AnalyticsError)) throw cause;
    await write(afterRefusal(read(address), cause, clock.now()));
    log.info('refresh.refused', { address, trouble: cause.trouble, until: cause.until });
    if (cause.trouble === 'budget-spent') throw cause;
    if (DEFINITE.has(cause.trouble)) waiters.fail(address, cause);
    return false;
  }
}

/** Returns the document after a failed request. A request that may have arrived stays an intent. */
function afterRefusal(document: WalletDocument, { trouble, until }: AnalyticsError, now: Instant): WalletDocument {
  if (trouble === 'limited') return refused(document, until, now);
  if (trouble === 'budget-spent') return unasked(document);
  return DEFINITE.has(trouble) ? rejected(document, now) : document;
}

async function check(address: WalletAddress, context: StepContext): Promise<boolean> {
  const { analytics, waiters, clock, log, read, write, target, changed, meterOf, signal } = context;
  const { job } = read(address);
  if (job === undefined) return false;
  const priority = target(address).kind === 'now' ? 'question' : 'poll';
  const readStatus = async () => {
    const { data: status } = await analytics.call(
      refreshStatus,
      { jobId: job.id },
      { priority, ifFailing: 'refuse', signal, meter: meterOf(address) },
    );
    const { tokens, tokensDone, transactions } = status;
    waiters.notify(address, { tokens, tokensDone, transactions, resumed: read(address).left?.resumed ?? 0 });
    return checked(read(address), { job, status, now: clock.now() });
  };
  const { document, end } = await readStatus().catch((cause: unknown) => {
    if (!(cause instanceof AnalyticsError)) throw cause;
    if (cause.trouble === 'unknown') return { document: forgotten(read(address), job), end: undefined };
    const late = overdue(read(address), job, clock.now());
    if (late.end === undefined) throw cause;
    return late;
  });
  if (document.job !== undefined) return true;
  await write(document);
  if (end === undefined) return false;
  const until = document.pause?.until ?? clock.now();
  switch (end.kind) {
    case 'completed': {
      log.info('refresh.completed', { address, job: job.id, snapshotAt: end.snapshotAt, incomplete: end.incomplete });
      changed(address);
      const { snapshotAt, incomplete } = end;
      if (goesOn(document)) waiters.keepResult(address, { kind: 'refreshed', snapshotAt, incomplete });
      else waiters.release(address, { kind: 'refreshed', snapshotAt, incomplete }, job);
      return false;
    }
    case 'failed':
      log.warn('refresh.failed', { address, job: job.id, says: end.says });
      waiters.release(address, { kind: 'failed', says: end.says, until });
      return false;
    case 'given-up':
      log.warn('refresh.given-up', { address, job: job.id, after: end.after });
      waiters.release(address, { kind: 'given-up', after: end.after, until });
      return false;
    default:
      return never(end);
  }
}
