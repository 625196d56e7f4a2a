/** Sets the bot's commands, descriptions and menu button when they changed, and gives the links that add the bot to a chat. */
import { createHash } from 'node:crypto';
import type { Api } from 'grammy/web';
import type { BotCommand } from 'grammy/types';
import type { Catalogue, CommandEntry } from '../../chat/catalogue.js';
import type { Link } from '../../chat/reply.js';
import { httpsUrl } from '../../domain/links.js';
import { truncateLine } from '../truncate.js';
import type { TelegramDocument } from './document.js';

/** https://core.telegram.org/bots/api#botcommand */
const NAME = /^[a-z0-9_]{1,32}$/u;
const MAX_SUMMARY = 256;
const MAX_COMMANDS = 100;

const everything = (): boolean => true;
/** Selects the commands that anybody may type. */
const asking = ({ group }: CommandEntry): boolean => group !== 'watching';

/** Tells whether command and answer are shown to the person alone. /start is not, because its greeting is for the whole group. */
export const isPersonal = ({ name, audience, personal }: CommandEntry): boolean =>
  (audience === 'asker' || personal === true) && name !== 'start';

const SCOPES = {
  all_private_chats: everything,
  all_group_chats: asking,
  all_chat_administrators: everything,
} as const satisfies Record<string, (command: CommandEntry) => boolean>;
type Scope = keyof typeof SCOPES;

/** Shown in an empty chat; at most 512 characters. https://core.telegram.org/bots/api#setmydescription */
const DESCRIPTION = [
  'Alerts and answers about ownership coins: premium to NAV, treasury, supply, proposals, launches, and the wallets that hold them.',
  '',
  'Press Start, then:',
  '/watch for alerts about a project, a wallet or everything',
  '/overview for all projects at a glance',
  '/help for everything else',
  '',
  'Add me to a group or a channel to get alerts there.',
].join('\n');

/** Shown on the bot's page and beside its link; at most 120 characters. https://core.telegram.org/bots/api#setmyshortdescription */
const SHORT_DESCRIPTION = 'Alerts and answers about ownership coins: premium to NAV, treasury, supply, proposals and launches.';

const MENU_BUTTON = { type: 'commands' } as const;

const menuOf = (commands: readonly CommandEntry[], scope: Scope): readonly BotCommand[] =>
  commands
    .filter((command) => NAME.test(command.name) && SCOPES[scope](command))
    .slice(0, MAX_COMMANDS)
    .map((command) => ({
      command: command.name,
      description: truncateLine(command.summary, MAX_SUMMARY).trim() || command.name,
      ...(scope !== 'all_private_chats' && isPersonal(command) ? { is_ephemeral: true } : {}),
    }));

interface Part {
  readonly name: string;
  readonly content: unknown;
  readonly set: () => Promise<unknown>;
}

/** Sets what changed since the last call. Rejects with the error of Telegram or of the store. */
export async function syncProfile({
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
  const scopes = ['all_private_chats', 'all_group_chats', 'all_chat_administrators'] as const satisfies readonly Scope[];
  const parts: readonly Part[] = [
    ...scopes.map((type): Part => {
      const menu = menuOf(catalogue.commands, type);
      return { name: type, content: menu, set: async () => api.setMyCommands(menu, { scope: { type } }) };
    }),
    { name: 'menu_button', content: MENU_BUTTON, set: async () => api.setChatMenuButton({ menu_button: MENU_BUTTON }) },
    { name: 'description', content: DESCRIPTION, set: async () => api.setMyDescription(DESCRIPTION) },
    { name: 'short_description', content: SHORT_DESCRIPTION, set: async () => api.setMyShortDescription(SHORT_DESCRIPTION) },
  ];
  for (const { name, content, set } of parts) {
    const key = `${bot}/${name}`;
    const mark = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16);
    if (document.read().menus[key] === mark) continue;
    await set();
    await document.change((now) => ({ ...now, menus: { ...now.menus, [key]: mark } }));
  }
}

export interface InvitedBot {
  readonly username: string;
  readonly can_join_groups: boolean;
}

/** The channel link asks for administrator rights, because only administrators can post there. https://core.telegram.org/api/links#groupchannel-bot-links */
export function inviteLinks({ username, can_join_groups: joinsGroups }: InvitedBot): readonly Link[] {
  const link = (label: string, query: string): readonly Link[] => {
    const url = httpsUrl(`https://t.me/${username}?${query}`);
    return url === undefined ? [] : [{ label, url }];
  };
  return [
    ...(joinsGroups ? link('Add to a group', 'startgroup') : []),
    ...link('Add to a channel', 'startchannel&admin=post_messages+edit_messages'),
  ];
}
