import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig, secretsOf, SECTIONS } from '../../src/config.js';
import { FILE_VARIANTS, misspeltText } from '../../src/config/environment.js';

const KEY = 'a-key-of-mine';

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'navwatch-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secret');
  writeFileSync(path, text);
  return path;
}

test('a secret is read from its file, without the line end, and is kept out of logs like any other', () => {
  const config = readConfig({ ANALYTICS_BASE_URL: 'https://service.example', ANALYTICS_API_KEY_FILE: ` ${fileWith(`${KEY}\n`)} ` });
  expect(config.analytics.apiKey).toBe(KEY);
  expect(secretsOf(config)).toContain(KEY);
  expect(config.misspelt).toEqual([]);
});

test.each([
  ['is missing', () => '/nowhere/at/all', 'config: ANALYTICS_API_KEY_FILE: the file does not exist; correct the path'],
  ['is empty', () => fileWith(' \n'), 'the file is empty; write the value of ANALYTICS_API_KEY into it'],
  ['is a folder', () => tmpdir(), 'the file is a folder; give the path of a file in it'],
  ['is too large', () => fileWith('x'.repeat(20_000)), 'has more than 16 KB'],
])('a file that %s stops the start with a sentence, and does not start the bot without its secret', (_, path, sentence) => {
  expect(() => readConfig({ ANALYTICS_API_KEY_FILE: path() })).toThrow(sentence);
});

test('a secret that is given both ways is refused, because nobody knows which is meant', () => {
  const both = { ANALYTICS_API_KEY: KEY, ANALYTICS_API_KEY_FILE: fileWith(KEY) };
  expect(() => readConfig(both)).toThrow('config: ANALYTICS_API_KEY_FILE: ANALYTICS_API_KEY is set too; remove one of them');
});

test('a wrong value from a file is complained about without showing it', () => {
  expect(() => readConfig({ DISCORD_TOKEN_FILE: fileWith('short-one') })).toThrow('copy the whole token');
  expect(() => readConfig({ DISCORD_TOKEN_FILE: fileWith('short-one') })).not.toThrow('short-one');
});

test('a variant that is set to nothing is not set', () => {
  expect(() => readConfig(Object.fromEntries(FILE_VARIANTS.map((name) => [name, ''])))).not.toThrow();
});

const warnings = (...names: readonly string[]): readonly string[] =>
  readConfig(Object.fromEntries(names.map((name) => [name, 'x']))).misspelt.map(misspeltText);

test.each([
  ['DISCORD_TOKE', 'DISCORD_TOKEN'],
  ['DISCROD_TOKEN', 'DISCORD_TOKEN'],
  ['discord_token', 'DISCORD_TOKEN'],
  ['TELEGRAM_TOKN', 'TELEGRAM_TOKEN'],
  ['PROJCTS', 'PROJECTS'],
  ['WATCHLISTS_DIR', 'WATCHLISTS'],
  ['STORE_URL_FOR_TESTS', 'STORE_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['ANALYTICS_API_KYE', 'ANALYTICS_API_KEY'],
  ['ACESS', 'ACCESS'],
  ['ANALYTICS_KEY', 'ANALYTICS_API_KEY'],
  ['WATCHLISTS_FILE', 'WATCHLISTS'],
  ['OPERATORS_FILE', 'OPERATORS'],
  ['TELEGRAM_TOKEN_FIEL', 'TELEGRAM_TOKEN_FILE'],
])('%s is warned about, with the setting that was meant: %s', (name, meant) => {
  expect(warnings(name)).toEqual([`${name} is not a setting. Did you mean ${meant}?`]);
});

test('what begins like the settings of a platform or of the service is warned about, also where no setting resembles it', () => {
  expect(warnings('ANALYTICS_SOMETHING_ELSE_ALTOGETHER')).toEqual(['ANALYTICS_SOMETHING_ELSE_ALTOGETHER is not a setting.']);
  expect(warnings('TELEGRAM_SOMETHING_ELSE_ALTOGETHER')).toEqual(['TELEGRAM_SOMETHING_ELSE_ALTOGETHER is not a setting.']);
});

test('variables of the system and of other programs are none of ours', () => {
  const others =
    'PATH HOME HOSTNAME HOST PORT USER LOGNAME SHELL SHLVL TERM LANG LC_ALL TZ PWD OLDPWD TMPDIR EDITOR PAGER DISPLAY NODE_ENV NODE_OPTIONS NODE_VERSION CI DEBUG HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy npm_config_cache npm_lifecycle_event npm_package_name INIT_CWD COLORTERM SSH_AUTH_SOCK XDG_RUNTIME_DIR INVOCATION_ID JOURNAL_STREAM MAIL KUBERNETES_SERVICE_HOST KUBERNETES_PORT DATABASE_URL REDIS_URL PGHOST AWS_REGION _';
  expect(warnings(...others.split(' '))).toEqual([]);
  expect(readConfig({}).misspelt).toEqual([]);
});

test('no setting is taken for a misspelt one, and a refused configuration names the misspelt ones too', () => {
  const names = SECTIONS.flatMap(({ variables }) => Object.keys(variables));
  expect(readConfig(Object.fromEntries(names.map((name) => [name, '']))).misspelt).toEqual([]);
  expect(() => readConfig({ ANALYTICS_BASE_URL: 'https://service.example', ANALYTICS_API_KY: 'x' })).toThrow(
    'ANALYTICS_API_KY is not a setting. Did you mean ANALYTICS_API_KEY?',
  );
});
