/** An entry of a watchlist: what a chat watches, since when, and which kinds of news it wants of it. */
import { z } from 'zod';
import { instantSchema, slugSchema } from '../domain/scalars.js';

const targetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('project'), slug: slugSchema }),
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('launches') }),
]);
export type Target = z.infer<typeof targetSchema>;

export const entrySchema = z.object({
  target: targetSchema,
  /** What the service dates earlier is not told to this entry. */
  since: instantSchema,
  /** Who set it up, for "Why?". */
  by: z.string(),
  /** Alert kinds switched off. A new entry wants every kind there is for its target. */
  off: z.array(z.string()).readonly().default([]),
  mutedUntil: instantSchema.optional(),
});
export type Entry = z.infer<typeof entrySchema>;

/** The target in a line of chat: a slug, `all` or `launches`. Also its key within a watchlist. */
export const targetName = (target: Target): string => (target.kind === 'project' ? target.slug : target.kind);

/** `all` and `launches` are words of ours, so a project of that name is reached by its symbol or name only. */
export const LAUNCHES_FEED = 'launches';

/** Which alert kinds there are for a target; an entry for launches wants launches alone. */
export const kindsFor = (target: Target, kinds: readonly string[]): readonly string[] =>
  target.kind === 'launches' ? kinds.filter((kind) => kind === LAUNCHES_FEED) : kinds;
