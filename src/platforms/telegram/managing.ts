/** Lets people manage a group or channel from their private chat: checks their rights at Telegram and remembers which chat they chose. */
import { GrammyError, type Api } from 'grammy/web';
import type { ChatFullInfo, ChatMember, ReplyKeyboardMarkup } from 'grammy/types';
import { z } from 'zod';
import { DAY, HOUR, later, type Clock } from '../../base/clock.js';
import { lanes } from '../../base/lanes.js';
import type { Log } from '../../base/log.js';
import { omitUndefined } from '../../base/omit-undefined.js';
import type { Address } from '../../chat/address.js';
import type { ManagedChat, ManagedChats, OtherChannel } from '../../chat/inbound.js';
import type { DataOwner } from '../../chat/privacy.js';
import { instantSchema } from '../../domain/scalars.js';
import type { Store } from '../../store/store.js';
import { truncateLine } from '../truncate.js';
import { addressOf, placeOf } from './address.js';
import type { Sender } from './incoming-update.js';
import { inWords, outcomeOf } from './outcome.js';
import { isInside, type Rights } from './rights.js';

const MAX_NAME = 64;

const refused = (says: string): OtherChannel => ({ kind: 'refused', says });

const NOT_IN = "I'm not in that chat. Add me there, in a channel as an administrator who may post, then try again.";
const NOT_YOURS = "You aren't an administrator of that chat, and only its administrators can manage it.";
const NO_ANSWER = "Telegram isn't responding, so I can't check your rights in that chat. Nothing was changed. Try again in a minute.";

interface ManagingDeps {
  readonly api: Api;
  readonly log: Log;
}

/** Asks Telegram at each press, because the person may have lost the right. `channel` is an id or a @name. Never rejects. */
async function otherChat({ api, log }: ManagingDeps, person: number, channel: string): Promise<OtherChannel> {
  try {
    const info = await api.getChat(channel.startsWith('@') ? channel : Number(channel));
    // Whether a person has talked to the bot is nobody else's business, so the answer is that for an unknown chat.
    if (info.type === 'private') return refused(NOT_IN);
    const bot = await api.getChatMember(info.id, (await api.getMe()).id);
    if (!isInside(bot)) return refused(NOT_IN);
    if (info.type === 'channel' && bot.status !== 'administrator')
      return refused("I'm not an administrator of that channel, so I can't see who manages it. Make me one who may post, then try again.");
    const member = await api.getChatMember(info.id, person);
    return managedBy(info, member);
  } catch (error) {
    return whyNot(error, channel, { log, retry: async (moved) => otherChat({ api, log }, person, moved) });
  }
}

/** Gives the chat's name to its administrators only; others cannot learn who administers it. */
function managedBy(info: ChatFullInfo, member: ChatMember): OtherChannel {
  if (member.status !== 'creator' && member.status !== 'administrator') return refused(NOT_YOURS);
  const title = truncateLine(info.title ?? '', MAX_NAME).trim() || 'that chat';
  if (info.type === 'channel' && member.status === 'administrator' && member.can_post_messages !== true)
    return refused(`You need the administrator right "Post Messages" in ${title} to see or change its alerts. Ask its owner for it.`);
  return {
    ...{ kind: 'managed', chat: addressOf({ chat: info.id }), name: title },
    circles: [`telegram/chat/${info.id}`, `telegram/user/${member.user.id}`],
    ...(info.type === 'channel' || member.is_anonymous ? { author: title } : {}),
  };
}

interface Failing {
  readonly log: Log;
  readonly retry: (channel: string) => Promise<OtherChannel>;
}

async function whyNot(error: unknown, channel: string, { log, retry }: Failing): Promise<OtherChannel> {
  const moved = error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined;
  if (moved !== undefined && String(moved) !== channel) return retry(String(moved));
  if (error instanceof GrammyError && /PARTICIPANT_ID_INVALID|user not found|USER_ID_INVALID/iu.test(error.description))
    return refused(NOT_YOURS);
  const { kind } = outcomeOf(error, addressOf({ chat: Number(channel) || 1 }));
  if (kind === 'gone') return refused(NOT_IN);
  log.warn('telegram.chat-not-checked', { channel, because: inWords(error) });
  if (kind === 'refused' || kind === 'not-permitted')
    return refused("Telegram doesn't show me who administers that chat. Make me an administrator there, then try again.");
  return refused(NO_ANSWER);
}

const FROM_PRIVATE = 'Other chats are managed from a private chat with me, where nobody reads along. Write /manage there.';

/** The choice of a chat ends this long after the last question. */
const CHOSEN_FOR = 12 * HOUR;
/** The store is written at most this often for one choice. */
const RENEWED_EVERY = HOUR;
/** A chat is forgotten this long after it was last chosen. */
const KNOWN_FOR = 90 * DAY;
const MAX_KNOWN = 8;

const managedSchema = z.object({
  known: z.array(z.object({ chat: z.int(), name: z.string(), chosenAt: instantSchema })).readonly(),
  chosen: z.object({ chat: z.int(), name: z.string(), until: instantSchema }).optional(),
});
type Managed = z.infer<typeof managedSchema>;

/** Remembers which chats a person chose. Rights are not stored. */
export class Managing implements DataOwner {
  readonly #documents;
  readonly #clock: Clock;
  readonly #log: Log;
  /** One lane per person, because a question that renews a choice must not put back the choice from before a press. */
  readonly #lanes = lanes();

  constructor({ store, clock, log }: { readonly store: Store; readonly clock: Clock; readonly log: Log }) {
    this.#documents = store.collection({ prefix: 'telegram-managed', version: 1, schema: managedSchema, writers: 'any' });
    this.#clock = clock;
    this.#log = log;
  }

  /** The chat that the person manages from their private chat now. Never rejects: if the store fails, no change could be saved anyway. */
  async chosen(person: number): Promise<ManagedChat | undefined> {
    try {
      return await this.#lanes.run(String(person), async () => this.#renewed(String(person)));
    } catch (error) {
      this.#log.warn('telegram.choice-not-read', { error });
      return undefined;
    }
  }

  async #renewed(key: string): Promise<ManagedChat | undefined> {
    const now = this.#clock.now();
    const managed = await this.#documents.get(key);
    const chosen = chosenIn(managed, now);
    if (managed === undefined || chosen === undefined) return undefined;
    const until = later(now, CHOSEN_FOR);
    if (until - chosen.until >= RENEWED_EVERY) await this.#documents.set(key, { ...managed, chosen: { ...chosen, until } });
    return shown(chosen);
  }

  of(person: number): ManagedChats {
    const key = String(person);
    return {
      read: async () => {
        const now = this.#clock.now();
        const managed = await this.#documents.get(key);
        const chosen = chosenIn(managed, now);
        return {
          known: knownIn(managed, now).map(shown),
          chosen: chosen && shown(chosen),
        };
      },
      choose: async ({ channel, name }) =>
        this.#lanes.run(key, async () => {
          const now = this.#clock.now();
          const chat = Number(channel);
          const others = knownIn(await this.#documents.get(key), now).filter((one) => one.chat !== chat);
          await this.#documents.set(key, {
            known: [{ chat, name, chosenAt: now }, ...others].slice(0, MAX_KNOWN),
            chosen: { chat, name, until: later(now, CHOSEN_FOR) },
          });
        }),
      leave: async () =>
        this.#lanes.run(key, async () => {
          const known = knownIn(await this.#documents.get(key), this.#clock.now());
          if (known.length > 0) await this.#documents.set(key, { known });
        }),
    };
  }

  /** Moves people's choices to the supergroup that a group became. Rejects with the store's error. */
  async follow({ from, to }: { readonly from: number; readonly to: number }): Promise<void> {
    const renamed = <T extends { readonly chat: number }>(one: T): T => (one.chat === from ? { ...one, chat: to } : one);
    await this.#each(from, async (key, { known, chosen }) =>
      this.#documents.set(key, omitUndefined({ known: known.map(renamed), chosen: chosen && renamed(chosen) })),
    );
  }

  async kept(where: Address): Promise<readonly string[]> {
    const { chat = 0 } = placeOf(where) ?? {};
    // What a person chose in their private chat is theirs, and `keptOf` describes it.
    if (chat > 0) return [];
    let people = 0;
    await this.#each(chat, async () => void (people += 1));
    return people === 0
      ? []
      : [`who manages this chat from a private chat with me: ${people} ${people === 1 ? 'person' : 'people'}, by id`];
  }

  async keptOf(who: string): Promise<readonly string[]> {
    const key = keyOf(who);
    const count = key === undefined ? 0 : knownIn(await this.#documents.get(key), this.#clock.now()).length;
    return count === 0
      ? []
      : [`which chats you manage from your private chat with me: ${count}, each with its name, for 90 days after you chose it last`];
  }

  async forgetChat(where: Address): Promise<void> {
    const { chat = 0, topic } = placeOf(where) ?? {};
    if (chat > 0) await this.#documents.delete(String(chat));
    else if (topic === undefined)
      await this.#each(chat, async (key, managed) => {
        const known = managed.known.filter((one) => one.chat !== chat);
        const chosen = managed.chosen?.chat === chat ? undefined : managed.chosen;
        if (known.length === 0) await this.#documents.delete(key);
        else await this.#documents.set(key, omitUndefined({ known, chosen }));
      });
  }

  async forgetPerson(who: string): Promise<void> {
    const key = keyOf(who);
    if (key !== undefined) await this.#documents.delete(key);
  }

  /** Rejects with the store's error. */
  async sweep(): Promise<void> {
    for await (const { found } of this.#documents.scan())
      for (const [key, managed] of found) if (knownIn(managed, this.#clock.now()).length === 0) await this.#documents.delete(key);
  }

  async #each(chat: number, run: (key: string, managed: Managed) => Promise<unknown>): Promise<void> {
    for await (const { found } of this.#documents.scan())
      for (const [key, managed] of found) if (managed.known.some((one) => one.chat === chat)) await run(key, managed);
  }
}

/** The key of a person's document; of people of other platforms there is none. */
const keyOf = (who: string): string | undefined => /^telegram\/(\d+)$/u.exec(who)?.[1];

const shown = ({ chat, name }: { readonly chat: number; readonly name: string }): ManagedChat => ({ channel: String(chat), name });

const knownIn = (managed: Managed | undefined, now: number): Managed['known'] =>
  (managed?.known ?? []).filter(({ chosenAt }) => later(chosenAt, KNOWN_FOR) > now);

const chosenIn = (managed: Managed | undefined, now: number): Managed['chosen'] =>
  managed?.chosen !== undefined && managed.chosen.until > now ? managed.chosen : undefined;

const NO_RIGHTS = {
  is_anonymous: false,
  can_manage_chat: false,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: false,
  can_send_welcome_messages: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
};
/** A channel has no right to pin; the right to edit includes it, and a pinned board needs it. */
const IN_CHANNEL = { ...NO_RIGHTS, can_post_messages: true, can_edit_messages: true };

/** Telegram lists the person's chats and adds the bot to the one that is picked. https://core.telegram.org/bots/features#chat-and-user-selection */
const PICKER: ReplyKeyboardMarkup = {
  keyboard: [
    [
      {
        text: 'Pick a channel',
        request_chat: { request_id: 1, chat_is_channel: true, user_administrator_rights: IN_CHANNEL, bot_administrator_rights: IN_CHANNEL },
      },
      {
        text: 'Pick a group',
        // No administrator rights are requested, because an administrator bot gets every message of a group.
        request_chat: {
          request_id: 2,
          chat_is_channel: false,
          user_administrator_rights: { ...NO_RIGHTS, can_manage_chat: true },
          bot_is_member: true,
        },
      },
    ],
  ],
  resize_keyboard: true,
  one_time_keyboard: true,
};

const PICK =
  'Pick it with the buttons below. In a channel I become an administrator who may post and edit; a group has to have me already.';

/** Posts the chat picker as a separate message, because Telegram does not combine it with inline buttons. */
export async function postPicker(api: Api, chat: number): Promise<void> {
  await api.sendMessage(chat, PICK, { reply_markup: PICKER });
}

/** Returns what the person may manage besides the chat in which they ask. */
export function managingFrom(
  { api, log, managing, rights }: ManagingDeps & { readonly managing: Managing; readonly rights: Rights },
  { scene, from }: { readonly scene: string; readonly from: Sender },
) {
  if (scene !== 'private' || from.as !== 'person') return { inChannel: async (): Promise<OtherChannel> => refused(FROM_PRIVATE) };
  return {
    managed: managing.of(from.id),
    inChannel: async (channel: string) => otherChat({ api, log }, from.id, channel),
    isIn: async (circle: string) => {
      const [, chat] = /^telegram\/chat\/(-\d+)$/u.exec(circle) ?? [];
      return chat !== undefined && rights.isIn(Number(chat), from.id);
    },
  };
}
