/** A project as the bot knows it: enough to find it and to name it. */
import { z } from 'zod';
import { slugSchema } from './scalars.js';

export const projectSchema = z.object({
  slug: slugSchema,
  /** The human name; the slug where the service shows none. */
  name: z.string(),
  /** The token's symbol, where known. */
  symbol: z.string().optional(),
  /** The token's mint address, where known. */
  mint: z.string().optional(),
});
export type Project = z.infer<typeof projectSchema>;
