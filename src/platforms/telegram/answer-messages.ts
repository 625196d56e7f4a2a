/** Messages of one answer, and which pictures belong to them. A picture cannot become text again. */
import type { Api } from 'grammy';
import type { Clock, Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Reply } from '../../chat/reply.js';
import type { Upload } from '../attachments.js';
import { addressOf } from './address.js';
import type { TelegramDocument } from './document.js';
import { keyboard, type KeyboardDeps } from './keyboard.js';
import { inWords, isDeleted, isLost, isUnchanged, leavesWords, type Retrying } from './outcome.js';
import { captionOf, htmlOf, MAX_CAPTION, MAX_TEXT, partsOf } from './render.js';
import {
  bareText,
  edit,
  editCaption,
  editPhoto,
  post,
  postFile,
  postPhoto,
  type MessageContent,
  type MessageRef,
  type Photo,
  type UploadCache,
} from './send-and-edit.js';

export interface AnswerDeps extends Retrying, KeyboardDeps {
  readonly api: Api;
  readonly uploads: UploadCache;
  readonly clock: Clock;
  readonly log: Log;
}

export interface TextOptions {
  readonly split: boolean;
  readonly picture?: number | undefined;
  readonly replyTo?: number | undefined;
}

/** Each rejects with what grammY throws after the retries. */
export interface AnswerMessages {
  readonly shown: ShownAnswer | undefined;
  text(reply: Reply, options: TextOptions): Promise<void>;
  /** False without a captioned picture. */
  caption(reply: Reply): Promise<boolean>;
  /** False where `here` requires an impossible edit. */
  captioned(reply: Reply, bytes: Uint8Array, options: { readonly replyTo?: number | undefined; readonly here?: boolean }): Promise<boolean>;
  beside(bytes: Uint8Array): Promise<void>;
  /** False where there is none to replace. */
  besideAgain(bytes: Uint8Array): Promise<boolean>;
  /** A failure is explained in the chat. */
  file(file: Upload): Promise<void>;
  orTextAlone<T>(work: () => Promise<T>): Promise<T | undefined>;
}

const isApart = (shown: ShownAnswer | undefined): shown is Required<ShownAnswer> =>
  shown?.picture !== undefined && shown.picture !== shown.message;

/** A later picture changes no text. */
export function openAnswerMessages(deps: AnswerDeps, now: () => Instant, begun: ShownAnswer | undefined): AnswerMessages {
  const { api, uploads, log, at, retry } = deps;
  let shown = begun;

  const pageOf = async (part: Reply, most = MAX_TEXT): Promise<MessageContent> => {
    const moment = now();
    return {
      html: htmlOf(part, moment),
      bare: () => bareText(part, moment, most),
      keyboard: await keyboard(part, { ...deps, alert: false }),
    };
  };

  async function change(message: number, how: (target: MessageRef) => Promise<void>): Promise<boolean> {
    try {
      await retry(true, async () => how({ chat: at().chat, message }));
    } catch (error) {
      if (isUnchanged(error)) return true;
      if (isLost(error)) return false;
      throw error;
    }
    return true;
  }

  async function deleted(message: number): Promise<boolean> {
    try {
      await api.deleteMessage(at().chat, message);
    } catch (error) {
      if (isDeleted(error)) return true;
      log.debug('telegram.not-deleted', { error: inWords(error) });
      return false;
    }
    return true;
  }

  async function remove(old: ShownAnswer | undefined): Promise<void> {
    for (const message of new Set([old?.message, old?.picture])) if (message !== undefined) await deleted(message);
  }

  async function alone(): Promise<void> {
    if (isApart(shown) && (await deleted(shown.picture))) shown = { message: shown.message };
  }

  const where = (replyTo: number | undefined) => ({ place: at(), replyTo, silent: shown !== undefined });

  return {
    get shown() {
      return shown;
    },

    async text(reply, { split, picture, replyTo }) {
      const parts = partsOf(reply, now(), split ? undefined : 1);
      if (picture === undefined) await alone();
      const old = shown;
      const inPlace = old !== undefined && old.picture === picture ? old.message : undefined;
      let isChanged = false;
      for (const [index, part] of parts.entries()) {
        const page = await pageOf(part);
        if (index === 0 && inPlace !== undefined && (isChanged = await change(inPlace, async (target) => edit(api, { ...target, page }))))
          continue;
        const answers = index === 0 ? replyTo : undefined;
        const message = await retry(false, async () => post(api, { ...where(answers), page }));
        shown = { message, picture };
      }
      if (!isChanged) await remove(old?.picture === picture ? old && { message: old.message } : old);
    },

    async caption(reply) {
      if (shown === undefined || shown.message !== shown.picture) return false;
      const page = await pageOf(captionOf(reply, now()), MAX_CAPTION);
      return change(shown.message, async (target) => editCaption(api, { ...target, page }));
    },

    async captioned(reply, bytes, { replyTo, here = false }) {
      const photo: Photo = { uploads, bytes, page: await pageOf(reply, MAX_CAPTION) };
      await alone();
      const old = shown;
      if (old !== undefined && !isApart(old) && (await change(old.message, async (target) => editPhoto(api, { ...target, photo })))) {
        shown = { message: old.message, picture: old.message };
        return true;
      }
      if (here) return false;
      const message = await retry(false, async () => postPhoto(api, { ...where(replyTo), photo }));
      shown = { message, picture: message };
      await remove(old);
      return true;
    },

    async beside(bytes) {
      if (shown === undefined) return;
      const { message } = shown;
      const photo = { uploads, bytes };
      const picture = await retry(false, async () => postPhoto(api, { place: at(), replyTo: message, silent: true, photo }));
      shown = { message, picture };
    },

    async besideAgain(bytes) {
      return isApart(shown) && change(shown.picture, async (target) => editPhoto(api, { ...target, photo: { uploads, bytes } }));
    },

    async file(file) {
      const replyTo = shown?.message;
      try {
        await retry(false, async () => postFile(api, { place: at(), replyTo, file }));
      } catch (error) {
        log.warn('telegram.file-not-sent', { chat: at().chat, file: file.name, error: inWords(error) });
        const html = `⚠ ${file.name} could not be sent here. Ask again in a minute. If it keeps failing, I may not be allowed to send files here.`;
        const page = { html, bare: () => html };
        await retry(false, async () => post(api, { place: at(), replyTo, page })).catch((again: unknown) =>
          log.debug('telegram.file-not-explained', { error: inWords(again) }),
        );
      }
    },

    async orTextAlone(work) {
      try {
        return await work();
      } catch (error) {
        if (!leavesWords(error, addressOf(at()))) throw error;
        log.warn('telegram.picture-not-taken', { chat: at().chat, error: inWords(error) });
        return undefined;
      }
    },
  };
}

/** Text and buttons, and the picture, may be one message. */
export interface ShownAnswer {
  readonly message: number;
  readonly picture?: number | undefined;
}

export interface PictureMessages {
  now(chat: number, answer: ShownAnswer): Promise<ShownAnswer>;
  /** Never rejects. */
  note(chat: number, answer: ShownAnswer): Promise<void>;
}

const MAX_REMEMBERED = 200;

/** `document` may reject while the store cannot be read. */
export function openPictureMessages({ document, log }: { document: () => Promise<TelegramDocument>; log: Log }): PictureMessages {
  /** Null: without a picture. */
  const recent = new Map<string, number | null>();

  function remember(key: string, picture: number | undefined): void {
    recent.delete(key);
    recent.set(key, picture ?? null);
    const [oldest] = recent.keys();
    if (recent.size > MAX_REMEMBERED && oldest !== undefined) recent.delete(oldest);
  }

  return {
    async now(chat, answer) {
      const known = recent.get(`${chat}/${answer.message}`);
      if (known !== undefined) return { message: answer.message, picture: known ?? undefined };
      try {
        const kept = (await document()).read().pictureReplies.find((one) => one.chat === chat && one.message === answer.message);
        return kept === undefined ? answer : { message: answer.message, picture: kept.picture };
      } catch {
        return answer;
      }
    },
    async note(chat, { message, picture }) {
      remember(`${chat}/${message}`, picture);
      const kept = picture === message ? undefined : picture;
      try {
        const documents = await document();
        await documents.change((now) => {
          const others = now.pictureReplies.filter((one) => one.chat !== chat || one.message !== message);
          if (kept === undefined && others.length === now.pictureReplies.length) return now;
          return {
            ...now,
            pictureReplies: [...others, ...(kept === undefined ? [] : [{ chat, message, picture: kept }])].slice(-MAX_REMEMBERED),
          };
        });
      } catch (error) {
        log.debug('telegram.picture-not-noted', { error });
      }
    },
  };
}
