/** Keeps the gateway connected: logs in, lets the library resume what drops, and begins anew, with growing pauses, where that leads nowhere. */
import { Client, Events, GatewayIntentBits, Options, SimpleShardingStrategy, type GatewayDispatchEvents } from 'discord.js';
import { MINUTE, SECOND, type Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { isFinal, reasonOf } from './login.js';

const FIRST_PAUSE = 2 * SECOND;
const LONGEST_PAUSE = 5 * MINUTE;
/** How long a login, or a reconnect by the library, may take before we begin anew. */
const PATIENCE = 2 * MINUTE;

export interface ConnectionNeeds {
  readonly token: string;
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The events that `hear` wants. */
  readonly events: readonly GatewayDispatchEvents[];
  /** Takes an event as Discord sent it, in their order. Must not throw. */
  hear(event: GatewayDispatchEvents, data: unknown): void;
}

export type Standing =
  | { readonly kind: 'off' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'failed'; readonly because: string };

export interface Connection {
  start(): void;
  /** Resolves when the connection is closed. Idempotent. */
  stop(): Promise<void>;
  standing(): Standing;
  /** How many servers we are in, as far as it was told. */
  guilds(): number;
  /** The server of a channel, as far as it was told of. */
  guildOf(channel: string): string | undefined;
}

export function openConnection(needs: ConnectionNeeds): Connection {
  const { clock, log } = needs;
  const over = new AbortController();
  let running: Promise<void> | undefined;
  let client: Client | undefined;
  let standing: Standing = { kind: 'off' };

  /** One client from its login to its end; resolves with the reason why another one is needed, and whether this one was ever ready. */
  async function session(): Promise<{ readonly because: string; readonly wasReady: boolean }> {
    const { client: mine, freeze } = createClient(needs);
    client = mine;
    standing = { kind: 'connecting' };
    let wasReady = false;
    let watch = new AbortController();
    const ended = new AbortController();
    const isEnded = new Promise<void>((resolve) => {
      ended.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    over.signal.addEventListener('abort', () => ended.abort('stopped'), { once: true, signal: ended.signal });

    /** What is not ready within our patience is given up. */
    const expectReady = (): void => {
      watch = new AbortController();
      clock.sleep(PATIENCE, AbortSignal.any([watch.signal, ended.signal])).then(
        () => ended.abort(reasonOf(undefined, undefined)),
        () => undefined,
      );
    };
    const isReady = (): void => {
      watch.abort();
      wasReady = true;
      standing = { kind: 'ready' };
    };
    mine.on(Events.ShardReady, () => {
      isReady();
      log.info('discord.connected', { guilds: mine.guilds.cache.size });
    });
    mine.on(Events.ShardResume, (_, replayed) => {
      isReady();
      log.info('discord.resumed', { replayed });
    });
    mine.on(Events.ShardReconnecting, () => {
      if (standing.kind !== 'ready') return;
      standing = { kind: 'dropped' };
      log.warn('discord.dropped');
      expectReady();
    });
    mine.on(Events.ShardDisconnect, ({ code }) => {
      if (isFinal(code)) ended.abort(reasonOf(undefined, code));
    });
    expectReady();
    mine.login(needs.token).catch((error: unknown) => ended.abort(reasonOf(error, undefined)));
    await isEnded;
    await freeze();
    return { because: String(ended.signal.reason), wasReady };
  }

  async function keep(): Promise<void> {
    let pause = FIRST_PAUSE;
    let told: string | undefined;
    while (!over.signal.aborted) {
      const { because, wasReady } = await session();
      if (over.signal.aborted) break;
      standing = { kind: 'failed', because };
      if (wasReady) pause = FIRST_PAUSE;
      // Once per reason, not once per try.
      if (wasReady || told !== because) log.error('discord.not-connected', { because, retryMs: pause });
      told = because;
      await clock.sleep(pause, over.signal).catch(() => undefined);
      pause = Math.min(LONGEST_PAUSE, pause * 2);
    }
    standing = { kind: 'off' };
  }

  return {
    start() {
      running ??= keep();
    },
    async stop() {
      over.abort(new Error('The bot stops.'));
      await running;
    },
    standing: () => standing,
    guilds: () => client?.guilds.cache.size ?? 0,
    guildOf(channel) {
      const found = client?.channels.cache.get(channel);
      return found === undefined || found.isDMBased() ? undefined : found.guildId;
    },
  };
}

interface Managed {
  readonly client: Client;
  /** Ends the client for good. */
  freeze(): Promise<void>;
}

function createClient({ apiUrl, log, events, hear }: ConnectionNeeds): Managed {
  let forgetSessions = (): void => undefined;
  const client = new Client({
    // Interactions need none at all; this one tells of servers, channels and roles.
    intents: [GatewayIntentBits.Guilds],
    makeCache: Options.cacheWithLimits(NOTHING_KEPT),
    allowedMentions: { parse: [] },
    rest: { api: apiUrl, retries: 0, rejectOnRateLimit: () => true },
    ws: {
      buildStrategy(manager) {
        forgetSessions = () => {
          // A shard that is between two tries connects once more, even after it was destroyed. It asks for its session before, and waits here for ever.
          manager.options.retrieveSessionInfo = async () => new Promise(() => undefined);
        };
        return new SimpleShardingStrategy(manager);
      },
    },
  });
  for (const event of events) client.ws.on(event, (data: unknown) => hear(event, data));
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

const NOTHING_KEPT = {
  ...{ ApplicationCommandManager: 0, ApplicationEmojiManager: 0, AutoModerationRuleManager: 0, BaseGuildEmojiManager: 0 },
  ...{ EntitlementManager: 0, GuildBanManager: 0, GuildEmojiManager: 0, GuildInviteManager: 0, GuildMemberManager: 0 },
  ...{ GuildScheduledEventManager: 0, GuildStickerManager: 0, MessageManager: 0, PresenceManager: 0, ReactionManager: 0 },
  ...{ ReactionUserManager: 0, StageInstanceManager: 0, ThreadMemberManager: 0, UserManager: 0, VoiceStateManager: 0 },
};

/**
 * The library's own handlers throw where a packet comes at an odd moment (14.28: a RESUMED with an invalid session right behind it), and an
 * error there would end the process. The connection itself recovers.
 */
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
