/** Private chat of the bot and a person. */
import { z } from 'zod';
import type { Address } from '../../chat/address.js';
import { addressOf } from './address.js';
import type { Interaction } from './interaction.js';
import { isCode } from './outcome.js';
import type { RestCall } from './rest.js';

const channelSchema = z.object({ id: z.string() });

/** Undefined for who takes no direct messages. Rejects with the library's errors. */
export async function directChat(call: RestCall, { guild, isOutside, chat, person }: Interaction): Promise<Address | undefined> {
  if (guild === undefined && !isOutside) return chat;
  try {
    const channel = await call({ method: 'POST', path: '/users/@me/channels', body: { recipient_id: person.id } });
    return addressOf(channelSchema.parse(channel).id);
  } catch (error) {
    if (isCode(error, 50_007)) return undefined;
    throw error;
  }
}
