/** This module defines an event in a chat's queue, and the id of the delivery that several make. */
import { z } from 'zod';
import { crossingSchema } from '../../domain/crossing.js';
import { instantSchema, slugSchema, type Instant } from '../../domain/scalars.js';
import { hash } from 'node:crypto';
import { lateSchema } from '../watchlist/absence.js';
import { targetName, type Entry } from '../watchlist/entry.js';
import { entryAbout } from '../watchlist/exceptions.js';
import type { Chat } from '../watchlist/watchlists.js';
import type { Address } from '../../chat/address.js';

/** The corrected alert. Without a message id its message cannot be edited. */
const correctsSchema = z.object({
  event: z.string(),
  delivery: z.string().optional(),
  messageId: z.string().optional(),
  /** The correction is a message of its own, because the alert's message cannot be edited. */
  followsUp: z.literal(true).optional(),
  notBefore: instantSchema.optional(),
});

export const memberSchema = z.object({
  event: z.string(),
  /** The name of the entry's target. */
  entry: z.string(),
  /** Set for launches, whose ids do not contain their project. */
  project: slugSchema.optional(),
  queuedAt: instantSchema,
  rule: z.string().optional(),
  crossings: z.array(crossingSchema).readonly().optional(),
  /** Set for a late event, which goes into a summary. */
  late: lateSchema.optional(),
  sample: z.boolean().optional(),
  /** An attempt at the chat's former address may have arrived. */
  mayHaveArrived: z.literal(true).optional(),
  corrects: correctsSchema.optional(),
  /** A `notice` is a message of its own; a `step` only edits the live one. */
  live: z.object({ topic: z.string(), part: z.enum(['step', 'notice']) }).optional(),
});
export type Member = z.infer<typeof memberSchema>;

const subjectSchema = slugSchema.optional().catch(undefined);

/** Returns the entry that queued an item, with its project's exception applied; undefined if the entry is gone or excludes the project. */
export function entryOf(
  { entries }: Pick<Chat, 'entries'>,
  { entry: name, event, project }: Pick<Member, 'entry' | 'event' | 'project'>,
): Entry | undefined {
  const entry = entries.find(({ target }) => targetName(target) === name);
  if (entry?.exceptions === undefined) return entry;
  return entryAbout(entry, { project: project ?? subjectSchema.parse(event.split('/')[1]) });
}

export const withoutMessage = ({ corrects, ...member }: Member): Member =>
  corrects === undefined ? member : { ...member, corrects: { event: corrects.event } };

/** Returns an id that is equal for equal events, and differs for each `again`. */
export const deliveryId = (address: Address, members: readonly Member[], again?: Instant): string =>
  hash(
    'sha256',
    JSON.stringify([address, members.map((member) => member.event), ...(again === undefined ? [] : [again])]),
    'base64url',
  ).slice(0, 22);

/** Tells whether a text has the form of a delivery's id. One id in 100,000 has no capital letter and is missed. */
export const looksLikeDelivery = (text: string): boolean => /^(?=.*[A-Z])[\w-]{22}$/u.test(text);
