/** Updates where several processes share the store: a chat's keep their order. */
import { z } from 'zod';
import type { ForwardedUpdate, Forwarding } from '../../chat/forwarding.js';
import type { ReceiveUpdates } from './receiving.js';
import type { UpdateQueue } from './update-queue.js';

const chat = z.object({ id: z.int() });
const chatSchema = z.object({
  update_id: z.int(),
  message: z.object({ chat }).optional(),
  channel_post: z.object({ chat }).optional(),
  callback_query: z.object({ message: z.object({ chat }).optional() }).optional(),
  my_chat_member: z.object({ chat }).optional(),
});

/** Undefined: of no chat, or no update at all. */
export function forwardedOf(raw: unknown): ForwardedUpdate | undefined {
  const { success, data: update } = chatSchema.safeParse(raw);
  if (!success) return undefined;
  const { message, channel_post: post, callback_query: press, my_chat_member: membership } = update;
  const where = message?.chat ?? post?.chat ?? press?.message?.chat ?? membership?.chat;
  return where && { platform: 'telegram', chat: String(where.id), id: String(update.update_id), raw };
}

/** Behind those of the chat that wait. */
export const behindForwarded =
  (receive: ReceiveUpdates, forwarding: Pick<Forwarding, 'keep' | 'waits'>): ReceiveUpdates =>
  async (updates) => {
    for (const raw of updates) {
      const update = forwardedOf(raw);
      if (update !== undefined && (await forwarding.waits(update))) await forwarding.keep(update);
      else await receive([raw]);
    }
  };

/** Resolves when it is answered. */
export async function takeForwarded(
  raw: unknown,
  {
    receive,
    queue,
    endTurn,
  }: { readonly receive: ReceiveUpdates; readonly queue: UpdateQueue; readonly endTurn?: (() => void) | undefined },
): Promise<void> {
  await receive([raw]);
  const update = forwardedOf(raw);
  if (update !== undefined) await queue.handled(Number(update.id), endTurn);
}
