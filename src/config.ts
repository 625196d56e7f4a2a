/** Reads the environment as a `Config`; nothing else reads it. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import type { Hosts } from './base/http.js';
import { LOG_LEVELS } from './base/log.js';
import { positive, setting, withoutSlash, words, type Variables } from './base/settings.js';
import { ANALYTICS, WATCHING } from './config/analytics.js';
import { misspeltSettings, misspeltText, type MisspeltSetting, FILE_VARIANTS, withSecretFiles } from './config/environment.js';
import { DELIVERY, LINK_TEMPLATES, operatorSettings } from './config/messages.js';
import { makeToken, readToken, type StoredToken } from './config/console-token.js';
import { HTTP, PROCESSES } from './config/http.js';
import type { ConnectedPlatform } from './platforms/descriptor.js';
import { PLATFORMS } from './platforms/index.js';
import { dataFolder, DEFAULT_STORE_URL, isSharedUrl, isStoreUrl, storePasswords, storePlace, STORE_USAGE } from './store/open.js';

/** ACCESS and OPERATORS name places of these platforms. */
const CIRCLES = PLATFORMS.flatMap(({ name, circles }) => (circles === undefined ? [] : [{ name, ...circles }]));
const PERSON = new RegExp(`^(${CIRCLES.map(({ name }) => name).join('|')})/user/\\d+$`);
const CIRCLE = new RegExp(`^(${CIRCLES.map(({ name, kinds, id }) => `${name}/(${kinds.join('|')})/${id}`).join('|')})$`);
const circleForms = CIRCLES.flatMap(({ name, kinds }) => kinds.map((kind) => `${name}/${kind}/<id>`));
const personForms = CIRCLES.map(({ name }) => `${name}/user/<id>`);

const OPERATOR_SETTINGS = operatorSettings(CIRCLES);

const STORE = {
  STORE_URL: setting(z.string().refine(isStoreUrl, `give ${STORE_USAGE}`).default(DEFAULT_STORE_URL), {
    says: `Where everything is kept: ${STORE_USAGE}.`,
    example: DEFAULT_STORE_URL,
  }),
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
    positive(20, 'give how densely things happen in the embedded service, more than 0 and at most 20; 1 is natural').default(1),
    { says: 'How densely things happen: more than 0, at most 20; 1 is natural. The clock itself never changes.', example: '1' },
  ),
};

/** The sections hold every variable, in the order of `.env.example`. */
export const SECTIONS: readonly { readonly title: string; readonly variables: Variables }[] = [
  { title: 'The analytics service', variables: ANALYTICS },
  { title: 'What is kept', variables: STORE },
  { title: 'The local page and its interface for programs', variables: HTTP },
  { title: 'Several processes', variables: PROCESSES },
  { title: 'What is watched', variables: WATCHING },
  ...PLATFORMS.map(({ title, variables }) => ({ title, variables })),
  { title: 'Alerts', variables: DELIVERY },
  { title: 'Links', variables: LINK_TEMPLATES },
  { title: 'Who may ask', variables: ACCESS },
  { title: 'Notices and heartbeat', variables: OPERATOR_SETTINGS },
  { title: 'Logs', variables: LOGS },
  { title: 'The embedded service', variables: SIMULATOR },
];

/** Only this machine can reach them. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;
const isLoopback = (host: string): boolean => LOOPBACK.test(host);

const hostsOf = (isOpenHere: boolean): Hosts => (isOpenHere ? [] : 'any');

const httpOf = (env: z.output<z.ZodObject<typeof HTTP>>, isLocal: boolean) => ({
  host: env.HTTP_HOST,
  port: env.HTTP_PORT,
  isLocal,
  /** Names beside those of this machine. A page that is open to this machine answers to no other, or another site could reach it by DNS rebinding. */
  hosts: hostsOf(isLocal && env.CONSOLE_TOKEN === undefined),
  /** HTTP_LOOPBACK_ONLY: whoever reaches the port is on this machine. */
  isLoopbackOnly: env.HTTP_LOOPBACK_ONLY,
  /** If CONSOLE_TOKEN is not set, programs and browsers on this machine may ask; the operator's pages need the stored token all the same. */
  isOpenHere: env.CONSOLE_TOKEN === undefined,
  /** CONSOLE_TOKEN or the stored token; without either nobody can log in. */
  consoleToken: env.CONSOLE_TOKEN,
  isMetricsOpen: env.METRICS_OPEN,
  publicUrl: env.PUBLIC_URL,
  isApiEnabled: env.API,
});
type MissingSetting = readonly [setting: string, message: string];

/** Returns the settings that others make necessary. */
function missingSettings(
  env: z.output<z.ZodObject<typeof HTTP & typeof ANALYTICS & typeof PROCESSES & typeof STORE>>,
  isLocal: boolean,
): readonly MissingSetting[] {
  const missing: MissingSetting[] = [];
  if (!isLocal && env.CONSOLE_TOKEN === undefined)
    missing.push([
      'CONSOLE_TOKEN',
      `is required because HTTP_HOST=${env.HTTP_HOST} can be reached from other machines; set it, or set HTTP_HOST to 127.0.0.1`,
    ]);
  if (env.ANALYTICS_BASE_URL !== undefined && env.ANALYTICS_API_KEY === undefined)
    missing.push(['ANALYTICS_API_KEY', 'is required with ANALYTICS_BASE_URL; copy the key from your analytics account']);
  if (env.ROLE === 'answer' && !isSharedUrl(env.STORE_URL))
    missing.push([
      'ROLE',
      'answer needs a store that several processes share; set STORE_URL to the PostgreSQL or Redis of the bot, or leave ROLE out',
    ]);
  return missing;
}

const configSchema = z
  .object({
    ...ANALYTICS,
    ...STORE,
    ...HTTP,
    ...PROCESSES,
    ...WATCHING,
    ...DELIVERY,
    ...LINK_TEMPLATES,
    ...ACCESS,
    ...OPERATOR_SETTINGS,
    ...LOGS,
    ...SIMULATOR,
  })
  .transform((env, context) => {
    const isLocal = isLoopback(env.HTTP_HOST) || env.HTTP_LOOPBACK_ONLY;
    const missing = missingSettings(env, isLocal);
    for (const [name, message] of missing) context.addIssue({ code: 'custom', path: [name], message });
    if (missing.length > 0) return z.NEVER;
    // Calls of the embedded service cost nothing, and people who try the bot should not wait.
    const usual =
      env.ANALYTICS_BASE_URL === undefined ? { requestsPerSecond: 50, pollMinSeconds: 15 } : { requestsPerSecond: 5, pollMinSeconds: 60 };
    return {
      analytics: {
        /** If no address is set, the embedded service answers. */
        baseUrl: env.ANALYTICS_BASE_URL === undefined ? undefined : withoutSlash(env.ANALYTICS_BASE_URL),
        /** The embedded service takes any key. */
        apiKey: env.ANALYTICS_API_KEY ?? randomBytes(16).toString('hex'),
        requestsPerSecond: env.ANALYTICS_REQUESTS_PER_SECOND ?? usual.requestsPerSecond,
        requestsPerMonth: env.ANALYTICS_REQUESTS_PER_MONTH,
        budgetResetDay: env.ANALYTICS_BUDGET_RESET_DAY,
        /** If the setting is absent, the bot finds out how many rows the plan gives. */
        maxRows: env.ANALYTICS_MAX_ROWS,
        maxPages: env.ANALYTICS_MAX_PAGES,
      },
      storeUrl: env.STORE_URL,
      /** People and logs see the place without a password. */
      storePlace: storePlace(env.STORE_URL),
      /** The bot keeps other files there; undefined means that it keeps none. */
      dataFolder: dataFolder(env.STORE_URL),
      role: env.ROLE,
      http: httpOf(env, isLocal),
      projects: env.PROJECTS,
      watchlistFolder: env.WATCHLISTS,
      logLevel: env.LOG_LEVEL,
      pollMinSeconds: env.POLL_MIN_SECONDS ?? usual.pollMinSeconds,
      walletMaxAgeMinutes: env.WALLET_MAX_AGE_MINUTES,
      access: {
        /** Everyone may ask. */
        open: env.ACCESS.includes('open'),
        /** The circles have the names that a platform gives them. */
        listed: env.ACCESS.filter((name) => CIRCLE.test(name)),
        operators: env.OPERATORS,
      },
      operatorChat: env.OPERATOR_CHAT,
      heartbeatUrl: env.HEARTBEAT_URL,
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
export { misspeltText } from './config/environment.js';

export type Config = z.output<typeof configSchema> & {
  /** The platforms that have a token. */
  readonly platforms: readonly ConnectedPlatform[];
  /** Variables that resemble a setting. */
  readonly misspelt: readonly MisspeltSetting[];
  /** Says why there is no `http.consoleToken`, if none is configured and none could be stored. */
  readonly noToken?: string;
};

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const KNOWN_NAMES = {
  settings: [...SECTIONS.flatMap(({ variables }) => Object.keys(variables)), ...FILE_VARIANTS],
  prefixes: ['ANALYTICS_', ...PLATFORMS.flatMap(({ name, enabledBy }) => (enabledBy === undefined ? [] : [`${name.toUpperCase()}_`]))],
};

/** Throws a `ConfigError` with a line for each wrong variable. */
export function readConfig(given: Readonly<Record<string, string | undefined>>): Config {
  const { env, wrong: unread } = withSecretFiles(given);
  const read = configSchema.safeParse(env);
  const platforms = PLATFORMS.map((platform) => platform.configure(env));
  const misspelt = misspeltSettings(env, KNOWN_NAMES);
  const issues = [...(read.error?.issues ?? []), ...platforms.flatMap((platform) => ('issues' in platform ? platform.issues : []))];
  if (read.success && issues.length === 0 && unread.length === 0) {
    const connected = platforms.flatMap((platform) =>
      'connected' in platform && platform.connected !== undefined ? [platform.connected] : [],
    );
    return { ...read.data, platforms: connected, misspelt };
  }
  const wrong = issues.map((issue) => `config: ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError([...unread, ...wrong, ...misspelt.map((one) => `config: ${one.name}: ${misspeltText(one)}`)].join('\n'));
}

/** The variables of the process win over those of `.env`. Without CONSOLE_TOKEN the token is the one that is stored beside the data. */
export const loadConfig = (): Config => withToken(readConfig({ ...dotEnv('.env'), ...process.env }), readToken);

/** Loads the configuration like `loadConfig`, and creates a token that is not stored yet. */
export const loadOwnConfig = (): Config => withToken(readConfig({ ...dotEnv('.env'), ...process.env }), makeToken);

/** `store` may be replaced for tests, as the environment may. */
export function withToken(config: Config, stored: (path: string) => StoredToken): Config {
  if (config.http.consoleToken !== undefined) return config;
  if (config.dataFolder === undefined) return { ...config, noToken: 'STORE_URL=memory:// keeps no token, so set CONSOLE_TOKEN' };
  const { token, because } = stored(join(config.dataFolder, 'console-token'));
  return because === undefined ? { ...config, http: { ...config.http, consoleToken: token } } : { ...config, noToken: because };
}

function dotEnv(path: string): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {};
    throw new ConfigError(`config: ${path} cannot be read; check its permissions, or remove it`, { cause });
  }
}

/** An error may quote the whole address or its path. */
const secretsIn = (address: string): readonly string[] => {
  const { pathname, search, href } = new URL(address);
  return [address, href, `${pathname}${search}`];
};

/** Must never be shown. */
export const secretsOf = (config: Config): readonly (string | undefined)[] => [
  config.analytics.apiKey,
  config.http.consoleToken,
  ...storePasswords(config.storeUrl),
  ...(config.heartbeatUrl === undefined ? [] : secretsIn(config.heartbeatUrl)),
  ...config.platforms.flatMap(({ secrets }) => secrets),
];
