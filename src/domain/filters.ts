/** Filters of a kind: size, stages, metrics, messages beside a live one. */
import { z } from 'zod';
import { leastPercentSchema, leastUsdSchema } from './threshold-rule.js';

/** Separators are refused. */
const wordSchema = z.string().regex(/^[^\s,;:<>=]{1,60}$/u, 'A stage or metric is one word of at most 60 characters.');

export const filtersSchema = z.object({
  leastUsd: leastUsdSchema.optional(),
  leastPercent: leastPercentSchema.optional(),
  /** One suffices. Default: both. */
  eitherSize: z.literal(true).optional(),
  stages: z.array(wordSchema).min(1).max(20, 'There is room for 20 stages.').readonly().optional(),
  metrics: z.array(wordSchema).min(1).max(20, 'There is room for 20 metrics.').readonly().optional(),
  /** Stages with a message of their own; `none`; `off`: no live message. Default: the kind's. */
  updates: z.array(wordSchema).min(1).max(20, 'There is room for 20 stages.').readonly().optional(),
});
export type Filters = z.infer<typeof filtersSchema>;

export type FilterName = Exclude<keyof Filters, 'eitherSize'>;
