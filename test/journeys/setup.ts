/** Setting up without a manual: the welcome, `/watch` step by step, quiet hours and the buttons that mute, as people meet them in each place. */
import { labels, read, type ConnectedBot } from './connected-bot.js';
import { alertsOnTelegram, pressedOnTelegram } from './surfaces.js';
import type { SeenMessage } from '../stand-ins/telegram/control.js';

/** What was seen, step by step. */
export type Steps = readonly (readonly [what: string, seen: string])[];

const row = (message: Parameters<typeof labels>[0]): string =>
  labels(message)
    .filter((label) => label !== '')
    .map((label) => `[${label}]`)
    .join(' ');
const buttonsOf = (message: Pick<SeenMessage, 'buttons'>): string =>
  message.buttons.map((row) => row.map(({ text }) => `[${text}]`).join(' ')).join('\n');
const buttonNamed = (message: SeenMessage, words: RegExp): string => {
  const found = message.buttons.flat().find(({ text }) => words.test(text));
  if (found === undefined) throw new Error(`no button says ${String(words)} under "${message.text}"`);
  return found.text;
};

/** On Discord: menus for the project and the kind, and the form that a button opens to type a rule. */
export async function onDiscord(bot: ConnectedBot): Promise<Steps> {
  const { controls } = bot.discord;
  const asked = await bot.slash('watch');
  const menu = asked.rows.flat().find(({ type }) => type === 3);
  const value = menu?.options?.find(({ label }) => label.includes('Tidewater'))?.value ?? '';
  const watched = await controls.select({ message: asked.id, user: bot.anna, customId: menu?.custom_id ?? '', values: [value] }).reply();
  const alerts = await controls.press({ message: watched.id, user: bot.anna, button: 'Customize…' }).reply();
  const pick = async (label: string) => {
    const shown = controls
      .message(alerts.id)
      ?.rows.flat()
      .find(({ type }) => type === 3);
    const value = shown?.options?.find((option) => option.label === label)?.value ?? '';
    return controls.select({ message: alerts.id, user: bot.anna, customId: shown?.custom_id ?? '', values: [value] });
  };
  await (await pick('Edit a kind')).acknowledged();
  const kind = await (await pick('supply')).reply();
  const opened = controls.press({ message: kind.id, user: bot.anna, button: 'Type a rule' });
  const form = await opened.form();
  const narrowed = await controls.submit({ opened, values: { typed: 'usd>10000' } }).reply();
  return [
    [
      '/watch',
      `${read(asked)}\n${labels(asked)
        .map((label) => `[${label}]`)
        .join(' ')}\nmenu "${menu?.placeholder}": ${menu?.options?.map(({ label }) => label).join(', ')}`,
    ],
    [
      'Tidewater is chosen in the menu',
      `${read(watched)}\n${labels(watched)
        .map((label) => `[${label}]`)
        .join(' ')}`,
    ],
    ['"Customize…" is pressed', read(alerts)],
    ['"Edit a kind" and supply are chosen in the menus', read(kind)],
    ['"Type a rule" is pressed', `a form: ${form.title}`],
    ['"usd>10000" is typed into it', read(narrowed)],
  ];
}

/** On Telegram: buttons for the projects, and a message that is answered to narrow it. */
export async function onTelegram(bot: ConnectedBot): Promise<Steps> {
  const { telegram, group } = bot;
  const latest = (): SeenMessage => {
    const last = telegram.posted(group).at(-1);
    if (last === undefined) throw new Error('the bot has said nothing');
    return last;
  };
  const asked = await bot.write('/watch');
  const steps: (readonly [string, string])[] = [['/watch', `${asked.text}\n${buttonsOf(asked)}`]];
  const opened = async (words: RegExp): Promise<void> => {
    const button = buttonNamed(latest(), words);
    await pressedOnTelegram(bot, { message: latest(), button });
    steps.push([`"${button}" is pressed`, `${latest().text}\n${buttonsOf(latest())}`]);
  };
  await opened(/A project/u);
  while (
    !latest()
      .buttons.flat()
      .some(({ text }) => text.includes('Tidewater'))
  )
    await opened(/More/u);
  await pressedOnTelegram(bot, { message: latest(), button: buttonNamed(latest(), /Tidewater/u) });
  const watched = latest();
  steps.push(['Tidewater is pressed', `${watched.text}\n${buttonsOf(watched)}`]);
  for (const words of [/Customize/u, /Edit a kind/u, /^supply$/u]) {
    await pressedOnTelegram(bot, { message: latest(), button: buttonNamed(latest(), words) });
    steps.push([`${String(words)} is pressed`, `${latest().text}\n${buttonsOf(latest())}`]);
  }
  const standing = telegram.posted(group).length;
  telegram.press({ message: latest(), button: buttonNamed(latest(), /Type a rule/u), from: bot.olga });
  const prompt = await telegram.waitFor(() => telegram.posted(group)[standing]);
  steps.push([
    '"Type a rule" is pressed',
    `${prompt.text}\n(${prompt.forcedReply === undefined ? 'an ordinary message' : `opens an answer: "${prompt.forcedReply.placeholder}"`})`,
  ]);
  telegram.say({ chat: group, from: bot.olga, text: 'usd>10000', replyTo: prompt });
  const narrowed = await telegram.waitFor(() => (telegram.posted(group).length === standing ? latest() : undefined));
  return [...steps, ['"usd>10000" answers it', narrowed.text]];
}

/** On the page the same is shown as lines; the page itself is checked in a browser elsewhere. */
export const onThePage = async (bot: ConnectedBot): Promise<Steps> => [
  ['/watch', await bot.say('/watch')],
  ['/watch tide', await bot.say('/watch tide')],
  ['/alerts tide supply usd>10000', await bot.say('/alerts tide supply usd>10000')],
];

/** The bot comes into another group and another server, and is followed by a link. */
export async function welcomed(bot: ConnectedBot): Promise<Steps> {
  const { discord, telegram } = bot;
  const guild = discord.controls.addGuild({ name: 'Lighthouse' });
  const channel = discord.controls.addChannel({ guild, name: 'general' });
  discord.controls.kick(guild);
  discord.controls.invite(guild);
  const onDiscord = await discord.controls.waitFor(() => discord.controls.messages(channel)[0]);
  const group = telegram.group({ title: 'Lighthouse talk', owner: bot.olga, bot: 'left' });
  telegram.addBot(group);
  const greeted = await telegram.waitFor(() => telegram.posted(group)[0]);
  const paul = telegram.privateChat(bot.paul);
  telegram.say({ chat: paul, from: bot.paul, text: '/start watch_tide' });
  const linked = await telegram.waitFor(() => telegram.posted(paul)[0]);
  return [
    ['the bot is added to a server on Discord', `${read(onDiscord)}\n${row(onDiscord)}`],
    ['the bot is added to a group on Telegram', `${greeted.text}\n${buttonsOf(greeted)}`],
    ['somebody follows https://t.me/navwatch_bot?start=watch_tide', `${linked.text}\n${buttonsOf(linked)}`],
  ];
}

/** An alert is muted by its button; what happens meanwhile comes as one summary when the mute is ended. */
export async function snoozed(bot: ConnectedBot): Promise<Steps> {
  await bot.write('/watch tide');
  await bot.pass(70, 20);
  const mint = async (amount: string) => bot.sim({ kind: 'mint', project: 'tide', amount });
  const alerts = (): readonly SeenMessage[] => alertsOnTelegram(bot);
  await mint('1001');
  await bot.pass(80, 10);
  const [first] = alerts();
  if (first === undefined) throw new Error('nothing was alerted');
  const label = buttonNamed(first, /mute/iu);
  await pressedOnTelegram(bot, { message: first, button: label });
  const choices = bot.telegram.posted(bot.group).at(-1);
  if (choices === undefined) throw new Error('no choices');
  const pressed = await pressedOnTelegram(bot, { message: choices, button: buttonNamed(choices, /^1\s?h$/u) });
  const list = (await bot.write('/watchlist')).text;
  for (const amount of ['1002', '1003', '1004']) {
    await mint(amount);
    await bot.pass(130, 20);
  }
  const meanwhile = alerts().length - 1;
  await bot.write('/mute tide supply off');
  await bot.pass(60, 10);
  const summary = alerts().at(-1)?.text ?? '';
  return [
    ['an alert', `${first.text}\n${buttonsOf(first)}`],
    [`"${label}" is pressed`, `${choices.text}\n${buttonsOf(choices)}`],
    ['one hour is pressed', pressed],
    ['/watchlist', list],
    [`three mints later: ${meanwhile} alerts. Then the mute is ended`, summary],
  ];
}

/** A quarter of an hour of quiet in Berlin, which is an hour ahead; what happens in it comes as one summary when it is over. */
export async function quietHours(bot: ConnectedBot): Promise<Steps> {
  await bot.write('/watch tide');
  const zone = await bot.write('/settings timezone Europe/Berlin');
  const quiet = await bot.write('/settings quiet 13:05-13:20');
  await bot.pass(400, 20);
  for (const amount of ['1002', '1003', '1004']) {
    await bot.sim({ kind: 'mint', project: 'tide', amount });
    await bot.pass(130, 20);
  }
  const meanwhile = alertsOnTelegram(bot).length;
  const why = await bot.write('/why tide supply');
  await bot.pass(500, 20);
  return [
    ['/settings timezone Europe/Berlin', zone.text],
    ['/settings quiet 13:05-13:20', quiet.text],
    [`three mints in these hours: ${meanwhile} alerts. /why tide supply`, why.text],
    [
      'after 13:20 in Berlin',
      alertsOnTelegram(bot)
        .map(({ text }) => text)
        .join('\n\n'),
    ],
  ];
}
