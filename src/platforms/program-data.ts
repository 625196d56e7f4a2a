/** Defines what webhooks and the API write for programs in the same way: exact amounts, moments, and the crossings of threshold alerts. */
import { z } from 'zod';
import { omitUndefined } from '../base/omit-undefined.js';
import type { Crossing, Point } from '../domain/crossing.js';
import { thresholdKey } from '../domain/threshold-rule.js';
import { decimalSchema, type Instant } from '../domain/scalars.js';

const moment = z.iso.datetime();
export const amount = decimalSchema.describe('Exact decimal text, never rounded.');
const pointSchema = z.object({ at: moment, value: amount });

export const crossingSchema = z.object({
  measure: z.string().describe('Such as premium, price, nav, runway or rank.'),
  rule: z.string().describe('The threshold rule.'),
  side: z.enum(['high', 'low']),
  was: pointSchema.describe('The value before.'),
  now: pointSchema,
  others: z
    .record(z.string(), amount)
    .optional()
    .describe('Of a rule with "and": the values of its other measures, from the same response.'),
  heldSince: moment.optional().describe('Of a rule with "for": the value has been beyond the threshold since then.'),
  back: z
    .object({ since: pointSchema, furthest: pointSchema })
    .optional()
    .describe('The alert of `since` is over; `furthest` is the value furthest beyond the threshold.'),
});

/** The years 1 to 9999, in milliseconds. */
const [MIN_TIME, MAX_TIME] = [-62_135_596_800_000, 253_402_300_799_999];
/** Writes a moment in UTC. One outside the calendar becomes its first or last. */
export const iso = (at: Instant): string => new Date(Math.min(MAX_TIME, Math.max(MIN_TIME, at))).toISOString();

const pointOf = ({ at, value }: Point) => ({ at: iso(at), value });

/** The data of a crossing, as `crossingSchema` describes it. */
export const crossingOf = ({ rule, side, was, now, since, furthest, heldSince, others }: Crossing) => ({
  measure: rule.measure,
  rule: thresholdKey(rule),
  side,
  was: pointOf(was),
  now: pointOf(now),
  ...omitUndefined({ others }),
  ...(heldSince === undefined ? {} : { heldSince: iso(heldSince) }),
  ...(furthest === undefined ? {} : { back: { since: pointOf(since), furthest: pointOf(furthest) } }),
});
