/** Past values for an alert's chart, oldest first. */
import { z } from 'zod';
import { decimalSchema, instantSchema } from './scalars.js';

/** Of one measure. Bounds the stored event. */
export const MAX_PAST_VALUES = 120;

/** By measure, as [Unix milliseconds, exact decimal]. */
export const pastValuesSchema = z.record(
  z.string(),
  z
    .array(z.tuple([instantSchema, decimalSchema]))
    .max(MAX_PAST_VALUES)
    .readonly(),
);
export type PastValues = z.infer<typeof pastValuesSchema>;
