/** Who may do what where, in the platform's order of checks and in its words. */
import type { Params } from './params.js';
import { badRequest, forbidden, Refusal } from './refusal.js';
import { isAdmin, isInside, may, memberOf, type Chat, type Member, type Stored, type World } from './world.js';

/** Reading a chat, its members, editing in it, writing to it: each needs a little more. */
export type Need = 'read' | 'members' | 'edit' | 'write';

/** The chat that a request names, with the bot's access to it checked. */
export function requireChat(world: World, params: Params, need: Need, name = 'chat_id'): Chat {
  const chat = findChat(world, params.text(name), need);
  refuseAccess(world, chat, need);
  return chat;
}

function findChat(world: World, named: string, need: Need): Chat {
  if (named === '') throw badRequest('chat_id is empty');
  if (named.startsWith('@')) {
    const wanted = named.slice(1).toLowerCase();
    const chat = [...world.chats.values()].find(({ username, kind }) => kind !== 'private' && username?.toLowerCase() === wanted);
    if (!chat) throw badRequest('chat not found');
    return chat;
  }
  const id = Number.parseInt(named, 10);
  const chat = world.chats.get(id);
  if (chat) return chat;
  // Somebody the bot has met in a group, who never pressed Start.
  if (world.people.has(id) && (need === 'write' || need === 'edit')) throw forbidden("bot can't initiate conversation with a user");
  throw badRequest('chat not found');
}

export const botIn = (world: World, chat: Chat): Member => memberOf(chat, world.me);

function refuseAccess(world: World, chat: Chat, need: Need): void {
  const bot = botIn(world, chat);
  const writes = need === 'write' || (chat.kind === 'group' && need === 'members');
  const edits = writes || need === 'edit';
  switch (chat.kind) {
    case 'private':
      if (chat.fate === 'deactivated' && edits) throw forbidden('user is deactivated');
      if (bot.status === 'banned' && writes) throw forbidden('bot was blocked by the user');
      return;
    case 'group':
      if (writes && chat.movedTo !== undefined)
        throw badRequest('group chat was upgraded to a supergroup chat', { migrate_to_chat_id: chat.movedTo });
      if (writes && chat.fate === 'deleted') throw forbidden('the group chat was deleted');
      if (edits && chat.movedTo === undefined && bot.status === 'banned') throw forbidden('bot was kicked from the group chat');
      if (edits && chat.movedTo === undefined && bot.status === 'left') throw forbidden('bot is not a member of the group chat');
      return;
    case 'supergroup':
    case 'channel': {
      const kind = chat.kind === 'supergroup' ? 'supergroup chat' : 'channel chat';
      // A supergroup or channel that was deleted is one the bot cannot see any more.
      if (chat.fate === 'deleted') throw badRequest('chat not found');
      if (bot.status === 'banned') throw forbidden(`bot was kicked from the ${kind}`);
      if (!isInside(bot) && (edits || chat.username === undefined)) throw forbidden(`bot is not a member of the ${kind}`);
    }
  }
}

const WHAT = { text: 'text messages', photo: 'photos', document: 'documents' } as const;

/** Whether the bot may write there just now; throws why not. */
export function requireVoice(world: World, chat: Chat, what: keyof typeof WHAT): void {
  const bot = botIn(world, chat);
  if (chat.kind === 'channel' && !may(bot, 'can_post_messages')) throw badRequest('Need administrator rights in the channel chat');
  if (chat.muted && !isAdmin(bot)) throw badRequest(`Not enough rights to send ${WHAT[what]} to the chat`);
}

/** The topic that a request names: undefined is General, or a chat without topics, where the number is not looked at. */
export function requireThread(chat: Chat, params: Params): number | undefined {
  const thread = params.integer('message_thread_id');
  const hasTopics = chat.kind === 'private' || (chat.kind === 'supergroup' && chat.forum);
  if (thread <= 0 || !hasTopics) return undefined;
  // General has the number 1, and is reached only by leaving the number out.
  if (!chat.topics.has(thread)) throw badRequest('message thread not found');
  return thread;
}

export function requireOpenTopic(world: World, chat: Chat, thread: number | undefined): void {
  const closed = thread === undefined ? chat.generalClosed : chat.topics.get(thread)?.closed === true;
  if (chat.forum && closed && !may(botIn(world, chat), 'can_manage_topics')) throw badRequest('TOPIC_CLOSED');
}

/** A message that a request names by `message_id`. */
export function requireMessage(chat: Chat, id: number, role: string): Stored {
  const stored = id > 0 ? chat.messages.get(id) : undefined;
  if (!stored) throw badRequest(`${role} not found`);
  return stored;
}

/** Its own messages; in channels also others', with the right to. */
export function requireEditable(world: World, chat: Chat, stored: Stored): void {
  const others = chat.kind === 'channel' && may(botIn(world, chat), 'can_edit_messages');
  // What forces a reply can never be changed.
  if (stored.by === 'service' || (stored.by !== 'bot' && !others) || stored.force !== undefined)
    throw badRequest("Message can't be edited");
}

export const unauthorized = (): Refusal => new Refusal(401, 'Unauthorized');
