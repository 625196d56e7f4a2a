/** Describes Discord to the rest of the bot. */
import { channelOf } from './address.js';
import { z } from 'zod';
import { serverAddress, setting, wholeNumber, withoutSlash } from '../../base/settings.js';
import { definePlatform, publicUrl } from '../descriptor.js';
import { applicationOf, DEFAULT_PER_SECOND, inviteUrl } from './application.js';

const DEFAULT_API_URL = 'https://discord.com/api';

export const discord = definePlatform({
  name: 'discord',
  title: 'Discord',
  enabledBy: 'DISCORD_TOKEN',
  variables: {
    DISCORD_TOKEN: setting(z.string().min(20, "copy the whole token of your application's bot, or leave it out").optional(), {
      says: "The token of your application's bot. Left out: no Discord.",
    }),
    DISCORD_GUILD_ID: setting(
      z
        .string()
        .regex(/^\d{15,22}$/, 'give the number of one server, or leave it out to offer the commands everywhere')
        .optional(),
      { says: 'Offer the commands in this server only; they then appear at once.' },
    ),
    DISCORD_API_URL: setting(serverAddress(`give an address such as ${DEFAULT_API_URL}, or leave it out`).default(DEFAULT_API_URL), {
      says: 'Where Discord answers.',
      example: DEFAULT_API_URL,
    }),
    DISCORD_INTERACTIONS_URL: setting(
      publicUrl({
        form: 'a public https address with a path, such as https://bot.example/discord',
        without: 'to receive interactions over the gateway',
      }),
      {
        says: 'The public https address, with a path, at which the HTTP port of this bot can be reached; Discord posts commands and button presses there. Left out: they come over the gateway, which needs no public address.',
        example: 'https://bot.example/discord',
      },
    ),
    DISCORD_MENTIONS: setting(
      z
        .enum(['true', 'false'], 'say true or false')
        .default('false')
        .transform((text) => text === 'true'),
      {
        says: 'Answer in servers when the bot is mentioned, and questions in replies to its messages. Private chats need no setting. Discord then sends the bot every message of its channels, the words only of those that mention it, which needs no privileged intent.',
        example: 'true',
      },
    ),
    DISCORD_REQUESTS_PER_SECOND: setting(
      wholeNumber(1, 100_000, 'give how many requests a second Discord allows your bot, such as 50').default(DEFAULT_PER_SECOND),
      { says: 'Requests that Discord allows your bot in a second. Large bots are granted more.', example: String(DEFAULT_PER_SECOND) },
    ),
  },
  settings: (env) =>
    env.DISCORD_TOKEN === undefined
      ? undefined
      : {
          token: env.DISCORD_TOKEN,
          apiUrl: withoutSlash(env.DISCORD_API_URL),
          guildId: env.DISCORD_GUILD_ID,
          interactionsUrl: env.DISCORD_INTERACTIONS_URL,
          requestsPerSecond: env.DISCORD_REQUESTS_PER_SECOND,
          mentions: env.DISCORD_MENTIONS,
        },
  receivesOverHttp: ({ interactionsUrl }) => interactionsUrl !== undefined,
  secrets: ({ token }) => [token],
  circles: { kinds: ['guild', 'channel', 'user'], id: '\\d+' },
  placeWord: 'channel',
  isAddress: (chat) => channelOf(chat) !== undefined,
  greeting: () => [
    'Type / to see every command. People who can manage the channel set its alerts; anyone can ask, here or in a private chat with me.',
  ],
  startLines({ token }) {
    const application = applicationOf(token);
    return application === undefined ? [] : [`discord   invite ${inviteUrl(application)}`];
  },
  checkup: async (settings, around) => (await import('./checkup.js')).checkDiscord({ ...settings, ...around }),
  preview: async (request) => (await import('./preview.js')).previewOf(request),
  create: async (settings, deps) => (await import('./discord.js')).createDiscord({ ...settings, ...deps }),
});
