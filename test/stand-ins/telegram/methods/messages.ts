/** sendMessage, deleteMessage, sendChatAction; and where a message goes. */
import type { Message, User } from 'grammy/types';
import { z } from 'zod';
import { HOUR, SECOND } from '../../../../src/base/clock.js';
import { botIn, requireChat, requireMessage, requireOpenTopic, requireThread, requireVoice } from '../access.js';
import { readMarkup } from '../keyboard.js';
import type { Params } from '../params.js';
import { post, type Draft } from '../post.js';
import { badRequest } from '../refusal.js';
import { isAdmin, may, type Chat, type World } from '../world.js';
import { readText } from './content.js';
import type { Method } from './method.js';

/** Older messages stay for everyone. */
const DELETABLE_FOR = 48 * HOUR;

const replyParameters = z.object({
  message_id: z.number().int().optional(),
  ephemeral_message_id: z.number().int().optional(),
  allow_sending_without_reply: z.boolean().optional(),
});

const receiverShape = z.object({ receiver_user_id: z.number().int(), callback_query_id: z.string().optional() });

/** A press and an ephemeral question can be answered for so long; administrators may write at any time. */
const EPHEMERAL_FOR = 15 * SECOND;

/** Who alone would see the message. Older servers do not read the parameter. */
function readReceiver(world: World, chat: Chat, params: Params): User | undefined {
  const given = params.json('ephemeral_message_parameters', "Can't parse ephemeral message parameters JSON object");
  if (given === undefined || world.lacks.has('ephemeral')) return undefined;
  const read = receiverShape.safeParse(given);
  if (!read.success) throw badRequest('Object expected as ephemeral message parameters');
  const { receiver_user_id: id, callback_query_id: query } = read.data;
  const receiver = chat.members.get(id);
  if (chat.kind !== 'supergroup' || !receiver) throw badRequest('ephemeral messages can be sent only to members of supergroups');
  const now = world.clock.now();
  const press = query === undefined ? undefined : world.presses.get(query);
  const isPressed = press !== undefined && press.query.from.id === id && now - press.at <= EPHEMERAL_FOR;
  const question = readReply(chat, params);
  const isAsked = question?.ephemeral_message_id !== undefined && question.from?.id === id && now - question.date * SECOND <= EPHEMERAL_FOR;
  if (!isPressed && !isAsked && !isAdmin(botIn(world, chat))) throw badRequest('not enough rights to send ephemeral messages');
  return receiver.user;
}

function readReply(chat: Chat, params: Params): Message | undefined {
  const given = params.json('reply_parameters', "Can't parse reply parameters JSON object");
  if (given === undefined) return undefined;
  const read = replyParameters.safeParse(given);
  if (!read.success) throw badRequest('Object expected as reply parameters');
  const stored = chat.messages.get(
    read.data.ephemeral_message_id === undefined ? (read.data.message_id ?? 0) : -read.data.ephemeral_message_id,
  );
  if (!stored && read.data.allow_sending_without_reply !== true) throw badRequest('message to be replied not found');
  return stored?.raw;
}

/** Checks where a message would go, then puts it there. The content is read first: bad content is refused before a bad chat. */
export function deliver(where: {
  readonly world: World;
  readonly params: Params;
  readonly what: 'text' | 'photo' | 'document';
  readonly draft: Pick<Draft, 'content' | 'file' | 'preview'>;
}): Message {
  const { world, params, what, draft } = where;
  const { inline: keyboard, force, reply } = readMarkup(params, 'send');
  const chat = requireChat(world, params, 'write');
  const thread = requireThread(chat, params);
  const replyTo = readReply(chat, params);
  const receiver = readReceiver(world, chat, params);
  if (replyTo?.ephemeral_message_id !== undefined && receiver === undefined)
    throw badRequest('a reply to an ephemeral message must be ephemeral');
  requireVoice(world, chat, what);
  // In a channel nobody but the channel speaks.
  if ((force !== undefined || reply !== undefined) && chat.kind === 'channel') throw badRequest('Inline keyboard expected');
  if (chat.kind !== 'private' && reply?.keyboard.flat().some(({ request_chat: asked }) => asked !== undefined))
    throw badRequest('Chats can be requested in private chats only');
  requireOpenTopic(world, chat, thread ?? (replyTo?.is_topic_message === true ? replyTo.message_thread_id : undefined));
  return post(world, chat, {
    by: 'bot',
    from: chat.kind === 'channel' ? undefined : botUser(world),
    thread,
    replyTo,
    receiver,
    file: draft.file,
    preview: draft.preview,
    silent: params.flag('disable_notification'),
    force,
    reply,
    content: {
      ...draft.content,
      ...(keyboard ? { reply_markup: keyboard } : {}),
      ...(params.flag('protect_content') ? { has_protected_content: true } : {}),
    },
  }).raw;
}

/** The bot as others see it. */
function botUser({ me }: World): { id: number; is_bot: true; first_name: string; username: string } {
  return { id: me.id, is_bot: true, first_name: me.first_name, username: me.username };
}

export const sendMessage: Method = ({ world, params }) => {
  const { content, preview } = readText(world, params);
  return deliver({ world, params, what: 'text', draft: { content, preview } });
};

export const deleteMessage: Method = ({ world, params }) => {
  if (!params.has('chat_id')) throw badRequest('Chat identifier is not specified');
  const id = params.integer('message_id');
  if (id <= 0) throw badRequest('Message identifier is not specified');
  const chat = requireChat(world, params, 'write');
  const stored = requireMessage(chat, id, 'message to delete');
  const mine = stored.by === 'bot' || chat.kind === 'private';
  if (!mine && !may(botIn(world, chat), 'can_delete_messages')) throw badRequest("Message can't be deleted");
  if (stored.by === 'bot' && world.clock.now() - stored.raw.date * 1_000 > DELETABLE_FOR)
    throw badRequest("Message can't be deleted for everyone");
  chat.messages.delete(id);
  world.deleted.push({ chat: chat.id, id });
  return true;
};

const ACTIONS = new Set(
  'cancel typing record_video upload_video record_audio record_voice upload_audio upload_voice upload_photo upload_document choose_sticker pick_up_location find_location record_video_note upload_video_note'.split(
    ' ',
  ),
);

export const sendChatAction: Method = ({ world, params }) => {
  if (!ACTIONS.has(params.text('action').toLowerCase())) throw badRequest('Wrong parameter action in request');
  requireThread(requireChat(world, params, 'write'), params);
  return true;
};
