/** An entry of a watchlist: what a chat watches, since when, and which kinds of news it wants of it. */
import { z } from 'zod';
import { instantSchema, slugSchema } from '../domain/scalars.js';
import { shortKey, walletAddressSchema } from '../domain/wallet.js';

const targetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('project'), slug: slugSchema }),
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('launches') }),
  /** `label` is what this chat calls it. */
  z.object({ kind: z.literal('wallet'), address: walletAddressSchema, label: z.string().optional() }),
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

/** The target in a line of chat: a slug, a public key, `all` or `launches`. Also its key within a watchlist, so a new label makes no new entry. */
export function targetName(target: Target): string {
  if (target.kind === 'project') return target.slug;
  return target.kind === 'wallet' ? target.address : target.kind;
}

/** What the chat itself calls it; undefined where it gave no name. */
export const calledHere = (target: Target): string | undefined => (target.kind === 'wallet' ? target.label : undefined);

/** For a button or a column: its label, or as much of a public key as one knows it again by. */
export const shortName = (target: Target): string =>
  target.kind === 'wallet' ? (target.label ?? shortKey(target.address)) : targetName(target);

/** `all` and `launches` are words of ours, so a project of that name is reached by its symbol or name only. */
export const LAUNCHES_FEED = 'launches';

/** The only kind that there is of a wallet, and that there is of nothing else. */
const WALLET_FEED = 'wallet';

/** Which alert kinds there are for a target; an entry for launches wants launches alone, one for a wallet its own. */
export function kindsFor(target: Target, kinds: readonly string[]): readonly string[] {
  if (target.kind === 'launches') return kinds.filter((kind) => kind === LAUNCHES_FEED);
  return kinds.filter((kind) => (kind === WALLET_FEED) === (target.kind === 'wallet'));
}
