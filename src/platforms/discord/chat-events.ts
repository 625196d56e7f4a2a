/** Translates gateway events into chat events. */
import { GatewayDispatchEvents as Event } from 'discord.js';
import { z } from 'zod';
import { lanes } from '../../base/lanes.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { OnChatEvent } from '../../chat/platform.js';
import { addressOf } from './address.js';
import type { ChannelRecord, ChannelRecords, GuildJoins } from './guilds.js';
import type { DiscordNotifier } from './notifier.js';
import { REMOVED } from './outcome.js';

const unavailable = z.boolean().default(false);
const readySchema = z.object({ user: z.object({ id: z.string() }), guilds: z.array(z.object({ id: z.string() })) });
const guildSchema = z.object({ id: z.string(), unavailable });
const channelSchema = z.object({ id: z.string(), guild_id: z.string().optional() });
const inGuildSchema = z.object({ guild_id: z.string() });

/** The gateway events that are read. The Guilds intent delivers all of them. */
export const CHAT_GATEWAY_EVENTS = [
  Event.Ready,
  Event.GuildCreate,
  Event.GuildUpdate,
  Event.GuildDelete,
  Event.ChannelDelete,
  Event.ThreadDelete,
  Event.ChannelUpdate,
  Event.ThreadUpdate,
  Event.GuildRoleUpdate,
  Event.GuildRoleDelete,
  Event.GuildMemberUpdate,
] as const;
export type ChatGatewayEvent = (typeof CHAT_GATEWAY_EVENTS)[number];

export interface ChatEventDeps {
  readonly channels: ChannelRecords;
  readonly guildJoins: GuildJoins;
  readonly notifier: Pick<DiscordNotifier, 'probe' | 'notPermitted' | 'permissions'>;
  readonly onChatEvent: OnChatEvent;
  readonly log: Log;
}

export class ChatEvents {
  readonly #deps: ChatEventDeps;
  #me: string | undefined;
  readonly #reporting = lanes();

  constructor(deps: ChatEventDeps) {
    this.#deps = deps;
  }

  /** Events are handled in the background, in order. */
  receive(event: ChatGatewayEvent, data: unknown): void {
    this.#forgetPermissions(event, data);
    this.#inOrder(event, async () => this.#handle(event, data));
  }

  used(channel: string, guild: string | undefined): void {
    const { channels } = this.#deps;
    return this.#inOrder('a question', async () => {
      const record = await channels.get(channel);
      const now = omitUndefined({ ...record, guild: guild ?? record?.guild });
      if (record?.lost === undefined) await channels.set(channel, now);
      else await this.#markFound(channel, now);
    });
  }

  async idle(): Promise<void> {
    return this.#reporting.idle();
  }

  #inOrder(what: string, work: () => Promise<void>): void {
    this.#reporting.run('events', work).catch((error: unknown) => {
      this.#deps.log.error('discord.event-not-recorded', { what, error });
    });
  }

  async #markLost(channel: string, record: ChannelRecord, lost: NonNullable<ChannelRecord['lost']>): Promise<void> {
    const { onChatEvent, channels } = this.#deps;
    if (record.lost !== undefined) return;
    const because = lost === 'guild' ? REMOVED : 'the channel was deleted';
    await onChatEvent({ kind: 'gone', chat: addressOf(channel), because });
    await channels.set(channel, { ...record, lost });
  }

  async #markFound(channel: string, record: ChannelRecord): Promise<void> {
    const { onChatEvent, channels } = this.#deps;
    await onChatEvent({ kind: 'back', chat: addressOf(channel) });
    const { lost: _, ...found } = record;
    await channels.set(channel, found);
  }

  async #inGuild(guild: string): Promise<readonly (readonly [string, ChannelRecord])[]> {
    return (await this.#deps.channels.all()).filter(([, record]) => record.guild === guild);
  }

  /** Finds what changed while the bot was not connected. */
  async #compare(guilds: ReadonlySet<string>): Promise<void> {
    for (const [channel, record] of await this.#deps.channels.all()) {
      if (record.guild === undefined) continue;
      if (!guilds.has(record.guild)) await this.#markLost(channel, record, 'guild');
      else if (record.lost === 'guild') await this.#markFound(channel, record);
    }
  }

  async #greet(channel: string, guild: string): Promise<void> {
    return this.#deps.onChatEvent({
      kind: 'joined',
      chat: addressOf(channel),
      circles: [`discord/guild/${guild}`, `discord/channel/${channel}`],
    });
  }

  async #guildHere(guild: string): Promise<void> {
    for (const [channel, record] of await this.#inGuild(guild)) if (record.lost === 'guild') await this.#markFound(channel, record);
  }

  async #guildGone(guild: string): Promise<void> {
    for (const [channel, record] of await this.#inGuild(guild)) await this.#markLost(channel, record, 'guild');
  }

  async #channelGone(channel: string): Promise<void> {
    const record = await this.#deps.channels.get(channel);
    if (record !== undefined) await this.#markLost(channel, record, 'channel');
  }

  async #checkAgain(guild: string): Promise<void> {
    const { notifier, channels, onChatEvent } = this.#deps;
    for (const channel of [...notifier.notPermitted()]) {
      if ((await channels.get(channel))?.guild !== guild) continue;
      const { missing } = await notifier.probe(addressOf(channel));
      if (missing.length === 0) await onChatEvent({ kind: 'back', chat: addressOf(channel) });
    }
  }

  /** Forgets permissions at once and not in the queue, because an alert may be sent before earlier events are handled. */
  #forgetPermissions(event: ChatGatewayEvent, data: unknown): void {
    const { notifier } = this.#deps;
    const inGuild = inGuildSchema.safeParse(data);
    const guild = guildSchema.safeParse(data);
    // Changes may have been missed before a new gateway session.
    if (event === Event.Ready) notifier.permissions.forget();
    else if (inGuild.success) notifier.permissions.forget(inGuild.data.guild_id);
    else if (guild.success) notifier.permissions.forget(guild.data.id);
  }

  async #handle(event: ChatGatewayEvent, data: unknown): Promise<void> {
    switch (event) {
      case Event.Ready: {
        const { user, guilds } = readySchema.parse(data);
        this.#me = user.id;
        return this.#compare(new Set(guilds.map(({ id }) => id)));
      }
      case Event.GuildCreate:
      case Event.GuildDelete: {
        const { id, unavailable: isAway } = guildSchema.parse(data);
        // `unavailable` means an outage of the server; the bot is still in it.
        if (isAway) return undefined;
        if (event === Event.GuildDelete) return this.#guildGone(id);
        const isNew = (await this.#inGuild(id)).length === 0;
        await this.#guildHere(id);
        // The bot does not greet a channel where it was used before.
        return this.#me === undefined || !isNew
          ? undefined
          : this.#deps.guildJoins.take(data, this.#me, async (channel) => this.#greet(channel, id));
      }
      case Event.ChannelDelete:
      case Event.ThreadDelete:
        return this.#channelGone(channelSchema.parse(data).id);
      case Event.GuildUpdate:
        return this.#checkAgain(guildSchema.parse(data).id);
      case Event.ChannelUpdate:
      case Event.ThreadUpdate:
      case Event.GuildRoleUpdate:
      case Event.GuildRoleDelete:
      case Event.GuildMemberUpdate:
        return this.#checkAgain(inGuildSchema.parse(data).guild_id);
    }
  }
}
