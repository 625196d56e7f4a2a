/** A whole message as Discord takes it. Nobody is ever mentioned by it, whatever stands in it. */
import type { APIEmbed } from 'discord.js';
import type { Reply } from '../../chat/reply.js';
import type { Actions } from '../actions.js';
import { componentsOf } from './components.js';
import { embedOf } from './render.js';

export interface MessageBody {
  readonly embeds: readonly APIEmbed[];
  readonly components: Awaited<ReturnType<typeof componentsOf>>;
  readonly allowed_mentions: { readonly parse: readonly [] };
}

/** Rejects with the store's error where a button's line is too long for its payload and cannot be kept. */
export const messageOf = async (reply: Reply, kept: Actions): Promise<MessageBody> => ({
  embeds: [embedOf(reply)],
  components: await componentsOf(reply.actions, kept),
  allowed_mentions: { parse: [] },
});
