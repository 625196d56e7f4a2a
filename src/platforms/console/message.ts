/** Message on the console. */
import { z } from 'zod';
import { replySchema } from '../../chat/reply.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';

export const chatNameSchema = z.string().regex(/^[a-z0-9-]{1,32}$/, 'A chat is named with 1 to 32 of a-z, 0-9 and "-".');

export const messageSchema = z.object({
  /** Within its chat; never used twice. */
  id: z.int().positive(),
  at: instantSchema,
  kind: z.enum(['question', 'reply', 'alert']),
  text: z.string(),
  reply: replySchema.optional(),
  /** `size` in bytes. The content is not kept. */
  sent: z
    .array(z.object({ name: z.string(), size: z.int() }))
    .readonly()
    .optional(),
  /** The message that it follows. */
  answers: z.int().positive().optional(),
  editedAt: instantSchema.optional(),
  deliveryId: z.string().optional(),
  /** The page shows no notification for it. */
  silent: z.literal(true).optional(),
});
export type ConsoleMessage = z.infer<typeof messageSchema>;

export type Draft = Omit<ConsoleMessage, 'id'>;

/** Undefined for a moment outside the calendar. */
export function isoText(at: Instant): string | undefined {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export const forApi = ({ id, at, editedAt, reply, ...rest }: ConsoleMessage) => ({
  id,
  at: isoText(at) ?? '',
  ...(editedAt === undefined ? {} : { editedAt: isoText(editedAt) ?? '' }),
  ...rest,
  ...(reply === undefined
    ? {}
    : { reply: { ...reply, files: reply.files.map(({ name, type, text }) => ({ name, type, bytes: Buffer.byteLength(text) })) } }),
});
