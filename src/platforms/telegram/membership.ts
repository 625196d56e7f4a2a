/** What a change of the bot's membership means. */
import { SECOND } from '../../base/clock.js';
import type { MembershipUpdate } from './update.js';

type Member = MembershipUpdate['new_chat_member'];

/** `settled`: when it is known whether a group became this supergroup. */
export type MembershipChange =
  | { readonly kind: 'gone'; readonly chat: number; readonly because: string }
  | { readonly kind: 'back'; readonly place: { readonly chat: number } }
  | { readonly kind: 'joined'; readonly chat: number; readonly settled?: number };

/** After the join of the new group. */
const UPGRADE_TOLD_WITHIN = 3 * SECOND;

export function readMembership({
  chat,
  date,
  old_chat_member: before,
  new_chat_member: now,
}: MembershipUpdate): MembershipChange | undefined {
  if (!isInside(now))
    return {
      kind: 'gone',
      chat: chat.id,
      because: chat.type === 'private' ? 'this person blocked the bot' : 'the bot was removed from the chat',
    };
  const mute = now.status === 'restricted' && now.can_send_messages === false;
  // A member without the right to post: nothing could be sent now.
  if (mute || (chat.type === 'channel' && now.can_post_messages !== true)) return undefined;
  // An administrator was a member before, and a private chat begins with /start.
  if (isInside(before) || chat.type === 'private') return { kind: 'back', place: { chat: chat.id } };
  return { kind: 'joined', chat: chat.id, ...(chat.type === 'supergroup' ? { settled: date * SECOND + UPGRADE_TOLD_WITHIN } : {}) };
}

const isInside = ({ status, is_member: isMember }: Member): boolean =>
  ['creator', 'administrator', 'member'].includes(status) || (status === 'restricted' && isMember === true);
