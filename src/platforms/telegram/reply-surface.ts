/** Shows one reply as messages of a chat. Telegram cannot edit a picture into text, so long text has its picture in a separate message. */
import { GrammyError, HttpError, type Api } from 'grammy/web';
import type { Clock, Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { ChatEvent } from '../../chat/platform.js';
import type { Reply } from '../../chat/reply.js';
import type { Attached, Upload } from '../attachments.js';
import type { AnswerContent, Failure, Form, ReplySurface, EditTicket } from '../conversation.js';
import { addressOf, type ChatTopic } from './address.js';
import { isEphemeral, type Receiver } from './ephemeral.js';
import type { PanelPosition } from './keyboard-pages.js';
import { keyboard, type KeyboardDeps } from './keyboard.js';
import { postPicker } from './managing.js';
import { inWords, isDeleted, isLost, isUnchanged, leavesWords, outcomeOf, retrying, type Retrying } from './outcome.js';
import { placeholderOf, showDrawing, type PictureMessages, type ShownAnswer, type UploadCache } from './pictures.js';
import { MAX_CAPTION, MAX_TEXT, captionOf, fitsCaption, htmlOf, partsOf } from './render.js';
import {
  bareText,
  edit,
  editCaption,
  editPhoto,
  post,
  postFile,
  postPhoto,
  postPlain,
  remove,
  type MessageContent,
  type MessageRef,
  type Photo,
  type SendTarget,
} from './send-and-edit.js';

export interface TelegramReplyDeps extends KeyboardDeps {
  readonly api: Api;
  readonly uploads: UploadCache;
  readonly pictureMessages: PictureMessages;
  readonly clock: Clock;
  readonly log: Log;
  readonly report: (event: ChatEvent) => void;
}

export interface ReplyPlace {
  readonly place: ChatTopic;
  /** The message to edit; if undefined, a new one is sent. */
  readonly pressed?: ShownAnswer | undefined;
  /** The place of the pressed button among its keyboard's pages. */
  readonly position?: PanelPosition | undefined;
  /** The message that the answer replies to. */
  readonly replyTo: (answer: Reply) => number | undefined;
  /** The only person who sees the answer; if undefined, the whole chat does. */
  readonly onlyFor?: Receiver | undefined;
  readonly signal: AbortSignal;
}

type TextOptions = { readonly split: boolean; readonly picture?: number | undefined; readonly replyTo?: number | undefined };

export class TelegramReply implements ReplySurface {
  readonly #deps: TelegramReplyDeps;
  readonly #where: ReplyPlace;
  readonly #requests: Retrying;
  readonly #drawn = new AbortController();
  #opening: Promise<void> | undefined;
  #shown: ShownAnswer | undefined;
  /** When the answer was first shown. Later edits render ages as of this moment. */
  #moment: Instant | undefined;
  #isPlaceholder = false;
  /** True while a late picture is attached. Its retries start over as a whole so that they do not hold back a later answer. */
  #isAttaching = false;

  constructor(deps: TelegramReplyDeps, where: ReplyPlace) {
    this.#deps = deps;
    this.#where = where;
    this.#requests = retrying(deps, where);
  }

  async interim(reply: Reply): Promise<boolean> {
    await this.#open();
    const { message, picture } = this.#shown ?? {};
    if (message !== undefined && message === picture) return this.#caption(reply, message);
    await this.#text(reply, { split: false, picture });
    return true;
  }

  async show(form: Form, { reply, files, picture, isDrawing }: AnswerContent): Promise<string | undefined> {
    const { api, clock } = this.#deps;
    this.#moment = clock.now();
    if (form === 'plain') {
      await postPlain(api, { place: this.#requests.at(), onlyFor: this.#where.onlyFor, text: bareText(reply, this.#moment) });
      return undefined;
    }
    await this.#open();
    const isWhole = form === 'whole';
    const isFollowed = isWhole
      ? await this.#whole(reply, { picture, isDrawing })
      : await this.#words(form === 'words' ? reply : bare(reply));
    await this.#note();
    for (const file of form === 'simple' ? [] : files) await this.#file(file);
    if (reply.chatPicker === true) await this.#picker();
    if (isDrawing && reply.chart !== undefined) this.#startDrawing();
    return isFollowed ? `${this.#requests.at().chat}/${this.#shown?.message}` : undefined;
  }

  async attach({ reply, picture }: Attached, turn: EditTicket['run']): Promise<void> {
    this.#endDrawing();
    if (picture === undefined && !this.#isPlaceholder) return;
    await this.#open();
    const isEdit = picture !== undefined && this.#fits(reply);
    this.#isAttaching = true;
    await this.#requests.retry(isEdit, async () =>
      turn(async () => {
        if (picture === undefined) await this.#text(reply, { split: this.#isNew });
        else if (!isEdit) await this.#beside(picture.bytes);
        else if (!(await this.#captioned(reply, picture.bytes, true)))
          this.#deps.log.debug('telegram.picture-late', { chat: this.#requests.at().chat });
        await this.#note();
      }),
    );
  }

  failureOf(error: unknown, form: Form, { reply, picture }: AnswerContent): Failure {
    const chat = this.#requests.at().chat;
    if (form === 'whole' && picture !== undefined && this.#fits(reply) && this.#isForPicture(error)) return 'attachments';
    this.#deps.log.warn('telegram.answer-not-sent', { chat, form, error: inWords(error) });
    // Any other error is ours and happened before sending: a button could not be stored.
    if (!(error instanceof GrammyError) && !(error instanceof HttpError)) return 'form';
    const outcome = outcomeOf(error, addressOf(this.#requests.at()));
    if (outcome.kind === 'refused') return 'form';
    return outcome.kind === 'unclear' && outcome.because === 'server-error' ? 'server' : 'final';
  }

  /** Shows the whole reply. Resolves with true if the picture must follow in a later edit. */
  async #whole(reply: Reply, { picture, isDrawing }: Pick<AnswerContent, 'picture' | 'isDrawing'>): Promise<boolean> {
    if (isDrawing) await this.#beforePicture(reply);
    else if (picture === undefined) await this.#words(reply);
    else if (this.#fits(reply)) await this.#captioned(reply, picture.bytes, false);
    else {
      const isReplaced = await this.#orFalse(async () => this.#besideAgain(picture.bytes));
      await this.#words(reply, isReplaced ? this.#shown?.picture : undefined);
      return !isReplaced;
    }
    return isDrawing;
  }

  /** Replaces the old picture and the old text in one edit, so that new text is never shown with an old picture. */
  async #beforePicture(reply: Reply): Promise<void> {
    const { chart } = reply;
    if (chart !== undefined && this.#fits(reply) && this.#shown !== undefined && this.#shown.picture === this.#shown.message)
      this.#isPlaceholder = await this.#orFalse(async () => this.#captioned(reply, placeholderOf(chart), true));
    if (!this.#isPlaceholder) await this.#words(reply);
  }

  async #words(reply: Reply, picture?: number): Promise<void> {
    await this.#text(reply, { split: this.#isNew, picture, replyTo: this.#where.replyTo(reply) });
  }

  get #isNew(): boolean {
    return this.#where.pressed === undefined;
  }

  #fits(reply: Reply): boolean {
    return fitsCaption(reply, this.#now());
  }

  #now(): Instant {
    return this.#moment ?? this.#deps.clock.now();
  }

  async #open(): Promise<void> {
    await (this.#opening ??= this.#begin());
  }

  async #begin(): Promise<void> {
    const { pressed, place } = this.#where;
    // Telegram reuses the ids of ephemeral messages, so they are not looked up.
    this.#shown = pressed && (isEphemeral(pressed.message) ? pressed : await this.#deps.pictureMessages.now(place.chat, pressed));
  }

  async #note(): Promise<void> {
    if (this.#shown !== undefined && !isEphemeral(this.#shown.message))
      await this.#deps.pictureMessages.note(this.#requests.at().chat, this.#shown);
  }

  #startDrawing(): void {
    this.#where.signal.addEventListener('abort', this.#endDrawing, { once: true });
    void showDrawing(this.#deps, this.#requests.at(), this.#drawn.signal);
  }

  readonly #endDrawing = (): void => {
    this.#where.signal.removeEventListener('abort', this.#endDrawing);
    this.#drawn.abort(new Error('the picture is drawn'));
  };

  async #retry<T>(isHarmless: boolean, work: () => Promise<T>): Promise<T> {
    return this.#isAttaching ? work() : this.#requests.retry(isHarmless, work);
  }

  async #page(part: Reply, most = MAX_TEXT): Promise<MessageContent> {
    const moment = this.#now();
    return {
      html: htmlOf(part, moment),
      bare: () => bareText(part, moment, most),
      keyboard: await keyboard(part, { ...this.#deps, position: this.#where.position, alert: false }),
    };
  }

  /** Resolves with false if the message can no longer be edited. */
  async #change(message: number, how: (target: MessageRef) => Promise<void>): Promise<boolean> {
    try {
      await this.#retry(true, async () => how({ chat: this.#requests.at().chat, message, receiver: this.#where.onlyFor?.person }));
    } catch (error) {
      if (isUnchanged(error)) return true;
      if (isLost(error)) return false;
      throw error;
    }
    return true;
  }

  /** Posts a message, and retries `send` only if nothing was posted. */
  async #post(replyTo: number | undefined, send: (where: SendTarget) => Promise<number>): Promise<number> {
    const silent = this.#shown !== undefined;
    return this.#retry(false, async () => send({ place: this.#requests.at(), replyTo, silent, onlyFor: this.#where.onlyFor }));
  }

  async #text(reply: Reply, { split, picture, replyTo }: TextOptions): Promise<void> {
    const { api } = this.#deps;
    const parts = partsOf(reply, this.#now(), split ? undefined : 1);
    if (picture === undefined) await this.#removePictureBeside();
    const old = this.#shown;
    const inPlace = old !== undefined && old.picture === picture ? old.message : undefined;
    let isChanged = false;
    for (const [index, part] of parts.entries()) {
      const page = await this.#page(part);
      if (index === 0 && inPlace !== undefined) {
        isChanged = await this.#change(inPlace, async (target) => edit(api, { ...target, page }));
        if (isChanged) continue;
      }
      const message = await this.#post(index === 0 ? replyTo : undefined, async (where) => post(api, { ...where, page }));
      this.#shown = { message, picture };
    }
    if (!isChanged) await this.#remove(old?.picture === picture ? old && { message: old.message } : old);
  }

  async #caption(reply: Reply, message: number): Promise<boolean> {
    const page = await this.#page(captionOf(reply, this.#now()), MAX_CAPTION);
    return this.#change(message, async (target) => editCaption(this.#deps.api, { ...target, page }));
  }

  /** Sends picture and text as one message. With `here` it edits, and resolves with false if a new message is needed. */
  async #captioned(reply: Reply, bytes: Uint8Array, here: boolean): Promise<boolean> {
    const { api, uploads } = this.#deps;
    const photo: Photo = { uploads, bytes, page: await this.#page(reply, MAX_CAPTION) };
    await this.#removePictureBeside();
    const old = this.#shown;
    if (old !== undefined && !isApart(old) && (await this.#change(old.message, async (target) => editPhoto(api, { ...target, photo })))) {
      this.#shown = { message: old.message, picture: old.message };
      return true;
    }
    if (here) return false;
    const message = await this.#post(this.#where.replyTo(reply), async (where) => postPhoto(api, { ...where, photo }));
    this.#shown = { message, picture: message };
    await this.#remove(old);
    return true;
  }

  async #beside(bytes: Uint8Array): Promise<void> {
    if (this.#shown === undefined) return;
    const { api, uploads } = this.#deps;
    const { message } = this.#shown;
    const picture = await this.#post(message, async (where) => postPhoto(api, { ...where, photo: { uploads, bytes } }));
    this.#shown = { message, picture };
  }

  /** Replaces the separate picture. Resolves with false if there is none. */
  async #besideAgain(bytes: Uint8Array): Promise<boolean> {
    const { api, uploads } = this.#deps;
    if (!isApart(this.#shown)) return false;
    return this.#change(this.#shown.picture, async (target) => editPhoto(api, { ...target, photo: { uploads, bytes } }));
  }

  /** Telegram offers the chat list in private chats only; elsewhere people type the name. */
  async #picker(): Promise<void> {
    const { chat } = this.#requests.at();
    if (chat > 0)
      await postPicker(this.#deps.api, chat).catch((error: unknown) =>
        this.#deps.log.warn('telegram.picker-not-shown', { chat, error: inWords(error) }),
      );
  }

  /** Sends one file. If that fails, a message in the chat says why. */
  async #file(file: Upload): Promise<void> {
    const { api, log } = this.#deps;
    const { onlyFor } = this.#where;
    const where = () => ({ place: this.#requests.at(), replyTo: this.#shown?.message, onlyFor });
    try {
      await this.#retry(false, async () => postFile(api, { ...where(), file }));
    } catch (error) {
      log.warn('telegram.file-not-sent', { chat: this.#requests.at().chat, file: file.name, error: inWords(error) });
      const html = `⚠ ${file.name} could not be sent here. Ask again in a minute. If it keeps failing, I may not be allowed to send files here.`;
      await this.#retry(false, async () => post(api, { ...where(), page: { html, bare: () => html } })).catch((again: unknown) =>
        log.debug('telegram.file-not-explained', { error: inWords(again) }),
      );
    }
  }

  async #orFalse(change: () => Promise<boolean>): Promise<boolean> {
    try {
      return await change();
    } catch (error) {
      if (!this.#isForPicture(error)) throw error;
      return false;
    }
  }

  /** Tells whether the text should still be shown after its picture failed. */
  #isForPicture(error: unknown): boolean {
    const at = this.#requests.at();
    if (!leavesWords(error, addressOf(at))) return false;
    this.#deps.log.warn('telegram.picture-not-taken', { chat: at.chat, error: inWords(error) });
    return true;
  }

  async #removePictureBeside(): Promise<void> {
    if (isApart(this.#shown) && (await this.#delete(this.#shown.picture))) this.#shown = { message: this.#shown.message };
  }

  async #remove(old: ShownAnswer | undefined): Promise<void> {
    for (const message of new Set([old?.message, old?.picture])) if (message !== undefined) await this.#delete(message);
  }

  async #delete(message: number): Promise<boolean> {
    const { api, log } = this.#deps;
    try {
      await remove(api, { chat: this.#requests.at().chat, message, receiver: this.#where.onlyFor?.person });
    } catch (error) {
      if (isDeleted(error)) return true;
      log.debug('telegram.not-deleted', { error: inWords(error) });
      return false;
    }
    return true;
  }
}

const isApart = (shown: ShownAnswer | undefined): shown is Required<ShownAnswer> =>
  shown?.picture !== undefined && shown.picture !== shown.message;

const bare = ({ chart: _chart, ...words }: Reply): Reply => ({ ...words, actions: [], fields: [], files: [] });
