/** Assembles, starts and stops the Telegram platform. Loaded only when Telegram is configured. */
import { SECOND } from '../../base/clock.js';
import { within } from '../../base/deadline.js';
import type { Routes } from '../../base/http.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Address } from '../../chat/address.js';
import type { Forwarding } from '../../chat/forwarding.js';
import type { Notifier } from '../../chat/notifier.js';
import type { ChatEvent, Platform } from '../../chat/platform.js';
import type { DataOwner } from '../../chat/privacy.js';
import type { Link, Reply } from '../../chat/reply.js';
import { prepare, type Prepared, type UploadLimits } from '../attachments.js';
import { openActions } from '../button-payloads.js';
import { inMemory, openOnce } from '../cached-document.js';
import { Conversations } from '../conversation.js';
import type { PlatformDeps } from '../descriptor.js';
import { ProcessLimiter } from '../limiter/limiter.js';
import { shareLimiter } from '../limiter/shared-limiter.js';
import { addressOf, placeOf } from './address.js';
import { openAnswerUpdates } from './answer-updates.js';
import { openAnsweringApi, openApi } from './api.js';
import { openDocument, type TelegramDocument } from './document.js';
import { openFiles } from './files.js';
import { Gateway, openConnectionState } from './gateway.js';
import type { BotIdentity, IncomingUpdate } from './incoming-update.js';
import { Inline, inlineLines } from './inline.js';
import { openJoining, type Joining } from './joining.js';
import { openPanels } from './keyboard-pages.js';
import { Managing } from './managing.js';
import { TelegramNotifier } from './notifier.js';
import { inWords } from './outcome.js';
import { openPictureMessages, openUploadCache } from './pictures.js';
import { inviteLinks, isPersonal, syncProfile, type InvitedBot } from './profile.js';
import { createPrompting, promptingElsewhere } from './prompting.js';
import { dataOwnerOf, openPrompts } from './prompts.js';
import { Questions } from './questions.js';
import { openWebhook, takeForwarded, type ReceiveUpdates, type Webhook } from './receiving.js';
import { openRights } from './rights.js';
import { largest } from './send-and-edit.js';
import { ServerVersion } from './server-version.js';
import { DEFAULT_RATES, telegramLimits, type SendingRates } from './settings.js';
import { UpdateQueue, type UpdateTurn } from './update-queue.js';

export interface TelegramDeps extends PlatformDeps {
  readonly token: string;
  readonly apiRoot: string;
  readonly rates?: SendingRates;
  /** The URL to which Telegram posts updates; if undefined, updates are polled. */
  readonly webhookUrl?: string | undefined;
  /** The chat to which pictures of inline results are uploaded; if undefined, inline results have no pictures. */
  readonly cacheChat?: number | string | undefined;
}

/** How long a stop waits for work that has begun. */
const GRACE = 4 * SECOND;
const ABORT_GRACE = SECOND;
/** https://core.telegram.org/bots/api#sending-files; each file is sent as a separate message. */
const MEGABYTE = 1024 * 1024;
const UPLOAD_LIMITS: UploadLimits = { picture: 10 * MEGABYTE, together: 50 * MEGABYTE, count: 10 };

export const createTelegram = (deps: TelegramDeps): Platform => new TelegramPlatform(deps);

class TelegramPlatform implements Platform {
  readonly notifier: Notifier;
  readonly dataOwner: DataOwner;
  readonly routes?: Routes;
  readonly #deps: TelegramDeps;
  /** A stop aborts these in this order, so that work can finish before its requests are cut. */
  readonly #stops = { polling: new AbortController(), work: new AbortController(), calls: new AbortController() };
  readonly #clients: Clients;
  readonly #answering: Answering;
  readonly #webhook: Webhook | undefined;
  readonly #joining: Joining;
  /** The work that a stop waits for. */
  readonly #underWay = new Set<Promise<void>>();
  #me: InvitedBot | undefined;
  #updates: UpdateQueue | undefined;
  #receiving: Omit<Parameters<typeof takeForwarded>[1], 'endTurn'> | undefined;
  #running: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(deps: TelegramDeps) {
    const { token, webhookUrl, clock, log, onChatEvent } = deps;
    this.#deps = deps;
    this.#clients = openClients(deps, this.#stops);
    const report = (event: ChatEvent): void => this.#report(event);
    this.#answering = openAnswering(deps, this.#clients, { stops: this.#stops, report });
    const { connecting, document, ...clients } = this.#clients;
    this.notifier = new TelegramNotifier({ ...clients, api: openApi(connecting), clock, log, report });
    this.dataOwner = allOf([dataOwnerOf(this.#answering.prompts), this.#clients.managing]);
    this.#webhook = webhookUrl === undefined ? undefined : openWebhook({ token, url: webhookUrl, log });
    if (this.#webhook !== undefined) this.routes = this.#webhook.routes;
    this.#joining = openJoining({ document, clock, report: onChatEvent, stopping: this.#stops.polling.signal });
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async sweep(): Promise<void> {
    await this.#clients.panels.sweep();
    await this.#clients.managing.sweep();
  }

  async takeForwarded(raw: unknown, endTurn?: () => void): Promise<void> {
    if (this.#receiving === undefined) throw new Error('telegram: not connected yet');
    await takeForwarded(raw, { ...this.#receiving, endTurn });
  }

  inviteLinks(chat: Address): readonly Link[] {
    // A group has the bot already. Groups and channels have negative ids.
    return this.#me === undefined || (placeOf(chat)?.chat ?? -1) < 0 ? [] : inviteLinks(this.#me);
  }

  async #run(): Promise<void> {
    const { catalogue, forwarding, clock, log } = this.#deps;
    const { api, state, document } = this.#clients;
    await new Gateway({
      api,
      clock,
      log,
      state,
      onLogin: (bot) => (this.#me = bot),
      signal: this.#stops.polling.signal,
      commands: new Set(catalogue.commands.map(({ name }) => name)),
      openUpdates: async () => (this.#updates ??= this.#openUpdates(await document())),
      inline: (query) => this.#answering.inline.take(query),
      webhook: this.#webhook,
      forwarding: this.#webhook && forwarding,
      answersOnly: forwarding?.role === 'answer' ? (bot) => this.#openAnswerUpdates(bot, forwarding) : undefined,
      onReceiving: (to) => void (this.#receiving = to),
      profile: async (bot) => syncProfile({ api, bot, catalogue, document: await document() }),
    }).run();
  }

  #openUpdates(document: TelegramDocument): UpdateQueue {
    const { questions } = this.#answering;
    const { polling, work } = this.#stops;
    return new UpdateQueue({
      document,
      clock: this.#deps.clock,
      log: this.#deps.log,
      handle: async (incoming, turn) => this.#handle(incoming, turn),
      giveUp: async (incoming, signal) =>
        incoming.kind === 'ask' || incoming.kind === 'press' ? questions.giveUp(incoming, signal) : undefined,
      leftOut: (incoming) => {
        if (incoming.kind === 'ask' || incoming.kind === 'press') this.#track(questions.tooMany(incoming, work.signal));
      },
      taken: this.#joining.notice,
      stopping: polling.signal,
      signal: work.signal,
    });
  }

  #openAnswerUpdates(bot: BotIdentity, forwarding: Forwarding): ReceiveUpdates {
    const { clock, log } = this.#deps;
    const { questions, inline } = this.#answering;
    return openAnswerUpdates({
      ...{ bot, forwarding, questions, clock, log },
      inline: (query) => inline.take(query),
      stopping: this.#stops.polling.signal,
      signal: this.#stops.work.signal,
      underWay: (done) => this.#track(done),
    });
  }

  async #handle(incoming: IncomingUpdate, turn: UpdateTurn): Promise<boolean> {
    const { questions, prompting } = this.#answering;
    switch (incoming.kind) {
      case 'ask':
        return questions.ask(incoming, turn);
      case 'press':
        return questions.press(incoming, turn);
      case 'file':
        await questions.file(incoming, turn.signal);
        return true;
      case 'joined':
        return this.#joining.handle(incoming);
      case 'moved':
      case 'gone':
      case 'back':
        for (const event of eventsOf(incoming)) await this.#deps.onChatEvent(event);
        if (incoming.kind === 'moved') {
          await this.#clients.managing.follow(incoming);
          await prompting.follow(incoming, turn.signal);
        }
        return true;
    }
  }

  #report(event: ChatEvent): void {
    const { onChatEvent, log } = this.#deps;
    const reported = onChatEvent(event).catch((error: unknown) => log.error('telegram.event-not-recorded', { kind: event.kind, error }));
    this.#track(reported);
  }

  /** Makes a stop wait for the work, whether it succeeds or fails. */
  #track(work: Promise<unknown>): void {
    const end = (): void => void this.#underWay.delete(settled);
    const settled = work.then(end, end);
    this.#underWay.add(settled);
  }

  async #stop(): Promise<void> {
    const { polling, work, calls } = this.#stops;
    const stopping = new Error('the bot is stopping');
    polling.abort(stopping);
    await this.#running;
    await this.#idleWithin(GRACE);
    work.abort(stopping);
    calls.abort(stopping);
    await this.#idleWithin(ABORT_GRACE);
  }

  async #idleWithin(milliseconds: number): Promise<void> {
    const { inline, conversations } = this.#answering;
    const idle = Promise.all([this.#updates?.idle(), inline.idle(), conversations.idle(), ...this.#underWay]);
    await within(this.#deps.clock, milliseconds, idle);
  }
}

type Stops = Readonly<Record<'polling' | 'work' | 'calls', AbortController>>;
type Clients = ReturnType<typeof openClients>;
type Answering = ReturnType<typeof openAnswering>;

/** Opens the API clients for answers and for alerts, which share the limiter. */
function openClients(deps: TelegramDeps, { polling, calls }: Stops) {
  const { token, apiRoot, store, clock, log, rates = DEFAULT_RATES, limits = telegramLimits(rates), isActive, onDate } = deps;
  const version = new ServerVersion(log);
  const connecting = omitUndefined({ token, apiRoot, version, clock, polling: polling.signal, closing: calls.signal, isActive, onDate });
  const own = new ProcessLimiter(limits, clock);
  const limiter = shareLimiter({ own, shared: store.shared, platform: 'telegram', limits, clock, log });
  const document = openOnce(async () => {
    const stored = await openDocument({ store, log });
    return deps.forwarding?.role === 'answer' ? inMemory(stored) : stored;
  });
  return {
    connecting,
    limiter,
    document,
    api: openAnsweringApi(connecting, limiter),
    actions: openActions(store, clock),
    panels: openPanels({ store, clock }),
    managing: new Managing({ store, clock, log }),
    state: openConnectionState(log),
    uploads: openUploadCache({ document, log }),
  };
}

/** Opens the parts that answer questions and inline queries. */
function openAnswering(
  deps: TelegramDeps,
  { connecting, limiter, document, api, actions, panels, managing, uploads }: Clients,
  { stops, report }: { readonly stops: Stops; readonly report: (event: ChatEvent) => void },
) {
  const { token, apiRoot, catalogue, answer, store, clock, log, pictures, cacheChat, forwarding } = deps;
  const rights = openRights({ api, clock, log });
  const prompts = openPrompts({ store, clock, log });
  const isAnswering = forwarding?.role === 'answer';
  const prompting = isAnswering ? promptingElsewhere : createPrompting({ api, clock, log, report, rights, prompts });
  const conversations = new Conversations({
    clock,
    onFailure: (error) => log.warn('telegram.picture-not-added', { error: inWords(error) }),
  });
  // Telegram's default theme is light.
  const drawn = (reply: Reply): Prepared => prepare(reply, { pictures, theme: 'light', room: UPLOAD_LIMITS, clock, log });
  const questions = new Questions({
    ...{ api, actions, panels, uploads, clock, log, report, answer, rights, prompting, managing, conversations },
    apiOf: (asker) => openAnsweringApi(connecting, limiter, asker),
    files: openFiles({ api, token, apiRoot, clock, log, closing: stops.calls.signal }),
    takesFiles: catalogue.commands.flatMap(({ name, options }) => (options.some(({ file }) => file === true) ? [`/${name}`] : [])),
    personal: new Set(catalogue.commands.filter(isPersonal).map(({ name }) => `/${name}`)),
    pictureMessages: openPictureMessages({ document, log }),
    prepare: drawn,
  });
  const inline = new Inline({
    ...{ api, answer, clock, log },
    lines: inlineLines(catalogue),
    prepare: drawn,
    pictureId:
      cacheChat === undefined
        ? undefined
        : async (bytes) =>
            uploads.idOf(bytes, async (media) => largest((await api.sendPhoto(cacheChat, media, { disable_notification: true })).photo)),
    stopping: stops.polling.signal,
  });
  return { prompts, prompting, questions, inline, conversations };
}

const allOf = (owners: readonly DataOwner[]): DataOwner => ({
  kept: async (chat) => (await Promise.all(owners.map(async (owner) => owner.kept(chat)))).flat(),
  keptOf: async (who) => (await Promise.all(owners.map(async (owner) => (await owner.keptOf?.(who)) ?? []))).flat(),
  async forgetChat(chat) {
    for (const owner of owners) await owner.forgetChat(chat);
  },
  async forgetPerson(who) {
    for (const owner of owners) await owner.forgetPerson?.(who);
  },
});

function eventsOf(incoming: Extract<IncomingUpdate, { kind: 'moved' | 'gone' | 'back' }>): readonly ChatEvent[] {
  switch (incoming.kind) {
    case 'moved': {
      const to = addressOf({ chat: incoming.to });
      // Telegram may have reported the old group as gone before, so the new one is reported as reachable.
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
