/** Looks what stands in the way of posting in a chat, without posting. Whether a topic is closed can be seen only by posting. */
import { GrammyError, type Api } from 'grammy';
import type { ChatFullInfo, ChatMember } from 'grammy/types';
import type { Probe } from '../../chat/courier.js';
import { addressOf, sendTo, type Place } from './address.js';
import { outcomeOf } from './outcome.js';

/** Never rejects; a Telegram that does not answer is what is missing. */
export async function probe(api: Api, place: Place): Promise<Probe> {
  try {
    const { chat_id: chat, ...thread } = sendTo(place);
    const info = await api.getChat(chat);
    const missing = info.type === 'private' ? [] : missingRights(info, await api.getChatMember(chat, (await api.getMe()).id));
    // "typing…" needs the same chat and topic as a message; in a channel nobody would see it.
    if (missing.length === 0 && info.type !== 'channel') await api.sendChatAction(chat, 'typing', thread);
    return { missing };
  } catch (error) {
    return { missing: [whyNot(error, place)] };
  }
}

/** The rights that are missing, as Telegram's own settings name them. Pure. */
function missingRights(chat: ChatFullInfo, bot: ChatMember): readonly string[] {
  if (bot.status === 'left' || bot.status === 'kicked') return ['membership of this chat'];
  if (chat.type === 'channel')
    return bot.status === 'administrator' && bot.can_post_messages === true ? [] : ['the administrator right "Post Messages"'];
  if (bot.status === 'restricted') return bot.can_send_messages ? [] : ['permission to "Send Messages", which was taken from me here'];
  if (bot.status === 'member' && chat.permissions?.can_send_messages === false)
    return ['permission to "Send Messages", which only administrators have here'];
  return [];
}

function whyNot(error: unknown, place: Place): string {
  const outcome = outcomeOf(error, addressOf(place));
  switch (outcome.kind) {
    case 'gone':
      return place.topic !== undefined && /topic/u.test(outcome.because) ? 'this topic: it was deleted' : `a way in: ${outcome.because}`;
    case 'held':
      return `a way in: ${outcome.because}`;
    case 'moved':
      return 'the new address of this chat, which became a supergroup; ask again there';
    default:
      return error instanceof GrammyError && error.error_code !== 429 && error.error_code < 500
        ? 'the right to see this chat'
        : 'an answer from Telegram; try again in a minute';
  }
}
