/** Logs in, sets the bot's profile at Telegram, takes updates and reports the state of the connection. */
import { GrammyError, type Api } from 'grammy/web';
import type { UserFromGetMe } from 'grammy/types';
import { MINUTE, SECOND, type Clock } from '../../base/clock.js';
import { unlessAborted } from '../../base/deadline.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Forwarding } from '../../chat/forwarding.js';
import type { Diagnosis } from '../../chat/notifier.js';
import type { BotIdentity, InlineQuery } from './incoming-update.js';
import { inWords, isTokenRefused } from './outcome.js';
import {
  awaitWebhook,
  behindForwarded,
  openReceiving,
  poll,
  polled,
  type ArrivalDeps,
  type ReceiveUpdates,
  type Webhook,
} from './receiving.js';
import type { UpdateQueue } from './update-queue.js';

export interface GatewayDeps {
  readonly api: Api;
  readonly commands: ReadonlySet<string>;
  readonly clock: Clock;
  readonly log: Log;
  readonly state: ConnectionState;
  readonly onLogin: (me: UserFromGetMe) => void;
  readonly openUpdates: () => Promise<UpdateQueue>;
  readonly inline: (query: InlineQuery) => void;
  /** Undefined if updates are polled. */
  readonly webhook: Webhook | undefined;
  readonly forwarding: Forwarding | undefined;
  /** Set in a process that only answers. It needs the webhook, which the active process sets. */
  readonly answersOnly: ((bot: BotIdentity) => ReceiveUpdates) | undefined;
  /** Called when updates can be taken. */
  readonly onReceiving: (to: { readonly receive: ReceiveUpdates; readonly queue: UpdateQueue }) => void;
  /** Sets the bot's profile. Called while updates are already taken, and again after a failure. */
  readonly profile: (bot: number) => Promise<void>;
  readonly signal: AbortSignal;
}

const MIN_WAIT = SECOND;
const MAX_WAIT = MINUTE;
const REFUSED_WAIT = 2 * MINUTE;
const PROFILE_AGAIN = 10 * MINUTE;
const FOREVER = new Promise<never>(() => undefined);

export class Gateway {
  readonly #deps: GatewayDeps;
  #failures = 0;

  constructor(deps: GatewayDeps) {
    this.#deps = deps;
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(): Promise<void> {
    const { answersOnly, webhook } = this.#deps;
    await (answersOnly !== undefined && webhook !== undefined ? this.#onlyAnswer(webhook, answersOnly) : this.#takeUpdates());
  }

  async #afterTrouble(cause: unknown): Promise<void> {
    const { signal, state, clock } = this.#deps;
    if (signal.aborted) return;
    this.#failures += 1;
    const { wait, ...trouble } = troubleOf(cause, Math.min(MAX_WAIT, MIN_WAIT * 2 ** (this.#failures - 1)));
    state.set({ ok: false, ...trouble }, inWords(cause));
    await clock.sleep(wait, signal).catch(() => undefined);
  }

  async #untilDone<T>(work: () => Promise<T>): Promise<T | undefined> {
    while (!this.#deps.signal.aborted) {
      try {
        const result = await work();
        this.#failures = 0;
        return result;
      } catch (error) {
        await this.#afterTrouble(error);
      }
    }
    return undefined;
  }

  async #keepProfile(bot: number): Promise<void> {
    const { signal, profile, state, log, clock } = this.#deps;
    while (!signal.aborted) {
      try {
        await profile(bot);
        state.missing(undefined);
        return;
      } catch (error) {
        if (signal.aborted) return;
        // Commands work without the menus, so the bot goes on.
        log.warn('telegram.profile-not-set', { error: inWords(error) });
        state.missing(`the command menu or the description is not set (${inWords(error)}); the next try is within ten minutes`);
        await clock.sleep(PROFILE_AGAIN, signal).catch(() => undefined);
      }
    }
  }

  /** Runs in a process that only answers. */
  async #onlyAnswer(webhook: Webhook, toReceive: (bot: BotIdentity) => ReceiveUpdates): Promise<void> {
    const { api, onLogin, commands, state, signal } = this.#deps;
    const bot = await this.#untilDone(async () => api.getMe());
    if (bot === undefined) return;
    onLogin(bot);
    const identity = identityOf(bot, commands);
    webhook.open(toReceive(identity));
    state.set(polled(identity));
    await unlessAborted(signal, FOREVER).catch(() => undefined);
    webhook.close();
  }

  async #takeUpdates(): Promise<void> {
    const { openUpdates, api, webhook, onLogin, commands, state, inline, log, onReceiving, forwarding, clock, signal } = this.#deps;
    const updates = await this.#untilDone(openUpdates);
    const me = await this.#untilDone(async () => {
      const bot = await api.getMe();
      // Telegram refuses polling while a webhook is set. Deleting it keeps the waiting updates.
      if (webhook === undefined) await api.deleteWebhook();
      return bot;
    });
    if (updates === undefined || me === undefined) return;
    onLogin(me);
    const bot = identityOf(me, commands);
    if (webhook === undefined) state.set(polled(bot));
    await this.#untilDone(async () => updates.resume());
    const receive = openReceiving({ bot, queue: updates, inline, log });
    onReceiving({ receive, queue: updates });
    const arrival: ArrivalDeps = {
      api,
      bot,
      receive: forwarding === undefined ? receive : behindForwarded(receive, forwarding),
      clock,
      signal,
      onGood: (diagnosis) => {
        this.#failures = 0;
        state.set(diagnosis);
      },
      afterTrouble: async (cause) => this.#afterTrouble(cause),
    };
    await Promise.all([this.#keepProfile(me.id), webhook === undefined ? poll(arrival) : awaitWebhook(webhook, arrival)]);
  }
}

const identityOf = (me: UserFromGetMe, commands: ReadonlySet<string>): BotIdentity => ({
  ...{ me: me.id, username: me.username, commands },
  readsGroups: me.can_read_all_group_messages,
});

/** Describes a failed call. `wait` is in milliseconds. */
function troubleOf(error: unknown, backoff: number): Pick<Diagnosis, 'says' | 'tokenRefused'> & { readonly wait: number } {
  if (!(error instanceof GrammyError)) {
    const isStore = error instanceof Error && error.name === 'StoreError';
    return { says: isStore ? 'the store does not keep what is asked' : 'Telegram cannot be reached', wait: backoff };
  }
  if (isTokenRefused(error))
    return { says: 'Telegram refuses TELEGRAM_TOKEN; get a new one from @BotFather', wait: REFUSED_WAIT, tokenRefused: true };
  if (error.method === 'setWebhook' && error.error_code === 400)
    return {
      says: `Telegram refuses TELEGRAM_WEBHOOK_URL (${error.description}); correct it, or leave it out to poll`,
      wait: REFUSED_WAIT,
    };
  switch (error.error_code) {
    case 404:
      return { says: `what answers at TELEGRAM_API_ROOT does not know the method ${error.method}; check the address`, wait: REFUSED_WAIT };
    case 409:
      return { says: 'another program polls with the same TELEGRAM_TOKEN; stop it', wait: Math.max(backoff, 10 * SECOND) };
    case 429:
      return { says: 'Telegram asks us to wait', wait: (error.parameters.retry_after ?? 0) * SECOND || backoff };
    default:
      return { says: `Telegram answers with error ${error.error_code}`, wait: backoff };
  }
}

export interface ConnectionState {
  read(): Diagnosis;
  /** `detail` is only logged. */
  set(diagnosis: Diagnosis, detail?: string): void;
  missing(what: string | undefined): void;
}

export function openConnectionState(log: Log): ConnectionState {
  let lacks: string | undefined;
  let current: Diagnosis = { ok: false, says: 'not connected yet' };
  return {
    read: () =>
      lacks === undefined || !current.ok ? current : { ok: false, says: `${current.says}, but ${lacks}`, problem: `On Telegram ${lacks}.` },
    missing: (what) => void (lacks = what),
    set(diagnosis, detail) {
      const { ok, says } = diagnosis;
      if (ok !== current.ok || says !== current.says)
        log[ok ? 'info' : 'warn'](ok ? 'telegram.connected' : 'telegram.trouble', omitUndefined({ says, detail }));
      current = diagnosis;
    },
  };
}
