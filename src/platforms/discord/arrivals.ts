/** Whether we were only just added to a server, and where to say hello in it. */
import { ChannelType } from 'discord.js';
import { z } from 'zod';
import { instant, MINUTE, type Clock } from '../../base/clock.js';
import { instantSchema } from '../../domain/scalars.js';
import type { Store } from '../../store/store.js';
import { guildSchema, memberSchema, missingFrom, overwriteSchema, permissionsOf } from './permissions.js';

/** An arrival that is longer ago, while we were not connected, is no longer greeted. */
export const JUST_NOW = 30 * MINUTE;

const TEXT: number = ChannelType.GuildText;

const channelSchema = z.object({
  id: z.string(),
  type: z.int(),
  position: z.int().default(0),
  parent_id: z.string().nullish(),
  permission_overwrites: z.array(overwriteSchema).default([]),
});

const momentSchema = z.object({
  id: z.string(),
  joined_at: z.iso.datetime({ offset: true }).transform((text) => instant(Date.parse(text))),
});
/** A server as the gateway tells it when we connect or are added. https://docs.discord.com/developers/events/gateway-events#guild-create */
const arrivalSchema = guildSchema.extend({
  id: z.string(),
  system_channel_id: z.string().nullish(),
  channels: z.array(channelSchema),
  members: z.array(memberSchema.extend({ user: z.object({ id: z.string() }).optional() })),
});
type Arrival = z.infer<typeof arrivalSchema>;

export interface Arrivals {
  /**
   * Takes a server that is there. Where we were added to it just now, and that was not told before, `greet` is given the channel for a greeting,
   * if there is one; it is told when `greet` has resolved. Rejects with the store's error, and with a `ZodError` for what is no server.
   */
  take(data: unknown, me: string, greet: (channel: string) => Promise<void>): Promise<void>;
}

/** The gateway tells of every server at each start, so those that were greeted are remembered, by the moment of the arrival. */
export function openArrivals({ store, clock }: { readonly store: Store; readonly clock: Clock }): Arrivals {
  const greeted = store.collection({ prefix: 'discord-guild', version: 1, schema: z.object({ joinedAt: instantSchema }) });
  return {
    async take(data, me, greet) {
      const { id, joined_at: joinedAt } = momentSchema.parse(data);
      if (clock.now() - joinedAt > JUST_NOW) return;
      if ((await greeted.get(id))?.joinedAt === joinedAt) return;
      const channel = greetingChannel(arrivalSchema.parse(data), me);
      if (channel !== undefined) await greet(channel);
      await greeted.set(id, { joinedAt });
    },
  };
}

/** The channel for notices of the server where we may post in it, else the topmost text channel where we may. Pure. */
function greetingChannel(guild: Arrival, me: string): string | undefined {
  const member = guild.members.find(({ user }) => user?.id === me);
  if (member === undefined) return undefined;
  const heightOf = (id: string | null | undefined): number => guild.channels.find((one) => one.id === id)?.position ?? -1;
  const mayPost = ({ permission_overwrites: overwrites }: Arrival['channels'][number]): boolean =>
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
