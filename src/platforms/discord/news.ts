/** What the gateway tells of servers and channels, as news of the chats that we know. */
import { GatewayDispatchEvents as Event } from 'discord.js';
import { z } from 'zod';
import { lanes } from '../../base/lanes.js';
import type { Log } from '../../base/log.js';
import type { OnChatEvent } from '../../chat/platform.js';
import { addressOf } from './address.js';
import type { Arrivals } from './arrivals.js';
import type { DiscordNotifier } from './notifier.js';
import { REMOVED } from './outcome.js';
import type { Place, Places } from './places.js';

const unavailable = z.boolean().default(false);
const readySchema = z.object({ user: z.object({ id: z.string() }), guilds: z.array(z.object({ id: z.string() })) });
const guildSchema = z.object({ id: z.string(), unavailable });
const channelSchema = z.object({ id: z.string(), guild_id: z.string().optional() });
const inGuildSchema = z.object({ guild_id: z.string() });

/** The events that are listened to. All come with the one intent we have. */
export const NEWS_EVENTS = [
  Event.Ready,
  Event.GuildCreate,
  Event.GuildDelete,
  Event.ChannelDelete,
  Event.ThreadDelete,
  Event.ChannelUpdate,
  Event.ThreadUpdate,
  Event.GuildRoleUpdate,
  Event.GuildRoleDelete,
  Event.GuildMemberUpdate,
] as const;
export type NewsEvent = (typeof NEWS_EVENTS)[number];

export interface News {
  /** Takes an event; what it means is told in the background, in order. */
  hear(event: NewsEvent, data: unknown): void;
  /** A person used the chat: it is there, whatever we thought. */
  used(channel: string, guild: string | undefined): void;
  /** Resolves when all that was heard is told. */
  idle(): Promise<void>;
}

export interface NewsNeeds {
  readonly places: Places;
  readonly arrivals: Arrivals;
  readonly notifier: Pick<DiscordNotifier, 'probe' | 'troubled'>;
  readonly onChatEvent: OnChatEvent;
  readonly log: Log;
}

export function chatNews({ places, arrivals, notifier, onChatEvent, log }: NewsNeeds): News {
  /** Our own user's id, which every connection begins with. */
  let me: string | undefined;
  const telling = lanes();
  /** One after another, so that "gone" and "back" arrive in the order they happened. */
  const inOrder = (what: string, work: () => Promise<void>): void => {
    telling.run('news', work).catch((error: unknown) => {
      log.error('discord.news-not-told', { what, error });
    });
  };

  async function lose(channel: string, place: Place, lost: NonNullable<Place['lost']>): Promise<void> {
    if (place.lost !== undefined) return;
    const because = lost === 'guild' ? REMOVED : 'the channel was deleted';
    await onChatEvent({ kind: 'gone', chat: addressOf(channel), because });
    await places.set(channel, { ...place, lost });
  }

  async function regain(channel: string, place: Place): Promise<void> {
    await onChatEvent({ kind: 'back', chat: addressOf(channel) });
    const { lost: _, ...found } = place;
    await places.set(channel, found);
  }

  const inGuild = async (guild: string): Promise<readonly (readonly [string, Place])[]> =>
    (await places.all()).filter(([, place]) => place.guild === guild);

  /** After a connection from scratch: what happened while nobody listened. */
  async function compare(guilds: ReadonlySet<string>): Promise<void> {
    for (const [channel, place] of await places.all()) {
      if (place.guild === undefined) continue;
      if (!guilds.has(place.guild)) await lose(channel, place, 'guild');
      else if (place.lost === 'guild') await regain(channel, place);
    }
  }

  const greet = async (channel: string, guild: string): Promise<void> =>
    onChatEvent({ kind: 'joined', chat: addressOf(channel), circles: [`discord/guild/${guild}`, `discord/channel/${channel}`] });

  async function guildHere(guild: string): Promise<void> {
    for (const [channel, place] of await inGuild(guild)) if (place.lost === 'guild') await regain(channel, place);
  }

  async function guildGone(guild: string): Promise<void> {
    for (const [channel, place] of await inGuild(guild)) await lose(channel, place, 'guild');
  }

  async function channelGone(channel: string): Promise<void> {
    const place = await places.get(channel);
    if (place !== undefined) await lose(channel, place, 'channel');
  }

  /** Rights changed: what was held for want of one may go now. */
  async function lookAgain(guild: string): Promise<void> {
    for (const channel of [...notifier.troubled()]) {
      if ((await places.get(channel))?.guild !== guild) continue;
      const { missing } = await notifier.probe(addressOf(channel));
      if (missing.length === 0) await onChatEvent({ kind: 'back', chat: addressOf(channel) });
    }
  }

  async function tell(event: NewsEvent, data: unknown): Promise<void> {
    switch (event) {
      case Event.Ready: {
        const { user, guilds } = readySchema.parse(data);
        me = user.id;
        return compare(new Set(guilds.map(({ id }) => id)));
      }
      case Event.GuildCreate:
      case Event.GuildDelete: {
        const { id, unavailable: isAway } = guildSchema.parse(data);
        // An outage of a server takes nobody out of it.
        if (isAway) return undefined;
        if (event === Event.GuildDelete) return guildGone(id);
        const isNew = (await inGuild(id)).length === 0;
        await guildHere(id);
        // Where somebody asked before, people know what can be typed.
        return me === undefined || !isNew ? undefined : arrivals.take(data, me, async (channel) => greet(channel, id));
      }
      case Event.ChannelDelete:
      case Event.ThreadDelete:
        return channelGone(channelSchema.parse(data).id);
      case Event.ChannelUpdate:
      case Event.ThreadUpdate:
      case Event.GuildRoleUpdate:
      case Event.GuildRoleDelete:
      case Event.GuildMemberUpdate:
        return lookAgain(inGuildSchema.parse(data).guild_id);
    }
  }

  return {
    hear: (event, data) => inOrder(event, async () => tell(event, data)),
    used: (channel, guild) =>
      inOrder('a question', async () => {
        const place = await places.get(channel);
        const now = { ...place, ...(guild === undefined ? {} : { guild }) };
        if (place?.lost === undefined) await places.set(channel, now);
        else await regain(channel, now);
      }),
    idle: async () => telling.idle(),
  };
}
