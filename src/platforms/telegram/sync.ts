/** The command menus, one per scope. */
import { createHash } from 'node:crypto';
import type { Api } from 'grammy';
import type { BotCommand } from 'grammy/types';
import type { Catalogue, CommandEntry } from '../../chat/catalogue.js';
import { truncateLine } from '../truncate.js';
import type { TelegramDocument } from './document.js';

/** https://core.telegram.org/bots/api#botcommand */
const NAME = /^[a-z0-9_]{1,32}$/u;
const MAX_SUMMARY = 256;
const MAX_COMMANDS = 100;

const everything = (): boolean => true;
/** In a group only administrators see the commands that change the watchlist; anybody may type them. */
const asking = ({ group }: CommandEntry): boolean => group !== 'watching';

const SCOPES = {
  all_private_chats: everything,
  all_group_chats: asking,
  all_chat_administrators: everything,
} as const satisfies Record<string, (command: CommandEntry) => boolean>;
type Scope = keyof typeof SCOPES;

const menuOf = (commands: readonly CommandEntry[], scope: Scope): readonly BotCommand[] =>
  commands
    .filter((command) => NAME.test(command.name) && SCOPES[scope](command))
    .slice(0, MAX_COMMANDS)
    .map(({ name, summary }) => ({ command: name, description: truncateLine(summary, MAX_SUMMARY).trim() || name }));

/** Rejects when Telegram or the store does. */
export async function syncMenus({
  api,
  bot,
  catalogue,
  document,
}: {
  api: Api;
  bot: number;
  catalogue: Catalogue;
  document: TelegramDocument;
}): Promise<void> {
  for (const type of ['all_private_chats', 'all_group_chats', 'all_chat_administrators'] as const satisfies readonly Scope[]) {
    const menu = menuOf(catalogue.commands, type);
    const key = `${bot}/${type}`;
    const mark = createHash('sha256').update(JSON.stringify(menu)).digest('base64url').slice(0, 16);
    if (document.read().menus[key] === mark) continue;
    await api.setMyCommands(menu, { scope: { type } });
    await document.change((now) => ({ ...now, menus: { ...now.menus, [key]: mark } }));
  }
}
