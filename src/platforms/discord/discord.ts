/** The Discord platform: one gateway connection, questions answered as they come, and a notifier that needs no connection. */
import { GatewayDispatchEvents as Event } from 'discord.js';
import { z } from 'zod';
import { MINUTE, SECOND } from '../../base/clock.js';
import type { Notifier } from '../../chat/notifier.js';
import type { DataOwner } from '../../chat/privacy.js';
import type { Platform } from '../../chat/platform.js';
import { openActions } from '../actions.js';
import { prepare } from '../attachments.js';
import { createLimiter } from '../limiter/limiter.js';
import type { PlatformDeps } from '../deps.js';
import { channelOf } from './address.js';
import { openArrivals } from './arrivals.js';
import { openConnection, type Standing } from './connection.js';
import { discordNotifier, NONCE_WINDOW } from './notifier.js';
import { chatNews, NEWS_EVENTS, type NewsEvent } from './news.js';
import { clip } from '../visible.js';
import { inWords, registrationRemedy } from './outcome.js';
import { openPlaces } from './places.js';
import { DEFAULT_PER_SECOND, discordLimits } from './rates.js';
import { createQuestions, DEFER_AFTER } from './questions.js';
import { openRest } from './rest.js';
import { syncCommands } from './sync.js';

export interface DiscordDeps extends PlatformDeps {
  readonly token: string;
  /** The library adds the version. */
  readonly apiUrl: string;
  /** Registers the commands in this server only, where they show at once. */
  readonly guildId?: string | undefined;
  /** Requests that it may make in a second. Default: as Discord says. */
  readonly requestsPerSecond?: number;
  readonly tuning?: Tuning;
}

/** Times in milliseconds. */
export interface Tuning {
  /** How long a question may take before "thinking" is shown. */
  readonly deferAfterMs?: number;
  /** How long Discord is trusted to recognise a repeated post. */
  readonly nonceWindowMs?: number;
  /** How long one call may take. */
  readonly deadlineMs?: number;
}

const DEADLINE = 15 * SECOND;
/** An answer may wait for a rate limit as long as this; its token lives fifteen minutes. */
const ANSWER_PATIENCE = MINUTE;
const FIRST_SYNC_PAUSE = MINUTE;
const LONGEST_SYNC_PAUSE = 60 * MINUTE;

/** A diagnosis is a few words. */
const MOST_SAID = 99;

const readySchema = z.object({ application: z.object({ id: z.string() }) });

/** Nothing happens before `start()`, except that the notifier delivers: it needs no connection. */
export function createDiscord(needs: DiscordDeps): Platform {
  const { token, apiUrl, guildId: guild, catalogue, answer, store, clock, log, onChatEvent, pictures, tuning = {} } = needs;
  const { requestsPerSecond: perSecond = DEFAULT_PER_SECOND } = needs;
  const { limits = discordLimits(perSecond) } = needs;
  const { deferAfterMs = DEFER_AFTER, nonceWindowMs = NONCE_WINDOW, deadlineMs = DEADLINE } = tuning;
  const kept = openActions(store, clock);
  const places = openPlaces(store);
  // An alert is never kept waiting in memory, where a restart would lose the wait.
  const limiter = createLimiter(limits, clock);
  const rest = { token, apiUrl, clock, limiter, perSecond };
  const posting = openRest({ ...rest, deadlineMs, patienceMs: 0 });
  const answering = openRest({ ...rest, deadlineMs: deadlineMs + ANSWER_PATIENCE, patienceMs: ANSWER_PATIENCE });

  const over = new AbortController();
  let syncing: Promise<void> | undefined;
  /** Why the slash commands are not registered; undefined where they are, or where that was not tried yet. */
  let unregistered: string | undefined;
  /** Until it is done; without its commands the bot still delivers. */
  async function sync(application: string): Promise<void> {
    let pause = FIRST_SYNC_PAUSE;
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
      pause = Math.min(LONGEST_SYNC_PAUSE, pause * 2);
    }
  }

  const connection = openConnection({
    ...{ token, apiUrl, clock, log },
    events: [Event.InteractionCreate, ...NEWS_EVENTS],
    hear(event, data) {
      if (event === Event.InteractionCreate) {
        const asked = questions.hear(data);
        if (asked !== undefined) news.used(asked.channel, asked.guild);
        return;
      }
      if (isNews(event)) news.hear(event, data);
      if (event === Event.Ready) {
        const ready = readySchema.safeParse(data);
        if (ready.success) syncing ??= sync(ready.data.application.id).finally(() => (syncing = undefined));
      }
    },
  });
  const notifier = discordNotifier({
    ...{ call: posting.call, limiter, kept, places, clock, log, nonceWindowMs },
    guildOf: connection.guildOf,
    diagnose: async () => {
      const found = diagnosis(connection.standing(), connection.guilds());
      return unregistered === undefined || !found.ok
        ? found
        : { ok: false, says: `${found.says}, but ${unregistered}`, problem: `On Discord ${unregistered}.` };
    },
  });
  const questions = createQuestions({
    ...{ call: answering.call, kept, catalogue, answer, clock, log, deferAfterMs },
    // On a dark ground, which is what Discord begins with.
    prepare: (reply, room) => prepare(reply, { pictures, look: 'dark', room, clock, log }),
  });
  const news = chatNews({ places, arrivals: openArrivals({ store, clock }), notifier, onChatEvent, log });

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    await questions.stop();
    over.abort(new Error('The bot stops.'));
    await connection.stop();
    await syncing;
    await news.idle();
    posting.close();
    answering.close();
  }
  const dataOwner: DataOwner = {
    async kept(chat) {
      const channel = channelOf(chat);
      const place = channel === undefined ? undefined : await places.get(channel);
      return place?.guild === undefined ? [] : ['to which server this channel belongs, to notice when I am removed'];
    },
    async forgetChat(chat) {
      const channel = channelOf(chat);
      if (channel !== undefined) await places.forget(channel);
    },
  };
  return { notifier, dataOwner, start: () => connection.start(), stop: async () => (stopping ??= stop()) };
}

const isNews = (event: Event): event is NewsEvent => NEWS_EVENTS.some((one) => one === event);

function diagnosis(standing: Standing, guilds: number): Awaited<ReturnType<Notifier['diagnose']>> {
  switch (standing.kind) {
    case 'ready':
      return { ok: true, says: guilds === 1 ? 'in 1 server' : `in ${guilds} servers` };
    case 'off':
      return { ok: false, says: 'not started' };
    case 'connecting':
      return { ok: false, says: 'connecting' };
    case 'dropped':
      return { ok: false, says: 'the connection dropped; it is being taken up again' };
    case 'failed':
      return { ok: false, says: clip(standing.because, MOST_SAID) };
  }
}
