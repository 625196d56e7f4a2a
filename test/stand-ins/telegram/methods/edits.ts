/** editMessageText, editMessageCaption, editMessageReplyMarkup, editMessageMedia: a keyboard that is left out is taken away. */
import { isDeepStrictEqual } from 'node:util';
import type { InlineKeyboardMarkup, Message } from 'grammy/types';
import { requireChat, requireEditable, requireMessage } from '../access.js';
import { readMarkup } from '../keyboard.js';
import type { Params } from '../params.js';
import { badRequest } from '../refusal.js';
import { numberOf, seen } from '../views.js';
import { seconds, type Chat, type Stored, type World } from '../world.js';
import { readCaption, readText } from './content.js';
import { readMedia } from './files.js';
import type { MethodCall, Method } from './method.js';

const NOT_MODIFIED =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';

type Change = (stored: Stored) => { readonly raw: Message; readonly file: Stored['file']; readonly preview: string | undefined };

function edit({ world, params }: MethodCall, change: Change): Message {
  const { inline: keyboard } = readMarkup(params, 'edit');
  if (!params.has('chat_id') && !params.has('message_id') && !params.has('ephemeral_message_id'))
    throw badRequest('Message identifier is not specified');
  const chat = requireChat(world, params, 'edit');
  const stored = params.has('ephemeral_message_id')
    ? requireEphemeral(chat, params)
    : requireMessage(chat, params.integer('message_id'), 'message to edit');
  requireEditable(world, chat, stored);
  const { raw, file, preview } = change(stored);
  const next = withKeyboard(raw, keyboard);
  // The date of the last edit is no content.
  const { edit_date: _, ...before } = stored.raw;
  const { edit_date: __, ...after } = next;
  if (isDeepStrictEqual(before, after) && stored.file?.fileId === file?.fileId) throw badRequest(NOT_MODIFIED);
  return replace(world, stored, { raw: next, file, preview });
}

function withKeyboard(raw: Message, keyboard: InlineKeyboardMarkup | undefined): Message {
  const { reply_markup: _, ...rest } = raw;
  return keyboard ? { ...rest, reply_markup: keyboard } : rest;
}

function replace(world: World, stored: Stored, next: ReturnType<Change>): Message {
  const before = seen(stored);
  Object.assign(stored, next, { raw: { ...next.raw, edit_date: seconds(world) }, edits: stored.edits + 1 });
  world.edits.push({ chat: before.chat, id: before.id, before, after: seen(stored) });
  return stored.raw;
}

function requireEphemeral(chat: Chat, params: Params): Stored {
  const stored = chat.messages.get(-params.integer('ephemeral_message_id'));
  if (!stored || stored.raw.receiver_user?.id !== params.integer('receiver_user_id')) throw badRequest('message to edit not found');
  return stored;
}

/** Ephemeral messages have edits of their own, with the result True. */
export const ephemerally =
  (method: Method): Method =>
  (asked) => {
    if (!asked.params.has('ephemeral_message_id')) throw badRequest('Message identifier is not specified');
    method(asked);
    return true;
  };

export const deleteEphemeralMessage: Method = ({ world, params }) => {
  const chat = requireChat(world, params, 'write');
  const stored = requireEphemeral(chat, params);
  chat.messages.delete(numberOf(stored.raw));
  world.deleted.push({ chat: chat.id, id: numberOf(stored.raw) });
  return true;
};

export const editMessageText: Method = (asked) => {
  const text = readText(asked.world, asked.params);
  return edit(asked, ({ raw, file }) => {
    if (raw.text === undefined) throw badRequest('There is no text in the message to edit');
    const { text: _, entities: __, link_preview_options: ___, ...rest } = raw;
    return { raw: { ...rest, ...text.content }, file, preview: text.preview };
  });
};

export const editMessageCaption: Method = (asked) => {
  const caption = readCaption(asked.world, asked.params);
  return edit(asked, ({ raw, file, preview }) => {
    if (raw.photo === undefined && raw.document === undefined) throw badRequest('There is no caption in the message to edit');
    const { caption: _, caption_entities: __, ...rest } = raw;
    return { raw: { ...rest, ...caption }, file, preview };
  });
};

export const editMessageReplyMarkup: Method = (asked) => edit(asked, ({ raw, file, preview }) => ({ raw, file, preview }));

export const editMessageMedia: Method = (asked) => {
  const media = readMedia(asked);
  return edit(asked, ({ raw }) => {
    const {
      caption: _,
      caption_entities: __,
      photo: ___,
      document: ____,
      text: _____,
      entities: ______,
      link_preview_options: _______,
      ...rest
    } = raw;
    return { raw: { ...rest, ...media.content }, file: media.file, preview: undefined };
  });
};
