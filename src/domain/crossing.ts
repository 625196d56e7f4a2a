/** The facts of a threshold alert. Evaluated in `alerts/evaluation/threshold.ts`. */
import { z } from 'zod';
import { HOUR } from '../base/clock.js';
import { thresholdRuleSchema } from './threshold-rule.js';
import { decimalSchema, instantSchema } from './scalars.js';

/**
 * Minimum time between two alerts of a rule, in ms; an earlier one is delayed and dropped if it is no longer true. Extremes use their
 * hysteresis instead.
 */
export const COOLDOWN = HOUR;

export const pointSchema = z.object({ at: instantSchema, value: decimalSchema });
export type Point = z.infer<typeof pointSchema>;

export const sideSchema = z.enum(['high', 'low']);
/** The side of the threshold, or the direction of the move. */
export type Side = z.infer<typeof sideSchema>;

export const crossingSchema = z.object({
  rule: thresholdRuleSchema,
  side: sideSchema,
  now: pointSchema,
  /** The previous measurement. */
  was: pointSchema,
  /** The last alerted value, or the first one measured. */
  since: pointSchema,
  /** Against its own year, in standard deviations. */
  zScore: decimalSchema.optional(),
});
export type Crossing = z.infer<typeof crossingSchema>;
