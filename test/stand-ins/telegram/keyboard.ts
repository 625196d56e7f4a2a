/** `reply_markup`: what a keyboard may be, and what it may not. */
import type { ForceReply, InlineKeyboardButton, InlineKeyboardMarkup } from 'grammy/types';
import { z } from 'zod';
import type { Params } from './params.js';
import { badRequest } from './refusal.js';
import { checkedLink } from './text/links.js';

const MOST_BUTTONS = 100;
const MOST_DATA_BYTES = 64;
const MOST_PLACEHOLDER = 64;

/** Numbers pass for text on this platform. */
const textual = z.union([z.string(), z.number().transform(String)]);
const object = z.record(z.string(), z.unknown());

const forced = z.object({
  force_reply: z.literal(true),
  selective: z.boolean().optional(),
  input_field_placeholder: z.string().min(1).max(MOST_PLACEHOLDER).optional(),
});

const RIGHTS = [
  'is_anonymous',
  'can_manage_chat',
  'can_delete_messages',
  'can_manage_video_chats',
  'can_restrict_members',
  'can_promote_members',
  'can_change_info',
  'can_invite_users',
  'can_post_stories',
  'can_edit_stories',
  'can_delete_stories',
];
const rightsShape = z
  .record(z.string(), z.boolean())
  .refine((rights) => RIGHTS.every((name) => name in rights), 'a required right is missing');
const rightsIn = (rights: Readonly<Record<string, boolean>> = {}): readonly string[] =>
  Object.keys(rights).filter((name) => rights[name] === true);

/** https://core.telegram.org/bots/api#keyboardbuttonrequestchat */
const requestChat = z
  .object({
    request_id: z.int32(),
    chat_is_channel: z.boolean(),
    bot_is_member: z.boolean().optional(),
    user_administrator_rights: rightsShape.optional(),
    bot_administrator_rights: rightsShape.optional(),
  })
  .refine(
    ({ user_administrator_rights: user, bot_administrator_rights: bot }) => rightsIn(bot).every((name) => rightsIn(user).includes(name)),
    'the rights of the person are a superset of those of the bot',
  );
const replyKeyboard = z.object({
  keyboard: z.array(z.array(z.strictObject({ text: z.string().min(1), request_chat: requestChat.optional() }))).min(1),
  resize_keyboard: z.boolean().optional(),
  one_time_keyboard: z.boolean().optional(),
});
export type ReplyKeyboard = z.infer<typeof replyKeyboard>;
export const granted = rightsIn;

export interface Markup {
  readonly inline?: InlineKeyboardMarkup;
  readonly force?: ForceReply;
  readonly reply?: ReplyKeyboard;
}

/**
 * The markup of a request, of which there is one: beside an inline keyboard nothing else counts. The other kinds leave no mark on a message.
 * The platform names no words for a placeholder of the wrong length; these are made up.
 */
export function readMarkup(params: Params, where: 'send' | 'edit'): Markup {
  const inline = readKeyboard(params, where);
  if (inline !== undefined) return { inline };
  const given = object.safeParse(params.json('reply_markup', "Can't parse reply keyboard markup JSON object"));
  if (given.success && given.data['keyboard'] !== undefined) {
    const read = replyKeyboard.safeParse(given.data);
    if (!read.success) throw badRequest(`Can't parse keyboard button: ${read.error.issues[0]?.message ?? ''}`);
    return { reply: read.data };
  }
  if (!given.success || given.data['force_reply'] !== true) return {};
  const force = forced.safeParse(given.data);
  if (!force.success) throw badRequest('REPLY_MARKUP_INVALID');
  const { selective, input_field_placeholder: placeholder } = force.data;
  return {
    force: {
      force_reply: true,
      ...(selective === undefined ? {} : { selective }),
      ...(placeholder === undefined ? {} : { input_field_placeholder: placeholder }),
    },
  };
}

function readKeyboard(params: Params, where: 'send' | 'edit'): InlineKeyboardMarkup | undefined {
  const given = params.json('reply_markup', "Can't parse reply keyboard markup JSON object");
  if (given === undefined) return undefined;
  const markup = object.safeParse(given);
  if (!markup.success) throw badRequest('Object expected as reply markup');
  const { inline_keyboard: inline, keyboard, remove_keyboard: removes, force_reply: forces } = markup.data;
  if (where === 'edit' && (keyboard !== undefined || removes === true || forces === true)) throw badRequest('Inline keyboard expected');
  if (inline === undefined) return undefined;
  const rows = z.array(z.unknown()).safeParse(inline);
  if (!rows.success) throw badRequest('Field "inline_keyboard" must be of type Array');
  const read = rows.data.map(readRow).filter((row) => row.length > 0);
  if (read.flat().length > MOST_BUTTONS) throw badRequest('reply markup is too long');
  return read.length === 0 ? undefined : { inline_keyboard: read };
}

function readRow(given: unknown): InlineKeyboardButton[] {
  const row = z.array(z.unknown()).safeParse(given);
  if (!row.success) throw badRequest('Field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays');
  return row.data.map(readButton);
}

const unreadable = (words: string) => badRequest(`Can't parse inline keyboard button: ${words}`);

function readButton(given: unknown): InlineKeyboardButton {
  const button = object.safeParse(given);
  if (!button.success) throw unreadable('InlineKeyboardButton must be an Object');
  if (button.data['text'] === undefined) throw unreadable('Can\'t find field "text"');
  const text = field(button.data, 'text');
  const style = field(button.data, 'style');
  if (style !== '' && !styles.safeParse(style).success) throw unreadable('Unknown button style specified');
  if (text.trim() === '') throw badRequest('Inline keyboard button text must be non-empty');
  const url = field(button.data, 'url');
  if (url !== '') return { text, url: buttonLink(url), ...styleOf(style) };
  const data = field(button.data, 'callback_data');
  if (data !== '') {
    if (Buffer.byteLength(data) > MOST_DATA_BYTES) throw badRequest('BUTTON_DATA_INVALID');
    return { text, callback_data: data, ...styleOf(style) };
  }
  if ('copy_text' in button.data) {
    const copied = z.object({ text: z.string() }).safeParse(button.data['copy_text']);
    if (!copied.success) throw unreadable('Field "copy_text" must be of type Object');
    if (copied.data.text === '' || copied.data.text.length > 256) throw badRequest('BUTTON_COPY_TEXT_INVALID');
    return { text, copy_text: { text: copied.data.text } };
  }
  throw unreadable('Text buttons are unallowed in the inline keyboard');
}

const styles = z.enum(['danger', 'success', 'primary']);
const styleOf = (style: string) => (style === '' ? {} : { style: styles.parse(style) });

function field(button: Readonly<Record<string, unknown>>, name: string): string {
  if (button[name] === undefined) return '';
  const value = textual.safeParse(button[name]);
  if (!value.success) throw unreadable(`Field "${name}" must be of type String`);
  return value.data;
}

function buttonLink(url: string): string {
  const link = checkedLink(url);
  if (link === undefined) throw badRequest(`Inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`);
  return link;
}
