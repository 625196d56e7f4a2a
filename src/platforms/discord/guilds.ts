/** Stores the server of each channel, and the last join of each server that was greeted. */
import { ChannelType } from 'discord.js';
import { z } from 'zod';
import { DAY, instant, MINUTE, type Clock } from '../../base/clock.js';
import { instantSchema, type Instant } from '../../domain/scalars.js';
import type { Address } from '../../chat/address.js';
import type { Store } from '../../store/store.js';
import { addressOf } from './address.js';
import { guildSchema, memberSchema, missingFrom, overwriteSchema, permissionsOf } from './permissions.js';

const recordSchema = z.object({
  /** Absent for a private chat. */
  guild: z.string().optional(),
  /** Set if the channel is a forum, in which each alert is a post. */
  forum: z.literal(true).optional(),
  /** Set if the channel was deleted, or if the bot is no longer in its server. */
  lost: z.enum(['channel', 'guild']).optional(),
  /** When a sweep first found the channel lost. */
  lostAt: instantSchema.optional(),
});
export type ChannelRecord = z.infer<typeof recordSchema>;

export interface ChannelRecords {
  get(channel: string): Promise<ChannelRecord | undefined>;
  set(channel: string, record: ChannelRecord): Promise<void>;
  all(): Promise<readonly (readonly [channel: string, record: ChannelRecord])[]>;
  forget(channel: string): Promise<void>;
  /** Deletes channels that have been lost for `LOST_KEPT_FOR`. */
  sweep(now: Instant): Promise<void>;
}

/** Returns the chat that a question in a channel concerns. Rejects with the store's error. */
export type ChatOf = (asked: { readonly channel: string; readonly parent: string | undefined }) => Promise<Address>;

/** Maps a forum post to its forum, because the forum's alerts are posts and questions in them concern the forum. */
export const openChatOf =
  (channels: Pick<ChannelRecords, 'get'>): ChatOf =>
  async ({ channel, parent }) =>
    addressOf(parent !== undefined && (await channels.get(parent))?.forum === true ? parent : channel);

/** The watchlist of an unreachable chat is kept for the same time. */
const LOST_KEPT_FOR = 30 * DAY;

export function openChannelRecords(store: Store): ChannelRecords {
  const documents = store.collection({ prefix: 'discord-chat', version: 1, schema: recordSchema });
  let loading: Promise<Map<string, ChannelRecord>> | undefined;
  const load = async (): Promise<Map<string, ChannelRecord>> => new Map((await documents.list()).found);
  const known = async (): Promise<Map<string, ChannelRecord>> => {
    loading ??= load();
    try {
      return await loading;
    } catch (cause) {
      // A failed read is retried at the next call.
      loading = undefined;
      throw cause;
    }
  };
  const set = async (channel: string, { lostAt, ...rest }: ChannelRecord): Promise<void> => {
    const records = await known();
    const before = records.get(channel);
    const record = rest.lost === undefined || lostAt === undefined ? rest : { ...rest, lostAt };
    if (
      before !== undefined &&
      before.guild === record.guild &&
      before.forum === record.forum &&
      before.lost === record.lost &&
      before.lostAt === lostAt
    )
      return;
    await documents.set(channel, record);
    records.set(channel, record);
  };
  const forget = async (channel: string): Promise<void> => {
    const records = await known();
    await documents.delete(channel);
    records.delete(channel);
  };
  return {
    get: async (channel) => (await known()).get(channel),
    set,
    all: async () => [...(await known())],
    forget,
    async sweep(now) {
      for (const [channel, record] of await known()) {
        if (record.lost === undefined) continue;
        // If the clock was set back, `lostAt` lies in the future and would keep the record forever.
        if (record.lostAt === undefined || record.lostAt > now) await set(channel, { ...record, lostAt: now });
        else if (now - record.lostAt >= LOST_KEPT_FOR) await forget(channel);
      }
    },
  };
}

/** A join that is older is not greeted. */
export const MAX_JOIN_AGE = 30 * MINUTE;

const TEXT: number = ChannelType.GuildText;

const channelSchema = z.object({
  id: z.string(),
  type: z.int(),
  position: z.int().default(0),
  parent_id: z.string().nullish(),
  permission_overwrites: z.array(overwriteSchema).default([]),
});

const joinTimeSchema = z.object({
  id: z.string(),
  joined_at: z.iso.datetime({ offset: true }).transform((text) => instant(Date.parse(text))),
});
/** https://docs.discord.com/developers/events/gateway-events#guild-create */
const joinedGuildSchema = guildSchema.extend({
  id: z.string(),
  system_channel_id: z.string().nullish(),
  channels: z.array(channelSchema),
  members: z.array(memberSchema.extend({ user: z.object({ id: z.string() }).optional() })),
});
type JoinedGuild = z.infer<typeof joinedGuildSchema>;

export interface GuildJoins {
  /** Greets once per join. Rejects with the store's error or a `ZodError`. */
  take(data: unknown, me: string, greet: (channel: string) => Promise<void>): Promise<void>;
  /** Forgets joins too old for a greeting. */
  sweep(): Promise<void>;
}

/** Remembers which joins were greeted, because the gateway sends every server at each start. */
export function openGuildJoins({ store, clock }: { readonly store: Store; readonly clock: Clock }): GuildJoins {
  const greeted = store.collection({ prefix: 'discord-guild', version: 1, schema: z.object({ joinedAt: instantSchema }) });
  return {
    async take(data, me, greet) {
      const { id, joined_at: joinedAt } = joinTimeSchema.parse(data);
      if (clock.now() - joinedAt > MAX_JOIN_AGE) return;
      if ((await greeted.get(id))?.joinedAt === joinedAt) return;
      const channel = greetingChannel(joinedGuildSchema.parse(data), me);
      if (channel !== undefined) await greet(channel);
      await greeted.set(id, { joinedAt });
    },
    async sweep() {
      for await (const { found } of greeted.scan())
        for (const [id, { joinedAt }] of found) if (clock.now() - joinedAt > MAX_JOIN_AGE) await greeted.delete(id);
    },
  };
}

/** Returns the system channel, or else the topmost text channel, among the channels where the bot may post. */
function greetingChannel(guild: JoinedGuild, me: string): string | undefined {
  const member = guild.members.find(({ user }) => user?.id === me);
  if (member === undefined) return undefined;
  const heightOf = (id: string | null | undefined): number => guild.channels.find((one) => one.id === id)?.position ?? -1;
  const mayPost = ({ permission_overwrites: overwrites }: JoinedGuild['channels'][number]): boolean =>
    missingFrom(permissionsOf({ guildId: guild.id, overwrites, guild, member, user: me }), { where: 'channel' }).length === 0;
  return guild.channels
    .filter((channel) => channel.type === TEXT && mayPost(channel))
    .toSorted(
      (a, b) =>
        Number(b.id === guild.system_channel_id) - Number(a.id === guild.system_channel_id) ||
        heightOf(a.parent_id) - heightOf(b.parent_id) ||
        a.position - b.position ||
        a.id.length - b.id.length ||
        (a.id < b.id ? -1 : 1),
    )[0]?.id;
}
