/** How chats come into being, change and end. */
import type { User } from 'grammy/types';
import type { NewChat, Rights, MemberStatus } from './control.js';
import { granted } from './keyboard.js';
import { announce } from './people.js';
import { changeMembership } from './membership.js';
import { chatOf, isAdmin, isInside, may, memberOf, serial, type Chat, type Member, type World } from './world.js';

export function newPerson(
  world: World,
  names: { readonly first_name?: string; readonly username?: string; readonly language_code?: string },
): User {
  const number = serial(world);
  const user: User = { id: 50_000_000 + number, is_bot: false, first_name: `Person ${number}`, ...names };
  world.people.set(user.id, user);
  return user;
}

const member = (user: User, standing: MemberStatus, rights: Rights = {}): readonly [number, Member] => [
  user.id,
  { user, status: standing, anonymous: false, rights },
];

function newChat(world: World, chat: Pick<Chat, 'id' | 'kind' | 'title' | 'username' | 'members'> & { readonly forum?: boolean }): number {
  if (chat.username !== undefined && !/^[A-Za-z][A-Za-z0-9_]{3,31}$/.test(chat.username))
    throw new Error(`telegram stand-in: ${chat.username} is no username; take 4 to 32 letters, digits and _, without an @`);
  const fresh = {
    topics: new Map(),
    messages: new Map(),
    generalClosed: false,
    muted: false,
    fate: 'alive',
    movedTo: undefined,
    lastId: 0,
  } as const;
  world.chats.set(chat.id, { ...fresh, forum: false, ...chat });
  return chat.id;
}

export function newPrivateChat(world: World, person: User): number {
  if (person.is_bot) throw new Error('telegram stand-in: bots do not talk to bots');
  if (world.chats.has(person.id)) return person.id;
  const members = new Map([member(person, 'member'), member(world.me, 'member')]);
  return newChat(world, { id: person.id, kind: 'private', title: person.first_name, username: person.username, members });
}

export function newPublicChat(
  world: World,
  kind: 'group' | 'supergroup' | 'channel',
  chat: NewChat & { readonly forum?: boolean } = {},
): number {
  const number = serial(world);
  const id = kind === 'group' ? -4_000_000 - number : -1_002_000_000_000 - number;
  if (kind === 'group' && chat.username !== undefined)
    throw new Error('telegram stand-in: a plain group has no username; make a supergroup');
  const owner = chat.owner ?? newPerson(world, {});
  const members = new Map([
    member(owner, 'creator'),
    ...(chat.members ?? []).map((user) => member(user, 'member')),
    member(world.me, chat.bot ?? (kind === 'channel' ? 'administrator' : 'member'), chat.botRights),
  ]);
  const forum = chat.forum ?? false;
  return newChat(world, { id, kind, title: chat.title ?? `The ${kind} ${number}`, username: chat.username, members, forum });
}

/** Who runs the place: its creator, in a private chat the person. */
export function ownerOf(chat: Chat): User {
  const members = [...chat.members.values()];
  const owner = members.find(({ status: standing }) => standing === 'creator') ?? members.find(({ user }) => !user.is_bot);
  if (!owner) throw new Error(`telegram stand-in: nobody owns chat ${chat.id}`);
  return owner.user;
}

export function newTopic(world: World, id: number, name = 'A topic'): number {
  const chat = chatOf(world, id);
  if (!chat.forum) throw new Error(`telegram stand-in: chat ${id} is no forum; make one with supergroup({ forum: true })`);
  // The number 1 is General's.
  if (chat.lastId < 1) chat.lastId = 1;
  const thread = chat.lastId + 1;
  const content = {
    forum_topic_created: { name, icon_color: 7_322_096 } as const,
    message_thread_id: thread,
    is_topic_message: true as const,
  };
  const { raw } = announce(world, chat, { from: ownerOf(chat), content });
  chat.topics.set(thread, { name, closed: false, opened: raw });
  return thread;
}

export function setTopicClosed(world: World, id: number, thread: number | 'general', closed: boolean): void {
  const chat = chatOf(world, id);
  if (!chat.forum) throw new Error(`telegram stand-in: chat ${id} is no forum`);
  const from = ownerOf(chat);
  if (thread === 'general') {
    chat.generalClosed = closed;
    announce(world, chat, { from, content: closed ? { forum_topic_closed: {} } : { forum_topic_reopened: {} } });
    return;
  }
  const topic = chat.topics.get(thread);
  if (!topic) throw new Error(`telegram stand-in: chat ${id} has no topic ${thread}`);
  topic.closed = closed;
  announce(world, chat, { from, thread, content: closed ? { forum_topic_closed: {} } : { forum_topic_reopened: {} } });
}

export function removeTopic(world: World, id: number, thread: number): void {
  const chat = chatOf(world, id);
  if (!chat.topics.delete(thread)) throw new Error(`telegram stand-in: chat ${id} has no topic ${thread}`);
  for (const [number, { raw }] of chat.messages)
    if (raw.is_topic_message === true && raw.message_thread_id === thread) chat.messages.delete(number);
  world.changed();
}

/** The bot's own place changes; groups say so in a service message too. */
export function moveBot(world: World, id: number, standing: MemberStatus, rights: Rights = {}): void {
  const chat = chatOf(world, id);
  const by = ownerOf(chat);
  const wasInside = !['left', 'banned'].includes(memberOf(chat, world.me).status);
  const isInside = !['left', 'banned'].includes(standing);
  changeMembership(world, { chat, user: world.me, status: standing, by, rights });
  if ((chat.kind === 'group' || chat.kind === 'supergroup') && !wasInside && isInside)
    announce(world, chat, { from: by, content: { new_chat_members: [world.me] } });
}

const RIGHTS = ['can_post_messages', 'can_edit_messages', 'can_delete_messages', 'can_pin_messages', 'can_manage_topics'] as const;

export function pick(
  world: World,
  { from, button, chat: id }: { readonly from: User; readonly button: string; readonly chat: number },
): void {
  const here = chatOf(world, from.id);
  const shown = [...here.messages.values()].findLast(({ reply }) => reply !== undefined)?.reply;
  const asked = shown?.keyboard.flat().find(({ text }) => text === button)?.request_chat;
  if (asked === undefined) throw new Error(`telegram stand-in: no keyboard has a button "${button}" that asks for a chat`);
  const chat = chatOf(world, id);
  const [person, bot] = [memberOf(chat, from), memberOf(chat, world.me)];
  const holds = (one: Member, rights: readonly string[]): boolean =>
    rights.length === 0 || (isAdmin(one) && RIGHTS.every((right) => !rights.includes(right) || may(one, right)));
  const wanted = granted(asked.bot_administrator_rights);
  const isListed =
    isInside(person) &&
    asked.chat_is_channel === (chat.kind === 'channel') &&
    (asked.bot_is_member !== true || isInside(bot)) &&
    holds(person, granted(asked.user_administrator_rights)) &&
    // Only who may appoint administrators can give the bot its rights.
    (holds(bot, wanted) || person.status === 'creator');
  if (!isListed) throw new Error(`telegram stand-in: Telegram would not list chat ${id} for this button`);
  if (!holds(bot, wanted)) changeMembership(world, { chat, user: world.me, status: 'administrator', by: from });
  announce(world, here, { from, content: { chat_shared: { request_id: asked.request_id, chat_id: id } } });
}

/** A group that is made with the bot in it. */
export function createGroup(world: World, chat: Omit<NewChat, 'bot'> = {}): number {
  const id = newPublicChat(world, 'group', { ...chat, bot: 'left' });
  const made = chatOf(world, id);
  changeMembership(world, { chat: made, user: world.me, status: 'member', by: ownerOf(made) });
  announce(world, made, { from: ownerOf(made), content: { group_chat_created: true } });
  return id;
}

/** The new supergroup has everybody in it; the old group keeps its messages and takes no more. */
export function migrate(world: World, id: number): number {
  const old = chatOf(world, id);
  if (old.kind !== 'group' || old.movedTo !== undefined) throw new Error(`telegram stand-in: chat ${id} is no plain group (any more)`);
  const to = newChat(world, {
    id: -1_002_000_000_000 - serial(world),
    kind: 'supergroup',
    title: old.title,
    username: undefined,
    members: new Map(old.members),
  });
  const from = ownerOf(old);
  // The platform tells it as if the bot had been added there: https://github.com/tdlib/telegram-bot-api/issues/266
  const made = chatOf(world, to);
  const bot = memberOf(made, world.me);
  made.members.delete(world.me.id);
  changeMembership(world, { ...bot, chat: made, by: from });
  announce(world, old, { from, content: { migrate_to_chat_id: to } });
  old.movedTo = to;
  announce(world, made, { from, content: { migrate_from_chat_id: id } });
  return to;
}
