/** Tells whether the bot may post in a chat and whether a person may change its watchlist. */
import { GrammyError, type Api } from 'grammy/web';
import type { ChatFullInfo, ChatMember } from 'grammy/types';
import { RecentMap } from '../../base/bounded-cache.js';
import { later, SECOND, type Clock, type Instant } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { Probe } from '../../chat/notifier.js';
import { addressOf, sendTo, type ChatTopic } from './address.js';
import type { ChatKind, Sender } from './incoming-update.js';
import { inWords, outcomeOf } from './outcome.js';

/** Never rejects. */
export async function probe(api: Api, place: ChatTopic): Promise<Probe> {
  try {
    const { chat_id: chat, ...thread } = sendTo(place);
    const info = await api.getChat(chat);
    const me = info.type === 'private' ? undefined : await api.getChatMember(chat, (await api.getMe()).id);
    if (me?.status === 'left' || me?.status === 'kicked') return { missing: [], blocked: NOT_A_MEMBER };
    const missing = me === undefined ? [] : missingRights(info, me);
    // "typing…" needs the same rights as a message. Channels do not support it.
    if (missing.length === 0 && info.type !== 'channel') await api.sendChatAction(chat, 'typing', thread);
    const pin = me === undefined ? undefined : pinRight(info, me);
    return { missing, pin: pin === undefined ? {} : { missing: pin } };
  } catch (error) {
    return whyNot(error, place);
  }
}

/** Names the missing rights as Telegram's settings do. */
function missingRights(chat: ChatFullInfo, bot: ChatMember): readonly string[] {
  if (chat.type === 'channel')
    return bot.status === 'administrator' && bot.can_post_messages === true ? [] : ['the administrator right "Post Messages"'];
  if (bot.status === 'restricted') return bot.can_send_messages ? [] : ['permission to "Send Messages", which was taken from me here'];
  if (bot.status === 'member' && chat.permissions?.can_send_messages === false)
    return ['permission to "Send Messages", which only administrators have here'];
  return [];
}

/** A channel has no separate right to pin; the right to edit includes it. */
function pinRight(chat: ChatFullInfo, bot: ChatMember): string | undefined {
  if (chat.type === 'channel')
    return bot.status === 'administrator' && bot.can_edit_messages === true ? undefined : 'the administrator right "Edit Messages"';
  if (bot.status === 'administrator') return bot.can_pin_messages === true ? undefined : 'the administrator right "Pin Messages"';
  const isAllowed = bot.status === 'restricted' ? bot.can_pin_messages : chat.permissions?.can_pin_messages === true;
  return isAllowed ? undefined : 'the administrator right "Pin Messages"';
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

export const isInside = (one: ChatMember): boolean =>
  one.status === 'restricted' ? one.is_member : one.status !== 'left' && one.status !== 'kicked';

/** How long a role is cached, so that several presses cost one call. */
const BELIEVED = 30 * SECOND;
const MAX_KNOWN = 1_000;

interface Role {
  readonly manages: boolean;
  readonly hidden: boolean;
  readonly isInside: boolean;
}

interface Who {
  readonly chat: number;
  readonly scene: ChatKind;
  readonly from: Sender;
}

export interface Rights {
  /** Resolves with false also if Telegram does not answer. Never rejects. */
  manages(who: Who): Promise<boolean>;
  /** Tells whether the person is anonymous and must not be named; true if Telegram does not answer. Never rejects. */
  hidden(who: Who): Promise<boolean>;
  /** Resolves with false also if Telegram does not answer. Never rejects. */
  isIn(chat: number, person: number): Promise<boolean>;
}

export function openRights({ api, clock, log }: { api: Api; clock: Clock; log: Log }): Rights {
  const known = new RecentMap<string, Role & { readonly until: Instant }>(MAX_KNOWN);

  async function roleOf(chat: number, person: number): Promise<Role | undefined> {
    const key = `${chat}/${person}`;
    const before = known.get(key);
    if (before !== undefined && before.until > clock.now()) return before;
    try {
      const member = await api.getChatMember(chat, person);
      const manages = member.status === 'creator' || member.status === 'administrator';
      const role = { manages, hidden: manages && member.is_anonymous, isInside: isInside(member) };
      known.set(key, { ...role, until: later(clock.now(), BELIEVED) });
      return role;
    } catch (error) {
      log.warn('telegram.rights-unknown', { chat, error: inWords(error) });
      return undefined;
    }
  }

  return {
    async manages({ chat, scene, from }) {
      if (scene === 'private') return true;
      // Only administrators post in a channel or as the group.
      if (from.as !== 'person') return from.as === 'chat';
      return (await roleOf(chat, from.id))?.manages === true;
    },
    async hidden({ chat, scene, from }) {
      if (scene === 'private') return false;
      return from.as !== 'person' || (await roleOf(chat, from.id))?.hidden !== false;
    },
    isIn: async (chat, person) => (await roleOf(chat, person))?.isInside === true,
  };
}
