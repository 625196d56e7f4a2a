/** setMyCommands, getMyCommands, deleteMyCommands: one list for each scope and language. */
import type { BotCommand, User } from 'grammy/types';
import { z } from 'zod';
import { requireChat } from '../access.js';
import { readParams, type Params } from '../params.js';
import { badRequest } from '../refusal.js';
import { isAdmin, memberOf, type Chat, type World } from '../world.js';
import type { MethodCall, Method } from './method.js';

const MOST_COMMANDS = 100;
const MOST_NAME = 32;
const MOST_DESCRIPTION = 256;

const CHAT_SCOPES = ['chat', 'chat_administrators', 'chat_member'];
const WIDE_SCOPES = ['default', 'all_private_chats', 'all_group_chats', 'all_chat_administrators'];

const scopeShape = z.looseObject({
  type: z.string(),
  chat_id: z.union([z.string(), z.number()]).optional(),
  user_id: z.coerce.number().optional(),
});

const unreadable = (words: string) => badRequest(`Can't parse BotCommandScope: ${words}`);

/** Where a list is kept: `type`, chat, person and language. */
function keyOf({ world, params }: MethodCall): string {
  const given = params.json('scope', "Can't parse BotCommandScope JSON object") ?? { type: 'default' };
  const read = scopeShape.safeParse(given);
  if (!read.success) throw unreadable('Can\'t find field "type"');
  const { type, chat_id: chat, user_id: user = 0 } = read.data;
  const language = params.text('language_code');
  if (language !== '' && !/^[a-z]{2}$/.test(language)) throw badRequest('Invalid language code specified');
  if (WIDE_SCOPES.includes(type)) return menuKey({ type, language });
  if (!CHAT_SCOPES.includes(type)) throw unreadable('Unsupported type specified');
  if (chat === undefined) throw unreadable('Can\'t find field "chat_id"');
  if (chat === '') throw unreadable('Empty chat_id specified');
  if (type === 'chat_member' && user <= 0) throw unreadable('Invalid user_id specified');
  return menuKey({ type, chat: scopeChat(world, String(chat), type).id, user: type === 'chat_member' ? user : 0, language });
}

function scopeChat(world: World, named: string, type: string): Chat {
  const chat = requireChat(world, readParams({ values: { chat_id: named }, files: new Map() }), 'members');
  if (chat.kind === 'channel') throw badRequest("can't change commands in channel chats");
  if (chat.kind === 'private' && type !== 'chat') throw badRequest("chat type mismatch: can't use the scope in private chats");
  return chat;
}

const menuKey = (scope: { readonly type: string; readonly chat?: number; readonly user?: number; readonly language?: string }): string =>
  [scope.type, scope.chat ?? 0, scope.user ?? 0, scope.language ?? ''].join('/');

const listShape = z.array(z.unknown());
const commandShape = z.object({ command: z.string(), description: z.string(), is_ephemeral: z.boolean().optional() });

function readCommands(params: Params): readonly BotCommand[] {
  const given = params.json('commands', "Can't parse commands JSON object");
  const list = listShape.safeParse(given ?? []);
  if (!list.success) throw badRequest('Expected an Array of BotCommand');
  if (list.data.length > MOST_COMMANDS) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  return list.data.map(readCommand);
}

function readCommand(given: unknown): BotCommand {
  const read = commandShape.safeParse(given);
  if (!read.success) throw badRequest('Can\'t parse BotCommand: Can\'t find field "command"');
  const command = read.data.command.trim().replace(/^\//, '');
  const description = read.data.description.trim();
  if (command === '') throw badRequest('Command must be non-empty');
  if (command.length > MOST_NAME) throw badRequest(`Command length must not exceed ${MOST_NAME}`);
  if (description === '') throw badRequest('Command description must be non-empty');
  if (description.length > MOST_DESCRIPTION) throw badRequest(`Command description length must not exceed ${MOST_DESCRIPTION}`);
  if (!/^[a-z0-9_]+$/.test(command)) throw badRequest('BOT_COMMAND_INVALID');
  return { command, description, ...(read.data.is_ephemeral === true ? { is_ephemeral: true } : {}) };
}

export const setMyCommands: Method = (asked) => {
  const commands = readCommands(asked.params);
  const key = keyOf(asked);
  if (commands.length === 0) asked.world.menus.delete(key);
  else asked.world.menus.set(key, commands);
  return true;
};

export const getMyCommands: Method = (asked) => asked.world.menus.get(keyOf(asked)) ?? [];

export const deleteMyCommands: Method = (asked) => {
  asked.world.menus.delete(keyOf(asked));
  return true;
};

/** What somebody sees in a chat: the most specific list wins, within it the one in the person's language. */
export function menuFor(world: World, chat: Chat, person: User): readonly BotCommand[] {
  const inGroup = chat.kind === 'group' || chat.kind === 'supergroup';
  const rules = isAdmin(memberOf(chat, person));
  const scopes = [
    ...(inGroup ? [{ type: 'chat_member', chat: chat.id, user: person.id }] : []),
    ...(inGroup && rules ? [{ type: 'chat_administrators', chat: chat.id }] : []),
    { type: 'chat', chat: chat.id },
    ...(inGroup && rules ? [{ type: 'all_chat_administrators' }] : []),
    ...(inGroup ? [{ type: 'all_group_chats' }] : []),
    ...(chat.kind === 'private' ? [{ type: 'all_private_chats' }] : []),
    { type: 'default' },
  ];
  const languages = [person.language_code ?? '', ''];
  const keys = scopes.flatMap((scope) => languages.map((language) => menuKey({ ...scope, language })));
  return keys.map((key) => world.menus.get(key)).find((list) => list !== undefined) ?? [];
}
