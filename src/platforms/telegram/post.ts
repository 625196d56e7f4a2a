/** One message to Telegram, however it is to be sent. Throws what grammY throws; `outcome.ts` says what that means. */
import { GrammyError, type Api } from 'grammy';
import type { InlineKeyboardMarkup } from 'grammy/types';
import type { Reply } from '../../chat/reply.js';
import { plainText } from '../../chat/text.js';
import type { Instant } from '../../domain/scalars.js';
import { sendTo, type Place } from './address.js';
import { clip, plain } from './clean.js';
import { MOST_TEXT } from './render.js';

export interface Page {
  readonly html: string;
  /** What is sent instead when Telegram cannot read the markup. */
  readonly bare: () => string;
  readonly keyboard?: InlineKeyboardMarkup | undefined;
}

/** Markup that is refused is our mistake; the words are sent all the same. */
const isMalformed = (error: unknown): boolean =>
  error instanceof GrammyError && /can't parse entities|(message|text) is too long|MESSAGE_TOO_LONG/iu.test(error.description);

const options = (keyboard: InlineKeyboardMarkup | undefined) => ({
  link_preview_options: { is_disabled: true },
  ...(keyboard === undefined ? {} : { reply_markup: keyboard }),
});

/** Resolves with the id of the message that stands there now. */
export async function post(api: Api, where: { readonly place: Place; readonly page: Page; readonly replyTo?: number }): Promise<number> {
  const { place, page, replyTo } = where;
  const { chat_id: chat, ...thread } = sendTo(place);
  const more = {
    ...thread,
    ...options(page.keyboard),
    // What it answers may be deleted by now.
    ...(replyTo === undefined ? {} : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
  };
  const sent = await orBare(
    async () => api.sendMessage(chat, page.html, { ...more, parse_mode: 'HTML' }),
    async () => api.sendMessage(chat, page.bare(), more),
  );
  return sent.message_id;
}

/** Changes a message of ours. */
export async function edit(
  api: Api,
  { chat, message, page }: { readonly chat: number; readonly message: number; readonly page: Page },
): Promise<void> {
  const more = options(page.keyboard);
  await orBare(
    async () => api.editMessageText(chat, message, page.html, { ...more, parse_mode: 'HTML' }),
    async () => api.editMessageText(chat, message, page.bare(), more),
  );
}

async function orBare<T>(send: () => Promise<T>, sendBare: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (isMalformed(error)) return sendBare();
    throw error;
  }
}

const MOST_LINE = 400;

/** The reply without any markup, cut where it must be. */
export const bareText = (reply: Reply, now: Instant): string =>
  clip(
    plainText({ ...reply, actions: [] }, now)
      .split('\n')
      .map((line) => plain(line, MOST_LINE))
      .join('\n'),
    MOST_TEXT,
  );
