/** Environment as a `Config`. Every complaint names the variable and the remedy; nothing else reads the environment. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { LOG_LEVELS } from './base/log.js';
import { LINKS, templateFault, type LinkKind } from './domain/links.js';
import { positive, serverAddress, setting, settingOrEmpty, wholeNumber, withoutSlash, words, type Variables } from './base/settings.js';
import { slugSchema } from './domain/scalars.js';
import type { ConnectedPlatform } from './platforms/descriptor.js';
import { PLATFORMS } from './platforms/index.js';
import { DEFAULT_STORE_URL, isStoreUrl, STORE_USAGE } from './store/open.js';

/** In ACCESS and OPERATORS. */
const PERSON = new RegExp(`^(${PLATFORMS.map(({ name }) => name).join('|')})/user/\\d+$`);
const CIRCLE = new RegExp(`^(${PLATFORMS.map(({ name, circles: { kinds, id } }) => `${name}/(${kinds.join('|')})/${id}`).join('|')})$`);
const circleForms = PLATFORMS.flatMap(({ name, circles }) => circles.kinds.map((kind) => `${name}/${kind}/<id>`));
const personForms = PLATFORMS.map(({ name }) => `${name}/user/<id>`);

const ANALYTICS = {
  ANALYTICS_BASE_URL: setting(
    serverAddress(
      'give the address of the analytics service, such as https://analytics.example, or leave it out to use the embedded one',
      'give the address alone, without a user, a query or a fragment; the key belongs in ANALYTICS_API_KEY',
    ).optional(),
    { says: 'Its address. Left out: the embedded service.', example: 'https://analytics.example' },
  ),
  ANALYTICS_API_KEY: setting(z.string().min(6, 'a key has at least 6 characters; copy it from your analytics account').optional(), {
    says: 'Your key. Required with ANALYTICS_BASE_URL.',
  }),
  ANALYTICS_REQUESTS_PER_SECOND: setting(positive(1_000, 'give a number of requests a second between 0 and 1000, such as 5').optional(), {
    says: 'The highest request rate, in requests a second. Left out: 5, and 50 for the embedded service.',
    example: '5',
  }),
  ANALYTICS_REQUESTS_PER_MONTH: setting(
    wholeNumber(1, 1e9, 'give the number of requests your plan allows a month, such as 500, or leave it out for no limit').optional(),
    { says: 'Requests that your plan allows a month. A hard stop, counted over restarts. Left out: no limit.', example: '500' },
  ),
  ANALYTICS_BUDGET_RESET_DAY: setting(
    wholeNumber(1, 28, 'give the day of the month on which your plan starts counting again, between 1 and 28').default(1),
    { says: 'The day of the month on which the count of your plan begins again, 1 to 28 (UTC).', example: '1' },
  ),
  ANALYTICS_MAX_ROWS: setting(
    wholeNumber(1, 1_000, 'give the most rows your plan gives a request, such as 10, or leave it out to find that out').optional(),
    { says: 'The most rows that your plan gives a request. Left out: found out, at the cost of a few calls.', example: '10' },
  ),
  ANALYTICS_MAX_PAGES: setting(
    wholeNumber(1, 200, 'give the most pages your plan shows of a list, such as 3, or leave it out to find that out').optional(),
    { says: 'The most pages that your plan shows of a list. Left out: found out, at the cost of a few calls.', example: '3' },
  ),
};

const STORE = {
  STORE_URL: setting(z.string().refine(isStoreUrl, `give ${STORE_USAGE}`).default(DEFAULT_STORE_URL), {
    says: `Where everything is kept: ${STORE_USAGE}.`,
    example: DEFAULT_STORE_URL,
  }),
};

const HTTP = {
  HTTP_HOST: setting(z.string().min(1).default('127.0.0.1'), {
    says: 'The address to listen on. One that other machines can reach needs CONSOLE_TOKEN.',
    example: '127.0.0.1',
  }),
  HTTP_PORT: setting(wholeNumber(0, 65_535, 'give a port between 0 and 65535; 0 takes any free one').default(8787), {
    says: '0 takes any free port.',
    example: '8787',
  }),
  HTTP_LOOPBACK_ONLY: setting(
    z
      .enum(['true', 'false'], 'say true or false')
      .default('false')
      .transform((text) => text === 'true'),
    {
      says: 'true: only this machine reaches the port, whatever HTTP_HOST says, as with a container whose port is published on 127.0.0.1.',
      example: 'false',
    },
  ),
  CONSOLE_TOKEN: setting(
    z.string().min(12, 'choose a token of at least 12 characters, for instance with: openssl rand -hex 16').optional(),
    { says: 'Required when HTTP_HOST can be reached from other machines. At least 12 characters.' },
  ),
};

const WATCHING = {
  PROJECTS: setting(
    z
      .string()
      .transform((text) => words(text).map((part) => slugSchema.parse(part)))
      .refine((slugs) => slugs.length > 0, 'give slugs with commas between, such as tide,heron, or leave it out to watch every project')
      .optional(),
    { says: 'Only these projects, by slug, with commas between. Left out: every project the service shows.', example: 'tide,heron' },
  ),
  POLL_MIN_SECONDS: setting(
    positive(86_400, 'give the seconds between two checks of one thing, more than 0 and at most 86400').optional(),
    {
      says: 'The least time between two checks of the same thing, in seconds. Left out: 60, and 15 with the embedded service.',
      example: '60',
    },
  ),
  WALLET_MAX_AGE_MINUTES: setting(
    positive(100_000, "give how old a watched wallet's snapshot may become, in minutes, such as 60").default(60),
    {
      says: 'How old the snapshot of a watched wallet may become before the service is asked to refresh it, in minutes.',
      example: '60',
    },
  ),
};

const DELIVERY = {
  AMBIGUOUS_SENDS: setting(
    z
      .enum(
        ['repeat', 'hold'],
        'choose repeat (an alert may come twice) or hold (it may never come) for a message that was cut off on Telegram',
      )
      .default('repeat'),
    {
      says: 'A message that was cut off may have arrived, and Telegram cannot tell: repeat it (it may come twice) or hold it (it may never come).',
      example: 'repeat',
    },
  ),
};

const template = (kind: LinkKind, says: string) =>
  settingOrEmpty(
    z
      .string()
      .default(LINKS[kind].usual)
      .superRefine((text, context) => {
        const message = templateFault(kind, text);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      }),
    {
      says: `${says} Placeholders: ${LINKS[kind].placeholders.map((name) => `{${name}}`).join(', ')}. Empty: no link.`,
      example: LINKS[kind].usual,
    },
  );

const LINK_TEMPLATES = {
  LINK_TRANSACTION: template('transaction', 'The page of a transaction.'),
  LINK_TOKEN: template('token', 'The page of a token.'),
  LINK_WALLET: template('wallet', 'The page of a wallet.'),
  LINK_PROPOSAL: template('proposal', 'The page of a proposal.'),
  LINK_SITE: template('site', 'The site of a project; {website} is the address that the service gives, where it gives one.'),
  LINK_CHART: template('chart', 'The price chart of a token.'),
};

const ACCESS = {
  ACCESS: setting(
    z
      .string()
      .transform(words)
      .refine((names) => names.every((name) => name === 'open' || name === 'listed' || CIRCLE.test(name)), {
        error: `write open, or who may ask, with commas between: ${circleForms.join(', ')}`,
      })
      .default([]),
    {
      says: `open, or who may, with commas between: ${circleForms.join(', ')}.\nLeft out: only the local page and the operators.`,
      example: 'discord/guild/1234567890,telegram/chat/-1001234567890',
    },
  ),
  OPERATORS: setting(
    z
      .string()
      .transform(words)
      .refine((names) => names.every((name) => PERSON.test(name)), { error: `write ${personForms.join(' or ')}, with commas between` })
      .default([]),
    {
      says: 'Who runs the bot: they see /status in full, and may always ask.',
      example: 'discord/user/1234567890,telegram/user/1234567890',
    },
  ),
};

const LOGS = {
  LOG_LEVEL: setting(z.enum(LOG_LEVELS, `choose one of ${LOG_LEVELS.join(', ')}`).default('info'), {
    says: 'silent, error, warn, info or debug. One JSON object a line on standard error.',
    example: 'info',
  }),
};

const SIMULATOR = {
  SIMULATOR_SEED: setting(z.string().default('navwatch'), { says: 'Another seed is another world.', example: 'navwatch' }),
  SIMULATOR_PACE: setting(
    positive(100, 'give how densely things happen in the embedded service, more than 0 and at most 100; 1 is natural').default(1),
    { says: 'How densely things happen; 1 is natural. The clock itself never changes.', example: '1' },
  ),
};

/** Every variable, in the order of `.env.example`, which is written from this list. */
export const SECTIONS: readonly { readonly title: string; readonly variables: Variables }[] = [
  { title: 'The analytics service', variables: ANALYTICS },
  { title: 'What is kept', variables: STORE },
  { title: 'The local page and its interface for programs', variables: HTTP },
  { title: 'What is watched', variables: WATCHING },
  ...PLATFORMS.map(({ title, variables }) => ({ title, variables })),
  { title: 'Alerts', variables: DELIVERY },
  { title: 'Links', variables: LINK_TEMPLATES },
  { title: 'Who may ask', variables: ACCESS },
  { title: 'Logs', variables: LOGS },
  { title: 'The embedded service', variables: SIMULATOR },
];

/** Only this machine can reach them. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;
const isLoopback = (host: string): boolean => LOOPBACK.test(host);

const configSchema = z
  .object({ ...ANALYTICS, ...STORE, ...HTTP, ...WATCHING, ...DELIVERY, ...LINK_TEMPLATES, ...ACCESS, ...LOGS, ...SIMULATOR })
  .transform((env, context) => {
    const isLocal = isLoopback(env.HTTP_HOST) || env.HTTP_LOOPBACK_ONLY;
    const exposed = !isLocal && env.CONSOLE_TOKEN === undefined;
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
    // Calls of the embedded service cost nothing, and people who try the bot should not wait.
    const usual =
      env.ANALYTICS_BASE_URL === undefined ? { requestsPerSecond: 50, pollMinSeconds: 15 } : { requestsPerSecond: 5, pollMinSeconds: 60 };
    return {
      analytics: {
        /** Undefined: the embedded service. */
        baseUrl: env.ANALYTICS_BASE_URL === undefined ? undefined : withoutSlash(env.ANALYTICS_BASE_URL),
        /** The embedded service takes any key. */
        apiKey: env.ANALYTICS_API_KEY ?? randomBytes(16).toString('hex'),
        requestsPerSecond: env.ANALYTICS_REQUESTS_PER_SECOND ?? usual.requestsPerSecond,
        requestsPerMonth: env.ANALYTICS_REQUESTS_PER_MONTH,
        budgetResetDay: env.ANALYTICS_BUDGET_RESET_DAY,
        /** Undefined: found out. */
        maxRows: env.ANALYTICS_MAX_ROWS,
        maxPages: env.ANALYTICS_MAX_PAGES,
      },
      storeUrl: env.STORE_URL,
      http: { host: env.HTTP_HOST, port: env.HTTP_PORT, isLocal, consoleToken: env.CONSOLE_TOKEN },
      projects: env.PROJECTS,
      logLevel: env.LOG_LEVEL,
      pollMinSeconds: env.POLL_MIN_SECONDS ?? usual.pollMinSeconds,
      walletMaxAgeMinutes: env.WALLET_MAX_AGE_MINUTES,
      access: {
        /** Everyone may ask. */
        open: env.ACCESS.includes('open'),
        /** By the names a platform gives them. */
        listed: env.ACCESS.filter((name) => CIRCLE.test(name)),
        operators: env.OPERATORS,
      },
      ambiguousSends: env.AMBIGUOUS_SENDS,
      links: {
        transaction: env.LINK_TRANSACTION,
        token: env.LINK_TOKEN,
        wallet: env.LINK_WALLET,
        proposal: env.LINK_PROPOSAL,
        site: env.LINK_SITE,
        chart: env.LINK_CHART,
      },
      simulator: { seed: env.SIMULATOR_SEED, pace: env.SIMULATOR_PACE },
    };
  });
export type Config = z.output<typeof configSchema> & {
  /** Those that have a token. */
  readonly platforms: readonly ConnectedPlatform[];
};

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Throws a `ConfigError` with a line for each variable that is wrong. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const read = configSchema.safeParse(env);
  const platforms = PLATFORMS.map((platform) => platform.configure(env));
  const issues = [...(read.error?.issues ?? []), ...platforms.flatMap((platform) => ('issues' in platform ? platform.issues : []))];
  if (read.success && issues.length === 0) {
    const connected = platforms.flatMap((platform) =>
      'connected' in platform && platform.connected !== undefined ? [platform.connected] : [],
    );
    return { ...read.data, platforms: connected };
  }
  throw new ConfigError(issues.map((issue) => `config: ${issue.path.join('.')}: ${issue.message}`).join('\n'));
}

/** Over those of `.env`. */
export const loadConfig = (): Config => readConfig({ ...dotEnv('.env'), ...process.env });

function dotEnv(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {};
    throw new ConfigError(`config: ${path} cannot be read; check its permissions, or remove it`, { cause });
  }
}

/** Must never be shown. */
export const secretsOf = (config: Config): readonly (string | undefined)[] => [
  config.analytics.apiKey,
  config.http.consoleToken,
  ...config.platforms.flatMap(({ secrets }) => secrets),
];
