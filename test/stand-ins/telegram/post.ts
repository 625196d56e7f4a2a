/** Puts messages into chats: numbers them, threads them, links them to what they reply to. */
import type { ForceReply, Message, User } from 'grammy/types';
import type { StoredFile } from './control.js';
import type { ReplyKeyboard } from './keyboard.js';
import { apiChat, numberOf, topicOf } from './views.js';
import { seconds, serial, type Chat, type Stored, type World } from './world.js';

export interface Draft {
  readonly by: Stored['by'];
  /** Absent: the chat itself speaks (a channel). */
  readonly from?: User | undefined;
  /** The chat speaks through somebody: anonymous administrators. */
  readonly asChat?: boolean;
  /** Text, entities, photo, service fields. */
  readonly content: Partial<Message>;
  readonly thread?: number | undefined;
  readonly replyTo?: Message | undefined;
  readonly file?: StoredFile | undefined;
  readonly preview?: string | undefined;
  readonly silent?: boolean;
  readonly force?: ForceReply | undefined;
  readonly reply?: ReplyKeyboard | undefined;
  /** Who alone sees it. */
  readonly receiver?: User | undefined;
}

function nextId(world: World, chat: Chat): number {
  if (chat.kind === 'supergroup' || chat.kind === 'channel') return (chat.lastId += 1);
  return (world.sharedId += 1);
}

export function post(world: World, chat: Chat, draft: Draft): Stored {
  const thread = draft.thread ?? (draft.replyTo && chat.forum ? topicOf(draft.replyTo) : undefined);
  const repliesTo = draft.replyTo ?? (thread === undefined ? undefined : chat.topics.get(thread)?.opened);
  const raw: Message = {
    ...(draft.receiver === undefined
      ? { message_id: nextId(world, chat) }
      : { message_id: 0, ephemeral_message_id: serial(world), receiver_user: draft.receiver }),
    date: seconds(world),
    chat: apiChat(chat),
    ...(draft.from ? { from: draft.from } : {}),
    ...(draft.asChat === true || !draft.from ? { sender_chat: apiChat(chat) } : {}),
    ...threading(chat, thread, draft.replyTo),
    ...(repliesTo ? { reply_to_message: withoutReply(repliesTo) } : {}),
    ...draft.content,
  };
  const { by, file, preview, silent = false, force, reply } = draft;
  const stored: Stored = { raw, by, file, preview, silent, force, reply, edits: 0 };
  chat.messages.set(numberOf(raw), stored);
  world.changed();
  return stored;
}

/** In ordinary supergroups a reply carries the id of what began the thread, without being in a topic: a trap worth having here. */
function threading(chat: Chat, thread: number | undefined, replyTo: Message | undefined): Partial<Message> {
  if (thread !== undefined) return { message_thread_id: thread, is_topic_message: true };
  if (chat.kind === 'supergroup' && !chat.forum && replyTo) return { message_thread_id: replyTo.message_thread_id ?? replyTo.message_id };
  return {};
}

function withoutReply(message: Message): NonNullable<Message['reply_to_message']> {
  const { reply_to_message: _, ...rest } = message;
  return rest as NonNullable<Message['reply_to_message']>;
}
