/** Without command buttons, whose presses name no chat. */
import { createHash } from 'node:crypto';
import type { InlineKeyboardMarkup, InlineQueryResultArticle, InlineQueryResultCachedPhoto } from 'grammy/types';
import type { Reply } from '../../chat/reply.js';
import { bareText, lineText } from '../../chat/plain-text.js';
import type { Instant } from '../../domain/scalars.js';
import { truncateLine } from '../truncate.js';
import { captionOf, htmlOf, renderOne } from './render.js';

/** Characters, on a narrow phone. */
const MAX_TITLE = 64;
const MAX_DESCRIPTION = 120;
const IN_A_ROW = 2;

/** https://core.telegram.org/bots/api#inlinequeryresultarticle */
export function textResult(line: string, reply: Reply, now: Instant): InlineQueryResultArticle {
  const words = wordsOf(reply);
  return {
    type: 'article',
    id: idOf(`text ${line}`),
    ...headOf(words, { line, now }),
    input_message_content: { message_text: renderOne(words, now), parse_mode: 'HTML', link_preview_options: { is_disabled: true } },
    ...linksOf(reply),
  };
}

export interface PictureResult {
  readonly line: string;
  readonly reply: Reply;
  /** Its `file_id`. */
  readonly picture: string;
}

/** https://core.telegram.org/bots/api#inlinequeryresultcachedphoto */
export function photoResult({ line, reply, picture }: PictureResult, now: Instant): InlineQueryResultCachedPhoto {
  const words = wordsOf(reply);
  return {
    type: 'photo',
    id: idOf(`photo ${line}`),
    photo_file_id: picture,
    ...headOf(words, { line, now }),
    caption: htmlOf(captionOf(words, now), now),
    parse_mode: 'HTML',
    show_caption_above_media: true,
    ...linksOf(reply),
  };
}

const wordsOf = (reply: Reply): Reply => ({ ...reply, actions: [], fields: [], files: [], mentions: [] });

function headOf(words: Reply, { line, now }: { readonly line: string; readonly now: Instant }) {
  const [, ...rest] = bareText(words, now).split('\n');
  return {
    title: truncateLine(lineText(words.finding, now, words.zone), MAX_TITLE).trim() || line,
    description: truncateLine(rest.join(' · '), MAX_DESCRIPTION).trim(),
  };
}

/** At most 64 bytes. */
const idOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

function linksOf({ links }: Reply): { readonly reply_markup?: InlineKeyboardMarkup } {
  if (links.length === 0) return {};
  const buttons = links.map(({ label, url }) => ({ text: truncateLine(label, MAX_TITLE).trim() || new URL(url).host, url }));
  const rows = Array.from({ length: Math.ceil(buttons.length / IN_A_ROW) }, (_, row) =>
    buttons.slice(row * IN_A_ROW, (row + 1) * IN_A_ROW),
  );
  return { reply_markup: { inline_keyboard: rows } };
}
