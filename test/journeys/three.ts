/** The same things done and read in all three places: on Discord, on Telegram and on the page. */
import type { OptionValues } from '../stand-ins/discord/types.js';
import { read, type Two } from './two.js';

export const PLACES = ['discord', 'telegram', 'page'] as const;
export type Place = (typeof PLACES)[number];
/** What was read in each place. */
export type Three = Readonly<Record<Place, string>>;

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
export async function ask(two: Two, { command, options, line }: Asked): Promise<Three> {
  return { discord: read(await two.slash(command, options)), telegram: (await two.write(line)).text, page: await two.say(line) };
}

/** What the bot said by itself in each place, oldest first. */
export async function told(two: Two): Promise<Readonly<Record<Place, readonly string[]>>> {
  return { discord: two.told().map(read), telegram: alertsOnTelegram(two).map(({ text }) => text), page: await two.alerts() };
}

/** On Telegram only what was said by itself has a button that asks why. */
export const alertsOnTelegram = (two: Two) =>
  two.telegram.posted(two.group).filter(({ buttons }) => buttons.flat().some(({ text }) => text.includes('Why?')));

/** Lets time pass until all three were told of `words`, and a little longer. Whether they were. */
export async function until(two: Two, words: string, { seconds, step = 5 }: { readonly seconds: number; readonly step?: number }) {
  const isThere = async (): Promise<boolean> => {
    const all = await told(two);
    return PLACES.every((place) => all[place].some((one) => one.includes(words)));
  };
  for (let passed = 0; passed < seconds && !(await isThere()); passed += step) await two.pass(step, step);
  await two.pass(10);
  return isThere();
}

/** What "Why?" answers under the latest alert with these words, in each place. */
export async function why(two: Two, words: string): Promise<Three> {
  const [onDiscord] = two
    .told()
    .filter((one) => read(one).includes(words))
    .slice(-1);
  const [onTelegram] = alertsOnTelegram(two)
    .filter(({ text }) => text.includes(words))
    .slice(-1);
  const [onPage = ''] = (await two.alerts()).filter((text) => text.includes(words)).slice(-1);
  if (onDiscord === undefined || onTelegram === undefined) throw new Error(`no alert says "${words}"`);
  const pressed = await two.discord.controls.press({ message: onDiscord.id, user: two.anna, button: 'Why?' }).reply();
  const button = onTelegram.buttons.flat().find(({ text }) => text.includes('Why?'))?.text ?? '';
  const [, line = ''] = /\[Why\?: (\/why \S+)\]/u.exec(onPage) ?? [];
  return { discord: read(pressed), telegram: await pressedOnTelegram(two, { message: onTelegram, button }), page: await two.say(line) };
}

/** What a press on Telegram comes to: a notice, a new message, or the same message changed. */
export async function pressedOnTelegram(
  two: Two,
  { message, button }: { readonly message: { readonly chat: number; readonly id: number }; readonly button: string },
): Promise<string> {
  const standing = two.telegram.posted(two.group).length;
  const edited = two.telegram.edits(two.group).length;
  const { text } = await two.telegram.press({ message, button, from: two.olga }).answered;
  if (text !== undefined && text !== '') return text;
  return two.telegram.waitFor(
    () => two.telegram.posted(two.group)[standing]?.text ?? two.telegram.edits(two.group)[edited]?.after.text ?? undefined,
  );
}
