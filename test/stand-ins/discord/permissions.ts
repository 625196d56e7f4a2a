/** Who may do what where. https://docs.discord.com/developers/topics/permissions#permission-overwrites */
import { ALL_PERMISSIONS, Permission, isThreadType } from './flags.js';
import type { Id } from './types.js';
import { type Channel, type Guild, type Overwrite, type World } from './world.js';

/** What somebody may do in a private chat; nobody can take it away. */
const DIRECT_PERMISSIONS =
  Permission.VIEW_CHANNEL |
  Permission.SEND_MESSAGES |
  Permission.EMBED_LINKS |
  Permission.ATTACH_FILES |
  Permission.READ_MESSAGE_HISTORY |
  Permission.PIN_MESSAGES |
  Permission.USE_APPLICATION_COMMANDS;

/** What somebody may do in a server, before any channel says otherwise. None for who is not in it. */
export function guildPermissions(world: World, guild: Guild, user: Id): bigint {
  const member = guild.members.get(user);
  if (member === undefined) return 0n;
  if (guild.owner === user) return ALL_PERMISSIONS;
  const granted = [guild.id, ...member.roles].reduce((all, role) => all | (world.roles.get(role)?.permissions ?? 0n), 0n);
  return (granted & Permission.ADMINISTRATOR) !== 0n ? ALL_PERMISSIONS : granted;
}

/** What somebody may do in a channel. A thread has the overwrites of its parent. */
export function channelPermissions(world: World, channel: Channel, user: Id): bigint {
  if (channel.guild === undefined) return channel.recipient === user || user === world.applicationId ? DIRECT_PERMISSIONS : 0n;
  const guild = world.guilds.get(channel.guild);
  const member = guild?.members.get(user);
  if (guild === undefined || member === undefined) return 0n;
  const base = guildPermissions(world, guild, user);
  const isHidden = user === world.applicationId && !channel.botJoined;
  if (base === ALL_PERMISSIONS) return base;
  const { overwrites } = (isThreadType(channel.type) ? world.channels.get(channel.parent ?? '') : undefined) ?? channel;
  const ofRoles = [...member.roles].flatMap((role) => overwrites.get(role) ?? []);
  const whole: Pick<Overwrite, 'allow' | 'deny'> = {
    allow: ofRoles.reduce((all, { allow }) => all | allow, 0n),
    deny: ofRoles.reduce((all, { deny }) => all | deny, 0n),
  };
  const applied = [overwrites.get(guild.id), whole, overwrites.get(user)].reduce(
    (all, step) => (step === undefined ? all : (all & ~step.deny) | step.allow),
    base,
  );
  if (isHidden && (applied & Permission.MANAGE_THREADS) === 0n) return 0n;
  // Who cannot see a channel can do nothing in it.
  return (applied & Permission.VIEW_CHANNEL) === 0n ? 0n : applied;
}

export const may = (permissions: bigint, needed: bigint): boolean => (permissions & needed) === needed;
