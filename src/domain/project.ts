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

/** The most words that are read as one name. */
export const MAX_NAME_WORDS = 8;
/** The most characters of a name that is searched by spelling, whose cost grows with its length. */
const MAX_NAME_LENGTH = 64;

/** Whether a text is short enough to be searched by spelling. An exact name may be longer. */
export const isNameSized = (text: string): boolean =>
  text !== '' && text.length <= MAX_NAME_LENGTH && text.split(/\s+/u).length <= MAX_NAME_WORDS;
