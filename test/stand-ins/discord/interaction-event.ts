/** How the gateway tells of a person's action. https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object */
import type { InteractionRecord } from './interactions.js';
import { channelPermissions } from './permissions.js';
import type { StandInContext } from './context.js';
import { wireMessage } from './wire-message.js';
import { wireChannel, wireMember, wireUser, type Wire } from './wire.js';
import { isOutside, known } from './world.js';

/** To the address for interactions, otherwise to every session, whatever its intents. */
export function sendInteraction(context: StandInContext, record: InteractionRecord, data: Wire): void {
  const { endpoint } = context.world;
  if (endpoint.url !== undefined) void endpoint.post(wireInteraction(context, record, data)).then(() => context.bus.happened());
  else context.dispatch({ name: 'INTERACTION_CREATE', data: wireInteraction(context, record, data), intent: 0 });
  context.bus.happened();
}

function wireInteraction(context: StandInContext, record: InteractionRecord, data: Wire): Wire {
  const { world } = context;
  const channel = known(world.channels, record.channel, 'channel');
  const user = wireUser(known(world.users, record.user, 'user'));
  const permissions = channelPermissions(world, channel, record.user).toString();
  const source = record.source === undefined ? undefined : known(world.messages, record.source, 'message');
  return {
    id: record.id,
    application_id: world.applicationId,
    type: record.type,
    token: record.token,
    version: 1,
    channel_id: channel.id,
    channel: { ...wireChannel(world, channel), permissions },
    locale: 'en-US',
    app_permissions: channelPermissions(world, channel, world.applicationId).toString(),
    entitlements: [],
    authorizing_integration_owners: {
      ...(isOutside(world, channel) ? {} : { '0': channel.guild ?? '0' }),
      ...(world.installedBy.has(record.user) ? { '1': record.user } : {}),
    },
    context: channel.guild === undefined ? 1 : 0,
    attachment_size_limit: context.uploadBytes,
    data,
    ...(source !== undefined && { message: wireMessage(context.view, source) }),
    ...(channel.guild === undefined ? { user } : inGuild(context, { guild: channel.guild, user: record.user, permissions })),
  };
}

function inGuild({ world }: StandInContext, { guild: id, user, permissions }: { guild: string; user: string; permissions: string }): Wire {
  const guild = known(world.guilds, id, 'guild');
  return {
    guild_id: id,
    guild: { id, locale: 'en-US', features: [] },
    guild_locale: 'en-US',
    member: { ...wireMember(world, known(guild.members, user, 'member')), permissions },
  };
}
