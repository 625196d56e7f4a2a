/** Reads what the bot and people may do in a server and its channels. */
import { ChannelType, PermissionFlagsBits } from 'discord.js';
import { z } from 'zod';
import { RecentMap } from '../../base/bounded-cache.js';
import { later, MINUTE, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Probe } from '../../chat/notifier.js';
import type { Mention } from '../../chat/reply.js';
import { extrasIn } from './extras.js';
import { forumIn, forumTagSchema, isForumType, lackingTags, lacksNeededTag, type ForumState } from './forum-tags.js';
import { has, type Interaction } from './interaction.js';
import { inWords, isCode } from './outcome.js';
import type { RestCall } from './rest.js';

const bits = z.string().regex(/^\d+$/u).transform(BigInt);
export const overwriteSchema = z.object({ id: z.string(), type: z.int(), allow: bits, deny: bits });
const channelSchema = z.object({
  id: z.string(),
  type: z.int(),
  name: z.string().nullish(),
  guild_id: z.string().optional(),
  parent_id: z.string().nullish(),
  permission_overwrites: z.array(overwriteSchema).default([]),
  thread_metadata: z.object({ archived: z.boolean(), locked: z.boolean().default(false) }).optional(),
  flags: z.int().default(0),
  /** Only forums have tags. */
  available_tags: z.array(forumTagSchema).default([]),
});
export type Channel = z.infer<typeof channelSchema>;
const roleSchema = z.object({ id: z.string(), permissions: bits });
export const memberSchema = z.object({ roles: z.array(z.string()) });
export const guildSchema = z.object({ owner_id: z.string(), roles: z.array(roleSchema) });

const THREADS: ReadonlySet<number> = new Set([ChannelType.AnnouncementThread, ChannelType.PublicThread, ChannelType.PrivateThread]);
const PRIVATE: ReadonlySet<number> = new Set([ChannelType.DM, ChannelType.GroupDM]);
export const POSTABLE: ReadonlySet<number> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildVoice,
  ChannelType.GuildStageVoice,
  ChannelType.GuildForum,
  ...THREADS,
]);

const EVERYTHING = ~0n;
/** A forum can have only one pinned post, so people choose which one it is. */
const PINNED_BY_PEOPLE = "In a forum the board is a post, and I don't pin posts. People with Manage Threads can pin it.";

export interface MissingPermissions extends Pick<Probe, 'missing' | 'pictures' | 'extras' | 'pin' | 'tags'> {
  /** The missing permission that keeps the bot from reading the channel's messages. */
  readonly readback?: string;
  readonly forum?: ForumState;
}

export const channelAt = async (call: RestCall, id: string): Promise<Channel> =>
  channelSchema.parse(await call({ method: 'GET', path: `/channels/${id}` }));

/** Names the missing permissions as Discord's settings do. Rejects with the library's errors. */
export async function missingIn(call: RestCall, { channel, me }: { channel: Channel; me: string }): Promise<MissingPermissions> {
  if (channel.guild_id === undefined || PRIVATE.has(channel.type)) return { missing: [], pin: {} };
  if (!POSTABLE.has(channel.type)) return { missing: ['a channel that messages can be posted in'] };
  const granted = await grantedIn(call, { channel, guild: channel.guild_id, user: me });
  const forum = isForumType(channel.type) ? forumIn(channel, granted) : undefined;
  const where = forum === undefined ? (THREADS.has(channel.type) ? 'thread' : 'channel') : 'forum';
  const missing = [
    ...missingFrom(granted, { where, metadata: channel.thread_metadata }),
    ...(forum !== undefined && lacksNeededTag(forum) ? ['Manage Channels, because each post needs a tag'] : []),
  ];
  const lacks = (bit: bigint): boolean => (granted & bit) === 0n;
  return {
    missing,
    extras: extrasIn(channel.type, granted),
    ...(lacks(PermissionFlagsBits.AttachFiles) ? { pictures: 'Attach Files' } : {}),
    pin: forum !== undefined ? { instead: PINNED_BY_PEOPLE } : lacks(PermissionFlagsBits.PinMessages) ? { missing: 'Pin Messages' } : {},
    ...(lacks(PermissionFlagsBits.ReadMessageHistory) ? { readback: 'Read Message History' } : {}),
    ...(forum === undefined ? {} : { forum, tags: lackingTags(forum) }),
  };
}

/** Tells whether a person sees a channel. Rejects with the library's errors, also if the person is no member. */
async function canSee(call: RestCall, { channel: id, user }: { channel: string; user: string }): Promise<boolean> {
  const channel = await channelAt(call, id);
  if (channel.guild_id === undefined) return true;
  const granted = await grantedIn(call, { channel, guild: channel.guild_id, user });
  return (granted & PermissionFlagsBits.ViewChannel) !== 0n;
}

/** Returns a person's permissions in a channel. Rejects with the library's errors, also if the person is no member. */
export const permissionsIn = async (
  call: RestCall,
  { channel, guild, user }: { readonly channel: string; readonly guild: string; readonly user: string },
): Promise<bigint> => grantedIn(call, { channel: await channelAt(call, channel), guild, user });

/** Computes the permissions of a member in a channel. Rejects with the library's errors, also if the person is no member. */
export async function grantedIn(
  call: RestCall,
  { channel, guild: id, user }: { channel: Channel; guild: string; user: string },
): Promise<bigint> {
  // A thread has the overwrites of its parent channel.
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

/** Computes permissions from roles and overwrites. https://docs.discord.com/developers/topics/permissions#permission-overwrites */
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

/** The permissions to send, by the names in Discord's settings, which differ for a forum. */
const SENDING: Readonly<Record<'channel' | 'thread' | 'forum', readonly (readonly [string, bigint])[]>> = {
  channel: [['Send Messages', PermissionFlagsBits.SendMessages]],
  thread: [['Send Messages in Threads', PermissionFlagsBits.SendMessagesInThreads]],
  forum: [
    ['Create Posts', PermissionFlagsBits.SendMessages],
    ['Send Messages in Posts', PermissionFlagsBits.SendMessagesInThreads],
  ],
};

export function missingFrom(
  granted: bigint,
  { where, metadata }: { where: 'channel' | 'thread' | 'forum'; metadata?: Channel['thread_metadata'] },
): readonly string[] {
  const needed: readonly (readonly [string, bigint])[] = [
    ['View Channel', PermissionFlagsBits.ViewChannel],
    ...SENDING[where],
    ['Embed Links', PermissionFlagsBits.EmbedLinks],
  ];
  const lacks = (bit: bigint): boolean => (granted & bit) === 0n;
  const isShut = metadata?.archived === true && metadata.locked && lacks(PermissionFlagsBits.ManageThreads);
  return [...needed.filter(([, bit]) => lacks(bit)).map(([name]) => name), ...(isShut ? ['an unlocked thread'] : [])];
}

const MAX_CACHED = 10_000;

/** The bot's permissions in a channel. The names are those of Discord's settings. */
export interface ChannelPermissions extends MissingPermissions {
  readonly guild: string | undefined;
}

export interface PermissionCache {
  /** Returns undefined if the permissions are not cached, or if a change may have been missed. */
  known(channel: string): ChannelPermissions | undefined;
  /** Returns the cached permissions or reads them. Rejects with the library's errors. */
  read(channel: string): Promise<ChannelPermissions>;
  /** Forgets the channels of a server, or all channels if none is given. */
  forget(guild?: string): void;
  forgetChannel(channel: string): void;
}

export interface PermissionCacheDeps {
  readonly call: RestCall;
  /** The bot's user id. Rejects with the library's errors. */
  readonly me: () => Promise<string>;
  /** Nothing is cached while the gateway is disconnected and announces no changes. */
  readonly isListening: () => boolean;
}

export function openPermissionCache({ call, me, isListening }: PermissionCacheDeps): PermissionCache {
  const cached = new RecentMap<string, ChannelPermissions>(MAX_CACHED);
  let changes = 0;
  const known: PermissionCache['known'] = (channel) => (isListening() ? cached.get(channel) : undefined);
  return {
    known,
    async read(channel) {
      const kept = known(channel);
      if (kept !== undefined) return kept;
      const before = changes;
      const found = await channelAt(call, channel);
      const read = { guild: found.guild_id, ...(await missingIn(call, { channel: found, me: await me() })) };
      // A change during the read may have made the result out of date, so it is not cached.
      if (before !== changes || !isListening()) return read;
      cached.set(channel, read);
      return read;
    },
    forget(guild) {
      changes += 1;
      if (guild === undefined) return cached.clear();
      for (const [channel, { guild: its }] of cached) if (its === guild) cached.delete(channel);
      return undefined;
    },
    forgetChannel(channel) {
      changes += 1;
      cached.delete(channel);
    },
  };
}

const rolesSchema = z.array(z.object({ id: z.string(), mentionable: z.boolean().default(false) }));

/** Tells whether the asker may mention somebody: the target must be in the channel. Rejects with the library's errors. */
export async function mayMention(
  call: RestCall,
  asked: Pick<Interaction, 'guild' | 'channel' | 'person' | 'permissions'>,
  mention: Mention,
): Promise<boolean> {
  const { guild, channel, person, permissions } = asked;
  const { kind, id } = mention;
  // In a private chat a person can mention only themselves.
  if (guild === undefined) return kind === 'person' && id === person.id;
  if (kind === 'person') return id === person.id || isThere(call, { channel, id });
  // The @everyone role has the id of its server.
  if (id === guild) return false;
  const roles = rolesSchema.parse(await call({ method: 'GET', path: `/guilds/${guild}/roles` }));
  const role = roles.find((one) => one.id === id);
  return role !== undefined && (role.mentionable || has(permissions, PermissionFlagsBits.MentionEveryone));
}

async function isThere(call: RestCall, { channel, id }: { channel: string; id: string }): Promise<boolean> {
  try {
    return await canSee(call, { channel, user: id });
  } catch (error) {
    // The codes mean an unknown user and an unknown member.
    if (isCode(error, 10_007, 10_013)) return false;
    // The bot cannot see the channel, so it cannot check; a mention of a person who cannot see it is harmless.
    if (isCode(error, 50_001)) return true;
    throw error;
  }
}

/** How long a result is cached, so that several presses cost one call. */
const BELIEVED = 5 * MINUTE;
const MAX_KNOWN = 1_000;

/** Tells whether a person is in `discord/guild/<id>` or `discord/channel/<id>`. Never rejects. */
export type Membership = (circle: string, person: string) => Promise<boolean>;

export function openMembership({ call, clock, log }: { readonly call: RestCall; readonly clock: Clock; readonly log: Log }): Membership {
  const known = new RecentMap<string, { readonly is: boolean; readonly until: Instant }>(MAX_KNOWN);

  async function read(circle: string, person: string): Promise<boolean> {
    const [, guild] = /^discord\/guild\/(\d+)$/u.exec(circle) ?? [];
    const [, channel] = /^discord\/channel\/(\d+)$/u.exec(circle) ?? [];
    if (guild !== undefined) await call({ method: 'GET', path: `/guilds/${guild}/members/${person}` });
    return guild !== undefined || (channel !== undefined && canSee(call, { channel, user: person }));
  }

  return async (circle, person) => {
    const key = `${circle} ${person}`;
    const before = known.get(key);
    if (before !== undefined && before.until > clock.now()) return before.is;
    const is = await read(circle, person).catch((error: unknown) => {
      // The server, the member or the person is unknown, or the bot is not there.
      if (isCode(error, 10_003, 10_004, 10_007, 10_013, 50_001)) return false;
      log.warn('discord.membership-unknown', { because: inWords(error) });
      return undefined;
    });
    if (is === undefined) return false;
    known.set(key, { is, until: later(clock.now(), BELIEVED) });
    return is;
  };
}
