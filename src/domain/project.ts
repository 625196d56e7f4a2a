/** Name and ids of a project. */
import { z } from 'zod';
import { slugSchema } from './scalars.js';

export const projectSchema = z.object({
  slug: slugSchema,
  /** The slug where the service gives no name. */
  name: z.string(),
  symbol: z.string().optional(),
  /** Mint address. */
  mint: z.string().optional(),
});
export type Project = z.infer<typeof projectSchema>;

/** Maximum words of a name. */
export const MAX_NAME_WORDS = 8;
/** Maximum characters for a fuzzy search, whose cost grows with the length. */
const MAX_NAME_LENGTH = 64;

/** Whether a fuzzy search is allowed. An exact name may be longer. */
export const isNameSized = (text: string): boolean =>
  text !== '' && text.length <= MAX_NAME_LENGTH && text.split(/\s+/u).length <= MAX_NAME_WORDS;
