/** Message without events (a digest), composed elsewhere and queued. */
import { z } from 'zod';
import { storedReplySchema } from '../../chat/reply.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';

export const preparedSchema = z.object({
  id: z.string(),
  /** "Daily digest". */
  summary: z.string(),
  reply: storedReplySchema,
  queuedAt: instantSchema,
  until: instantSchema,
  silent: z.literal(true).optional(),
});
export type PreparedMessage = z.infer<typeof preparedSchema>;

export const preparedPartSchema = preparedSchema.pick({ queuedAt: true, until: true });

interface Chat {
  readonly mutedUntil?: Instant | undefined;
}

/** Quiet hours do not suppress it. */
export const mutedUntil = ({ mutedUntil: until }: Chat, now: Instant): Instant | undefined =>
  until !== undefined && until > now ? until : undefined;

/** Dropped at `until`. Future times predate a clock set back. */
export function preparedDue({ queuedAt, until }: PreparedMessage, chat: Chat, now: Instant): Instant {
  const muted = mutedUntil(chat, now);
  if (muted !== undefined) return muted < until ? muted : until;
  return queuedAt < now ? queuedAt : now;
}
