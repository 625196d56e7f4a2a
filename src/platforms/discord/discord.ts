/** Assembles, starts and stops the Discord platform. Loaded only when Discord is configured. */
import { GatewayDispatchEvents as Event } from 'discord.js';
import { z } from 'zod';
import { MINUTE, SECOND } from '../../base/clock.js';
import type { Routes } from '../../base/http.js';
import type { Diagnosis } from '../../chat/notifier.js';
import type { Platform } from '../../chat/platform.js';
import type { DataOwner } from '../../chat/privacy.js';
import type { Reply } from '../../chat/reply.js';
import { prepare, type UploadLimits } from '../attachments.js';
import { openActions } from '../button-payloads.js';
import type { PlatformDeps } from '../descriptor.js';
import { ProcessLimiter } from '../limiter/limiter.js';
import { shareLimiter } from '../limiter/shared-limiter.js';
import { truncate } from '../truncate.js';
import { channelOf } from './address.js';
import { DEFAULT_PER_SECOND, discordLimits } from './application.js';
import { CHAT_GATEWAY_EVENTS, ChatEvents, type ChatGatewayEvent } from './chat-events.js';
import { BAD_TOKEN, Connection, type ConnectionStatus } from './connection.js';
import { createEndpointAddress, openEndpoint, type EndpointAddress } from './endpoint.js';
import { openChannelRecords, openChatOf, openGuildJoins, type GuildJoins } from './guilds.js';
import type { Interaction } from './interaction.js';
import { Interactions, DEFER_AFTER } from './interactions.js';
import type { CommandIds } from './markup.js';
import { DiscordNotifier, NONCE_WINDOW } from './notifier.js';
import { inWords, registrationRemedy } from './outcome.js';
import { openMembership } from './permissions.js';
import { ServerPingRoles } from './ping-roles.js';
import { syncCommands } from './register-commands.js';
import { openRest } from './rest.js';
import { Messages } from './written-messages.js';

export interface DiscordDeps extends PlatformDeps {
  readonly token: string;
  readonly apiUrl: string;
  /** The server where commands are registered; if undefined, they are registered everywhere. */
  readonly guildId?: string | undefined;
  readonly requestsPerSecond?: number;
  /** Whether mentions and replies in servers are answered. */
  readonly mentions?: boolean;
  /** The URL to which Discord posts interactions; undefined if they come over the gateway. */
  readonly interactionsUrl?: string | undefined;
  readonly tuning?: Tuning;
}

/** Times are in milliseconds. */
export interface Tuning {
  readonly deferAfterMs?: number;
  readonly nonceWindowMs?: number;
  readonly deadlineMs?: number;
}

const DEADLINE = 15 * SECOND;
/** An interaction token is valid for fifteen minutes. */
const ANSWER_PATIENCE = MINUTE;
const MIN_SYNC_PAUSE = MINUTE;
const MAX_SYNC_PAUSE = 60 * MINUTE;

/** The length is in characters. */
const MAX_DIAGNOSIS = 99;

const readySchema = z.object({ application: z.object({ id: z.string() }), user: z.object({ id: z.string() }) });

/** Creates the platform. Before `start()` only its notifier works. */
export const createDiscord = (deps: DiscordDeps): Platform => new DiscordPlatform(deps);

class DiscordPlatform implements Platform {
  readonly notifier: DiscordNotifier;
  readonly routes?: Routes;
  readonly #deps: DiscordDeps;
  readonly #clients: Clients;
  readonly #over = new AbortController();
  readonly #connection: Connection;
  readonly #interactions: Interactions;
  readonly #messages: Messages;
  /** The bot's own user id; undefined before it is connected. */
  #me: string | undefined;
  readonly #address: EndpointAddress;
  readonly #guildJoins: GuildJoins;
  readonly #pingRoles: ServerPingRoles;
  readonly #chatEvents: ChatEvents;
  #syncing: Promise<void> | undefined;
  #commandIds: CommandIds = new Map();
  #unregistered: string | undefined;
  #addressed: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  readonly dataOwner: DataOwner = {
    kept: async (chat) => {
      const channel = channelOf(chat);
      const record = channel === undefined ? undefined : await this.#clients.channels.get(channel);
      if (record?.guild === undefined) return [];
      const roles = await this.#pingRoles.countIn(record.guild);
      return [
        'to which server this channel belongs, to notice when I am removed',
        ...(roles === 0 ? [] : ['which roles of this server I made for pings; Discord alone knows who has them']),
      ];
    },
    forgetChat: async (chat) => {
      const channel = channelOf(chat);
      if (channel === undefined) return;
      await this.#clients.channels.forget(channel);
      // Channels are forgotten before, because a server's roles are deleted with its last channel.
      await this.#pingRoles.sweep();
    },
  };

  constructor(deps: DiscordDeps) {
    const { token, apiUrl, store, clock, log, onChatEvent, interactionsUrl } = deps;
    this.#deps = deps;
    this.#clients = openClients(deps);
    const { channels, answering } = this.#clients;
    const endpoint = interactionsUrl === undefined ? undefined : openEndpoint({ url: interactionsUrl, clock, log });
    if (endpoint !== undefined) this.routes = endpoint.routes;
    const receive = (data: unknown): void => this.#receive(Event.InteractionCreate, data);
    this.#address = createEndpointAddress({ call: answering.call, store, endpoint, receive, sets: !this.#isAnswering, clock, log });
    this.#connection = new Connection({
      ...{ token, apiUrl, clock, log, readsMentions: deps.mentions === true },
      events: [Event.InteractionCreate, Event.MessageCreate, ...CHAT_GATEWAY_EVENTS],
      receive: (event, data) => this.#receive(event, data),
    });
    this.#pingRoles = new ServerPingRoles({
      ...{ ...this.#clients, call: answering.call, store, clock, log },
      channelsOf: (guild) => this.#connection.channelsOf(guild),
    });
    this.notifier = this.#openNotifier();
    const answers = this.#openAnswers();
    this.#interactions = new Interactions({ ...answers, forwarding: deps.forwarding });
    this.#messages = new Messages({
      ...{ ...answers, permissions: this.notifier.permissions },
      parentOf: (channel) => this.#connection.parentOf(channel),
    });
    this.#guildJoins = openGuildJoins({ store, clock });
    this.#chatEvents = new ChatEvents({ channels, guildJoins: this.#guildJoins, notifier: this.notifier, onChatEvent, log });
  }

  start(): void {
    if (!this.#isAnswering) this.#connection.start();
    this.#addressed ??= this.#address.run(this.#over.signal);
  }

  async stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async sweep(): Promise<void> {
    await this.#guildJoins.sweep();
    await this.#clients.channels.sweep(this.#deps.clock.now());
    await this.#pingRoles.sweep();
  }

  async takeForwarded(raw: unknown, endTurn?: () => void): Promise<void> {
    this.#received(await this.#interactions.take(raw, endTurn));
  }

  get #isAnswering(): boolean {
    return this.#deps.forwarding?.role === 'answer';
  }

  #openNotifier(): DiscordNotifier {
    const { clock, log, tuning: { nonceWindowMs = NONCE_WINDOW } = {} } = this.#deps;
    const { posting, limiter, actions, channels } = this.#clients;
    return new DiscordNotifier({
      ...{ limiter, actions, channels, clock, log, nonceWindowMs },
      call: posting.call,
      guildOf: (channel) => this.#connection.guildOf(channel),
      isListening: () => this.#connection.status().kind === 'ready',
      diagnose: async () => this.#diagnose(),
    });
  }

  /** Opens the parts that answer interactions and messages. */
  #openAnswers() {
    const { catalogue, answer, clock, log, pictures, tuning: { deferAfterMs = DEFER_AFTER } = {} } = this.#deps;
    const { answering, actions, channels } = this.#clients;
    return {
      ...{ actions, catalogue, answer, clock, log, deferAfterMs, pingRoles: this.#pingRoles, chatOf: openChatOf(channels) },
      call: answering.call,
      commandIds: () => this.#commandIds,
      membership: openMembership({ call: answering.call, clock, log }),
      // Discord's default theme is dark.
      prepare: (reply: Reply, room: UploadLimits) => prepare(reply, { pictures, theme: 'dark', room, clock, log }),
    };
  }

  #receive(event: Event, data: unknown): void {
    if (event === Event.InteractionCreate) return this.#received(this.#interactions.receive(data));
    if (event === Event.MessageCreate) return this.#heard(data);
    if (isChatEvent(event)) this.#chatEvents.receive(event, data);
    const ready = event === Event.Ready ? readySchema.safeParse(data) : undefined;
    if (ready?.success !== true) return;
    this.#me = ready.data.user.id;
    this.#syncing ??= this.#sync(ready.data.application.id).finally(() => (this.#syncing = undefined));
  }

  #heard(data: unknown): void {
    const question = this.#me === undefined ? undefined : this.#messages.receive(data, this.#me);
    if (question !== undefined) this.#chatEvents.used(question.channel, question.guild);
  }

  #received(interaction: Interaction | undefined): void {
    // Only the active process records channels.
    if (interaction === undefined || interaction.isOutside || this.#isAnswering) return;
    this.#chatEvents.used(interaction.channel, interaction.guild);
  }

  /** Registers the commands, and retries until that succeeds. */
  async #sync(application: string): Promise<void> {
    const { store, catalogue, clock, log, guildId: guild } = this.#deps;
    const { signal } = this.#over;
    let pause = MIN_SYNC_PAUSE;
    while (!signal.aborted) {
      try {
        this.#commandIds = await syncCommands(application, {
          call: this.#clients.answering.call,
          store,
          commands: catalogue.commands,
          guild,
          log,
        });
        this.#unregistered = undefined;
        return;
      } catch (error) {
        this.#unregistered = `its slash commands are not registered (${inWords(error)}); ${registrationRemedy(error, guild)}`;
        log.warn('discord.commands-not-registered', { because: inWords(error), retryMs: pause });
      }
      await clock.sleep(pause, signal).catch(() => undefined);
      pause = Math.min(MAX_SYNC_PAUSE, pause * 2);
    }
  }

  #diagnose(): Diagnosis {
    const found: Diagnosis = this.#isAnswering
      ? { ok: true, says: 'receives interactions' }
      : diagnosis(this.#connection.status(), this.#connection.guilds());
    const problem = this.#address.problem() ?? this.#unregistered;
    return problem === undefined || !found.ok
      ? found
      : { ok: false, says: `${found.says}, but ${problem}`, problem: `On Discord ${problem}.` };
  }

  async #stop(): Promise<void> {
    await Promise.all([this.#interactions.stop(), this.#messages.stop()]);
    this.#over.abort(new Error('The bot stops.'));
    await this.#connection.stop();
    await Promise.all([this.#syncing, this.#addressed]);
    await this.#chatEvents.idle();
    this.#clients.posting.close();
    this.#clients.answering.close();
  }
}

type Clients = ReturnType<typeof openClients>;

/** Opens the REST clients for answers and for alerts. */
function openClients(deps: DiscordDeps) {
  const {
    token,
    apiUrl,
    store,
    clock,
    log,
    requestsPerSecond: perSecond = DEFAULT_PER_SECOND,
    tuning: { deadlineMs = DEADLINE } = {},
  } = deps;
  const { limits = discordLimits(perSecond) } = deps;
  const own = new ProcessLimiter(limits, clock);
  const limiter = shareLimiter({ own, shared: store.shared, platform: 'discord', limits, clock, log });
  const rest = { token, apiUrl, clock, limiter, perSecond, isActive: deps.isActive, onDate: deps.onDate };
  return {
    limiter,
    actions: openActions(store, clock),
    channels: openChannelRecords(store),
    // An alert does not wait in memory for a rate limit: the delivery queue stores the wait, so a restart does not lose it.
    posting: openRest({ ...rest, deadlineMs, patienceMs: 0 }),
    answering: openRest({ ...rest, deadlineMs: deadlineMs + ANSWER_PATIENCE, patienceMs: ANSWER_PATIENCE }),
  };
}

const isChatEvent = (event: Event): event is ChatGatewayEvent => CHAT_GATEWAY_EVENTS.some((one) => one === event);

function diagnosis(status: ConnectionStatus, guilds: number): Diagnosis {
  switch (status.kind) {
    case 'ready':
      return { ok: true, says: guilds === 1 ? 'in 1 server' : `in ${guilds} servers` };
    case 'off':
      return { ok: false, says: 'not started' };
    case 'connecting':
      return { ok: false, says: 'connecting' };
    case 'dropped':
      return { ok: false, says: 'the connection dropped; it is being taken up again' };
    case 'failed':
      return { ok: false, says: truncate(status.because, MAX_DIAGNOSIS), ...(status.because === BAD_TOKEN ? { tokenRefused: true } : {}) };
  }
}
