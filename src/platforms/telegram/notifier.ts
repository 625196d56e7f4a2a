/** Delivers alerts on Telegram, which has no idempotency key: a repeat after an unclear outcome may be a duplicate. */
import type { Api } from 'grammy/web';
import { boundedCache } from '../../base/bounded-cache.js';
import { SECOND, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Address } from '../../chat/address.js';
import type {
  AlertSlot,
  DeliveryRequest,
  Diagnosis,
  EditOutcome,
  EditRequest,
  Notifier,
  Outcome,
  Probe,
  Slot,
} from '../../chat/notifier.js';
import type { ChatEvent } from '../../chat/platform.js';
import type { Reply } from '../../chat/reply.js';
import type { Limiter } from '../limiter/limiter.js';
import { addressOf, placeOf, type ChatTopic } from './address.js';
import type { ConnectionState } from './gateway.js';
import { keyboard, type KeyboardDeps } from './keyboard.js';
import { editOutcomeOf, inWords, isCaptioned, outcomeOf } from './outcome.js';
import type { UploadCache } from './pictures.js';
import { captionOf, fitsCaption, htmlOf, MAX_CAPTION, renderOne } from './render.js';
import { probe } from './rights.js';
import { bareText, edit, editCaption, editPhoto, post, postPhoto, type MessageContent, type MessageRef } from './send-and-edit.js';

export interface TelegramNotifierDeps extends KeyboardDeps {
  /** Sends without the limiter, because a delivery already has its slot. */
  readonly api: Api;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly log: Log;
  readonly state: ConnectionState;
  readonly report: (event: ChatEvent) => void;
  readonly uploads: UploadCache;
}

const MAX_RENDERED = 20;

const chatOf = (to: Address): string => String(placeOf(to)?.chat ?? to);

export class TelegramNotifier implements Notifier {
  readonly platform = 'telegram';
  readonly knowsRepeats = false;
  // Telegram's default theme is light.
  readonly pictureTheme = 'light';
  readonly #deps: TelegramNotifierDeps;
  readonly #rendered = boundedCache<string>(MAX_RENDERED);

  constructor(deps: TelegramNotifierDeps) {
    this.#deps = deps;
  }

  async deliver(to: Address, delivery: DeliveryRequest): Promise<Outcome> {
    const { log } = this.#deps;
    const place = placeOf(to);
    if (place === undefined) return { kind: 'refused', detail: `${to} is not a Telegram chat` };
    let page: MessageContent;
    try {
      page = await this.#pageOf(delivery.reply);
    } catch (error) {
      // Rendering failed before anything was sent, because a long button could not be stored.
      log.error('telegram.not-rendered', { to, delivery: delivery.id, error });
      return { kind: 'later', because: 'server-error' };
    }
    try {
      return { kind: 'sent', messageId: String(await this.#sendMessage(place, delivery, page)) };
    } catch (error) {
      const outcome = outcomeOf(error, to);
      log[outcome.kind === 'refused' ? 'error' : 'debug']('telegram.not-sent', { to, delivery: delivery.id, error: inWords(error) });
      if (outcome.kind === 'moved') this.#reportMove(place, outcome.to);
      return outcome;
    }
  }

  async revise(to: Address, { messageId, reply, picture }: EditRequest): Promise<EditOutcome> {
    const { api, clock, log } = this.#deps;
    const place = placeOf(to);
    if (place === undefined) return { kind: 'refused', detail: `${to} is no chat of Telegram` };
    try {
      const target = { chat: place.chat, message: Number(messageId), page: await this.#pageOf(reply) };
      if (picture !== undefined && (await this.#editPicture(to, { ...target, reply, bytes: picture.bytes }))) return { kind: 'edited' };
      await edit(api, target).catch(async (error: unknown) => {
        if (!isCaptioned(error)) throw error;
        const html = htmlOf(captionOf(reply, clock.now()), clock.now());
        await editCaption(api, { ...target, page: { ...target.page, html, bare: () => bareText(reply, clock.now(), MAX_CAPTION) } });
      });
      return { kind: 'edited' };
    } catch (error) {
      const outcome = editOutcomeOf(error, to);
      log.debug('telegram.not-edited', { to, message: messageId, outcome: outcome.kind, error: inWords(error) });
      if (outcome.kind === 'moved') this.#reportMove(place, outcome.to);
      return outcome;
    }
  }

  /** Adds or replaces the picture in the edit of the text. Resolves with false if the text must be edited alone. */
  async #editPicture(
    to: Address,
    { reply, bytes, page, ...target }: MessageRef & { readonly reply: Reply; readonly bytes: Uint8Array; readonly page: MessageContent },
  ): Promise<boolean> {
    const { api, clock, uploads, log } = this.#deps;
    const now = clock.now();
    if (!fitsCaption(reply, now)) return false;
    try {
      const caption = { ...page, bare: () => bareText(reply, now, MAX_CAPTION) };
      await editPhoto(api, { ...target, photo: { uploads, bytes, page: caption } });
      return true;
    } catch (error) {
      const outcome = editOutcomeOf(error, to);
      const isForPicture = outcome.kind === 'refused' || outcome.kind === 'not-permitted';
      if (!isForPicture && !(outcome.kind === 'lost' && outcome.because === 'not-editable')) throw error;
      log.info('telegram.picture-refused', { to, message: target.message, error: inWords(error) });
      return false;
    }
  }

  async pin(to: Address, messageId: string): Promise<EditOutcome> {
    const place = placeOf(to);
    if (place === undefined) return { kind: 'refused', detail: `${to} is no chat of Telegram` };
    try {
      await this.#deps.api.pinChatMessage(place.chat, Number(messageId), { disable_notification: true });
      return { kind: 'edited' };
    } catch (error) {
      this.#deps.log.debug('telegram.not-pinned', { to, message: messageId, error: inWords(error) });
      return editOutcomeOf(error, to);
    }
  }

  // The slot is per chat, because the topics of a forum share its limits.
  async slot(to: Address, alert: AlertSlot, signal: AbortSignal): Promise<Slot | undefined> {
    return this.#deps.limiter.take({ chat: chatOf(to), ...alert }, signal);
  }

  pausedUntil(to: Address): Instant {
    return this.#deps.limiter.pausedUntil(chatOf(to));
  }

  async probe(to: Address): Promise<Probe> {
    const { api } = this.#deps;
    const place = placeOf(to);
    return place === undefined ? { missing: ['a chat of Telegram'] } : probe(api, place);
  }

  async diagnose(): Promise<Diagnosis> {
    return this.#deps.state.read();
  }

  /** Caches the rendered text, because the same alert goes to many chats. */
  #textOf(reply: Reply, now: Instant): string {
    return this.#rendered(
      JSON.stringify([{ ...reply, actions: reply.actions.length, mentions: [], chart: undefined }, Math.floor(now / SECOND)]),
      () => renderOne(reply, now),
    );
  }

  async #pageOf(reply: Reply): Promise<MessageContent> {
    const { clock, actions, panels } = this.#deps;
    const now = clock.now();
    const buttons = await keyboard(reply, { actions, panels, alert: true });
    return { html: this.#textOf(reply, now), bare: () => bareText(reply, now), keyboard: buttons };
  }

  #reportMove({ chat }: ChatTopic, to: Address): void {
    const now = placeOf(to)?.chat;
    if (now !== undefined) this.#deps.report({ kind: 'moved', from: addressOf({ chat }), to: addressOf({ chat: now }) });
  }

  /** Sends the text alone if Telegram refuses the picture. */
  async #sendMessage(place: ChatTopic, { id, reply, picture, ...how }: DeliveryRequest, page: MessageContent): Promise<number> {
    const { clock, api, uploads, log } = this.#deps;
    const now = clock.now();
    const { silent } = how;
    const where = { place, silent, replyTo: how.replyTo === undefined ? undefined : Number(how.replyTo) };
    if (picture === undefined || !fitsCaption(reply, now)) return post(api, { ...where, page });
    try {
      const caption = { ...page, bare: () => bareText(reply, now, MAX_CAPTION) };
      return await postPhoto(api, { ...where, photo: { uploads, bytes: picture.bytes, page: caption } });
    } catch (error) {
      const { kind } = outcomeOf(error, addressOf(place));
      // After other errors the message may already exist, or the text would fail too.
      if (kind !== 'refused' && kind !== 'not-permitted') throw error;
      log.info('telegram.picture-refused', { place, delivery: id, error: inWords(error) });
      return post(api, { ...where, page });
    }
  }
}
