/** Describes what a threshold alert reports. */
import { z } from 'zod';
import { measureSchema, thresholdRuleSchema } from './threshold-rule.js';
import { decimalSchema, instantSchema } from './scalars.js';

export const pointSchema = z.object({ at: instantSchema, value: decimalSchema });
export type Point = z.infer<typeof pointSchema>;

/** The mean and deviation of a measure during the previous year. */
export const yearSpreadSchema = z.object({ mean: decimalSchema, deviation: decimalSchema, count: z.int() });
export type YearSpread = z.infer<typeof yearSpreadSchema>;

export const sideSchema = z.enum(['high', 'low']);
/** The side of the threshold, or the direction of a move. */
export type Side = z.infer<typeof sideSchema>;

export const crossingSchema = z.object({
  rule: thresholdRuleSchema,
  side: sideSchema,
  now: pointSchema,
  was: pointSchema,
  /** The last alerted value, or the first one if none was alerted. */
  since: pointSchema,
  /** How far the value is from those of its own year. */
  zScore: decimalSchema.optional(),
  year: yearSpreadSchema.optional(),
  /** Set for a return: the value that was furthest beyond the threshold since the alert at `since`. */
  furthest: pointSchema.optional(),
  /** Set for a rule with a duration: since when the value has been beyond the threshold. */
  heldSince: instantSchema.optional(),
  /** Set for joined conditions: the values of the other measures, from the same response. */
  others: z.partialRecord(measureSchema, decimalSchema).optional(),
});
export type Crossing = z.infer<typeof crossingSchema>;
