import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, secretsOf, SECTIONS } from '../src/config.js';
import { createWorld } from '../src/simulator/world/world.js';

const KEY = 'a-key-of-mine';
const NAMES = SECTIONS.flatMap(({ variables }) => Object.keys(variables));

/** The complaints about one variable; empty when there are none. */
function complaints(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

test('without any variable the bot runs on the embedded service, on this machine alone', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    analytics: { baseUrl: undefined, requestsPerSecond: 50, requestsPerMonth: undefined, budgetResetDay: 1, maxRows: undefined },
    storeUrl: 'sqlite://./data/navwatch.sqlite',
    http: { host: '127.0.0.1', port: 8787, consoleToken: undefined },
    projects: undefined,
    logLevel: 'info',
    pollMinSeconds: 15,
    walletMaxAgeMinutes: 60,
    platforms: [{ name: 'webhook' }],
    access: { open: false, listed: [], operators: [] },
    ambiguousSends: 'repeat',
    simulator: { seed: 'navwatch', pace: 1 },
  });
  expect(config.analytics.apiKey).not.toBe(readConfig({}).analytics.apiKey);
});

test('a configured service is asked less often than the embedded one, unless given', () => {
  const configured = { ANALYTICS_BASE_URL: 'https://analytics.example', ANALYTICS_API_KEY: 'a-key-of-six' };
  expect(readConfig(configured)).toMatchObject({ analytics: { requestsPerSecond: 5 }, pollMinSeconds: 60 });
  const chosen = { ANALYTICS_REQUESTS_PER_SECOND: '7', POLL_MIN_SECONDS: '90' };
  for (const env of [chosen, { ...configured, ...chosen }])
    expect(readConfig(env)).toMatchObject({ analytics: { requestsPerSecond: 7 }, pollMinSeconds: 90 });
});

test('OPERATOR_CHAT is one chat, in the form of ACCESS', () => {
  const chat = (text: string) => readConfig({ OPERATOR_CHAT: text }).operatorChat;
  expect(chat('telegram/chat/-100123')).toBe('telegram/-100123');
  expect(chat('telegram/chat/-100123/7')).toBe('telegram/-100123/7');
  expect(chat('discord/channel/42')).toBe('discord/42');
  for (const text of ['telegram/user/5', 'discord/guild/5', 'telegram/chat/../x', 'discord/channel/1,discord/channel/2', 'nowhere/chat/1'])
    expect(() => chat(text), text).toThrow('OPERATOR_CHAT');
});

test('HEARTBEAT_URL is a secret, and leaves this machine encrypted only', () => {
  const url = 'https://hc.example/ping/aaaa-bbbb?x=1';
  const config = readConfig({ HEARTBEAT_URL: url });
  expect([config.heartbeatUrl, secretsOf(config)]).toEqual([url, expect.arrayContaining([url, '/ping/aaaa-bbbb?x=1'])]);
  expect(readConfig({ HEARTBEAT_URL: 'http://127.0.0.1:8000/ping' }).heartbeatUrl).toBe('http://127.0.0.1:8000/ping');
  for (const bad of [
    'http://hc.example/ping/1',
    'ftp://hc.example/1',
    'https://me:secret@hc.example/1',
    'hc.example/1',
    'file:///etc/passwd',
  ])
    expect(() => readConfig({ HEARTBEAT_URL: bad }), bad).toThrow(/^config: HEARTBEAT_URL: give an https address[^\n]*$/u);
});

test('Discord and Telegram are connected by their tokens, which are secrets', () => {
  const discord = 'MTIzNDU2Nzg5MDEyMzQ1Njc4.abcdef.ghijklmnopqrstuvwxyz';
  const telegram = '123456789:AAabcdefghijklmnopqrstuvwxyz-_012345';
  const rate = { TELEGRAM_MESSAGES_PER_SECOND: '100' };
  const config = readConfig({ DISCORD_TOKEN: discord, TELEGRAM_TOKEN: telegram, TELEGRAM_API_ROOT: 'http://127.0.0.1:8081/', ...rate });
  const connected = config.platforms.filter(({ hasToken }) => hasToken);
  expect(connected.map(({ name, settings }) => ({ name, settings }))).toEqual([
    {
      name: 'discord',
      settings: { token: discord, apiUrl: 'https://discord.com/api', guildId: undefined, mentions: false, requestsPerSecond: 50 },
    },
    { name: 'telegram', settings: { token: telegram, apiRoot: 'http://127.0.0.1:8081', rates: { perSecond: 100, perGroupMinute: 20 } } },
  ]);
  expect(secretsOf(config)).toEqual(expect.arrayContaining([discord, telegram]));
});

test('who may ask is a list of servers, chats and people, or everyone', () => {
  const config = readConfig({ ACCESS: 'listed, discord/guild/12, telegram/chat/-1003,', OPERATORS: 'telegram/user/5' });
  expect(config.access).toEqual({ open: false, listed: ['discord/guild/12', 'telegram/chat/-1003'], operators: ['telegram/user/5'] });
  expect(readConfig({ ACCESS: 'open' }).access).toEqual({ open: true, listed: [], operators: [] });
});

test('an empty link template is kept, and one that is left out is the default', () => {
  const { links } = readConfig({ LINK_TOKEN: ' ', LINK_SITE: 'https://dao.example/{slug}' });
  expect(links).toMatchObject({ token: '', site: 'https://dao.example/{slug}', transaction: 'https://solscan.io/tx/{signature}' });
});

test.each<readonly [name: string, value: string, remedy: RegExp]>([
  ['LINK_TRANSACTION', 'http://explorer.example/{signature}', /give an https address with \{signature\}, such as .*, or leave it empty/],
  ['LINK_PROPOSAL', 'https://{slug}.example/{publicKey}', /is not an https address with a host/],
  ['LINK_CHART', 'https://chart.example/{symbol}', /unknown placeholder \{symbol\}/],
  ['DISCORD_TOKEN', 'short', /copy the whole token/],
  ['DISCORD_API_URL', 'discord.com', /such as https:\/\/discord\.com\/api/],
  ['DISCORD_API_URL', 'https://me:secret@discord.com/api', /without a user/],
  ['DISCORD_GUILD_ID', 'my server', /number of one server/],
  ['TELEGRAM_TOKEN', '123456', /BotFather/],
  ['TELEGRAM_API_ROOT', 'telegram', /such as https:\/\/api\.telegram\.org/],
  ['ACCESS', 'everyone', /write open, or who may ask/],
  ['ACCESS', 'discord/guild/mine', /discord\/guild\/<id>/],
  ['OPERATORS', 'discord/guild/12', /discord\/user\/<id>/],
  ['AMBIGUOUS_SENDS', 'maybe', /choose repeat/],
  ['WALLET_MAX_AGE_MINUTES', '0', /in minutes/],
  ['ANALYTICS_BASE_URL', 'analytics.example', /give the address/],
  ['ANALYTICS_BASE_URL', 'ftp://analytics.example', /give the address/],
  ['ANALYTICS_BASE_URL', 'https://', /give the address/],
  ['ANALYTICS_BASE_URL', 'https://me:secret@analytics.example', /without a user/],
  ['ANALYTICS_BASE_URL', 'https://analytics.example/?key=secret', /without a user, a query/],
  ['ANALYTICS_BASE_URL', 'https://analytics.example/#top', /fragment/],
  ['ANALYTICS_API_KEY', 'short', /at least 6 characters/],
  ['ANALYTICS_REQUESTS_PER_SECOND', '0', /between 0 and 1000/],
  ['ANALYTICS_REQUESTS_PER_SECOND', 'many', /between 0 and 1000/],
  ['ANALYTICS_REQUESTS_PER_SECOND', 'Infinity', /between 0 and 1000/],
  ['ANALYTICS_REQUESTS_PER_MONTH', '0', /leave it out for no limit/],
  ['ANALYTICS_REQUESTS_PER_MONTH', '12.5', /leave it out for no limit/],
  ['ANALYTICS_BUDGET_RESET_DAY', '0', /between 1 and 28/],
  ['ANALYTICS_BUDGET_RESET_DAY', '29', /between 1 and 28/],
  ['ANALYTICS_MAX_ROWS', '0', /the most rows/],
  ['ANALYTICS_MAX_PAGES', 'all', /the most pages/],
  ['STORE_URL', 'mysql://somewhere', /sqlite:\/\/<path>/],
  ['STORE_URL', 'sqlite://', /sqlite:\/\/<path>/],
  ['HTTP_PORT', '65536', /between 0 and 65535/],
  ['HTTP_PORT', '-1', /between 0 and 65535/],
  ['HTTP_PORT', 'http', /between 0 and 65535/],
  ['CONSOLE_TOKEN', 'eleven-char', /at least 12 characters/],
  ['PROJECTS', ' , ,', /leave it out to watch every project/],
  ['LOG_LEVEL', 'loud', /choose one of silent, error, warn, info, debug/],
  ['POLL_MIN_SECONDS', '0', /more than 0/],
  ['POLL_MIN_SECONDS', '86401', /at most 86400/],
  ['SIMULATOR_PACE', '20.1', /at most 20;/],
  ['SIMULATOR_PACE', 'abc', /at most 20;/],
])('%s=%s is refused with the variable and the remedy in one line', (name, value, remedy) => {
  const lines = complaints({ ANALYTICS_API_KEY: KEY, [name]: value });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(new RegExp(`^config: ${name}: `));
  expect(lines[0]).toMatch(remedy);
  expect(lines[0]).not.toContain('secret');
});

test('the densest pace that the settings take is one that the embedded service can have', () => {
  const { pace } = readConfig({ SIMULATOR_PACE: '20' }).simulator;
  expect(() => createWorld({ seed: 'harbor', pace })).not.toThrow();
});

test('everything that is wrong is said at once, a line each', () => {
  expect(complaints({ HTTP_PORT: 'x', LOG_LEVEL: 'y', STORE_URL: 'z' })).toHaveLength(3);
  expect(complaints({ HTTP_HOST: '0.0.0.0', ANALYTICS_BASE_URL: 'https://analytics.example' })).toEqual([
    expect.stringMatching(/^config: CONSOLE_TOKEN: is required because HTTP_HOST=0\.0\.0\.0/),
    expect.stringMatching(/^config: ANALYTICS_API_KEY: is required with ANALYTICS_BASE_URL/),
  ]);
});

test('an empty or blank variable counts as not set, unless emptiness is its own choice', () => {
  const names = NAMES.filter((name) => !name.startsWith('LINK_'));
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  const blank = Object.fromEntries(names.map((name) => [name, '  ']));
  const without = ({ platforms, ...config }: ReturnType<typeof readConfig>) => ({
    ...{ ...config, analytics: { ...config.analytics, apiKey: '' } },
    platforms: platforms.map(({ name, settings }) => ({ name, settings })),
  });
  expect(without(readConfig(empty))).toEqual(without(readConfig({})));
  expect(without(readConfig(blank))).toEqual(without(readConfig({})));
});

test('blanks around a value, as copying brings them, are no part of it', () => {
  const { analytics } = readConfig({ ANALYTICS_BASE_URL: ' https://analytics.example/ ', ANALYTICS_API_KEY: `${KEY}\n` });
  expect(analytics).toMatchObject({ baseUrl: 'https://analytics.example', apiKey: KEY });
});

test('projects are a list of slugs, each once', () => {
  expect(readConfig({ PROJECTS: 'tide, heron-flats,,tide' }).projects).toEqual(['tide', 'heron-flats']);
});

describe('an address that only this machine can reach', () => {
  test.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1', '[::1]'])('%s needs no token', (host) => {
    expect(readConfig({ HTTP_HOST: host }).http.isLocal).toBe(true);
    expect(complaints({ HTTP_HOST: host })).toEqual([]);
  });
  test.each(['0.0.0.0', '::', '192.168.1.5', '127.0.0.1.example.com', 'localhost.example.com'])('%s is none, and needs one', (host) => {
    expect(complaints({ HTTP_HOST: host })).toHaveLength(1);
    expect(readConfig({ HTTP_HOST: host, CONSOLE_TOKEN: 'twelve-or-more' }).http.isLocal).toBe(false);
  });
  test('another address needs no token where the port is published on this machine only', () => {
    expect(readConfig({ HTTP_HOST: '0.0.0.0', HTTP_LOOPBACK_ONLY: 'true' }).http).toMatchObject({ isLocal: true, consoleToken: undefined });
    expect(complaints({ HTTP_HOST: '0.0.0.0', HTTP_LOOPBACK_ONLY: 'false' })).toHaveLength(1);
  });
});

test('compose.yaml starts without an .env file', () => {
  const text = readFileSync('compose.yaml', 'utf8');
  const environment = /environment:\n((?: {4,}.*\n)+)/u.exec(text)?.[1] ?? '';
  const set = Object.fromEntries(
    [...environment.matchAll(/^ +([A-Z_]+): '?([^'\n]*)'?$/gmu)].map(([, name = '', value = '']) => [
      name,
      value.replace(/^\$\{\w+:-(.*)\}$/u, '$1'),
    ]),
  );
  expect(Object.keys(set)).toContain('HTTP_HOST');
  expect(readConfig(set).http).toMatchObject({ host: '0.0.0.0', isLocal: true });
  // Only while the port is published on this machine alone is that true.
  expect([...text.matchAll(/^ +- (\S+:\d+)$/gmu)].map(([, port]) => port)).toEqual([`127.0.0.1:${set['HTTP_PORT']}:${set['HTTP_PORT']}`]);
});

test('the example file names every variable, and what it suggests is accepted', () => {
  const text = readFileSync('.env.example', 'utf8');
  const shown = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(new Set(shown)).toEqual(new Set(NAMES));
  expect(complaints({ ...asText(parseEnv(text)) })).toEqual([]);
  const uncommented = parseEnv(text.replaceAll(/^#([A-Z_]+=)/gm, '$1'));
  expect(complaints({ ...asText(uncommented), ANALYTICS_API_KEY: KEY })).toEqual([]);
});

test('everything secret is named for the redactor', () => {
  const config = readConfig({ ANALYTICS_API_KEY: KEY, CONSOLE_TOKEN: 'twelve-or-more' });
  expect(secretsOf(config)).toEqual(expect.arrayContaining([KEY, 'twelve-or-more']));
});

const asText = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? '']));

test('a process that only answers needs a store that several processes share', () => {
  expect(() => readConfig({ ROLE: 'answer' })).toThrow(/^config: ROLE: /u);
  expect(() => readConfig({ ROLE: 'answer', STORE_URL: 'memory://' })).toThrow(/^config: ROLE: /u);
  expect(readConfig({ ROLE: 'answer', STORE_URL: 'redis://localhost:6379/0' }).role).toBe('answer');
  expect(readConfig({}).role).toBe('all');
});
