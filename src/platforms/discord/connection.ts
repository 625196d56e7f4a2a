/** Keeps the gateway connected and reports why it is not. https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway */
import {
  Client,
  Events,
  GatewayCloseCodes as Close,
  GatewayIntentBits,
  Options,
  SimpleShardingStrategy,
  type GatewayDispatchEvents,
} from 'discord.js';
import { MINUTE, SECOND, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { inWords } from './outcome.js';

const MIN_PAUSE = 2 * SECOND;
const MAX_PAUSE = 5 * MINUTE;
const READY_TIMEOUT = 2 * MINUTE;

export interface ConnectionDeps {
  readonly token: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: readonly GatewayDispatchEvents[];
  /** True if messages of servers are delivered too; those of private chats always are. */
  readonly readsMentions: boolean;
  /** Called in Discord's order. Must not throw. */
  receive(event: GatewayDispatchEvents, data: unknown): void;
}

export type ConnectionStatus =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'failed'; readonly because: string };

export class Connection {
  readonly #deps: ConnectionDeps;
  readonly #over = new AbortController();
  #running: Promise<void> | undefined;
  #client: Client | undefined;
  #status: ConnectionStatus = { kind: 'off' };

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running ??= this.#keep();
  }

  /** Disconnects. Idempotent. */
  async stop(): Promise<void> {
    this.#over.abort(new Error('The bot stops.'));
    await this.#running;
  }

  status(): ConnectionStatus {
    return this.#status;
  }

  guilds(): number {
    return this.#client?.guilds.cache.size ?? 0;
  }

  /** The server of a channel; undefined if the gateway has not sent the channel. */
  guildOf(channel: string): string | undefined {
    const found = this.#client?.channels.cache.get(channel);
    return found === undefined || found.isDMBased() ? undefined : found.guildId;
  }

  /** The channel of a thread or the category of a channel; undefined if the gateway has not sent it. */
  parentOf(channel: string): string | undefined {
    const found = this.#client?.channels.cache.get(channel);
    return found === undefined || found.isDMBased() ? undefined : (found.parentId ?? undefined);
  }

  /** Ids of a server's channels without its threads, also of those that the bot cannot see; undefined while the gateway does not tell. */
  channelsOf(guild: string): readonly string[] | undefined {
    const found = this.#status.kind === 'ready' ? this.#client?.guilds.cache.get(guild) : undefined;
    if (found?.available !== true) return undefined;
    return [...found.channels.cache.values()].flatMap((channel) => (channel.isThread() ? [] : [channel.id]));
  }

  async #session(): Promise<{ readonly because: string; readonly wasReady: boolean }> {
    const { clock, log } = this.#deps;
    const { client: mine, freeze } = createClient(this.#deps);
    this.#client = mine;
    this.#status = { kind: 'connecting' };
    let wasReady = false;
    let watch = new AbortController();
    const ended = new AbortController();
    const isEnded = new Promise<void>((resolve) => {
      ended.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#over.signal.addEventListener('abort', () => ended.abort('stopped'), { once: true, signal: ended.signal });

    const expectReady = (): void => {
      watch = new AbortController();
      clock.sleep(READY_TIMEOUT, AbortSignal.any([watch.signal, ended.signal])).then(
        () => ended.abort(reasonOf(undefined, undefined)),
        () => undefined,
      );
    };
    const ready = new Set<number>();
    const isReady = (shard: number): void => {
      watch.abort();
      ready.add(shard);
      // The other shards log in one after another, about 5 s each.
      if (ready.size < mine.ws.shards.size) return expectReady();
      wasReady = true;
      this.#status = { kind: 'ready' };
    };
    mine.on(Events.ShardReady, (shard) => {
      isReady(shard);
      log.info('discord.connected', { guilds: mine.guilds.cache.size, shard, shards: mine.ws.shards.size });
    });
    mine.on(Events.ShardResume, (shard, replayed) => {
      isReady(shard);
      log.info('discord.resumed', { replayed });
    });
    mine.on(Events.ShardReconnecting, (shard) => {
      ready.delete(shard);
      if (this.#status.kind !== 'ready') return;
      this.#status = { kind: 'dropped' };
      log.warn('discord.dropped', { shard });
      watch.abort();
      expectReady();
    });
    mine.on(Events.ShardDisconnect, ({ code }) => {
      if (isFinal(code)) ended.abort(reasonOf(undefined, code));
    });
    expectReady();
    mine.login(this.#deps.token).catch((error: unknown) => ended.abort(reasonOf(error, undefined)));
    await isEnded;
    await freeze();
    return { because: String(ended.signal.reason), wasReady };
  }

  async #keep(): Promise<void> {
    const { log, clock } = this.#deps;
    let pause = MIN_PAUSE;
    let logged: string | undefined;
    while (!this.#over.signal.aborted) {
      const { because, wasReady } = await this.#session();
      if (this.#over.signal.aborted) break;
      this.#status = { kind: 'failed', because };
      if (wasReady) pause = MIN_PAUSE;
      // A reason is logged once, not at every retry.
      if (wasReady || logged !== because) log.error('discord.not-connected', { because, retryMs: pause });
      logged = because;
      await clock.sleep(pause, this.#over.signal).catch(() => undefined);
      pause = Math.min(MAX_PAUSE, pause * 2);
    }
    this.#status = { kind: 'off' };
  }
}

interface Managed {
  readonly client: Client;
  freeze(): Promise<void>;
}

function createClient({ apiUrl, log, events, readsMentions, receive }: ConnectionDeps): Managed {
  let forgetSessions = (): void => undefined;
  const client = new Client({
    // Discord states the number: one shard up to 2,500 servers.
    shards: 'auto',
    // Interactions need no intent. None of these is privileged: Discord delivers private messages and mentions with their text anyway.
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.DirectMessages, ...(readsMentions ? [GatewayIntentBits.GuildMessages] : [])],
    makeCache: Options.cacheWithLimits(NO_CACHES),
    allowedMentions: { parse: [] },
    rest: { api: apiUrl, retries: 0, rejectOnRateLimit: () => true },
    ws: {
      buildStrategy(manager) {
        forgetSessions = () => {
          // A shard that is destroyed between two tries would connect once more. It asks for its session first, so this promise stops it.
          manager.options.retrieveSessionInfo = async () => new Promise(() => undefined);
        };
        return new SimpleShardingStrategy(manager);
      },
    },
  });
  for (const event of events) client.ws.on(event, (data: unknown) => receive(event, data));
  client.on(Events.Error, (error) => log.warn('discord.client-error', { error }));
  client.on(Events.ShardError, (error) => log.debug('discord.line-error', { error }));
  guardPackets(client, log);
  return {
    client,
    async freeze() {
      client.removeAllListeners();
      client.ws.removeAllListeners();
      client.on(Events.Error, () => undefined);
      forgetSessions();
      await client.destroy();
    },
  };
}

const NO_CACHES = {
  ApplicationCommandManager: 0,
  ApplicationEmojiManager: 0,
  AutoModerationRuleManager: 0,
  BaseGuildEmojiManager: 0,
  EntitlementManager: 0,
  GuildBanManager: 0,
  GuildEmojiManager: 0,
  GuildInviteManager: 0,
  GuildMemberManager: 0,
  GuildScheduledEventManager: 0,
  GuildStickerManager: 0,
  MessageManager: 0,
  PresenceManager: 0,
  ReactionManager: 0,
  ReactionUserManager: 0,
  StageInstanceManager: 0,
  ThreadMemberManager: 0,
  UserManager: 0,
  VoiceStateManager: 0,
};

/** The library's handlers throw for some packets (14.28: RESUMED), which ends the process. */
function guardPackets(client: Client, log: Log): void {
  const handle: unknown = Reflect.get(client.ws, 'handlePacket');
  if (typeof handle !== 'function') return;
  Object.defineProperty(client.ws, 'handlePacket', {
    value: (...packet: readonly unknown[]): unknown => {
      try {
        return Reflect.apply(handle, client.ws, packet);
      } catch (error) {
        log.warn('discord.packet-not-handled', { error });
        return false;
      }
    },
  });
}

export const BAD_TOKEN = 'Discord refuses the token; copy it again from the developer portal into DISCORD_TOKEN';

/** The close codes after which Discord refuses a reconnect. */
const FINAL: ReadonlyMap<number, string> = new Map([
  [Close.AuthenticationFailed, BAD_TOKEN],
  [Close.InvalidShard, 'Discord refuses this kind of connection (invalid shard)'],
  [Close.ShardingRequired, 'the bot is in too many servers for one connection'],
  [Close.InvalidAPIVersion, 'Discord no longer speaks this version of its interface; update Navwatch'],
  [Close.InvalidIntents, 'Discord does not know the intents asked for; update Navwatch'],
  [Close.DisallowedIntents, 'Discord does not allow the intents asked for; look under "Bot" in the developer portal'],
]);

const isFinal = (code: number): boolean => FINAL.has(code);

export function reasonOf(error: unknown, code: number | undefined): string {
  const final = code === undefined ? undefined : FINAL.get(code);
  if (final !== undefined) return final;
  // The library reports a 401 with this code.
  if (error instanceof Error && 'code' in error && error.code === 'TokenInvalid') return BAD_TOKEN;
  if (error === undefined) return code === undefined ? 'Discord does not answer' : `Discord closed the connection (${code})`;
  return `Discord cannot be reached (${inWords(error)})`;
}
