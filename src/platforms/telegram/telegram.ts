/** Telegram, put together: the way in, the talk, the notifier. The only platform file that app imports. */
import { SECOND } from '../../base/clock.js';
import type { ChatEvent, Platform } from '../../chat/platform.js';
import { openActions } from '../actions.js';
import { prepare, type Room } from '../attachments.js';
import type { PlatformDeps } from '../deps.js';
import { createLimiter } from '../limiter/limiter.js';
import { openTextFirst } from '../text-first.js';
import { addressOf } from './address.js';
import { openAlbum } from './album.js';
import { openAnsweringApi, openApi } from './api.js';
import { telegramNotifier } from './notifier.js';
import { runGateway } from './gateway.js';
import { openFiles } from './files.js';
import type { Heard } from './heard.js';
import { openInbox, type Inbox } from './inbox.js';
import { openJoining } from './joining.js';
import { DEFAULT_RATES, telegramLimits, type SendingRates } from './limits.js';
import { openMemory } from './memory.js';
import { inWords } from './outcome.js';
import { openPictured } from './pictured.js';
import { createPrompting } from './prompting.js';
import { dataOwnerOf } from './data-owner.js';
import { openPrompts } from './prompts.js';
import { openRights } from './rights.js';
import { openState } from './state.js';
import { syncMenus } from './sync.js';
import { createTalk } from './talk.js';

export interface TelegramDeps extends PlatformDeps {
  readonly token: string;
  readonly apiRoot: string;
  /** Milliseconds that a call may take. */
  readonly callTimeout?: number;
  /** How fast it may send. Default: as Telegram says. */
  readonly rates?: SendingRates;
}

/** So long what is in hand may take at the end; what takes longer is begun again at the next start. */
const GRACE = 10 * SECOND;
/** What was given up writes down that it was. */
const LAST_WORDS = SECOND;
/** https://core.telegram.org/bots/api#sending-files; each file is a message of its own. */
const MEGABYTE = 1024 * 1024;
const ROOM: Room = { picture: 10 * MEGABYTE, together: 50 * MEGABYTE, count: 10 };

export function createTelegram(needs: TelegramDeps): Platform {
  const {
    token,
    apiRoot,
    catalogue,
    answer,
    store,
    clock,
    log,
    onChatEvent,
    pictures,
    callTimeout,
    rates = DEFAULT_RATES,
    limits = telegramLimits(rates),
  } = needs;
  const polling = new AbortController();
  const questions = new AbortController();
  const calls = new AbortController();
  const connecting = {
    ...{ token, apiRoot, clock, polling: polling.signal, closing: calls.signal },
    ...(callTimeout === undefined ? {} : { callTimeout }),
  };
  const limiter = createLimiter(limits, clock);
  const api = openAnsweringApi(connecting, limiter);
  const actions = openActions(store, clock);
  const state = openState(log);
  const telling = new Set<Promise<void>>();
  /** Learned from an error: it comes up again with the next one, so one attempt is enough. */
  const tell = (news: ChatEvent): void => {
    const told = onChatEvent(news)
      .catch((error: unknown) => log.error('telegram.news-not-taken', { kind: news.kind, error }))
      .finally(() => telling.delete(told));
    telling.add(told);
  };
  const notifier = telegramNotifier({ api: openApi(connecting), limiter, actions, clock, log, state, tell });
  const memory = openMemoryOnce({ store, log });
  const rights = openRights({ api, clock, log });
  const prompts = openPrompts({ store, clock, log });
  const prompting = createPrompting({ api, clock, log, tell, rights, prompts });
  const textFirst = openTextFirst({ clock, onFailure: (error) => log.warn('telegram.picture-not-added', { error: inWords(error) }) });
  const talk = createTalk({
    ...{ api, actions, clock, log, tell, answer, rights, prompting },
    files: openFiles({ api, token, apiRoot, callTimeout, clock, log, closing: calls.signal }),
    takesFiles: catalogue.commands.flatMap(({ name, options }) => (options.some(({ file }) => file === true) ? [`/${name}`] : [])),
    album: openAlbum({ memory, log }),
    pictured: openPictured({ memory, log }),
    textFirst,
    // On a light ground, which is what Telegram begins with.
    prepare: (reply) => prepare(reply, { pictures, look: 'light', room: ROOM, clock, log }),
  });

  const joining = openJoining({ memory, clock, tell: onChatEvent, stopping: polling.signal });

  const handle = async (heard: Heard, signal: AbortSignal): Promise<boolean> => {
    switch (heard.kind) {
      case 'ask':
        return talk.ask(heard, signal);
      case 'press':
        return talk.press(heard, signal);
      case 'file':
        await talk.file(heard, signal);
        return true;
      case 'joined':
        return joining.handle(heard);
      case 'moved':
      case 'gone':
      case 'back':
        for (const news of newsOf(heard)) await onChatEvent(news);
        if (heard.kind === 'moved') await prompting.follow(heard, signal);
        return true;
    }
  };

  let inbox: Inbox | undefined;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    await runGateway({
      ...{ api, clock, log, state, signal: polling.signal },
      commands: new Set(catalogue.commands.map(({ name }) => name)),
      openInbox: async () =>
        (inbox ??= openInbox({
          memory: await memory(),
          clock,
          log,
          handle,
          giveUp: async (heard, signal) => (heard.kind === 'ask' || heard.kind === 'press' ? talk.giveUp(heard, signal) : undefined),
          taken: joining.notice,
          stopping: polling.signal,
          signal: questions.signal,
        })),
      menus: async (bot) => syncMenus({ api, bot, catalogue, memory: await memory() }),
    });
  };

  async function stop(): Promise<void> {
    const stopping = new Error('the bot is stopping');
    polling.abort(stopping);
    await running;
    await within(GRACE);
    questions.abort(stopping);
    calls.abort(stopping);
    await within(LAST_WORDS);
  }

  /** Resolves when nothing is in hand, or when so much time has passed. */
  async function within(milliseconds: number): Promise<void> {
    const over = new AbortController();
    const patience = clock.sleep(milliseconds, over.signal).catch(() => undefined);
    await Promise.race([Promise.all([inbox?.idle(), textFirst.idle(), ...telling]), patience]);
    over.abort(new Error('nothing is in hand'));
  }

  let stopped: Promise<void> | undefined;
  return {
    notifier,
    dataOwner: dataOwnerOf(prompts),
    start() {
      running ??= run();
    },
    stop: async () => (stopped ??= stop()),
  };
}

/** Opened when it is first needed, so that a store that is locked just now keeps only this platform waiting. */
function openMemoryOnce(needs: Parameters<typeof openMemory>[0]): () => ReturnType<typeof openMemory> {
  let opened: ReturnType<typeof openMemory> | undefined;
  return async () => {
    const opening = (opened ??= openMemory(needs));
    return opening.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
  };
}

function newsOf(heard: Extract<Heard, { kind: 'moved' | 'gone' | 'back' }>): readonly ChatEvent[] {
  switch (heard.kind) {
    case 'moved': {
      const to = addressOf({ chat: heard.to });
      // The old group's end may have been told before; the new one is open.
      return [
        { kind: 'moved', from: addressOf({ chat: heard.from }), to },
        { kind: 'back', chat: to },
      ];
    }
    case 'gone':
      return [{ kind: 'gone', chat: addressOf({ chat: heard.chat }), because: heard.because }];
    case 'back':
      return [{ kind: 'back', chat: addressOf(heard.place) }];
  }
}
