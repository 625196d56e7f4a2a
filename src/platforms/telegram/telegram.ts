/** Creates the Telegram platform; loaded when connected. */
import { SECOND } from '../../base/clock.js';
import { within } from '../../base/deadline.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { ChatEvent, Platform } from '../../chat/platform.js';
import type { Reply } from '../../chat/reply.js';
import { prepare, type Prepared, type UploadLimits } from '../attachments.js';
import { openActions } from '../button-payloads.js';
import { inMemory, openOnce } from '../cached-document.js';
import type { PlatformDeps } from '../descriptor.js';
import { ProcessLimiter } from '../limiter/limiter.js';
import { shareLimiter } from '../limiter/shared-limiter.js';
import { Conversations } from '../conversation.js';
import { addressOf, placeOf } from './address.js';
import { openAnswerUpdates } from './answer-updates.js';
import { openAnsweringApi, openApi } from './api.js';
import { openDocument } from './document.js';
import { openFiles } from './files.js';
import { Gateway, openConnectionState } from './gateway.js';
import type { IncomingUpdate } from './incoming-update.js';
import { Inline, inlineLines } from './inline.js';
import { openJoining } from './joining.js';
import { openPanels } from './keyboard-pages.js';
import { TelegramNotifier } from './notifier.js';
import { inWords } from './outcome.js';
import { openPictureMessages, openUploadCache } from './pictures.js';
import { inviteLinks, syncProfile, type InvitedBot } from './profile.js';
import { createPrompting, promptingElsewhere } from './prompting.js';
import { dataOwnerOf, openPrompts } from './prompts.js';
import { Questions } from './questions.js';
import { openWebhook, takeForwarded } from './receiving.js';
import { openRights } from './rights.js';
import { largest } from './send-and-edit.js';
import { DEFAULT_RATES, telegramLimits, type SendingRates } from './settings.js';
import { UpdateQueue, type UpdateTurn } from './update-queue.js';

export interface TelegramDeps extends PlatformDeps {
  readonly token: string;
  readonly apiRoot: string;
  readonly rates?: SendingRates;
  /** Where Telegram posts updates. Without it they are polled. */
  readonly webhookUrl?: string | undefined;
  /** The chat to which pictures of inline results are uploaded. Absent: they have none. */
  readonly cacheChat?: number | string | undefined;
}

/** The time that a stop leaves to work under way. */
const GRACE = 4 * SECOND;
const ABORT_GRACE = SECOND;
/** https://core.telegram.org/bots/api#sending-files; each file is a message of its own. */
const MEGABYTE = 1024 * 1024;
const UPLOAD_LIMITS: UploadLimits = { picture: 10 * MEGABYTE, together: 50 * MEGABYTE, count: 10 };

export function createTelegram(deps: TelegramDeps): Platform {
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
    cacheChat,
    webhookUrl,
    forwarding,
    rates = DEFAULT_RATES,
    limits = telegramLimits(rates),
    isActive,
    onDate,
  } = deps;
  const polling = new AbortController();
  const work = new AbortController();
  const calls = new AbortController();
  const connecting = omitUndefined({ token, apiRoot, clock, polling: polling.signal, closing: calls.signal, isActive, onDate });
  const own = new ProcessLimiter(limits, clock);
  const limiter = shareLimiter({ own, shared: store.shared, platform: 'telegram', limits, clock, log });
  const api = openAnsweringApi(connecting, limiter);
  const actions = openActions(store, clock);
  const panels = openPanels({ store, clock });
  const state = openConnectionState(log);
  const reporting = new Set<Promise<void>>();
  const report = (event: ChatEvent): void => {
    const reported = onChatEvent(event)
      .catch((error: unknown) => log.error('telegram.event-not-recorded', { kind: event.kind, error }))
      .finally(() => reporting.delete(reported));
    reporting.add(reported);
  };
  const isAnswering = forwarding?.role === 'answer';
  const document = openOnce(async () => {
    const stored = await openDocument({ store, log });
    return isAnswering ? inMemory(stored) : stored;
  });
  const uploads = openUploadCache({ document, log });
  const notifier = new TelegramNotifier({ api: openApi(connecting), limiter, actions, panels, clock, log, state, report, uploads });
  const rights = openRights({ api, clock, log });
  const prompts = openPrompts({ store, clock, log });
  const prompting = isAnswering ? promptingElsewhere : createPrompting({ api, clock, log, report, rights, prompts });
  const conversations = new Conversations({
    clock,
    onFailure: (error) => log.warn('telegram.picture-not-added', { error: inWords(error) }),
  });
  // Telegram's default theme is light.
  const drawn = (reply: Reply): Prepared => prepare(reply, { pictures, theme: 'light', room: UPLOAD_LIMITS, clock, log });
  const questions = new Questions({
    api,
    apiOf: (asker) => openAnsweringApi(connecting, limiter, asker),
    actions,
    panels,
    clock,
    log,
    report,
    answer,
    rights,
    prompting,
    files: openFiles({ api, token, apiRoot, clock, log, closing: calls.signal }),
    takesFiles: catalogue.commands.flatMap(({ name, options }) => (options.some(({ file }) => file === true) ? [`/${name}`] : [])),
    uploads,
    pictureMessages: openPictureMessages({ document, log }),
    conversations,
    prepare: drawn,
  });
  const inline = new Inline({
    api,
    answer,
    lines: inlineLines(catalogue),
    prepare: drawn,
    pictureId:
      cacheChat === undefined
        ? undefined
        : async (bytes) =>
            uploads.idOf(bytes, async (media) => largest((await api.sendPhoto(cacheChat, media, { disable_notification: true })).photo)),
    clock,
    log,
    stopping: polling.signal,
  });

  const webhook = webhookUrl === undefined ? undefined : openWebhook({ token, url: webhookUrl, log });
  const joining = openJoining({ document, clock, report: onChatEvent, stopping: polling.signal });

  const handle = async (incoming: IncomingUpdate, turn: UpdateTurn): Promise<boolean> => {
    switch (incoming.kind) {
      case 'ask':
        return questions.ask(incoming, turn);
      case 'press':
        return questions.press(incoming, turn);
      case 'file':
        await questions.file(incoming, turn.signal);
        return true;
      case 'joined':
        return joining.handle(incoming);
      case 'moved':
      case 'gone':
      case 'back':
        for (const event of eventsOf(incoming)) await onChatEvent(event);
        if (incoming.kind === 'moved') await prompting.follow(incoming, turn.signal);
        return true;
    }
  };

  let me: InvitedBot | undefined;
  let updates: UpdateQueue | undefined;
  let receiving: Omit<Parameters<typeof takeForwarded>[1], 'endTurn'> | undefined;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    await new Gateway({
      api,
      clock,
      log,
      state,
      onLogin: (bot) => (me = bot),
      signal: polling.signal,
      commands: new Set(catalogue.commands.map(({ name }) => name)),
      openUpdates: async () =>
        (updates ??= new UpdateQueue({
          document: await document(),
          clock,
          log,
          handle,
          giveUp: async (incoming, signal) =>
            incoming.kind === 'ask' || incoming.kind === 'press' ? questions.giveUp(incoming, signal) : undefined,
          leftOut: (incoming) => {
            if (incoming.kind !== 'ask' && incoming.kind !== 'press') return;
            const said = questions.tooMany(incoming, work.signal).finally(() => reporting.delete(said));
            reporting.add(said);
          },
          taken: joining.notice,
          stopping: polling.signal,
          signal: work.signal,
        })),
      inline: (query) => inline.take(query),
      webhook,
      forwarding: webhook && forwarding,
      answersOnly:
        forwarding === undefined || !isAnswering
          ? undefined
          : (bot) =>
              openAnswerUpdates({
                ...{ bot, forwarding, questions, clock, log },
                inline: (query) => inline.take(query),
                stopping: polling.signal,
                signal: work.signal,
                underWay: (done) => {
                  const settled = done.then(ignored, ignored).finally(() => reporting.delete(settled));
                  reporting.add(settled);
                },
              }),
      onReceiving: (to) => void (receiving = to),
      profile: async (bot) => syncProfile({ api, bot, catalogue, document: await document() }),
    }).run();
  };

  async function stop(): Promise<void> {
    const stopping = new Error('the bot is stopping');
    polling.abort(stopping);
    await running;
    await idleWithin(GRACE);
    work.abort(stopping);
    calls.abort(stopping);
    await idleWithin(ABORT_GRACE);
  }

  async function idleWithin(milliseconds: number): Promise<void> {
    const idle = Promise.all([updates?.idle(), inline.idle(), conversations.idle(), ...reporting]);
    await within(clock, milliseconds, idle);
  }

  let stopped: Promise<void> | undefined;
  return {
    notifier,
    dataOwner: dataOwnerOf(prompts),
    ...(webhook === undefined ? {} : { routes: webhook.routes }),
    async takeForwarded(raw, endTurn) {
      if (receiving === undefined) throw new Error('telegram: not connected yet');
      await takeForwarded(raw, { ...receiving, endTurn });
    },
    // Whoever is in a group has the bot there already. Groups and channels have negative ids.
    inviteLinks: (chat) => (me === undefined || (placeOf(chat)?.chat ?? -1) < 0 ? [] : inviteLinks(me)),
    sweep: async () => panels.sweep(),
    start() {
      running ??= run();
    },
    stop: async () => (stopped ??= stop()),
  };
}

const ignored = (): void => {};

function eventsOf(incoming: Extract<IncomingUpdate, { kind: 'moved' | 'gone' | 'back' }>): readonly ChatEvent[] {
  switch (incoming.kind) {
    case 'moved': {
      const to = addressOf({ chat: incoming.to });
      // The end of the old group may have been reported before; the new one is open.
      return [
        { kind: 'moved', from: addressOf({ chat: incoming.from }), to },
        { kind: 'back', chat: to },
      ];
    }
    case 'gone':
      return [{ kind: 'gone', chat: addressOf({ chat: incoming.chat }), because: incoming.because }];
    case 'back':
      return [{ kind: 'back', chat: addressOf(incoming.place) }];
  }
}
