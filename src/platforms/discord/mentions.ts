/** May a person mention a role or person? */
import { PermissionFlagsBits } from 'discord.js';
import { z } from 'zod';
import type { Mention } from '../../chat/reply.js';
import { has, type Interaction } from './interaction.js';
import { isCode } from './outcome.js';
import { canSee } from './permissions.js';
import type { RestCall } from './rest.js';

const rolesSchema = z.array(z.object({ id: z.string(), mentionable: z.boolean().default(false) }));

/** Rejects with the library's errors. */
export async function mayMention(
  call: RestCall,
  asked: Pick<Interaction, 'guild' | 'channel' | 'person' | 'permissions'>,
  mention: Mention,
): Promise<boolean> {
  const { guild, channel, person, permissions } = asked;
  const { kind, id } = mention;
  // A private chat has nobody else.
  if (guild === undefined) return kind === 'person' && id === person.id;
  if (kind === 'person') return id === person.id || isThere(call, { channel, id });
  // The role of everybody has the id of its server.
  if (id === guild) return false;
  const roles = rolesSchema.parse(await call({ method: 'GET', path: `/guilds/${guild}/roles` }));
  const role = roles.find((one) => one.id === id);
  return role !== undefined && (role.mentionable || has(permissions, PermissionFlagsBits.MentionEveryone));
}

async function isThere(call: RestCall, { channel, id }: { channel: string; id: string }): Promise<boolean> {
  try {
    return await canSee(call, { channel, user: id });
  } catch (error) {
    // Unknown user, unknown member.
    if (isCode(error, 10_007, 10_013)) return false;
    // The bot cannot see the channel, so this is unknown; a mention of somebody who cannot see it is harmless.
    if (isCode(error, 50_001)) return true;
    throw error;
  }
}
