/**
 * Refreshes of wallets (§2.7, §3). A job is settled when it is taken: how long it queues and runs and how it ends. So what it is like at any moment, and
 * with it the age of a snapshot, follows from the journal and the clock alone.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { SECOND, later, type Instant } from '../../base/clock.js';
import { instantSchema } from '../../domain/scalars.js';
import { walletAddressSchema } from '../../domain/wallet.js';

export const refreshJobSchema = z.object({
  jobId: z.string(),
  wallet: walletAddressSchema,
  /** The project whose token alone is refreshed. */
  slug: z.string().optional(),
  requestedAt: instantSchema,
  queues: z.int().min(0),
  /** Milliseconds; a job that hangs never ends. */
  runs: z.int().min(0),
  outcome: z.enum(['completes', 'fails', 'hangs']),
  word: z.string(),
  message: z.string(),
  mints: z.int().min(1),
  transactions: z.int().min(0),
  incomplete: z.int().min(0),
  cooldown: z.int().min(0),
});
export type RefreshJob = z.output<typeof refreshJobSchema>;

/** The first seconds of every job. */
export const QUEUES = 2 * SECOND;

/** When a job ends; undefined for one that hangs. */
export const endOf = (job: RefreshJob): Instant | undefined =>
  job.outcome === 'hangs' ? undefined : later(job.requestedAt, job.queues + job.runs);

export const isOver = (job: RefreshJob, at: Instant): boolean => (endOf(job) ?? Infinity) <= at;

/** What a job has made of the snapshot by then: when it was completed; undefined where it was not. */
export const completedAt = (job: RefreshJob, at: Instant): Instant | undefined =>
  job.outcome === 'completes' && isOver(job, at) ? endOf(job) : undefined;

/** How far a job is, from 0 to 1. */
export const doneShare = (job: RefreshJob, at: Instant): number =>
  Math.min(1, Math.max(0, (at - job.requestedAt - job.queues) / Math.max(1, job.runs)));

/** A UUID that follows from what it stands for. */
export function jobIdOf(...name: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(JSON.stringify(name)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const LATEST = 12;

/** Of one wallet's jobs those that still mean something: the latest, and those that the snapshot stands on. */
export function kept(jobs: readonly RefreshJob[]): readonly RefreshJob[] {
  const completes = jobs.filter(({ outcome }) => outcome === 'completes');
  const whole = completes.findLast(({ slug }) => slug === undefined);
  const bySlug = new Map(completes.flatMap((job) => (job.slug === undefined ? [] : [[job.slug, job] as const])));
  const standing = new Set([whole, ...bySlug.values(), ...jobs.slice(-LATEST)]);
  return jobs.filter((job) => standing.has(job));
}
