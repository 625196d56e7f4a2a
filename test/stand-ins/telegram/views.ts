/** How the Bot API words what exists here: chats, members, messages. */
import type { Chat as ApiChat, ChatMember, Message } from 'grammy/types';
import type { ForcedReply, Ping, SeenMessage } from './control.js';
import { may, type Chat, type Member, type Stored } from './world.js';

export function apiChat(chat: Chat): ApiChat {
  const { id, title } = chat;
  const named = chat.username === undefined ? {} : { username: chat.username };
  switch (chat.kind) {
    case 'private':
      return { id, type: 'private', first_name: title, ...named };
    case 'group':
      return { id, type: 'group', title };
    case 'supergroup':
      return { id, type: 'supergroup', title, ...named, ...(chat.forum ? { is_forum: true as const } : {}) };
    case 'channel':
      return { id, type: 'channel', title, ...named };
  }
}

export function apiMember(chat: Chat, member: Member): ChatMember {
  const { user, anonymous } = member;
  switch (member.status) {
    case 'creator':
      return { status: 'creator', user, is_anonymous: anonymous };
    case 'administrator':
      return administrator(chat, member);
    case 'member':
      return { status: 'member', user };
    case 'left':
      return { status: 'left', user };
    case 'banned':
      return { status: 'kicked', user, until_date: 0 };
  }
}

function administrator(chat: Chat, member: Member): ChatMember {
  const inChannel = chat.kind === 'channel';
  return {
    status: 'administrator',
    user: member.user,
    can_be_edited: false,
    is_anonymous: member.anonymous,
    can_manage_chat: true,
    can_delete_messages: may(member, 'can_delete_messages'),
    can_manage_video_chats: true,
    can_restrict_members: true,
    can_promote_members: false,
    can_change_info: true,
    can_invite_users: true,
    can_send_welcome_messages: false,
    can_post_stories: false,
    can_edit_stories: false,
    can_delete_stories: false,
    ...(inChannel
      ? { can_post_messages: may(member, 'can_post_messages'), can_edit_messages: may(member, 'can_edit_messages') }
      : {
          can_pin_messages: may(member, 'can_pin_messages'),
          ...(chat.kind === 'supergroup' ? { can_manage_topics: may(member, 'can_manage_topics') } : {}),
        }),
  };
}

/** The topic a message stands in: replies in ordinary supergroups carry a thread id too, and are in none. */
export const topicOf = (raw: Message): number | undefined => (raw.is_topic_message === true ? raw.message_thread_id : undefined);

const textOf = (raw: Message): string => raw.text ?? raw.caption ?? '';

function forcedReply({ raw, force }: Stored): ForcedReply | undefined {
  if (force === undefined) return undefined;
  const named = (raw.entities ?? []).flatMap((entity) => (entity.type === 'text_mention' ? [entity.user.id] : []));
  const above = raw.reply_to_message?.from?.id;
  const isSelective = force.selective === true && raw.chat.type !== 'private';
  return {
    placeholder: force.input_field_placeholder,
    opensFor: isSelective ? [...new Set([...named, ...(above === undefined ? [] : [above])])] : 'everyone',
  };
}

/** A message as a reader sees it; a snapshot, later edits do not change it. */
/** Ephemeral messages have the id 0 and one of their own. */
export const numberOf = ({ message_id: id, ephemeral_message_id: own }: Message): number => (own === undefined ? id : -own);

export const isEphemeral = ({ raw }: Stored): boolean => raw.ephemeral_message_id !== undefined;

export function seen(stored: Stored): SeenMessage {
  const { raw } = stored;
  const text = textOf(raw);
  const entities = raw.entities ?? raw.caption_entities ?? [];
  return {
    chat: raw.chat.id,
    id: numberOf(raw),
    thread: topicOf(raw),
    by: stored.by,
    from: raw.from,
    text,
    entities,
    buttons: (raw.reply_markup?.inline_keyboard ?? []).map((row) =>
      row.map((button) => ({
        text: button.text,
        ...('style' in button && button.style !== undefined ? { style: button.style } : {}),
        ...('callback_data' in button ? { data: button.callback_data } : {}),
        ...('url' in button ? { url: button.url } : {}),
      })),
    ),
    forcedReply: forcedReply(stored),
    replyKeyboard: stored.reply?.keyboard.flat().map(({ text: label }) => label),
    file: stored.file,
    pings: entities.flatMap(({ type, offset, length }): Ping[] =>
      type === 'mention' || type === 'text_mention' ? [{ kind: type, text: text.slice(offset, offset + length) }] : [],
    ),
    preview: stored.preview,
    silent: stored.silent,
    pinned: stored.pinned === true,
    replyTo: raw.reply_to_message?.forum_topic_created === undefined ? raw.reply_to_message?.message_id : undefined,
    edits: stored.edits,
    raw,
  };
}
