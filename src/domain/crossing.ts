/** Describes what a threshold alert reports. */
import { z } from 'zod';
import { measureSchema, thresholdRuleSchema } from './threshold-rule.js';
import { decimalSchema, instantSchema } from './scalars.js';

export const pointSchema = z.object({ at: instantSchema, value: decimalSchema });
export type Point = z.infer<typeof pointSchema>;

/** Describes how a measure was spread during the previous year. */
export const yearSpreadSchema = z.object({ mean: decimalSchema, deviation: decimalSchema, count: z.int() });
export type YearSpread = z.infer<typeof yearSpreadSchema>;

export const sideSchema = z.enum(['high', 'low']);
/** This is the side of the threshold, or the direction of a move. */
export type Side = z.infer<typeof sideSchema>;

export const crossingSchema = z.object({
  rule: thresholdRuleSchema,
  side: sideSchema,
  now: pointSchema,
  was: pointSchema,
  /** This is the last alerted value, or the first one if none was alerted. */
  since: pointSchema,
  /** This says how far the value is from those of its own year. */
  zScore: decimalSchema.optional(),
  year: yearSpreadSchema.optional(),
  /** The value is back, and `now` is where: this is the value that was furthest beyond the threshold since the alert at `since`. */
  furthest: pointSchema.optional(),
  /** The rule waits until a value has lasted, and the one that it alerts of had been beyond the threshold since then. */
  heldSince: instantSchema.optional(),
  /** The rule joins conditions, and these are the values of the others, from the same response. */
  others: z.partialRecord(measureSchema, decimalSchema).optional(),
});
export type Crossing = z.infer<typeof crossingSchema>;
