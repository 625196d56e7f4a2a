/** Checks what prevents posting, without posting. */
import { GrammyError, type Api } from 'grammy';
import type { ChatFullInfo, ChatMember } from 'grammy/types';
import type { Probe } from '../../chat/notifier.js';
import { addressOf, sendTo, type ChatTopic } from './address.js';
import { outcomeOf } from './outcome.js';

/** Never rejects. */
export async function probe(api: Api, place: ChatTopic): Promise<Probe> {
  try {
    const { chat_id: chat, ...thread } = sendTo(place);
    const info = await api.getChat(chat);
    const me = info.type === 'private' ? undefined : await api.getChatMember(chat, (await api.getMe()).id);
    if (me?.status === 'left' || me?.status === 'kicked') return { missing: [], blocked: NOT_A_MEMBER };
    const missing = me === undefined ? [] : missingRights(info, me);
    // "typing…" needs the same rights as a message; in a channel it is not shown.
    if (missing.length === 0 && info.type !== 'channel') await api.sendChatAction(chat, 'typing', thread);
    return { missing };
  } catch (error) {
    return whyNot(error, place);
  }
}

/** As Telegram's settings name them. */
function missingRights(chat: ChatFullInfo, bot: ChatMember): readonly string[] {
  if (chat.type === 'channel')
    return bot.status === 'administrator' && bot.can_post_messages === true ? [] : ['the administrator right "Post Messages"'];
  if (bot.status === 'restricted') return bot.can_send_messages ? [] : ['permission to "Send Messages", which was taken from me here'];
  if (bot.status === 'member' && chat.permissions?.can_send_messages === false)
    return ['permission to "Send Messages", which only administrators have here'];
  return [];
}

const NOT_A_MEMBER = "I can't post here: I'm not a member of this chat. Add me, then try again.";
const NO_ANSWER = "Telegram isn't responding, so I can't check my permissions here. Try again in a minute.";
const MOVED = 'This group has become a supergroup. Run the command again there.';
const DELETED = "I can't post here: this topic was deleted. Use another topic.";
const blockedBy = (reason: string): Probe => ({ missing: [], blocked: reason });

function whyNot(error: unknown, place: ChatTopic): Probe {
  const outcome = outcomeOf(error, addressOf(place));
  switch (outcome.kind) {
    case 'gone':
      return blockedBy(
        place.topic !== undefined && /topic/u.test(outcome.because)
          ? DELETED
          : `I can't post here: ${outcome.because}. Try again when that has changed.`,
      );
    case 'not-permitted':
      return blockedBy(`I can't post here: ${outcome.because}. Change that, then try again.`);
    case 'moved':
      return blockedBy(MOVED);
    default:
      return error instanceof GrammyError && error.error_code !== 429 && error.error_code < 500
        ? { missing: ['the right to see this chat'] }
        : blockedBy(NO_ANSWER);
  }
}
