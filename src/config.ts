/** The environment as a `Config`. Every complaint names the variable and the remedy; nothing else in the project reads the environment. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { LOG_LEVELS } from './base/log.js';
import { slugSchema } from './domain/scalars.js';

/** An empty or blank variable means "not set"; blanks around a value came with copying it. */
const setting = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (typeof value === 'string' ? value.trim() || undefined : value), schema);
const wholeNumber = (least: number, most: number, remedy: string) =>
  z.coerce.number<string>(remedy).int(remedy).min(least, remedy).max(most, remedy);
const positive = (most: number, remedy: string) => z.coerce.number<string>(remedy).positive(remedy).max(most, remedy);

const isPlain = ({ username, password, search, hash }: URL): boolean => `${username}${password}${search}${hash}` === '';

/** The address of a server that requests go to. Whatever else an address can hold is a mistake, or a secret in the wrong place. */
const serverAddress = (error: string, remedy = 'give the address alone, without a user, a query or a fragment') =>
  z.url({ protocol: /^https?$/, error }).refine((address) => isPlain(new URL(address)), {
    error: remedy,
    // What is no address at all was said already.
    when: ({ value }) => URL.canParse(String(value)),
  });
const platformAddress = (usual: string) => serverAddress(`give an address such as ${usual}, or leave it out`).default(usual);
const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

/** Words with commas between, each once. */
const words = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];

const CIRCLE = /^(discord\/(guild|channel|user)\/\d+|telegram\/(chat|user)\/-?\d+)$/;
const PERSON = /^(discord|telegram)\/user\/\d+$/;

/** Every variable the bot reads. `.env.example` documents the same ones; a test compares them. */
export const SETTINGS = {
  ANALYTICS_BASE_URL: setting(
    serverAddress(
      'give the address of the analytics service, such as https://analytics.example, or leave it out to use the embedded one',
      'give the address alone, without a user, a query or a fragment; the key belongs in ANALYTICS_API_KEY',
    ).optional(),
  ),
  ANALYTICS_API_KEY: setting(z.string().min(6, 'a key has at least 6 characters; copy it from your analytics account').optional()),
  ANALYTICS_REQUESTS_PER_SECOND: setting(positive(1_000, 'give a number of requests a second between 0 and 1000, such as 5').default(5)),
  ANALYTICS_REQUESTS_PER_MONTH: setting(
    wholeNumber(1, 1e9, 'give the number of requests your plan allows a month, such as 500, or leave it out for no limit').optional(),
  ),
  ANALYTICS_BUDGET_RESET_DAY: setting(
    wholeNumber(1, 28, 'give the day of the month on which your plan counts anew, between 1 and 28').default(1),
  ),
  ANALYTICS_MAX_ROWS: setting(
    wholeNumber(1, 1_000, 'give the most rows your plan gives a request, such as 10, or leave it out to find that out').optional(),
  ),
  ANALYTICS_MAX_PAGES: setting(
    wholeNumber(1, 200, 'give the most pages your plan shows of a list, such as 3, or leave it out to find that out').optional(),
  ),
  STORE_URL: setting(
    z
      .string()
      .regex(
        /^(sqlite:\/\/.+|memory:\/\/)$/,
        'give sqlite://<path>, such as sqlite://./data/navwatch.sqlite, or memory:// to forget everything at the end',
      )
      .default('sqlite://./data/navwatch.sqlite'),
  ),
  HTTP_HOST: setting(z.string().min(1).default('127.0.0.1')),
  HTTP_PORT: setting(wholeNumber(0, 65_535, 'give a port between 0 and 65535; 0 takes any free one').default(8787)),
  CONSOLE_TOKEN: setting(
    z.string().min(12, 'choose a token of at least 12 characters, for instance with: openssl rand -hex 16').optional(),
  ),
  PROJECTS: setting(
    z
      .string()
      .transform((text) => words(text).map((part) => slugSchema.parse(part)))
      .refine((slugs) => slugs.length > 0, 'give slugs with commas between, such as tide,heron, or leave it out to watch every project')
      .optional(),
  ),
  WALLET_MAX_AGE_MINUTES: setting(
    positive(100_000, 'give how old a watched wallet’s snapshot may become, in minutes, such as 60').default(60),
  ),
  DISCORD_TOKEN: setting(z.string().min(20, 'copy the whole token of your application’s bot, or leave it out').optional()),
  DISCORD_API_URL: setting(platformAddress('https://discord.com/api')),
  DISCORD_GUILD_ID: setting(
    z
      .string()
      .regex(/^\d{15,22}$/, 'give the number of one server, or leave it out to offer the commands everywhere')
      .optional(),
  ),
  DISCORD_REQUESTS_PER_SECOND: setting(
    wholeNumber(1, 100_000, 'give how many requests a second Discord allows your bot, such as 50').default(50),
  ),
  TELEGRAM_TOKEN: setting(
    z
      .string()
      .regex(/^\d+:[\w-]{20,}$/, 'copy the whole token from BotFather, such as 123456:AbC…, or leave it out')
      .optional(),
  ),
  TELEGRAM_API_ROOT: setting(platformAddress('https://api.telegram.org')),
  TELEGRAM_MESSAGES_PER_SECOND: setting(
    wholeNumber(1, 100_000, 'give how many messages a second Telegram allows your bot, such as 30').default(30),
  ),
  TELEGRAM_GROUP_MESSAGES_PER_MINUTE: setting(
    wholeNumber(1, 100_000, 'give how many messages a minute Telegram allows your bot in a group, such as 20').default(20),
  ),
  ACCESS: setting(
    z
      .string()
      .transform(words)
      .refine((names) => names.every((name) => name === 'open' || name === 'listed' || CIRCLE.test(name)), {
        error:
          'write open, or who may ask, with commas between: discord/guild/<id>, discord/channel/<id>, discord/user/<id>, telegram/chat/<id>, telegram/user/<id>',
      })
      .default([]),
  ),
  OPERATORS: setting(
    z
      .string()
      .transform(words)
      .refine((names) => names.every((name) => PERSON.test(name)), {
        error: 'write discord/user/<id> or telegram/user/<id>, with commas between',
      })
      .default([]),
  ),
  AMBIGUOUS_SENDS: setting(
    z
      .enum(
        ['repeat', 'hold'],
        'choose repeat (an alert may come twice) or hold (it may never come) for a message that was cut off on Telegram',
      )
      .default('repeat'),
  ),
  LOG_LEVEL: setting(z.enum(LOG_LEVELS, `choose one of ${LOG_LEVELS.join(', ')}`).default('info')),
  POLL_MIN_SECONDS: setting(positive(86_400, 'give the seconds between two looks at one thing, more than 0 and at most 86400').default(60)),
  SIMULATOR_SEED: setting(z.string().default('navwatch')),
  SIMULATOR_PACE: setting(
    positive(100, 'give how densely things happen in the embedded service, more than 0 and at most 100; 1 is natural').default(1),
  ),
} satisfies Record<string, z.ZodType>;

/** Loopback addresses: what only this machine can reach. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

const configSchema = z.object(SETTINGS).transform((env, context) => {
  const exposed = !isLoopback(env.HTTP_HOST) && env.CONSOLE_TOKEN === undefined;
  const keyless = env.ANALYTICS_BASE_URL !== undefined && env.ANALYTICS_API_KEY === undefined;
  if (exposed) {
    context.addIssue({
      code: 'custom',
      path: ['CONSOLE_TOKEN'],
      message: `is required because HTTP_HOST=${env.HTTP_HOST} can be reached from other machines; set it, or set HTTP_HOST to 127.0.0.1`,
    });
  }
  if (keyless) {
    context.addIssue({
      code: 'custom',
      path: ['ANALYTICS_API_KEY'],
      message: 'is required with ANALYTICS_BASE_URL; copy the key from your analytics account',
    });
  }
  if (exposed || keyless) return z.NEVER;
  return {
    analytics: {
      /** Undefined: the embedded service. */
      baseUrl: env.ANALYTICS_BASE_URL === undefined ? undefined : withoutSlash(env.ANALYTICS_BASE_URL),
      /** The embedded service takes whatever key this run makes up. */
      apiKey: env.ANALYTICS_API_KEY ?? randomBytes(16).toString('hex'),
      requestsPerSecond: env.ANALYTICS_REQUESTS_PER_SECOND,
      requestsPerMonth: env.ANALYTICS_REQUESTS_PER_MONTH,
      budgetResetDay: env.ANALYTICS_BUDGET_RESET_DAY,
      /** Undefined: found out. */
      maxRows: env.ANALYTICS_MAX_ROWS,
      maxPages: env.ANALYTICS_MAX_PAGES,
    },
    storeUrl: env.STORE_URL,
    http: { host: env.HTTP_HOST, port: env.HTTP_PORT, consoleToken: env.CONSOLE_TOKEN },
    /** Only these projects, where given. */
    projects: env.PROJECTS,
    logLevel: env.LOG_LEVEL,
    pollMinSeconds: env.POLL_MIN_SECONDS,
    walletMaxAgeMinutes: env.WALLET_MAX_AGE_MINUTES,
    /** Undefined: not connected. */
    discord:
      env.DISCORD_TOKEN === undefined
        ? undefined
        : {
            token: env.DISCORD_TOKEN,
            apiUrl: withoutSlash(env.DISCORD_API_URL),
            guildId: env.DISCORD_GUILD_ID,
            requestsPerSecond: env.DISCORD_REQUESTS_PER_SECOND,
          },
    telegram:
      env.TELEGRAM_TOKEN === undefined
        ? undefined
        : {
            token: env.TELEGRAM_TOKEN,
            apiRoot: withoutSlash(env.TELEGRAM_API_ROOT),
            rates: { perSecond: env.TELEGRAM_MESSAGES_PER_SECOND, perGroupMinute: env.TELEGRAM_GROUP_MESSAGES_PER_MINUTE },
          },
    access: {
      /** Everyone may ask. */
      open: env.ACCESS.includes('open'),
      /** Servers, chats and people who may, by the names a platform gives them. */
      listed: env.ACCESS.filter((name) => CIRCLE.test(name)),
      operators: env.OPERATORS,
    },
    ambiguousSends: env.AMBIGUOUS_SENDS,
    simulator: { seed: env.SIMULATOR_SEED, pace: env.SIMULATOR_PACE },
  };
});
export type Config = z.output<typeof configSchema>;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads a configuration out of variables. Throws a `ConfigError` with one line for each variable that is wrong. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const read = configSchema.safeParse(env);
  if (read.success) return read.data;
  throw new ConfigError(read.error.issues.map((issue) => `config: ${issue.path.join('.')}: ${issue.message}`).join('\n'));
}

/** The process's variables, over those of `.env` in this folder where there is one. */
export const loadConfig = (): Config => readConfig({ ...dotEnv('.env'), ...process.env });

function dotEnv(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {};
    throw new ConfigError(`config: ${path} cannot be read; check its permissions, or remove it`, { cause });
  }
}

/** Everything in a configuration that must never be shown. */
export const secretsOf = (config: Config): readonly (string | undefined)[] => [
  config.analytics.apiKey,
  config.http.consoleToken,
  config.discord?.token,
  config.telegram?.token,
];
