/** Sends and edits messages. A picture that was uploaded before is sent by its `file_id`. Throws grammY's errors. */
import { GrammyError, InputFile, type Api } from 'grammy/web';
import type { ForceReply, InlineKeyboardMarkup, PhotoSize } from 'grammy/types';
import { omitUndefined } from '../../base/omit-undefined.js';
import { bareText as unmarked } from '../../chat/plain-text.js';
import type { Reply } from '../../chat/reply.js';
import type { Instant } from '../../domain/scalars.js';
import type { Upload } from '../attachments.js';
import { truncate } from '../truncate.js';
import { sendTo, type ChatTopic } from './address.js';
import { ephemeralParameters, isEphemeral, messageNumber, orForEverybody, replyParameters, type Receiver } from './ephemeral.js';
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
  /** The only person who sees the message; if undefined, the whole chat does. */
  readonly onlyFor?: Receiver | undefined;
}

/** Posts a prompt that opens a reply field in the client. Telegram allows no inline buttons on it. */
export async function postPrompt(
  api: Api,
  { html, force, ...where }: SendTarget & { readonly html: string; readonly force: ForceReply | undefined },
): Promise<number> {
  const { chat, more } = sendWhere(where);
  const markup = omitUndefined({ reply_markup: force });
  return (await api.sendMessage(chat, html, { ...more, ...markup, parse_mode: 'HTML', link_preview_options: { is_disabled: true } }))
    .message_id;
}

/** Tells whether Telegram could not parse the message. That is our bug, and the plain text is sent instead. */
const isMalformed = (error: unknown): boolean =>
  error instanceof GrammyError &&
  /can't parse entities|(message|text|caption) is too long|MESSAGE_TOO_LONG|CAPTION_TOO_LONG/iu.test(error.description);

const buttons = (keyboard: InlineKeyboardMarkup | undefined) => omitUndefined({ reply_markup: keyboard });

const words = (page: MessageContent) => ({ link_preview_options: { is_disabled: true }, ...buttons(page.keyboard) });

function sendWhere({ place, replyTo, silent = false, onlyFor }: SendTarget) {
  const { chat_id: chat, ...thread } = sendTo(place);
  const more = omitUndefined({
    ...thread,
    disable_notification: silent ? true : undefined,
    reply_parameters: replyParameters(replyTo, onlyFor),
    ...ephemeralParameters(onlyFor),
  });
  return { chat, more };
}

const sent = async <T>(where: SendTarget, send: (to: ReturnType<typeof sendWhere>) => Promise<T>): Promise<T> =>
  orForEverybody(where.onlyFor, async (onlyFor) => send(sendWhere({ ...where, onlyFor })));

/** Resolves with the message id. */
export async function post(api: Api, { page, ...where }: SendTarget & { readonly page: MessageContent }): Promise<number> {
  return sent(where, async ({ chat, more }) =>
    messageNumber(
      await orBare(
        async () => api.sendMessage(chat, page.html, { ...more, ...words(page), parse_mode: 'HTML' }),
        async () => api.sendMessage(chat, page.bare(), { ...more, ...words(page) }),
      ),
    ),
  );
}

export async function postPlain(api: Api, { text, ...where }: SendTarget & { readonly text: string }): Promise<void> {
  await sent(where, async ({ chat, more }) => api.sendMessage(chat, text, more));
}

export async function postPhoto(api: Api, { photo, ...where }: SendTarget & { readonly photo: Photo }): Promise<number> {
  const { uploads, bytes, page } = photo;
  return sent(where, async ({ chat, more }) =>
    uploads.withPicture(bytes, async (media) => {
      const message = await captioned(page, async (caption) =>
        api.sendPhoto(chat, media, { ...more, ...buttons(page?.keyboard), ...caption }),
      );
      return { result: messageNumber(message), file: largest(message.photo) };
    }),
  );
}

export async function postFile(api: Api, { file, ...where }: SendTarget & { readonly file: Upload }): Promise<number> {
  return sent({ ...where, silent: true }, async ({ chat, more }) =>
    messageNumber(await api.sendDocument(chat, new InputFile(file.bytes, file.name), more)),
  );
}

export interface MessageRef {
  readonly chat: number;
  readonly message: number;
  /** The person who sees an ephemeral message. */
  readonly receiver?: number | undefined;
}

const receiverIn = ({ message, receiver }: MessageRef): number | undefined => (isEphemeral(message) ? receiver : undefined);

export async function edit(api: Api, { page, ...target }: MessageRef & { readonly page: MessageContent }): Promise<void> {
  const { chat, message } = target;
  const receiver = receiverIn(target);
  const change = async (text: string, more: ReturnType<typeof words> & { readonly parse_mode?: 'HTML' }): Promise<unknown> =>
    receiver === undefined
      ? api.editMessageText(chat, message, text, more)
      : api.editEphemeralMessageText(chat, receiver, -message, text, more);
  await orBare(
    async () => change(page.html, { ...words(page), parse_mode: 'HTML' }),
    async () => change(page.bare(), words(page)),
  );
}

export async function editKeyboard(
  api: Api,
  { keyboard, ...target }: MessageRef & { readonly keyboard: InlineKeyboardMarkup },
): Promise<void> {
  const { chat, message } = target;
  const receiver = receiverIn(target);
  if (receiver === undefined) await api.editMessageReplyMarkup(chat, message, { reply_markup: keyboard });
  else await api.editEphemeralMessageReplyMarkup(chat, receiver, -message, { reply_markup: keyboard });
}

export async function editCaption(api: Api, { page, ...target }: MessageRef & { readonly page: MessageContent }): Promise<void> {
  const { chat, message } = target;
  const receiver = receiverIn(target);
  await captioned(page, async ({ caption = '', ...more }): Promise<unknown> => {
    const shown = { ...buttons(page.keyboard), ...more };
    return receiver === undefined
      ? api.editMessageCaption(chat, message, { ...shown, caption })
      : api.editEphemeralMessageCaption(chat, receiver, -message, caption, shown);
  });
}

export async function editPhoto(api: Api, { photo, ...target }: MessageRef & { readonly photo: Photo }): Promise<void> {
  const { chat, message } = target;
  const receiver = receiverIn(target);
  const { uploads, bytes, page } = photo;
  await uploads.withPicture(bytes, async (media) => {
    const edited = await captioned(page, async (caption) => {
      const picture = { type: 'photo', media, ...caption } as const;
      const more = buttons(page?.keyboard);
      return receiver === undefined
        ? api.editMessageMedia(chat, message, picture, more)
        : api.editEphemeralMessageMedia(chat, receiver, -message, picture, more);
    });
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

export async function remove(api: Api, target: MessageRef): Promise<void> {
  const { chat, message } = target;
  const receiver = receiverIn(target);
  if (receiver === undefined) await api.deleteMessage(chat, message);
  else await api.deleteEphemeralMessage(chat, receiver, -message);
}

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
