/** getChat, getChatMember, getChatAdministrators, leaveChat, pinChatMessage. */
import { botIn, requireChat, requireMessage } from '../access.js';
import { badRequest } from '../refusal.js';
import { apiChat, apiMember } from '../views.js';
import { isAdmin, may, memberOf, type Chat } from '../world.js';
import { changeMembership } from '../membership.js';
import type { MethodCall, Method } from './method.js';

export const getChat: Method = ({ world, params }) => {
  const chat = requireChat(world, params, 'read');
  return {
    ...apiChat(chat),
    accent_color_id: 0,
    max_reaction_count: 11,
    accepted_gift_types: {
      unlimited_gifts: false,
      limited_gifts: false,
      unique_gifts: false,
      premium_subscription: false,
      gifts_from_channels: false,
    },
    ...(chat.username === undefined ? {} : { active_usernames: [chat.username] }),
    ...(chat.kind === 'group' || chat.kind === 'supergroup' ? { permissions: permissions(chat) } : {}),
  };
};

/** What ordinary members may do. */
function permissions({ muted }: Chat): Readonly<Record<string, boolean>> {
  const sends = ['messages', 'audios', 'documents', 'photos', 'videos', 'video_notes', 'voice_notes', 'polls', 'other_messages'];
  return { ...Object.fromEntries(sends.map((what) => [`can_send_${what}`, !muted])), can_add_web_page_previews: !muted };
}

/** In a channel only its administrators see who is in it. */
function requireMemberList({ world }: MethodCall, chat: Chat): void {
  if (chat.kind === 'channel' && !isAdmin(botIn(world, chat))) throw badRequest('member list is inaccessible');
}

export const getChatMember: Method = (asked) => {
  const { world, params } = asked;
  const id = params.integer('user_id');
  if (id <= 0) throw badRequest('invalid user_id specified');
  const self = id === world.me.id;
  const chat = requireChat(world, params, self ? 'read' : 'members');
  if (!self) requireMemberList(asked, chat);
  const user = self ? world.me : (chat.members.get(id)?.user ?? world.people.get(id));
  if (!user) throw badRequest(chat.kind === 'group' ? 'user not found' : 'PARTICIPANT_ID_INVALID');
  return apiMember(chat, memberOf(chat, user));
};

export const getChatAdministrators: Method = (asked) => {
  const chat = requireChat(asked.world, asked.params, 'members');
  if (chat.kind === 'private') throw badRequest('there are no administrators in the private chat');
  requireMemberList(asked, chat);
  // Other bots are left out unless asked for; the bot itself never is.
  return [...chat.members.values()].filter(isAdmin).map((member) => apiMember(chat, member));
};

export const leaveChat: Method = ({ world, params }) => {
  const chat = requireChat(world, params, 'read');
  if (chat.kind === 'private') throw badRequest("chat member status can't be changed in private chats");
  changeMembership(world, { chat, user: world.me, status: 'left', by: world.me });
  return true;
};

export const pinChatMessage: Method = ({ world, params }) => {
  const chat = requireChat(world, params, 'write');
  const right = chat.kind === 'channel' ? 'can_edit_messages' : 'can_pin_messages';
  if (chat.kind !== 'private' && !may(botIn(world, chat), right))
    throw badRequest('not enough rights to manage pinned messages in the chat');
  requireMessage(chat, params.integer('message_id'), 'message to pin').pinned = true;
  return true;
};
