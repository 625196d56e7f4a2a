/** Someone's place in a chat changes, and whoever is entitled to hear of it does. */
import type { ChatMemberUpdated, User } from 'grammy/types';
import type { Rights, MemberStatus } from './control.js';
import { botIn } from './access.js';
import { apiChat, apiMember } from './views.js';
import { isAdmin, memberOf, seconds, type Chat, type Member, type World } from './world.js';

export interface MembershipChange {
  readonly chat: Chat;
  readonly user: User;
  readonly status: MemberStatus;
  /** Who did it. */
  readonly by: User;
  readonly anonymous?: boolean;
  readonly rights?: Rights;
}

export function changeMembership(world: World, change: MembershipChange): void {
  const { chat, user, status: standing, by, anonymous = false, rights = {} } = change;
  const before = memberOf(chat, user);
  const after: Member = { user, status: standing, anonymous, rights };
  chat.members.set(user.id, after);
  const alerted: ChatMemberUpdated = {
    chat: apiChat(chat),
    from: by,
    date: seconds(world),
    old_chat_member: apiMember(chat, before),
    new_chat_member: apiMember(chat, after),
  };
  if (user.id === world.me.id) world.updates.push({ my_chat_member: alerted });
  else if (isAdmin(botIn(world, chat))) world.updates.push({ chat_member: alerted });
  world.changed();
}
