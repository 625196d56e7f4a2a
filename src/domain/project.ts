/** Describes a project by its name and ids. */
import { z } from 'zod';
import { slugSchema } from './scalars.js';

export const projectSchema = z.object({
  slug: slugSchema,
  /** The slug if the service gives no name. */
  name: z.string(),
  symbol: z.string().optional(),
  mint: z.string().optional(),
});
export type Project = z.infer<typeof projectSchema>;

export const MAX_NAME_WORDS = 8;
/** The value is in characters. Limited because the cost of a fuzzy search grows with the length. */
const MAX_NAME_LENGTH = 64;

export const isNameSized = (text: string): boolean =>
  text !== '' && text.length <= MAX_NAME_LENGTH && text.split(/\s+/u).length <= MAX_NAME_WORDS;
