/** Permissions in a channel, read from Discord. */
import { ChannelType, PermissionFlagsBits } from 'discord.js';
import { z } from 'zod';
import type { Probe } from '../../chat/notifier.js';
import type { RestCall } from './rest.js';

const bits = z.string().regex(/^\d+$/u).transform(BigInt);
export const overwriteSchema = z.object({ id: z.string(), type: z.int(), allow: bits, deny: bits });
const channelSchema = z.object({
  id: z.string(),
  type: z.int(),
  guild_id: z.string().optional(),
  parent_id: z.string().nullish(),
  permission_overwrites: z.array(overwriteSchema).default([]),
  thread_metadata: z.object({ archived: z.boolean(), locked: z.boolean().default(false) }).optional(),
});
export type Channel = z.infer<typeof channelSchema>;
const roleSchema = z.object({ id: z.string(), permissions: bits });
export const memberSchema = z.object({ roles: z.array(z.string()) });
export const guildSchema = z.object({ owner_id: z.string(), roles: z.array(roleSchema) });

const THREADS: ReadonlySet<number> = new Set([ChannelType.AnnouncementThread, ChannelType.PublicThread, ChannelType.PrivateThread]);
const PRIVATE: ReadonlySet<number> = new Set([ChannelType.DM, ChannelType.GroupDM]);
const POSTABLE: ReadonlySet<number> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildVoice,
  ChannelType.GuildStageVoice,
  ...THREADS,
]);

const EVERYTHING = ~0n;

export interface MissingPermissions extends Pick<Probe, 'missing' | 'pictures'> {
  /** The permission without which a channel cannot be read back. */
  readonly readback?: string;
}

export const channelAt = async (call: RestCall, id: string): Promise<Channel> =>
  channelSchema.parse(await call({ method: 'GET', path: `/channels/${id}` }));

/** As in Discord's settings. Rejects with the library's errors. */
export async function missingIn(call: RestCall, { channel, me }: { channel: Channel; me: string }): Promise<MissingPermissions> {
  if (channel.guild_id === undefined || PRIVATE.has(channel.type)) return { missing: [] };
  if (!POSTABLE.has(channel.type)) return { missing: ['a channel that messages can be posted in'] };
  const granted = await grantedIn(call, { channel, guild: channel.guild_id, user: me });
  const missing = missingFrom(granted, { isThread: THREADS.has(channel.type), metadata: channel.thread_metadata });
  const lacks = (bit: bigint): boolean => (granted & bit) === 0n;
  return {
    missing,
    ...(lacks(PermissionFlagsBits.AttachFiles) ? { pictures: 'Attach Files' } : {}),
    ...(lacks(PermissionFlagsBits.ReadMessageHistory) ? { readback: 'Read Message History' } : {}),
  };
}

/** Rejects with the library's errors, also for who is no member. */
export async function canSee(call: RestCall, { channel: id, user }: { channel: string; user: string }): Promise<boolean> {
  const channel = await channelAt(call, id);
  if (channel.guild_id === undefined) return true;
  const granted = await grantedIn(call, { channel, guild: channel.guild_id, user });
  return (granted & PermissionFlagsBits.ViewChannel) !== 0n;
}

async function grantedIn(call: RestCall, { channel, guild: id, user }: { channel: Channel; guild: string; user: string }): Promise<bigint> {
  // A thread has the overwrites of the channel it hangs under.
  const placed = THREADS.has(channel.type) && typeof channel.parent_id === 'string' ? await channelAt(call, channel.parent_id) : channel;
  const [guild, member] = await Promise.all([
    call({ method: 'GET', path: `/guilds/${id}` }).then(guildSchema.parse),
    call({ method: 'GET', path: `/guilds/${id}/members/${user}` }).then(memberSchema.parse),
  ]);
  return permissionsOf({ guildId: id, overwrites: placed.permission_overwrites, guild, member, user });
}

interface PermissionContext {
  readonly guildId: string;
  readonly overwrites: readonly z.infer<typeof overwriteSchema>[];
  readonly guild: z.infer<typeof guildSchema>;
  readonly member: z.infer<typeof memberSchema>;
  readonly user: string;
}

/** Pure. https://docs.discord.com/developers/topics/permissions#permission-overwrites */
export function permissionsOf({ guildId, overwrites, guild, member, user }: PermissionContext): bigint {
  if (guild.owner_id === user) return EVERYTHING;
  const mine = new Set([guildId, ...member.roles]);
  const base = guild.roles.filter(({ id }) => mine.has(id)).reduce((all, { permissions }) => all | permissions, 0n);
  if ((base & PermissionFlagsBits.Administrator) !== 0n) return EVERYTHING;
  const ofRoles = overwrites.filter(({ id, type }) => type === 0 && id !== guildId && mine.has(id));
  const steps = [
    overwrites.find(({ id }) => id === guildId),
    {
      allow: ofRoles.reduce((all, { allow }) => all | allow, 0n),
      deny: ofRoles.reduce((all, { deny }) => all | deny, 0n),
    },
    overwrites.find(({ id, type }) => type === 1 && id === user),
  ];
  return steps.reduce((all, step) => (step === undefined ? all : (all & ~step.deny) | step.allow), base);
}

export function missingFrom(
  granted: bigint,
  { isThread, metadata }: { isThread: boolean; metadata?: Channel['thread_metadata'] },
): readonly string[] {
  const needed: readonly (readonly [string, bigint])[] = [
    ['View Channel', PermissionFlagsBits.ViewChannel],
    isThread
      ? ['Send Messages in Threads', PermissionFlagsBits.SendMessagesInThreads]
      : ['Send Messages', PermissionFlagsBits.SendMessages],
    ['Embed Links', PermissionFlagsBits.EmbedLinks],
  ];
  const lacks = (bit: bigint): boolean => (granted & bit) === 0n;
  const isShut = metadata?.archived === true && metadata.locked && lacks(PermissionFlagsBits.ManageThreads);
  return [...needed.filter(([, bit]) => lacks(bit)).map(([name]) => name), ...(isShut ? ['an unlocked thread'] : [])];
}
