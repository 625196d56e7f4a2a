/** An entry of a watchlist: what a chat watches, since when, and which kinds of news it wants of it. */
import { z } from 'zod';
import { mentionSchema } from '../../chat/reply.js';
import type { FeedEvent } from '../../domain/event.js';
import { instantSchema, slugSchema } from '../../domain/scalars.js';
import { shortKey, walletAddressSchema } from '../../domain/wallet.js';
import { rulesSchema } from '../rules/rule.js';

const targetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('project'), slug: slugSchema }),
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('launches') }),
  /** `label` is what this chat calls it. */
  z.object({ kind: z.literal('wallet'), address: walletAddressSchema, label: z.string().optional() }),
]);
export type Target = z.infer<typeof targetSchema>;

/** How old news may be when it can be told at last, unless somebody chose otherwise: nobody wants to hear on Thursday what was live on Monday. */
export const DEFAULT_AGE_HOURS = 72;
export const MAX_AGE_HOURS = 30 * 24;
export const MAX_MENTIONS = 5;

export const entrySchema = z.object({
  target: targetSchema,
  /** What the service dates earlier is not told to this entry. */
  since: instantSchema,
  /** Who set it up, by the name they had, for "Why?". */
  by: z.string(),
  /** The same person as `<platform>/<id>`, for `/privacy`. */
  byId: z.string().optional(),
  /** Alert kinds switched off. A new entry wants every kind there is for its target. */
  off: z.array(z.string()).readonly().default([]),
  mutedUntil: instantSchema.optional(),
  /** Kinds of this entry that are muted, each until when. */
  mutedKinds: z.record(z.string(), instantSchema).optional(),
  /** What it wants of a kind, where somebody chose; any other kind is told as is usual (`wanted` in rule.ts). */
  rules: z.record(z.string(), rulesSchema).optional(),
  /** News older than so many hours when it could be told is not told any more. Absent: `USUAL_AGE_HOURS`. */
  maxAgeHours: z.int().min(1).max(MAX_AGE_HOURS).optional(),
  /** Who is to be pinged by its alerts, where the platform can: nothing else in an alert ever pings. */
  mentions: z.array(mentionSchema).max(MAX_MENTIONS).readonly().optional(),
});
export type Entry = z.infer<typeof entrySchema>;

/** What an event is about, as far as it decides which chats are alerted. */
export type About = Pick<FeedEvent, 'feed' | 'project' | 'wallet'>;

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
