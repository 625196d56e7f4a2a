/** This module defines a wallet's refresh state, `wallet/<address>`, its transitions and waits. An intent is stored before each request. */
import { z } from 'zod';
import type { RefreshStatus, WalletOverview } from '../../analytics/endpoints/wallets.js';
import { instantSchema } from '../../domain/scalars.js';
import { HOUR, MINUTE, SECOND, instant, later, type Instant } from '../../base/clock.js';
import { walletAddressSchema, type WalletAddress } from '../../domain/wallet.js';
import type { Collection, Store } from '../../store/store.js';
import { backoff } from '../../base/backoff.js';

const jobSchema = z.object({
  id: z.string(),
  /** Absent for all tokens, and for a job that somebody else started. */
  token: z.string().optional(),
  since: instantSchema,
});
export type FollowedJob = z.infer<typeof jobSchema>;

const documentSchema = z.object({
  address: walletAddressSchema,
  snapshotAt: instantSchema.optional(),
  /** When a snapshot of all tokens was last made. */
  wholeAt: instantSchema.optional(),
  partials: z.array(instantSchema).readonly().default([]),
  job: jobSchema.optional(),
  /** A request without an answer. `refusedAt` is when it was refused without a wait time. */
  intent: z.object({ at: instantSchema, token: z.string().optional(), refusedAt: instantSchema.optional() }).optional(),
  /** No request is made before `until`. */
  pause: z.object({ until: instantSchema, because: z.enum(['limited', 'untold', 'failed', 'given-up']) }).optional(),
  left: z.object({ accounts: z.int(), token: z.string().optional(), resumed: z.int() }).optional(),
  doneAt: instantSchema.optional(),
  /** Failures in a row. */
  failures: z.int().default(0),
  /** A job that was given up, which is not followed again for the full time. */
  lost: jobSchema.optional(),
});
export type WalletDocument = z.infer<typeof documentSchema>;
export type WalletDocuments = Collection<WalletDocument>;

export interface WalletState {
  readonly overview: Pick<WalletOverview, 'snapshotAt' | 'limited' | 'retryAfterSeconds' | 'job'>;
  readonly at: Instant;
}

export const openWalletDocuments = (store: Store): WalletDocuments =>
  store.collection({ prefix: 'wallet', schema: documentSchema, version: 1 });

export const blank = (address: WalletAddress): WalletDocument => ({ address, partials: [], failures: 0 });

/** A hundred years, so that the end of a pause is still a valid date. */
const LONGEST = 36_525 * 24 * HOUR;

export function pauseUntil(seconds: number | undefined, at: Instant): Instant | undefined {
  if (seconds === undefined || !(seconds > 0)) return undefined;
  return roundedUp(instant(at + Math.min(Math.ceil(seconds) * SECOND, LONGEST)));
}

export const roundedUp = (at: Instant): Instant => instant(Math.ceil(at / SECOND) * SECOND);

const AFTER_FAILURE = { first: 15 * MINUTE, most: 6 * HOUR };

export const failurePause = (failures: number): number => backoff(AFTER_FAILURE, failures);

const FIRST_CHECK = 3 * SECOND;
const SLOWEST_CHECK = 30 * SECOND;

/** Returns the pause before the next status check. It grows, because most jobs are short. */
export const checkPause = (checks: number): number => Math.min(SLOWEST_CHECK, Math.round(FIRST_CHECK * 1.5 ** checks));

const RETRY = { first: 30 * SECOND, most: AFTER_FAILURE.first };

export const retryPause = (tries: number): number => backoff(RETRY, tries);

const JOB_LIMIT = 30 * MINUTE;
const MAX_PARTIALS = 8;

/** Records a snapshot. It settles an unanswered request if it shows that the request ran. */
export function noted(document: WalletDocument, { overview: { snapshotAt } }: WalletState): WalletDocument {
  const { intent } = document;
  if (snapshotAt === undefined) return document;
  // A snapshot made after the request shows that it ran. The service's times are in whole seconds.
  const isAnswered = intent !== undefined && intent.refusedAt === undefined && snapshotAt >= Math.floor(intent.at / SECOND) * SECOND;
  const known = withSnapshot(document, snapshotAt, isAnswered ? intent.token : undefined);
  return isAnswered ? without(known, 'intent') : known;
}

export const intending = (document: WalletDocument, now: Instant, token: string | undefined): WalletDocument => ({
  ...without(document, 'pause'),
  intent: { at: now, token },
});

/** Records a job to follow. With `token` it is for that token only. */
export function following(
  document: WalletDocument,
  id: string,
  { now, token }: { now: Instant; token: string | undefined },
): WalletDocument {
  // A job that was given up before is not followed for the full time again.
  const since = document.lost?.id === id ? document.lost.since : now;
  return { ...without(without(document, 'intent'), 'pause'), job: { id, token, since } };
}

export function accepted(
  document: WalletDocument,
  { jobId, alreadyRunning }: { readonly jobId: string; readonly alreadyRunning: boolean },
  now: Instant,
): WalletDocument {
  const { left, intent } = document;
  const next = following(document, jobId, { now, token: alreadyRunning ? undefined : intent?.token });
  return left === undefined || left.accounts === 0 ? next : { ...next, left: { ...left, resumed: left.resumed + 1 } };
}

/** Records a refusal. A wait of 0 seconds counts as no wait time, or the request would be repeated without end. */
export const refused = (document: WalletDocument, until: Instant | undefined, now: Instant): WalletDocument =>
  until === undefined || until <= now
    ? { ...document, intent: { at: now, ...document.intent, refusedAt: now } }
    : { ...without(document, 'intent'), pause: { until: roundedUp(until), because: 'limited' } };

export const pausing = (document: WalletDocument, until: Instant, because: 'limited' | 'untold'): WalletDocument => ({
  ...without(document, 'intent'),
  pause: { until, because },
});

export const unasked = (document: WalletDocument): WalletDocument => without(document, 'intent');

export const rejected = (document: WalletDocument, now: Instant): WalletDocument => failed(without(document, 'intent'), now, 'failed');

/** Records that the service no longer knows the job, so its outcome is unknown. */
export const forgotten = (document: WalletDocument, { since, token }: FollowedJob): WalletDocument => ({
  ...without(document, 'job'),
  intent: { at: since, token },
});

type JobEnd =
  | { readonly kind: 'completed'; readonly snapshotAt: Instant | undefined; readonly incomplete: number }
  | { readonly kind: 'failed'; readonly says: string }
  | { readonly kind: 'given-up'; readonly after: number };

/** Records a job's status. Without `end` in the result it still runs. */
export function checked(
  document: WalletDocument,
  { job, status, now }: { readonly job: FollowedJob; readonly status: RefreshStatus; readonly now: Instant },
): { readonly document: WalletDocument; readonly end?: JobEnd } {
  const over = without(without(document, 'job'), 'lost');
  const { error, snapshotAt, incomplete } = status;
  // An error ends the job whatever its status; without one, only a known status does.
  if (error !== undefined) return { document: failed(over, now, 'failed'), end: { kind: 'failed', says: error } };
  if (status.status?.toLowerCase() !== 'completed') return overdue(document, job, now);
  const left = incomplete > 0 ? { accounts: incomplete, token: job.token, resumed: document.left?.resumed ?? 0 } : undefined;
  const done = { ...without(without(over, 'left'), 'pause'), failures: 0, doneAt: now, ...(left === undefined ? {} : { left }) };
  const known = snapshotAt === undefined ? done : withSnapshot(done, snapshotAt, job.token);
  return { document: known, end: { kind: 'completed', snapshotAt, incomplete } };
}

export function overdue(
  document: WalletDocument,
  job: FollowedJob,
  now: Instant,
): { readonly document: WalletDocument; readonly end?: JobEnd } {
  const after = now - job.since;
  if (after < JOB_LIMIT) return { document };
  return { document: { ...failed(without(document, 'job'), now, 'given-up'), lost: job }, end: { kind: 'given-up', after } };
}

/** Records a snapshot. A refresh of one token does not change `wholeAt`. */
function withSnapshot(document: WalletDocument, snapshotAt: Instant, token: string | undefined): WalletDocument {
  const partials = token === undefined ? document.partials : [...new Set([...document.partials, snapshotAt])].slice(-MAX_PARTIALS);
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
