/** That a figure crossed a rule of a watchlist: what one alert about a level says of itself. Domain words; who judges it stands in `alerts/evaluation/threshold.ts`. */
import { z } from 'zod';
import { HOUR } from '../base/clock.js';
import { thresholdRuleSchema } from './threshold-rule.js';
import { decimalSchema, instantSchema } from './scalars.js';

/** Two alerts of one rule are at least this far apart; an alert that comes sooner is told after it, if it is still true then. Extremes are spaced by their dead-band. */
export const COOLDOWN = HOUR;

export const pointSchema = z.object({ at: instantSchema, value: decimalSchema });
/** A figure at a moment. */
export type Point = z.infer<typeof pointSchema>;

export const sideSchema = z.enum(['high', 'low']);
/** Above or below: the side of the line, or the direction it moved. */
export type Side = z.infer<typeof sideSchema>;

export const crossingSchema = z.object({
  rule: thresholdRuleSchema,
  side: sideSchema,
  now: pointSchema,
  /** The reading before this one. */
  was: pointSchema,
  /** The last alerted value, or the first one read. */
  since: pointSchema,
  /** Where it stands among its own year, in standard deviations. */
  zScore: decimalSchema.optional(),
});
export type Crossing = z.infer<typeof crossingSchema>;
