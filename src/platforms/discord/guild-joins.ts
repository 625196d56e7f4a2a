/** Servers that the bot was just added to. */
import { ChannelType } from 'discord.js';
import { z } from 'zod';
import { instant, MINUTE, type Clock } from '../../base/clock.js';
import { instantSchema } from '../../domain/scalars.js';
import type { Store } from '../../store/store.js';
import { guildSchema, memberSchema, missingFrom, overwriteSchema, permissionsOf } from './permissions.js';

/** An older join is not greeted. */
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
  /** Once per join. Rejects with a store error or a `ZodError`. */
  take(data: unknown, me: string, greet: (channel: string) => Promise<void>): Promise<void>;
  /** Forgets joins too old for a greeting. */
  sweep(): Promise<void>;
}

/** The gateway sends every server at each start. */
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

/** Else the topmost text channel where it may post. */
function greetingChannel(guild: JoinedGuild, me: string): string | undefined {
  const member = guild.members.find(({ user }) => user?.id === me);
  if (member === undefined) return undefined;
  const heightOf = (id: string | null | undefined): number => guild.channels.find((one) => one.id === id)?.position ?? -1;
  const mayPost = ({ permission_overwrites: overwrites }: JoinedGuild['channels'][number]): boolean =>
    missingFrom(permissionsOf({ guildId: guild.id, overwrites, guild, member, user: me }), { isThread: false }).length === 0;
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
