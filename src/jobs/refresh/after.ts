/** What is remembered of a wallet after each thing that was done or heard. Pure. */
import type { RefreshStatus } from '../../analytics/endpoints/wallets.js';
import { later, MINUTE, SECOND, type Instant } from '../../base/clock.js';
import type { FollowedJob, WalletState, WalletDocument } from './document.js';
import { failurePause, roundedUp } from './pause.js';

/** A job that was followed for so long and has not ended is given up. */
const JOB_LIMIT = 30 * MINUTE;
/** So many times of single-token snapshots are remembered; older ones are no longer shown. */
const MOST_PARTIALS = 8;

/** The overview was read: how old the snapshot is, and whether what was asked without hearing an answer was done. */
export function noted(document: WalletDocument, { overview: { snapshotAt } }: WalletState): WalletDocument {
  const { intent } = document;
  if (snapshotAt === undefined) return document;
  // A snapshot made since shows that the request arrived, ran and ended. The service counts in whole seconds.
  const isAnswered = intent !== undefined && intent.refusedAt === undefined && snapshotAt >= Math.floor(intent.at / SECOND) * SECOND;
  const known = withSnapshot(document, snapshotAt, isAnswered ? intent.token : undefined);
  return isAnswered ? without(known, 'intent') : known;
}

/** About to ask: written before the request is made. */
export const intending = (document: WalletDocument, now: Instant, token: string | undefined): WalletDocument => ({
  ...without(document, 'pause'),
  intent: { at: now, token },
});

/** A job runs for the wallet; `token` where it is known to be for one alone. */
export function following(
  document: WalletDocument,
  id: string,
  { now, token }: { now: Instant; token: string | undefined },
): WalletDocument {
  // One that was given up before is not waited for as long again.
  const since = document.lost?.id === id ? document.lost.since : now;
  return { ...without(without(document, 'intent'), 'pause'), job: { id, token, since } };
}

/** It was accepted, or one ran already, which is followed in its place. */
export function accepted(
  document: WalletDocument,
  { jobId, alreadyRunning }: { readonly jobId: string; readonly alreadyRunning: boolean },
  now: Instant,
): WalletDocument {
  const { left, intent } = document;
  const next = following(document, jobId, { now, token: alreadyRunning ? undefined : intent?.token });
  return left === undefined || left.accounts === 0 ? next : { ...next, left: { ...left, resumed: left.resumed + 1 } };
}

/** It may not be asked for again yet. Without `until` the service did not say for how long. */
export const refused = (document: WalletDocument, until: Instant | undefined, now: Instant): WalletDocument =>
  until === undefined
    ? { ...document, intent: { at: now, ...document.intent, refusedAt: now } }
    : { ...without(document, 'intent'), pause: { until: roundedUp(until), because: 'limited' } };

/** Nothing may be asked for until then, and with that it is settled what became of what was asked. */
export const pausing = (document: WalletDocument, until: Instant, because: 'limited' | 'untold'): WalletDocument => ({
  ...without(document, 'intent'),
  pause: { until, because },
});

/** For certain nothing was asked, or nothing came of it. */
export const unasked = (document: WalletDocument): WalletDocument => without(document, 'intent');

/** The service will not have it, for a reason that waiting does not mend. */
export const rejected = (document: WalletDocument, now: Instant): WalletDocument => failed(without(document, 'intent'), now, 'failed');

/** Nobody knows the job any more, so it is not known what became of what was asked. */
export const forgotten = (document: WalletDocument, { since, token }: FollowedJob): WalletDocument => ({
  ...without(document, 'job'),
  intent: { at: since, token },
});

/** How a job ended. */
export type JobEnd =
  | { readonly kind: 'completed'; readonly snapshotAt: Instant | undefined; readonly incomplete: number }
  | { readonly kind: 'failed'; readonly says: string }
  | { readonly kind: 'given-up'; readonly after: number };

/** The job was asked about. Without `end` it still runs. */
export function checked(
  document: WalletDocument,
  { job, status, now }: { readonly job: FollowedJob; readonly status: RefreshStatus; readonly now: Instant },
): { readonly document: WalletDocument; readonly end?: JobEnd } {
  const over = without(without(document, 'job'), 'lost');
  const { error, snapshotAt, incomplete } = status;
  // An error ends it whatever its status says, and only the word that is known ends it without one.
  if (error !== undefined) return { document: failed(over, now, 'failed'), end: { kind: 'failed', says: error } };
  if (status.status?.toLowerCase() !== 'completed') return overdue(document, job, now);
  const left = incomplete > 0 ? { accounts: incomplete, token: job.token, resumed: document.left?.resumed ?? 0 } : undefined;
  const done = { ...without(without(over, 'left'), 'pause'), failures: 0, doneAt: now, ...(left === undefined ? {} : { left }) };
  const known = snapshotAt === undefined ? done : withSnapshot(done, snapshotAt, job.token);
  return { document: known, end: { kind: 'completed', snapshotAt, incomplete } };
}

/** Given up once it was followed for too long; else it runs on. */
export function overdue(
  document: WalletDocument,
  job: FollowedJob,
  now: Instant,
): { readonly document: WalletDocument; readonly end?: JobEnd } {
  const after = now - job.since;
  if (after < JOB_LIMIT) return { document };
  return { document: { ...failed(without(document, 'job'), now, 'given-up'), lost: job }, end: { kind: 'given-up', after } };
}

/** One of a single token leaves the others, and all ranks, as old as they were. */
function withSnapshot(document: WalletDocument, snapshotAt: Instant, token: string | undefined): WalletDocument {
  const partials = token === undefined ? document.partials : [...new Set([...document.partials, snapshotAt])].slice(-MOST_PARTIALS);
  return { ...document, snapshotAt, partials, wholeAt: partials.includes(snapshotAt) ? document.wholeAt : snapshotAt };
}

function failed(document: WalletDocument, now: Instant, because: 'failed' | 'given-up'): WalletDocument {
  const failures = document.failures + 1;
  return { ...document, failures, pause: { until: later(now, failurePause(failures)), because } };
}

const without = (document: WalletDocument, name: 'job' | 'intent' | 'pause' | 'left' | 'lost'): WalletDocument => ({
  ...document,
  [name]: undefined,
});
