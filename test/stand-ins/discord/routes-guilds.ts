/** The gateway's address, the bot itself, and servers as the client library asks for them. */
import { z } from 'zod';
import { ChannelType, isThreadType } from './flags.js';
import { guildPermissions } from './permissions.js';
import { refusal, refuseFlaws } from './refusal.js';
import { ok, type Route } from './route.js';
import type { StandInContext } from './context.js';
import type { Id } from './types.js';
import { isSeen, wireApplication, wireChannel, wireGuild, wireMember, wireRole, wireUser } from './wire.js';
import { botIsIn, channelsOf, known, rolesOf, type Guild } from './world.js';

export interface GatewayAddress {
  readonly url: string;
  readonly shards: number;
  startLimit(): unknown;
}

export function guildRoutes(context: StandInContext, gateway: GatewayAddress): readonly Route[] {
  const { world } = context;
  const guildOf = (id: Id): Guild => {
    const guild = world.guilds.get(id);
    if (guild === undefined || !botIsIn(world, guild)) throw refusal('unknownGuild');
    return guild;
  };
  const bot = () => wireUser(known(world.users, world.applicationId, 'user'));
  return [
    { method: 'GET', path: '/gateway', handle: () => ok({ url: gateway.url }) },
    {
      method: 'GET',
      path: '/gateway/bot',
      handle: () => ok({ url: gateway.url, shards: gateway.shards, session_start_limit: gateway.startLimit() }, 'GatewayBotResponseSchema'),
    },
    { method: 'GET', path: '/users/@me', handle: () => ok({ ...bot(), mfa_enabled: true, locale: 'en-US' }, 'UserPIIResponseSchema') },
    { method: 'GET', path: '/applications/@me', handle: () => ok(wireApplication(world), 'PrivateApplicationResponseSchema') },
    {
      method: 'PATCH',
      path: '/applications/@me',
      async handle({ payload }) {
        const { interactions_endpoint_url: url } = z.object({ interactions_endpoint_url: z.url().nullable() }).parse(payload.body);
        const message = url === null ? undefined : await world.endpoint.tried(url);
        refuseFlaws(
          message === undefined
            ? []
            : [{ path: ['interactions_endpoint_url'], code: 'APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID', message }],
        );
        world.endpoint.url = url ?? undefined;
        context.bus.happened();
        return ok(wireApplication(world), 'PrivateApplicationResponseSchema');
      },
    },
    { method: 'GET', path: '/oauth2/applications/@me', handle: () => ok(wireApplication(world), 'PrivateApplicationResponseSchema') },
    {
      method: 'GET',
      path: '/users/@me/guilds',
      handle: () =>
        ok(
          [...world.guilds.values()]
            .filter((guild) => botIsIn(world, guild))
            .map((guild) => ({
              id: guild.id,
              name: guild.name,
              icon: null,
              banner: null,
              owner: false,
              permissions: guildPermissions(world, guild, world.applicationId).toString(),
              features: [],
            })),
          'MyGuildResponseSchema',
        ),
    },
    {
      method: 'DELETE',
      path: '/users/@me/guilds/:guild',
      handle({ param }) {
        const guild = guildOf(param('guild'));
        guild.members.delete(world.applicationId);
        context.dispatch({ name: 'GUILD_DELETE', data: { id: guild.id }, intent: 1 });
        context.bus.happened();
        return { status: 204 };
      },
    },
    {
      method: 'GET',
      path: '/users/:user',
      handle({ param }) {
        const user = world.users.get(param('user'));
        if (user === undefined) throw refusal('unknownUser');
        return ok(wireUser(user), 'UserResponseSchema');
      },
    },
    {
      method: 'GET',
      path: '/guilds/:guild',
      handle: ({ param }) => ok(wireGuild(world, guildOf(param('guild'))), 'GuildWithCountsResponseSchema'),
    },
    {
      method: 'GET',
      path: '/guilds/:guild/roles',
      handle: ({ param }) =>
        ok(
          rolesOf(world, guildOf(param('guild')).id).map((role) => wireRole(world, role)),
          'GuildRoleResponseSchema',
        ),
    },
    {
      method: 'GET',
      path: '/guilds/:guild/channels',
      handle: ({ param }) =>
        ok(
          channelsOf(world, guildOf(param('guild')).id)
            .filter((one) => !isThreadType(one.type) && one.type !== ChannelType.direct && isSeen(world, one))
            .map((channel) => wireChannel(world, channel)),
          'GuildChannelResponseSchema',
        ),
    },
    {
      method: 'GET',
      path: '/guilds/:guild/members/:user',
      handle({ param }) {
        const member = guildOf(param('guild')).members.get(param('user'));
        if (member === undefined) throw refusal('unknownMember');
        return ok(wireMember(world, member), 'GuildMemberResponseSchema');
      },
    },
  ];
}
