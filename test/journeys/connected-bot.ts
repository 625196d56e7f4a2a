/** The whole bot between both stand-ins: real discord.js and real grammY over loopback, all on one clock that the test turns. */
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { address } from '../../src/chat/address.js';
import { createLog } from '../../src/base/log.js';
import { redactor } from '../../src/base/redact.js';
import type { Drawing } from '../../src/charts/pictures.js';
import { secretsOf } from '../../src/config.js';
import { Permission } from '../stand-ins/discord/flags.js';
import { textOf } from '../stand-ins/discord/shown.js';
import { startDiscord } from '../stand-ins/discord/start.js';
import type { DiscordStandIn, OptionValues, Seen } from '../stand-ins/discord/types.js';
import type { SeenMessage, Telegram } from '../stand-ins/telegram/control.js';
import { startTelegram } from '../stand-ins/telegram/server.js';
import { handClock } from '../support/clock.js';
import { openBot, type Watching } from './bot.js';

export const DISCORD_TOKEN = 'MTIzNDU2Nzg5MDEyMzQ1Njc4.GplntD.the-discord-secret';
/** In two pieces, so that nobody who searches the repository takes it for a real one. */
export const TELEGRAM_TOKEN = ['7100000001', 'AAthe-telegram-secret-of-35-letters'].join(':');

export interface ConnectedBotOptions {
  /** When it begins, in Unix milliseconds; at noon on 20 November 2026 unless given. */
  readonly start?: number | undefined;
  /** A folder whose database files are copied and gone on with. */
  readonly from?: string;
  /** What all three places watch from the beginning: nothing unless given. */
  readonly watching?: Watching | undefined;
  /** Over what the journeys usually begin with; an empty text is "not set". */
  readonly env?: Readonly<Record<string, string>>;
  /** Resolves the addresses of who is there into variables. */
  readonly envFor?: (there: Pick<ConnectedBot, 'guild' | 'group' | 'anna' | 'olga'>) => Readonly<Record<string, string>>;
  /** What befalls the platforms before the bot starts. */
  readonly before?: (there: { readonly discord: DiscordStandIn; readonly telegram: Telegram }) => void;
  /** Whether to wait for both to be connected; both unless given. */
  readonly expects?: { readonly discord?: boolean; readonly telegram?: boolean };
  /** What draws; nothing unless given. */
  readonly pictures?: Drawing;
}

const logLine = z.looseObject({ event: z.string() });
/** A line of the log, with the moment on the bot's own clock. */
export type LogLine = z.infer<typeof logLine> & { readonly at: number };

export type ConnectedBot = Awaited<ReturnType<typeof openConnectedBot>>;

/** Sleeps that only set the pace of the service's client; Discord's three seconds and its like are not hurried. */
const PACE = 50;

/** Anna manages the Discord channel and Ben does not; Olga administers the Telegram group and Paul does not. */
export async function openConnectedBot({
  start,
  from,
  watching,
  env = {},
  envFor = () => ({}),
  before = () => {},
  expects = {},
  pictures,
}: ConnectedBotOptions = {}) {
  // Ids hold the moment they were made at, so whoever goes on from a store finds the same people and places there.
  const clock = handClock(from === undefined ? start : undefined);
  const discord = await startDiscord({ token: DISCORD_TOKEN, clock });
  const telegram = await startTelegram({ token: TELEGRAM_TOKEN, clock });
  onTestFinished(async () => void (await Promise.all([discord.close(), telegram.close()])));

  const { controls } = discord;
  const guild = controls.addGuild({ name: 'Harbour' });
  const channel = controls.addChannel({ guild, name: 'treasury' });
  const managers = controls.addRole({ guild, permissions: Permission.MANAGE_CHANNELS });
  const anna = controls.addUser({ name: 'anna' });
  const ben = controls.addUser({ name: 'ben' });
  controls.addMember({ guild, user: anna, roles: [managers] });
  controls.addMember({ guild, user: ben });
  const olga = telegram.person({ first_name: 'Olga' });
  const paul = telegram.person({ first_name: 'Paul' });
  const group = telegram.group({ title: 'Harbour talk', owner: olga, members: [paul] });
  const people = { guild, channel, anna, ben, olga, paul, group };
  before({ discord, telegram });
  if (from !== undefined && start !== undefined) await clock.advance(start - clock.now());

  const lines: LogLine[] = [];
  const watchers = new Set<() => void>();
  const expected = { discord: true, telegram: true, ...expects };
  const commandsStand = () => controls.commands().length > 0;

  const harness = await openBot({
    clock,
    hasteBelow: PACE,
    ...(from === undefined ? {} : { from }),
    everythingIn: [address('discord', channel), address('telegram', String(group))],
    ...(watching === undefined ? {} : { watching }),
    log: (config) =>
      createLog({
        level: 'debug',
        redact: redactor(secretsOf(config)),
        to: {
          write(text) {
            lines.push({ ...logLine.parse(JSON.parse(text)), at: clock.now() });
            for (const look of watchers) look();
          },
        },
      }),
    // grammY's throttling runs on real time; what it does has tests of its own.
    overrides: {
      limits: { telegram: { token: { max: 1_000_000, per: 1 }, chat: () => [] } },
      ...(pictures === undefined ? {} : { pictures }),
    },
    turned: async () => {
      if (expected.telegram) await telegram.waitFor(() => telegram.polling);
    },
    env: {
      ...{ DISCORD_TOKEN, DISCORD_API_URL: discord.url, TELEGRAM_TOKEN, TELEGRAM_API_ROOT: telegram.url },
      ACCESS: `discord/guild/${guild},telegram/chat/${group}`,
      OPERATORS: `discord/user/${anna},telegram/user/${olga.id}`,
      ...envFor(people),
      ...env,
    },
  });

  /** Resolves with the first line since `from` that is looked for, done or to come. */
  const logged = async (event: string, from = 0): Promise<LogLine> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = lines.slice(from).find((one) => one.event === event);
        if (found === undefined) return;
        watchers.delete(look);
        resolve(found);
      };
      watchers.add(look);
      look();
    });
  const connected = async (from = 0): Promise<void> => {
    if (expected.discord) {
      await logged('discord.connected', from);
      await controls.waitFor(commandsStand);
    }
    if (expected.telegram) await telegram.waitFor(() => telegram.polling);
  };
  await connected();

  return {
    ...harness,
    ...people,
    discord,
    telegram,
    lines,
    logged,
    /** Which of the platforms can be expected to listen from now on. */
    expects: (change: { readonly discord?: boolean; readonly telegram?: boolean }) => void Object.assign(expected, change),
    connected,
    async restart(awayMs = 0): Promise<void> {
      const from = lines.length;
      await harness.restart(awayMs);
      await connected(from);
    },
    /** What a person on Discord sees of a command of theirs. */
    async slash(command: string, options: OptionValues = {}, { user = anna, where = channel } = {}): Promise<Seen> {
      return controls.slash({ channel: where, user, command, options }).reply();
    },
    /** The next message of the bot in the group after somebody wrote there. */
    async write(text: string, { from = olga, chat = group } = {}): Promise<SeenMessage> {
      const standing = telegram.posted(chat).length;
      telegram.say({ chat, from, text });
      return telegram.waitFor(() => telegram.posted(chat)[standing]);
    },
    /** What the bot said on Discord by itself, oldest first. */
    alerted: (where = channel): readonly Seen[] => controls.messages(where).filter(({ nonce }) => nonce !== undefined),
    /** The bot's own words in a chat of Telegram that hold `words`. */
    posted: (words: string, chat = group): readonly SeenMessage[] => telegram.posted(chat).filter(({ text }) => text.includes(words)),
  };
}

/** What a person reads in a message of Discord, its markup taken away. */
export const read = (message: Pick<Seen, 'content' | 'embeds'>): string =>
  textOf(message)
    .replaceAll(/^-# /gmu, '')
    .replaceAll(/(?<!\\)(\*\*|`)/gu, '')
    .replaceAll(/\\(?=[^a-z0-9\s])/giu, '');

/** The labels of the buttons under a message of Discord. */
export const labels = ({ rows }: Pick<Seen, 'rows'>): readonly string[] => rows.flat().map(({ label = '' }) => label);
