/** A watchlist moves house: a file on Discord becomes the list of a group on Telegram. */
import { createWorld } from '../../src/simulator/world/world.js';
import { pressedOnTelegram } from './surfaces.js';
import type { SeenMessage } from '../stand-ins/telegram/control.js';
import { read, type ConnectedBot } from './connected-bot.js';

const WALLETS = createWorld({ seed: 'navwatch', pace: 1 }).wallets;

/** What stands on Discord before it moves: each is a command with its options. */
const SET_UP: readonly (readonly [command: string, options: Readonly<Record<string, string>>])[] = [
  ['watch', { target: 'tide' }],
  ['watch', { target: 'heron' }],
  ['watch', { target: 'launches' }],
  ['watch', { target: WALLETS.some(1), label: 'fund-1' }],
  ['alerts', { target: 'tide', kind: 'supply', rule: 'usd>10000' }],
  ['alerts', { target: 'tide', kind: 'premium', rule: 'below -10 band 3' }],
  ['alerts', { target: 'tide', kind: 'growth', action: 'off' }],
  ['alerts', { target: 'tide', action: 'age', rule: '7d' }],
  ['alerts', { target: 'launches', rule: 'stages:live,complete' }],
  ['alerts', { target: 'fund-1', kind: 'wallet', rule: 'rank move 3' }],
  ['mute', { target: 'heron', time: '3d' }],
  ['settings', { setting: 'timezone', value: 'Europe/Berlin' }],
  ['settings', { setting: 'quiet', value: '22:00-07:00' }],
];

export interface Moved {
  /** What each step of setting up answered, on Discord. */
  readonly setUp: readonly string[];
  readonly exported: { readonly says: string; readonly file: string };
  /** What Telegram said would change, and what it did when the button was pressed. */
  readonly dryRun: string;
  readonly standing: string;
  readonly done: string;
  /** The list of the group afterwards, as a file. */
  readonly arrived: string;
}

const exportOnDiscord = async (bot: ConnectedBot) => {
  const seen = await bot.slash('watchlist', { view: 'export' });
  return { says: read(seen), file: seen.files[0]?.bytes.toString() ?? '' };
};

/** The file under a command that is typed in the group. */
async function exportOnTelegram(bot: ConnectedBot): Promise<string> {
  const standing = bot.telegram.posted(bot.group).length;
  const { telegram } = bot;
  telegram.say({ chat: bot.group, from: bot.olga, text: '/watchlist export' });
  const withFile = await telegram.waitFor(() =>
    telegram
      .posted(bot.group)
      .slice(standing)
      .find(({ file }) => file !== undefined),
  );
  return withFile.file?.bytes.toString() ?? '';
}

/** Answers a document with a command, as somebody does in a group: a caption there is not shown to a bot. What the bot says to it. */
export async function sendFile(
  bot: ConnectedBot,
  { text, name, content }: { text: string; name: string; content: string },
): Promise<SeenMessage> {
  const { telegram } = bot;
  const document = telegram.say({ chat: bot.group, from: bot.olga, document: { name, content } });
  const standing = telegram.posted(bot.group).length;
  telegram.say({ chat: bot.group, from: bot.olga, text, replyTo: document });
  return telegram.waitFor(() => telegram.posted(bot.group)[standing]);
}

export async function moveHouse(bot: ConnectedBot): Promise<Moved> {
  const setUp: string[] = [];
  for (const [command, options] of SET_UP) setUp.push(read(await bot.slash(command, options)));
  const exported = await exportOnDiscord(bot);
  const dry = await sendFile(bot, { text: '/watchlist import', name: 'watchlist.json', content: exported.file });
  const standing = (await bot.write('/watchlist')).text;
  const button = dry.buttons.flat().find(({ text }) => /import/iu.test(text))?.text ?? '';
  const done = await pressedOnTelegram(bot, { message: dry, button });
  return { setUp, exported, dryRun: dry.text, standing, done, arrived: await exportOnTelegram(bot) };
}

/** The lines of one text that the other does not have, marked as a comparison of files marks them; a list of entries is short. */
export function difference(left: string, right: string): readonly string[] {
  const lines = (text: string): readonly string[] => text.split('\n');
  const lacking = (from: readonly string[], other: readonly string[], watermark: string): readonly string[] => {
    const there = [...other];
    return from.flatMap((line) => {
      const at = there.indexOf(line);
      if (at === -1) return [`${watermark} ${line}`];
      there.splice(at, 1);
      return [];
    });
  };
  return [...lacking(lines(left), lines(right), '-'), ...lacking(lines(right), lines(left), '+')];
}

/** A plain list of wallets, as somebody has it in a file. */
export const PLAIN_LIST = [`${WALLETS.some(2)} fund-2`, `${WALLETS.some(3)}, market maker`, 'no wallet at all', 'tide'].join('\n');
