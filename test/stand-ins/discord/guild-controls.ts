/** Servers, people and roles, as a test makes and changes them; the client is alerted of each change as the platform tells it. */
import { DAY } from '../../../src/base/clock.js';
import { Intent, USUAL_BOT_PERMISSIONS, USUAL_EVERYONE_PERMISSIONS } from './flags.js';
import type { StandInContext } from './context.js';
import type { Controls, Id } from './types.js';
import { wireGuildCreate, wireMember, wireRole } from './wire.js';
import { removeRole } from './routes-roles.js';
import { known, rolesOf, type Guild, type Role } from './world.js';

export type GuildControls = Pick<
  Controls,
  | 'addGuild'
  | 'addUser'
  | 'addRole'
  | 'addFile'
  | 'setSystemChannel'
  | 'addMember'
  | 'setBotPermissions'
  | 'setRolePermissions'
  | 'moveRole'
  | 'deleteRole'
  | 'roles'
  | 'rolesOfMember'
  | 'closeDirect'
  | 'kick'
  | 'invite'
  | 'setUnavailable'
>;

/** Lets somebody into a server, with these roles; who is in already gets them on top. */
export function join(
  context: StandInContext,
  guild: Guild,
  { user, roles = [] }: { readonly user: Id; readonly roles?: readonly Id[] },
): void {
  const { world } = context;
  known(world.users, user, 'user');
  const standing = guild.members.get(user);
  const member = standing ?? { user, roles: new Set<Id>(), joinedAt: world.clock.now() };
  for (const role of roles) member.roles.add(known(world.roles, role, 'role').id);
  guild.members.set(user, member);
  const data = { ...wireMember(world, member), guild_id: guild.id };
  context.dispatch({ name: standing === undefined ? 'GUILD_MEMBER_ADD' : 'GUILD_MEMBER_UPDATE', data, intent: Intent.GUILD_MEMBERS });
}

export function guildControls(context: StandInContext): GuildControls {
  const { world, bus } = context;
  const guildOf = (id: Id): Guild => known(world.guilds, id, 'guild');
  const addUser: Controls['addUser'] = ({ id = world.newId(), name = `person-${id.slice(-4)}`, isBot = false, closed = false } = {}) => {
    world.users.set(id, { id, name, isBot, closed });
    return id;
  };
  const tellRole = (name: string, role: Role): void => {
    context.dispatch({ name, data: { guild_id: role.guild, role: wireRole(world, role) }, intent: Intent.GUILDS });
    bus.happened();
  };
  const enter = (guild: Guild, joinedAt: number): void => {
    guild.members.set(world.applicationId, { user: world.applicationId, roles: new Set([guild.botRole]), joinedAt });
    tellCreated(guild);
  };
  const tellCreated = (guild: Guild): void => {
    context.dispatch({ name: 'GUILD_CREATE', data: wireGuildCreate(world, guild), intent: Intent.GUILDS });
    bus.happened();
  };
  const permit = (id: Id, permissions: bigint): void => {
    const role = known(world.roles, id, 'role');
    role.permissions = permissions;
    tellRole('GUILD_ROLE_UPDATE', role);
  };
  return {
    addGuild({ id = world.newId(), name = 'A server', botPermissions = USUAL_BOT_PERMISSIONS, joinedAt = world.clock.now() - DAY } = {}) {
      const guild: Guild = {
        id,
        name,
        owner: addUser({ name: 'server-owner' }),
        botRole: world.newId(),
        members: new Map(),
        unavailable: false,
        systemChannel: undefined,
      };
      world.guilds.set(id, guild);
      const role = { guild: id, position: 0, managed: false, mentionable: false };
      // The role of everyone has the id of its server.
      world.roles.set(id, { ...role, id, name: '@everyone', permissions: USUAL_EVERYONE_PERMISSIONS });
      world.roles.set(guild.botRole, {
        ...role,
        id: guild.botRole,
        name: 'navwatch',
        permissions: botPermissions,
        position: 1,
        managed: true,
      });
      guild.members.set(guild.owner, { user: guild.owner, roles: new Set(), joinedAt: world.clock.now() });
      enter(guild, joinedAt);
      return id;
    },
    addUser,
    addRole({ guild, name = 'A role', permissions = 0n, mentionable = false }) {
      const id = world.newId();
      const position = [...world.roles.values()].filter((role) => role.guild === guildOf(guild).id).length;
      const role: Role = { id, guild, name, permissions, position, managed: false, mentionable };
      world.roles.set(id, role);
      tellRole('GUILD_ROLE_CREATE', role);
      return id;
    },
    addFile({ name, bytes, size = bytes.length, contentType, trouble }) {
      const id = world.newId();
      world.attachments.set(id, { id, name, bytes: Buffer.from(bytes), size, contentType, trouble });
      return id;
    },
    setSystemChannel: (guild, channel) => void (guildOf(guild).systemChannel = channel),
    addMember({ guild, user, roles = [] }) {
      join(context, guildOf(guild), { user, roles });
      bus.happened();
    },
    setBotPermissions: (guild, permissions) => permit(guildOf(guild).botRole, permissions),
    setRolePermissions: permit,
    moveRole(id, to) {
      const role = known(world.roles, id, 'role');
      role.position = to === 'top' ? rolesOf(world, role.guild).length + 1 : 1;
      tellRole('GUILD_ROLE_UPDATE', role);
    },
    deleteRole: (id) => removeRole(context, known(world.roles, id, 'role')),
    roles: (guild) =>
      rolesOf(world, guildOf(guild).id)
        .toSorted((a, b) => a.position - b.position)
        .map(({ id, name, permissions, mentionable }) => ({ id, name, permissions, mentionable })),
    rolesOfMember: (guild, user) => [...(guildOf(guild).members.get(user)?.roles ?? [])],
    closeDirect: (user, closed) => void (known(world.users, user, 'user').closed = closed),
    kick(id) {
      guildOf(id).members.delete(world.applicationId);
      context.dispatch({ name: 'GUILD_DELETE', data: { id }, intent: Intent.GUILDS });
      bus.happened();
    },
    invite: (id) => enter(guildOf(id), world.clock.now()),
    setUnavailable(id, unavailable) {
      const guild = guildOf(id);
      guild.unavailable = unavailable;
      if (!unavailable) return tellCreated(guild);
      context.dispatch({ name: 'GUILD_DELETE', data: { id, unavailable: true }, intent: Intent.GUILDS });
      return bus.happened();
    },
  };
}
