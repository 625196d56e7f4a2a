/** This module defines a message without events (a digest), which is composed elsewhere and queued. */
import { z } from 'zod';
import { storedReplySchema } from '../../chat/reply.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';

export const preparedSchema = z.object({
  id: z.string(),
  /** Text such as "Daily digest". */
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

/** Returns until when a mute suppresses a prepared message. Quiet hours do not. */
export const mutedUntil = ({ mutedUntil: until }: Chat, now: Instant): Instant | undefined =>
  until !== undefined && until > now ? until : undefined;

/** Returns when the message is sent, or dropped at `until`. Future times were stored before the clock was set back. */
export function preparedDue({ queuedAt, until }: PreparedMessage, chat: Chat, now: Instant): Instant {
  const muted = mutedUntil(chat, now);
  if (muted !== undefined) return muted < until ? muted : until;
  return queuedAt < now ? queuedAt : now;
}
