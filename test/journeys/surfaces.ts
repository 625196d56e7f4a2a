/** The same things done and read in all three places: on Discord, on Telegram and on the page. */
import type { OptionValues } from '../stand-ins/discord/types.js';
import { read, type ConnectedBot } from './connected-bot.js';

export const SURFACES = ['discord', 'telegram', 'page'] as const;
export type Surface = (typeof SURFACES)[number];
/** What was read in each surface. */
export type OnEachSurface = Readonly<Record<Surface, string>>;

/** A question as each place takes it: options in Discord's form, a line everywhere else. */
export interface Asked {
  readonly command: string;
  readonly options: OptionValues;
  readonly line: string;
}

/** Options are given in the order that the line has them; each `undefined` is left out. */
export function asked(command: string, options: Readonly<Record<string, string | undefined>> = {}): Asked {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return { command, options: Object.fromEntries(given), line: [`/${command}`, ...given.map(([, value]) => value)].join(' ') };
}

/** Asks in all three, one after another. */
export async function ask(bot: ConnectedBot, { command, options, line }: Asked): Promise<OnEachSurface> {
  return { discord: read(await bot.slash(command, options)), telegram: (await bot.write(line)).text, page: await bot.say(line) };
}

/** What the bot said by itself in each surface, oldest first. */
export async function alerted(bot: ConnectedBot): Promise<Readonly<Record<Surface, readonly string[]>>> {
  return { discord: bot.alerted().map(read), telegram: alertsOnTelegram(bot).map(({ text }) => text), page: await bot.alerts() };
}

/** On Telegram only what was said by itself has a button that asks why. */
export const alertsOnTelegram = (bot: ConnectedBot) =>
  bot.telegram.posted(bot.group).filter(({ buttons }) => buttons.flat().some(({ text }) => text.includes('Why?')));

/** Lets time pass until all three were alerted of `words`, and a little longer. Whether they were. */
export async function until(bot: ConnectedBot, words: string, { seconds, step = 5 }: { readonly seconds: number; readonly step?: number }) {
  // The page last: it is read by a request.
  const isThere = async (): Promise<boolean> =>
    bot.alerted().some((one) => read(one).includes(words)) &&
    alertsOnTelegram(bot).some(({ text }) => text.includes(words)) &&
    (await bot.alerts()).some((text) => text.includes(words));
  for (let passed = 0; passed < seconds && !(await isThere()); passed += step) await bot.pass(step, step);
  await bot.pass(10);
  return isThere();
}

/** What "Why?" answers under the latest alert with these words, in each surface. */
export async function why(bot: ConnectedBot, words: string): Promise<OnEachSurface> {
  const [onDiscord] = bot
    .alerted()
    .filter((one) => read(one).includes(words))
    .slice(-1);
  const [onTelegram] = alertsOnTelegram(bot)
    .filter(({ text }) => text.includes(words))
    .slice(-1);
  const [onPage = ''] = (await bot.alerts()).filter((text) => text.includes(words)).slice(-1);
  if (onDiscord === undefined || onTelegram === undefined) throw new Error(`no alert says "${words}"`);
  const pressed = await bot.discord.controls.press({ message: onDiscord.id, user: bot.anna, button: 'Why?' }).reply();
  const button = onTelegram.buttons.flat().find(({ text }) => text.includes('Why?'))?.text ?? '';
  const [, line = ''] = /\[Why\?: (\/why \S+)\]/u.exec(onPage) ?? [];
  return { discord: read(pressed), telegram: await pressedOnTelegram(bot, { message: onTelegram, button }), page: await bot.say(line) };
}

/** What a press on Telegram comes to: a notice, a new message, or the same message changed. */
export async function pressedOnTelegram(
  bot: ConnectedBot,
  { message, button }: { readonly message: { readonly chat: number; readonly id: number }; readonly button: string },
): Promise<string> {
  const standing = bot.telegram.posted(bot.group).length;
  const edited = bot.telegram.edits(bot.group).length;
  const { text } = await bot.telegram.press({ message, button, from: bot.olga }).answered;
  if (text !== undefined && text !== '') return text;
  return bot.telegram.waitFor(
    () => bot.telegram.posted(bot.group)[standing]?.text ?? bot.telegram.edits(bot.group)[edited]?.after.text ?? undefined,
  );
}
