/** Roles of a server, and who has them. https://docs.discord.com/developers/topics/permissions#role-object */
import { z } from 'zod';
import { flawsOf } from './contract.js';
import { Intent, Permission } from './flags.js';
import { guildPermissions, may } from './permissions.js';
import { refusal, refuseFlaws } from './refusal.js';
import { NO_CONTENT, ok, type Route } from './route.js';
import type { StandInContext } from './context.js';
import type { Id } from './types.js';
import { wireMember, wireRole } from './wire.js';
import { botIsIn, known, rolesOf, type Guild, type Member, type Role } from './world.js';

const MAX_ROLES = 250;

const made = z.looseObject({
  name: z.string().nullish(),
  permissions: z.coerce.bigint().nullish(),
  mentionable: z.boolean().nullish(),
});

export function roleRoutes(context: StandInContext): readonly Route[] {
  const { world } = context;
  const managedBy = (id: Id): Guild => {
    const guild = world.guilds.get(id);
    if (guild === undefined || !botIsIn(world, guild)) throw refusal('unknownGuild');
    if (!may(guildPermissions(world, guild, world.applicationId), Permission.MANAGE_ROLES)) throw refusal('missingPermissions');
    return guild;
  };
  const change = (param: (name: string) => string, to: (member: Member, role: Role) => void) => {
    const guild = managedBy(param('guild'));
    const member = guild.members.get(param('user'));
    if (member === undefined) throw refusal('unknownMember');
    const role = world.roles.get(param('role'));
    if (role?.guild !== guild.id) throw refusal('unknownRole');
    if (role.managed || role.id === guild.id) throw refusal('invalidRole');
    if (!isBelowBot(context, guild, role)) throw refusal('missingPermissions');
    to(member, role);
    const data = { ...wireMember(world, member), guild_id: guild.id };
    context.dispatch({ name: 'GUILD_MEMBER_UPDATE', data, intent: Intent.GUILD_MEMBERS });
    context.bus.happened();
    return NO_CONTENT;
  };
  const ofMember = '/guilds/:guild/members/:user/roles/:role';
  return [
    {
      method: 'POST',
      path: '/guilds/:guild/roles',
      handle({ param, payload }) {
        const guild = managedBy(param('guild'));
        refuseFlaws(flawsOf('CreateRoleRequestSchema', payload.body ?? {}));
        const all = rolesOf(world, guild.id);
        if (all.length >= MAX_ROLES) throw refusal('tooManyRoles');
        const wanted = made.parse(payload.body ?? {});
        // A new role may do what everybody may, unless it says otherwise.
        const permissions = wanted.permissions ?? known(world.roles, guild.id, 'role').permissions;
        if (!may(guildPermissions(world, guild, world.applicationId), permissions)) throw refusal('missingPermissions');
        // It comes in at the lowest place beside whatever is there: nothing is moved up for it.
        const role: Role = {
          ...{ id: world.newId(), guild: guild.id, name: wanted.name ?? 'new role', permissions },
          ...{ position: 1, managed: false, mentionable: wanted.mentionable ?? false },
        };
        world.roles.set(role.id, role);
        context.dispatch({ name: 'GUILD_ROLE_CREATE', data: { guild_id: guild.id, role: wireRole(world, role) }, intent: Intent.GUILDS });
        context.bus.happened();
        return ok(wireRole(world, role), 'GuildRoleResponseSchema');
      },
    },
    { method: 'PUT', path: ofMember, handle: ({ param }) => change(param, ({ roles }, { id }) => void roles.add(id)) },
    { method: 'DELETE', path: ofMember, handle: ({ param }) => change(param, ({ roles }, { id }) => void roles.delete(id)) },
  ];
}

/** Of two roles in one place the older one is above. */
const isBelowBot = ({ world }: StandInContext, guild: Guild, role: Role): boolean =>
  [...(guild.members.get(world.applicationId)?.roles ?? [])].some((id) => {
    const place = world.roles.get(id)?.position ?? 0;
    return place > role.position || (place === role.position && BigInt(id) < BigInt(role.id));
  });

/** Its members and its settings in channels go with it. */
export function removeRole(context: StandInContext, role: Role): void {
  const { world } = context;
  world.roles.delete(role.id);
  for (const member of known(world.guilds, role.guild, 'guild').members.values()) member.roles.delete(role.id);
  for (const channel of world.channels.values()) if (channel.guild === role.guild) channel.overwrites.delete(role.id);
  context.dispatch({ name: 'GUILD_ROLE_DELETE', data: { guild_id: role.guild, role_id: role.id }, intent: Intent.GUILDS });
  context.bus.happened();
}
