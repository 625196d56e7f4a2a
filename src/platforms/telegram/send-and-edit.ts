/** Sends and edits messages, a known picture by its `file_id`. Throws what grammY throws. */
import { GrammyError, InputFile, type Api } from 'grammy';
import type { ForceReply, InlineKeyboardMarkup, PhotoSize } from 'grammy/types';
import { omitUndefined } from '../../base/omit-undefined.js';
import { bareText as unmarked } from '../../chat/plain-text.js';
import type { Reply } from '../../chat/reply.js';
import type { Instant } from '../../domain/scalars.js';
import type { Upload } from '../attachments.js';
import { truncate } from '../truncate.js';
import { sendTo, type ChatTopic } from './address.js';
import type { UploadCache } from './pictures.js';
import { MAX_TEXT, plain } from './render.js';

export interface MessageContent {
  readonly html: string;
  readonly bare: () => string;
  readonly keyboard?: InlineKeyboardMarkup | undefined;
}

export interface Photo {
  readonly uploads: UploadCache;
  readonly bytes: Uint8Array;
  readonly page?: MessageContent | undefined;
}

export interface SendTarget {
  readonly place: ChatTopic;
  readonly replyTo?: number | undefined;
  readonly silent?: boolean | undefined;
}

/** Opens a reply in the client, without buttons. */
export async function postPrompt(
  api: Api,
  { html, force, ...where }: SendTarget & { readonly html: string; readonly force: ForceReply | undefined },
): Promise<number> {
  const { chat, more } = sendWhere(where);
  const markup = omitUndefined({ reply_markup: force });
  return (await api.sendMessage(chat, html, { ...more, ...markup, parse_mode: 'HTML', link_preview_options: { is_disabled: true } }))
    .message_id;
}

/** Our bug; the text is sent. */
const isMalformed = (error: unknown): boolean =>
  error instanceof GrammyError &&
  /can't parse entities|(message|text|caption) is too long|MESSAGE_TOO_LONG|CAPTION_TOO_LONG/iu.test(error.description);

const buttons = (keyboard: InlineKeyboardMarkup | undefined) => omitUndefined({ reply_markup: keyboard });

const words = (page: MessageContent) => ({ link_preview_options: { is_disabled: true }, ...buttons(page.keyboard) });

function sendWhere({ place, replyTo, silent = false }: SendTarget) {
  const { chat_id: chat, ...thread } = sendTo(place);
  const more = omitUndefined({
    ...thread,
    disable_notification: silent ? true : undefined,
    // The message that it replies to may be deleted by now.
    reply_parameters: replyTo === undefined ? undefined : { message_id: replyTo, allow_sending_without_reply: true },
  });
  return { chat, more };
}

/** Resolves with the message's id. */
export async function post(api: Api, { page, ...where }: SendTarget & { readonly page: MessageContent }): Promise<number> {
  const { chat, more } = sendWhere(where);
  const sent = await orBare(
    async () => api.sendMessage(chat, page.html, { ...more, ...words(page), parse_mode: 'HTML' }),
    async () => api.sendMessage(chat, page.bare(), { ...more, ...words(page) }),
  );
  return sent.message_id;
}

export async function postPhoto(api: Api, { photo, ...where }: SendTarget & { readonly photo: Photo }): Promise<number> {
  const { chat, more } = sendWhere(where);
  const { uploads, bytes, page } = photo;
  return uploads.withPicture(bytes, async (media) => {
    const sent = await captioned(page, async (caption) => api.sendPhoto(chat, media, { ...more, ...buttons(page?.keyboard), ...caption }));
    return { result: sent.message_id, file: largest(sent.photo) };
  });
}

export async function postFile(api: Api, { file, ...where }: SendTarget & { readonly file: Upload }): Promise<number> {
  const { chat, more } = sendWhere({ ...where, silent: true });
  return (await api.sendDocument(chat, new InputFile(file.bytes, file.name), more)).message_id;
}

export interface MessageRef {
  readonly chat: number;
  readonly message: number;
}

export async function edit(api: Api, { chat, message, page }: MessageRef & { readonly page: MessageContent }): Promise<void> {
  await orBare(
    async () => api.editMessageText(chat, message, page.html, { ...words(page), parse_mode: 'HTML' }),
    async () => api.editMessageText(chat, message, page.bare(), words(page)),
  );
}

export async function editKeyboard(
  api: Api,
  { chat, message, keyboard }: MessageRef & { readonly keyboard: InlineKeyboardMarkup },
): Promise<void> {
  await api.editMessageReplyMarkup(chat, message, { reply_markup: keyboard });
}

export async function editCaption(api: Api, { chat, message, page }: MessageRef & { readonly page: MessageContent }): Promise<void> {
  await captioned(page, async (caption) => api.editMessageCaption(chat, message, { ...buttons(page.keyboard), ...caption }));
}

export async function editPhoto(api: Api, { chat, message, photo }: MessageRef & { readonly photo: Photo }): Promise<void> {
  const { uploads, bytes, page } = photo;
  await uploads.withPicture(bytes, async (media) => {
    const edited = await captioned(page, async (caption) =>
      api.editMessageMedia(chat, message, { type: 'photo', media, ...caption }, buttons(page?.keyboard)),
    );
    return { result: undefined, file: edited === true || !('photo' in edited) ? undefined : largest(edited.photo) };
  });
}

const captioned = async <T>(
  page: MessageContent | undefined,
  send: (caption: { caption?: string; parse_mode?: 'HTML'; show_caption_above_media?: boolean }) => Promise<T>,
): Promise<T> =>
  page === undefined
    ? send({})
    : orBare(
        async () => send({ caption: page.html, parse_mode: 'HTML', show_caption_above_media: true }),
        async () => send({ caption: page.bare(), show_caption_above_media: true }),
      );

export const largest = (sizes: readonly PhotoSize[] | undefined): string | undefined => sizes?.at(-1)?.file_id;

async function orBare<T>(send: () => Promise<T>, sendBare: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (isMalformed(error)) return sendBare();
    throw error;
  }
}

const MAX_LINE = 400;

export const bareText = (reply: Reply, now: Instant, most = MAX_TEXT): string =>
  truncate(
    unmarked(reply, now)
      .split('\n')
      .map((line) => plain(line, MAX_LINE))
      .join('\n'),
    most,
  );
