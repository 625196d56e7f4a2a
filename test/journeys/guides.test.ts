/** Every line that a guide tells its reader to type is typed there as it stands, on each platform that the guide is for. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Permission, USUAL_BOT_PERMISSIONS } from '../stand-ins/discord/flags.js';
import type { OptionValues } from '../stand-ins/discord/types.js';
import { read as readFile } from '../repository/repository.js';
import { openConnectedBot, read, type ConnectedBot } from './connected-bot.js';

const WALLET = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
/** What the guides suppose to be watched: their first step, or the one that a later line names. */
const PREPARED = ['/watch tide', '/watch all', `/watch ${WALLET} fund-1`];

type Types = (bot: ConnectedBot, line: string) => Promise<string>;

const formSchema = z.looseObject({
  options: z.array(z.looseObject({ name: z.string(), choices: z.array(z.unknown()).optional() })).default([]),
});

/** Options written with their names are filled in one by one. The rest of any other line goes whole into the first option, after one word for each list of choices. */
function filled(bot: ConnectedBot, line: string): { readonly command: string; readonly options: OptionValues } {
  const [, command = '', rest = ''] = /^\/(\S+)\s*(.*)$/su.exec(line) ?? [];
  const named = [...rest.matchAll(/(?:^|\s)([a-z]+):(.+?)(?=\s[a-z]+:|$)/gu)];
  const { options } = formSchema.parse(bot.discord.controls.commands().find(({ name }) => name === command)?.raw ?? {});
  if (named.length > 0 && options.some(({ name }) => rest.startsWith(`${name}:`)))
    return { command, options: Object.fromEntries(named.map(([, name = '', value = '']) => [name, value])) };
  const lists = options.findIndex((option) => option.choices === undefined);
  const choices = lists === -1 ? options.length : lists;
  const words = rest.split(' ').filter((word) => word !== '');
  const chosen = words.slice(0, choices).map((word, at) => [options[at]?.name ?? '', word] as const);
  const last = words.slice(choices).join(' ');
  return { command, options: Object.fromEntries([...chosen, ...(last === '' ? [] : [[options[choices]?.name ?? '', last] as const])]) };
}

const onDiscord: Types = async (bot, line) => {
  const { command, options } = filled(bot, line);
  if (command === 'watchlist' && options['view'] === 'import') {
    const { channel, anna, discord } = bot;
    return JSON.stringify((await discord.controls.slash({ channel, user: anna, command, options }).form()).raw);
  }
  return read(await bot.slash(command, options));
};
const onTelegram: Types = async (bot, line) => (await bot.write(line)).text;
const inPrivate: Types = async (bot, line) => (await bot.write(line, { chat: bot.telegram.privateChat(bot.olga) })).text;
const onPage: Types = async (bot, line) => bot.say(line);

const PLACES = { Discord: onDiscord, 'a Telegram group': onTelegram, 'a private chat of Telegram': inPrivate, 'the page': onPage } as const;

/** Where a guide's readers are; one bot serves them all, because its first checks take longer than what they ask. */
const READERS: readonly (readonly [guide: string, places: readonly (keyof typeof PLACES)[]])[] = [
  ['moderator', ['Discord']],
  ['group-admin', ['a Telegram group']],
  ['trader', ['Discord', 'a private chat of Telegram', 'the page']],
  ['operator', ['Discord', 'a private chat of Telegram', 'the page']],
  ['contributor', ['the page']],
];

/** Lines in code, in the order of the guide; paths of the page, of files, and forms with a placeholder of a kind are none. */
const linesOf = (guide: string): readonly string[] =>
  [...new Set([...readFile(`docs/guides/${guide}.md`).matchAll(/`(\/[^`\n]+)`/gu)].map(([, line = '']) => line))]
    .filter((line) => !/^\/(?:operator$|etc\/|feeds\/|api\/|mcp$)|<(?:project|kind)>/u.test(line))
    .map((line) => line.replaceAll('<address>', WALLET));

test.each(READERS)('each line of the guide for the %s is understood on %j', async (guide, places) => {
  const bot = await openConnectedBot({ env: { PUBLIC_URL: 'https://bot.example' } });
  const { controls } = bot.discord;
  controls.addMember({
    guild: bot.guild,
    user: bot.anna,
    roles: [controls.addRole({ guild: bot.guild, permissions: Permission.MANAGE_ROLES })],
  });
  controls.setBotPermissions(bot.guild, USUAL_BOT_PERMISSIONS | Permission.MANAGE_ROLES);
  const analysts = controls.addRole({ guild: bot.guild, name: 'analysts', permissions: 0n });
  for (const place of places) {
    // A line with the names of its options is one for Discord's fields.
    const lines = linesOf(guide).filter((line) => place === 'Discord' || !/ target:/u.test(line));
    expect(lines.length).toBeGreaterThan(0);
    const type = PLACES[place];
    for (const line of PREPARED) await type(bot, line);
    for (const line of lines) {
      const typed = line.replace('@analysts', `<@&${analysts}>`).replace('@name_of_the_bot', `@${bot.telegram.me.username ?? ''}`);
      const answer = await type(bot, typed);
      expect.soft(answer, `${line} on ${place}`).not.toMatch(/^⚠|did you mean|not understood|no such|Unknown/iu);
      expect.soft(answer.length, `${line} on ${place}`).toBeGreaterThan(3);
      if (line.startsWith('/unwatch')) await type(bot, '/watch tide');
    }
  }
});
