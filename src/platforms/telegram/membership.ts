/** What it means that our standing in a chat changed: we were added, we may post (again), or we are gone. Pure. */
import { SECOND } from '../../base/clock.js';
import type { MembershipUpdate } from './update.js';

type Member = MembershipUpdate['new_chat_member'];

/** `settled`: the moment from when on it is known whether this was a group that became a supergroup. */
export type MembershipChange =
  | { readonly kind: 'gone'; readonly chat: number; readonly because: string }
  | { readonly kind: 'back'; readonly place: { readonly chat: number } }
  | { readonly kind: 'joined'; readonly chat: number; readonly settled?: number };

/** A group that becomes a supergroup says that we came into the new one; within so much time it says too that it is the old one. */
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
  // Inside, but without the right to post: nothing that waits could be sent now.
  if (mute || (chat.type === 'channel' && now.can_post_messages !== true)) return undefined;
  // Whoever is made an administrator was there before, and alone with somebody it is /start that begins.
  if (isInside(before) || chat.type === 'private') return { kind: 'back', place: { chat: chat.id } };
  return { kind: 'joined', chat: chat.id, ...(chat.type === 'supergroup' ? { settled: date * SECOND + UPGRADE_TOLD_WITHIN } : {}) };
}

const isInside = ({ status, is_member: isMember }: Member): boolean =>
  ['creator', 'administrator', 'member'].includes(status) || (status === 'restricted' && isMember === true);
