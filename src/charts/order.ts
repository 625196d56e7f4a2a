/** What passes between the bot and the thread that draws: an order, and what became of it. */
import { z } from 'zod';
import { chartSchema } from '../chat/chart.js';
import { LOOKS } from './look.js';

export const orderSchema = z.object({
  id: z.int(),
  chart: chartSchema,
  look: z.enum(LOOKS),
  /** SVG whose words are outlines, or PNG. */
  form: z.enum(['svg', 'png']),
});
export type DrawOrder = z.infer<typeof orderSchema>;

export const paintedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), id: z.int(), bytes: z.instanceof(Uint8Array) }),
  /** It could not be drawn; the thread is well. */
  z.object({ kind: z.literal('refused'), id: z.int(), because: z.string() }),
]);
export type Painted = z.infer<typeof paintedSchema>;
