/** Messages between the bot and the drawing thread. */
import { z } from 'zod';
import { chartSchema } from '../chat/chart.js';
import { THEMES } from './theme.js';

export const orderSchema = z.object({
  id: z.int(),
  chart: chartSchema,
  theme: z.enum(THEMES),
  form: z.enum(['svg', 'png']),
});
export type DrawOrder = z.infer<typeof orderSchema>;

export const paintedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), id: z.int(), bytes: z.instanceof(Uint8Array) }),
  /** The thread is still usable. */
  z.object({ kind: z.literal('refused'), id: z.int(), because: z.string() }),
]);
export type Painted = z.infer<typeof paintedSchema>;
