/** Describes Telegram to the rest of the bot. */
import { addressOf, placeOf } from './address.js';
import { z } from 'zod';
import { serverAddress, setting, wholeNumber, withoutSlash } from '../../base/settings.js';
import { localOf } from '../../chat/address.js';
import { definePlatform, publicUrl } from '../descriptor.js';
import { DEFAULT_RATES, webhookSecret } from './settings.js';

const DEFAULT_API_ROOT = 'https://api.telegram.org';

const WEBHOOK_FORM = 'a public https address with a path, on port 443, 80, 88 or 8443, such as https://bot.example/telegram';
/** https://core.telegram.org/bots/api#setwebhook */
const WEBHOOK_PORTS = ['', '80', '88', '443', '8443'];

export const telegram = definePlatform({
  name: 'telegram',
  title: 'Telegram',
  enabledBy: 'TELEGRAM_TOKEN',
  variables: {
    TELEGRAM_TOKEN: setting(
      z
        .string()
        .regex(/^\d+:[\w-]{20,}$/, 'copy the whole token from BotFather, such as 123456:AbC…, or leave it out')
        .optional(),
      { says: 'The token from BotFather. Left out: no Telegram.' },
    ),
    TELEGRAM_API_ROOT: setting(serverAddress(`give an address such as ${DEFAULT_API_ROOT}, or leave it out`).default(DEFAULT_API_ROOT), {
      says: 'Where Telegram answers; a Bot API server of your own has another address.',
      example: DEFAULT_API_ROOT,
    }),
    TELEGRAM_WEBHOOK_URL: setting(publicUrl({ form: WEBHOOK_FORM, without: 'to poll', ports: WEBHOOK_PORTS }), {
      says: 'The public https address, with a path, at which the HTTP port of this bot can be reached; Telegram posts updates there. Left out: the bot polls, which needs no public address.',
      example: 'https://bot.example/telegram',
    }),
    TELEGRAM_MESSAGES_PER_SECOND: setting(
      wholeNumber(1, 100_000, 'give how many messages a second Telegram allows your bot, such as 30').default(DEFAULT_RATES.perSecond),
      { says: 'Messages that Telegram allows your bot in a second over all chats.', example: String(DEFAULT_RATES.perSecond) },
    ),
    TELEGRAM_GROUP_MESSAGES_PER_MINUTE: setting(
      wholeNumber(1, 100_000, 'give how many messages a minute Telegram allows your bot in a group, such as 20').default(
        DEFAULT_RATES.perGroupMinute,
      ),
      { says: 'Messages that Telegram allows your bot in a minute in one group.', example: String(DEFAULT_RATES.perGroupMinute) },
    ),
    TELEGRAM_CACHE_CHAT: setting(
      z
        .string()
        .regex(/^(-?[1-9]\d{0,15}|@\w{4,32})$/u, 'give the id of a chat, such as -1001234567890, or the @name of a channel')
        .optional(),
      {
        says: 'A chat where the bot may post the charts of inline results, such as a private channel. Left out: inline results are text.',
        example: '-1001234567890',
      },
    ),
  },
  settings: (env) =>
    env.TELEGRAM_TOKEN === undefined
      ? undefined
      : {
          token: env.TELEGRAM_TOKEN,
          apiRoot: withoutSlash(env.TELEGRAM_API_ROOT),
          webhookUrl: env.TELEGRAM_WEBHOOK_URL,
          cacheChat: env.TELEGRAM_CACHE_CHAT,
          rates: { perSecond: env.TELEGRAM_MESSAGES_PER_SECOND, perGroupMinute: env.TELEGRAM_GROUP_MESSAGES_PER_MINUTE },
        },
  secrets: ({ token, webhookUrl }) => [token, ...(webhookUrl === undefined ? [] : [webhookSecret(token, webhookUrl)])],
  receivesOverHttp: ({ webhookUrl }) => webhookUrl !== undefined,
  circles: { kinds: ['chat', 'user'], id: '-?\\d+' },
  placeWord: 'chat',
  isAddress(chat) {
    const place = placeOf(chat);
    return place !== undefined && addressOf(place) === chat;
  },
  // Groups and channels have negative ids.
  greeting: (chat) =>
    localOf(chat).startsWith('-')
      ? ['Administrators set the alerts of this chat; anyone can ask, here or in a private chat with me.']
      : ['To set up a channel or group that you administer, use /manage here. The menu beside the text field lists every command.'],
  checkup: async (settings, around) => (await import('./checkup.js')).checkTelegram({ ...settings, ...around }),
  preview: async (request) => (await import('./preview.js')).previewOf(request),
  create: async (settings, deps) => (await import('./telegram.js')).createTelegram({ ...settings, ...deps }),
});
