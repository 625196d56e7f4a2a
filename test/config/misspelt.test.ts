import { expect, test } from 'vitest';
import { readConfig, SECTIONS } from '../../src/config.js';
import { misspeltText } from '../../src/config/misspelt.js';

const warnings = (...names: readonly string[]): readonly string[] =>
  readConfig(Object.fromEntries(names.map((name) => [name, 'x']))).misspelt.map(misspeltText);

test.each([
  ['DISCORD_TOKE', 'DISCORD_TOKEN'],
  ['DISCROD_TOKEN', 'DISCORD_TOKEN'],
  ['discord_token', 'DISCORD_TOKEN'],
  ['TELEGRAM_TOKN', 'TELEGRAM_TOKEN'],
  ['PROJCTS', 'PROJECTS'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['ANALYTICS_API_KYE', 'ANALYTICS_API_KEY'],
  ['ACESS', 'ACCESS'],
  ['ANALYTICS_KEY', 'ANALYTICS_API_KEY'],
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
