/** The places where alerts are counted: the console of the bot itself, a channel on Discord and a group on Telegram, on our own servers. */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { startDiscord } from '../stand-ins/discord/start.js';
import { startTelegram } from '../stand-ins/telegram/server.js';
import type { Asked } from '../journeys/surfaces.js';
import { read } from '../journeys/connected-bot.js';
import { startReceiver } from '../stand-ins/webhook/receiver.js';
import type { Bot } from './bot.js';

/** A busy machine may answer too late for Discord. */
const ANSWER_PATIENCE = 20_000;
const MAX_ASKS = 5;

/** Asks again where no answer came. */
async function answered(ask: () => Promise<unknown>): Promise<void> {
  for (let asks = 0; asks < MAX_ASKS; asks += 1) {
    const isAnswered = await Promise.race([ask().then(() => true), wait(ANSWER_PATIENCE, false, { ref: false })]);
    if (isAnswered) return;
  }
  throw new Error(`no answer on Discord to ${MAX_ASKS} questions`);
}

export interface Chat {
  readonly name: string;
  /** What its addresses begin with. */
  readonly address: string;
  /** Whether a repeat is recognised there, so that nothing may come twice. */
  readonly exact: boolean;
  ask(asked: Asked): Promise<void>;
  /** The texts of all alerts that stand there. */
  alerts(): Promise<readonly string[]>;
}

/** A message that a platform accepted. */
export interface Write {
  readonly on: 'Discord' | 'Telegram';
  readonly isEdit: boolean;
  /** With the id of an edited message. */
  readonly path: string;
  readonly at: number;
  readonly text: string;
  readonly isReply: boolean;
}

const discordSchema = z.object({
  content: z.string().optional(),
  embeds: z.array(z.object({ description: z.string().optional() })).optional(),
  message_reference: z.unknown().optional(),
});
const telegramSchema = z.object({
  text: z.string(),
  message_id: z.union([z.int(), z.string()]).optional(),
  reply_parameters: z.unknown().optional(),
});

const DISCORD_TOKEN = 'torture.discord.token-of-the-stand-in';
const TELEGRAM_TOKEN = `123456789:${'t'.repeat(35)}`;

export async function openPlatforms() {
  const discord = await startDiscord({ token: DISCORD_TOKEN, identifies: 1_000_000 });
  const telegram = await startTelegram({ token: TELEGRAM_TOKEN });
  const guild = discord.controls.addGuild();
  const channel = discord.controls.addChannel({ guild });
  const user = discord.controls.addUser();
  const role = discord.controls.addRole({ guild, permissions: (1n << 4n) | (1n << 10n) | (1n << 11n) | (1n << 31n) });
  discord.controls.addMember({ guild, user, roles: [role] });
  const owner = telegram.person();
  const group = telegram.group({ owner });

  const onDiscord: Chat = {
    name: 'Discord',
    address: 'discord/',
    exact: true,
    async ask({ command, options }) {
      await discord.controls.waitFor(() => discord.controls.commands().some(({ name }) => name === command));
      await answered(async () => discord.controls.slash({ channel, user, command, options }).reply());
    },
    alerts: async () => discord.controls.messages(channel).flatMap((message) => (message.nonce === undefined ? [] : [read(message)])),
  };
  const onTelegram: Chat = {
    name: 'Telegram',
    address: 'telegram/',
    exact: false,
    async ask({ line }) {
      const before = telegram.posted(group).length;
      telegram.say({ chat: group, from: owner, text: line });
      await telegram.waitFor(() => telegram.posted(group).length > before);
    },
    // Only alerts carry the button that leads back to the delivery.
    alerts: async () =>
      telegram.posted(group).flatMap(({ text, buttons }) => (buttons.flat().some(({ text: label }) => label === 'Why?') ? [text] : [])),
  };
  return {
    env: {
      DISCORD_TOKEN,
      DISCORD_API_URL: discord.url,
      TELEGRAM_TOKEN,
      TELEGRAM_API_ROOT: telegram.url,
      ACCESS: 'open',
    },
    chats: [onDiscord, onTelegram],
    discord,
    telegram,
    /** Asks on Discord without waiting; the reply resolves later. */
    slash: ({ command, options }: Asked) => discord.controls.slash({ channel, user, command, options }),
    /** What was posted and edited with a text that holds `words`, in order. */
    writes: (words: string): readonly Write[] =>
      [
        ...[discord.transcript.calls('POST', '/messages'), discord.transcript.calls('PATCH', '/messages')]
          .flat()
          .flatMap((call): Write[] => {
            const { content = '', embeds = [], message_reference: replies } = discordSchema.parse(call.body);
            const text = [content, ...embeds.map(({ description = '' }) => description)].join('\n');
            const { path, at, status } = call;
            return status === 200
              ? [{ on: 'Discord', isEdit: call.method === 'PATCH', path, at, text, isReply: replies !== undefined }]
              : [];
          }),
        ...['sendMessage', 'editMessageText'].flatMap((method) =>
          telegram.calls(method).flatMap(({ params, at, answer }): Write[] => {
            const { text, message_id: id = '', reply_parameters: replies } = telegramSchema.parse(params);
            const isEdit = method === 'editMessageText';
            return answer?.ok === true ? [{ on: 'Telegram', isEdit, path: String(id), at, text, isReply: replies !== undefined }] : [];
          }),
        ),
      ]
        .filter(({ text }) => text.includes(words))
        .toSorted((a, b) => a.at - b.at),
    close: async () => void (await Promise.all([discord.close(), telegram.close()])),
  };
}

/** A chat on the console of whichever bot runs now. Keeps what it has seen, since the page keeps the latest messages only. */
export function onConsole(bot: () => Bot, chat: string): Chat {
  const seen = new Map<number, string>();
  return {
    name: `page/${chat}`,
    address: `console/${chat}`,
    exact: true,
    ask: async ({ line }) => void (await bot().ask(line, chat)),
    async alerts() {
      for (const { id, text } of await bot().alerts(chat)) seen.set(id, text);
      return [...seen.values()];
    },
  };
}

const endpointSchema = z.object({ secret: z.string(), endpoint: z.object({ address: z.string() }) });

/** A receiver of webhooks, whose endpoint is made on the page of a bot that runs. */
export async function onWebhook(bot: () => Bot) {
  const receiver = await startReceiver();
  let address: string | undefined;
  const chat: Chat = {
    name: 'webhook',
    address: 'webhook/',
    // It drops a repeated id, as the specification says.
    exact: true,
    async ask({ line }) {
      if (address === undefined) {
        const made = endpointSchema.parse(await bot().operate('webhook/endpoints', { name: 'torture', url: receiver.url }));
        receiver.trust(made.secret);
        ({ address } = made.endpoint);
      }
      await bot().operate('run', { address, line });
    },
    alerts: async () => receiver.standing().map(({ text }) => text),
  };
  return { chat, receiver };
}
