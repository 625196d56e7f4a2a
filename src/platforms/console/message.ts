/** One entry of a conversation on the console, as the store keeps it and as the API shows it. */
import { z } from 'zod';
import { replySchema } from '../../chat/reply.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';

/** A chat's own name: the second part of `console/<name>`. */
export const chatNameSchema = z.string().regex(/^[a-z0-9-]{1,32}$/, 'A chat is named with 1 to 32 of a-z, 0-9 and "-".');

export const messageSchema = z.object({
  /** Counts up from 1 within its chat and is never used twice. */
  id: z.int().positive(),
  at: instantSchema,
  kind: z.enum(['question', 'reply', 'alert']),
  /** A question as typed; a reply or an alert in its full plain rendering. */
  text: z.string(),
  reply: replySchema.optional(),
  /** The files that went with a question; `size` in bytes. What stood in them is not kept. */
  sent: z
    .array(z.object({ name: z.string(), size: z.int() }))
    .readonly()
    .optional(),
  /** The id of the question that a reply answers. */
  answers: z.int().positive().optional(),
  /** The id of the delivery that an alert came in: posting the same one again finds it here. */
  deliveryId: z.string().optional(),
});
export type ConsoleMessage = z.infer<typeof messageSchema>;

/** A message before it has an id. */
export type Draft = Omit<ConsoleMessage, 'id'>;

/** ISO text, or undefined for a moment no calendar has: what the service dates may be nonsense, and must not break a page. */
export function isoText(at: Instant): string | undefined {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** The message for the API: the same, with the time as ISO text; the text of a file is downloaded by itself. */
export const forApi = ({ id, at, reply, ...rest }: ConsoleMessage) => ({
  id,
  at: isoText(at) ?? '',
  ...rest,
  ...(reply === undefined
    ? {}
    : { reply: { ...reply, files: reply.files.map(({ name, type, text }) => ({ name, type, bytes: Buffer.byteLength(text) })) } }),
});
