/** Refresh jobs (§2.7, §3) are decided when they are accepted, so the journal and the clock give their state. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { SECOND, later, type Instant } from '../../base/clock.js';
import { instantSchema } from '../../domain/scalars.js';
import { walletAddressSchema } from '../../domain/wallet.js';

export const refreshJobSchema = z.object({
  jobId: z.string(),
  wallet: walletAddressSchema,
  slug: z.string().optional(),
  requestedAt: instantSchema,
  queues: z.int().min(0),
  /** It is in milliseconds, and ignored for a job that hangs. */
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

/** A job waits so many milliseconds in the queue. */
export const QUEUES = 2 * SECOND;

export const endOf = (job: RefreshJob): Instant | undefined =>
  job.outcome === 'hangs' ? undefined : later(job.requestedAt, job.queues + job.runs);

export const isOver = (job: RefreshJob, at: Instant): boolean => (endOf(job) ?? Infinity) <= at;

export const completedAt = (job: RefreshJob, at: Instant): Instant | undefined =>
  job.outcome === 'completes' && isOver(job, at) ? endOf(job) : undefined;

export const doneShare = (job: RefreshJob, at: Instant): number =>
  Math.min(1, Math.max(0, (at - job.requestedAt - job.queues) / Math.max(1, job.runs)));

export function jobIdOf(...name: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(JSON.stringify(name)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const LATEST = 12;

export function kept(jobs: readonly RefreshJob[]): readonly RefreshJob[] {
  const completes = jobs.filter(({ outcome }) => outcome === 'completes');
  const whole = completes.findLast(({ slug }) => slug === undefined);
  const bySlug = new Map(completes.flatMap((job) => (job.slug === undefined ? [] : [[job.slug, job] as const])));
  const needed = new Set([whole, ...bySlug.values(), ...jobs.slice(-LATEST)]);
  return jobs.filter((job) => needed.has(job));
}
