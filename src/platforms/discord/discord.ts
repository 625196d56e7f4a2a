/** Creates the Discord platform; loaded when connected. */
import { GatewayDispatchEvents as Event } from 'discord.js';
import { z } from 'zod';
import { MINUTE, SECOND } from '../../base/clock.js';
import type { Diagnosis } from '../../chat/notifier.js';
import type { Platform } from '../../chat/platform.js';
import type { DataOwner } from '../../chat/privacy.js';
import { prepare } from '../attachments.js';
import { openActions } from '../button-payloads.js';
import type { PlatformDeps } from '../descriptor.js';
import { ProcessLimiter } from '../limiter/limiter.js';
import { shareLimiter } from '../limiter/shared-limiter.js';
import { truncate } from '../truncate.js';
import { channelOf } from './address.js';
import { DEFAULT_PER_SECOND, discordLimits } from './application.js';
import { CHAT_GATEWAY_EVENTS, ChatEvents, type ChatGatewayEvent } from './chat-events.js';
import { BAD_TOKEN, Connection, type ConnectionStatus } from './connection.js';
import { createEndpointAddress, openEndpoint } from './endpoint.js';
import { openChannelRecords, openGuildJoins } from './guilds.js';
import type { Interaction } from './interaction.js';
import { Interactions, DEFER_AFTER } from './interactions.js';
import { DiscordNotifier, NONCE_WINDOW } from './notifier.js';
import { inWords, registrationRemedy } from './outcome.js';
import { openMembership } from './permissions.js';
import { syncCommands } from './register-commands.js';
import { openRest } from './rest.js';

export interface DiscordDeps extends PlatformDeps {
  readonly token: string;
  readonly apiUrl: string;
  /** The server where commands are registered, instead of everywhere. */
  readonly guildId?: string | undefined;
  readonly requestsPerSecond?: number;
  /** Undefined: over the gateway. */
  readonly interactionsUrl?: string | undefined;
  readonly tuning?: Tuning;
}

/** Milliseconds. */
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

/** Characters. */
const MAX_DIAGNOSIS = 99;

const readySchema = z.object({ application: z.object({ id: z.string() }) });

/** Before `start()` only the notifier works. */
export function createDiscord(deps: DiscordDeps): Platform {
  const { token, apiUrl, guildId: guild, catalogue, answer, store, clock, log, onChatEvent, pictures, tuning = {} } = deps;
  const { requestsPerSecond: perSecond = DEFAULT_PER_SECOND, interactionsUrl, forwarding } = deps;
  const { limits = discordLimits(perSecond) } = deps;
  const { deferAfterMs = DEFER_AFTER, nonceWindowMs = NONCE_WINDOW, deadlineMs = DEADLINE } = tuning;
  const actions = openActions(store, clock);
  const channels = openChannelRecords(store);
  // An alert is never actions waiting in memory, where a restart would lose the wait.
  const own = new ProcessLimiter(limits, clock);
  const limiter = shareLimiter({ own, shared: store.shared, platform: 'discord', limits, clock, log });
  const rest = { token, apiUrl, clock, limiter, perSecond, isActive: deps.isActive, onDate: deps.onDate };
  const posting = openRest({ ...rest, deadlineMs, patienceMs: 0 });
  const answering = openRest({ ...rest, deadlineMs: deadlineMs + ANSWER_PATIENCE, patienceMs: ANSWER_PATIENCE });

  const over = new AbortController();
  let syncing: Promise<void> | undefined;
  let unregistered: string | undefined;
  /** Retries until registered. */
  async function sync(application: string): Promise<void> {
    let pause = MIN_SYNC_PAUSE;
    while (!over.signal.aborted) {
      try {
        await syncCommands(application, { call: answering.call, store, commands: catalogue.commands, guild, log });
        unregistered = undefined;
        return;
      } catch (error) {
        unregistered = `its slash commands are not registered (${inWords(error)}); ${registrationRemedy(error, guild)}`;
        log.warn('discord.commands-not-registered', { because: inWords(error), retryMs: pause });
      }
      await clock.sleep(pause, over.signal).catch(() => undefined);
      pause = Math.min(MAX_SYNC_PAUSE, pause * 2);
    }
  }

  const isAnswering = forwarding?.role === 'answer';
  const received = (interaction: Interaction | undefined): void => {
    // The active process keeps what is known of channels.
    if (interaction !== undefined && !interaction.isOutside && !isAnswering) chatEvents.used(interaction.channel, interaction.guild);
  };
  const receive = (data: unknown): void => received(interactions.receive(data));
  const endpoint = interactionsUrl === undefined ? undefined : openEndpoint({ url: interactionsUrl, clock, log });
  const address = createEndpointAddress({ call: answering.call, store, endpoint, receive, sets: !isAnswering, clock, log });
  let addressed: Promise<void> | undefined;

  const connection = new Connection({
    token,
    apiUrl,
    clock,
    log,
    events: [Event.InteractionCreate, ...CHAT_GATEWAY_EVENTS],
    receive(event, data) {
      if (event === Event.InteractionCreate) return receive(data);
      if (isChatEvent(event)) chatEvents.receive(event, data);
      if (event === Event.Ready) {
        const ready = readySchema.safeParse(data);
        if (ready.success) syncing ??= sync(ready.data.application.id).finally(() => (syncing = undefined));
      }
    },
  });
  const notifier = new DiscordNotifier({
    call: posting.call,
    limiter,
    actions,
    channels,
    clock,
    log,
    nonceWindowMs,
    guildOf: (channel) => connection.guildOf(channel),
    isListening: () => connection.status().kind === 'ready',
    diagnose: async () => {
      const found: Diagnosis = isAnswering
        ? { ok: true, says: 'receives interactions' }
        : diagnosis(connection.status(), connection.guilds());
      const problem = address.problem() ?? unregistered;
      return problem === undefined || !found.ok
        ? found
        : { ok: false, says: `${found.says}, but ${problem}`, problem: `On Discord ${problem}.` };
    },
  });
  const interactions = new Interactions({
    call: answering.call,
    actions,
    catalogue,
    answer,
    membership: openMembership({ call: answering.call, clock, log }),
    clock,
    log,
    deferAfterMs,
    forwarding,
    // Discord's default theme is dark.
    prepare: (reply, room) => prepare(reply, { pictures, theme: 'dark', room, clock, log }),
  });
  const guildJoins = openGuildJoins({ store, clock });
  const chatEvents = new ChatEvents({ channels, guildJoins, notifier, onChatEvent, log });

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    await interactions.stop();
    over.abort(new Error('The bot stops.'));
    await connection.stop();
    await Promise.all([syncing, addressed]);
    await chatEvents.idle();
    posting.close();
    answering.close();
  }
  const dataOwner: DataOwner = {
    async kept(chat) {
      const channel = channelOf(chat);
      const record = channel === undefined ? undefined : await channels.get(channel);
      return record?.guild === undefined ? [] : ['to which server this channel belongs, to notice when I am removed'];
    },
    async forgetChat(chat) {
      const channel = channelOf(chat);
      if (channel !== undefined) await channels.forget(channel);
    },
  };
  return {
    notifier,
    dataOwner,
    ...(endpoint === undefined ? {} : { routes: endpoint.routes }),
    takeForwarded: async (raw, endTurn) => received(await interactions.take(raw, endTurn)),
    start() {
      if (!isAnswering) connection.start();
      addressed ??= address.run(over.signal);
    },
    stop: async () => (stopping ??= stop()),
    async sweep() {
      await guildJoins.sweep();
      await channels.sweep(clock.now());
    },
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
