import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { login } from '../../src/cli/login.js';
import { readConfig, withToken } from '../../src/config.js';
import { OPERATOR, openHarness } from '../platforms/console/harness.js';

const TOKEN = OPERATOR.authorization.replace('Bearer ', '');

async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stored: { token?: string; because?: string } = { token: TOKEN },
) {
  let [out, err] = ['', ''];
  const terminal = {
    config: () => withToken(readConfig(env), () => stored),
    out: (text: string) => (out += text),
    err: (text: string) => (err += text),
  };
  return { code: await login(args, terminal), out, err };
}

test('with the stored token a link is printed, alone, whose code logs in; the token is not in it', async () => {
  await using harness = await openHarness();
  const { code, out, err } = await run([], { HTTP_PORT: String(harness.port) });
  expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`^${harness.url}/login#[\\w-]{43}$`, 'u'))]);
  expect(err).toContain('ten minutes');
  expect(out + err).not.toContain(TOKEN);
  const body = new FormData();
  body.set('token', out.split('#')[1] ?? '');
  const answer = await fetch(`${harness.url}/login`, { method: 'POST', body, redirect: 'manual' });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('HttpOnly')]);
});

test('CONSOLE_TOKEN comes before a stored token', async () => {
  await using harness = await openHarness({ token: 'twelve-or-more' });
  const env = { HTTP_PORT: String(harness.port), CONSOLE_TOKEN: 'twelve-or-more' };
  expect(await run(['--url', `${harness.url}/`], env)).toMatchObject({ code: 0, out: expect.stringContaining(`${harness.url}/login#`) });
});

test('without a token, and with that of another bot, it says what to do', async () => {
  await using harness = await openHarness();
  const env = { HTTP_PORT: String(harness.port) };
  const refused = async (stored: { token?: string; because?: string }, more = {}) => {
    const { code, out, err } = await run([], { ...env, ...more }, stored);
    expect([code, out]).toEqual([1, '']);
    return err;
  };
  expect(await refused({})).toContain('the bot makes its token when it starts');
  expect(await refused({ because: 'data/console-token cannot be read (EACCES); run this as the user of the bot' })).toContain(
    'as the user',
  );
  expect(await refused({}, { STORE_URL: 'memory://' })).toContain('set CONSOLE_TOKEN');
  expect(await refused({ token: 'of-another-bot' })).toContain('has another token');
  const other = createServer((_request, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  expect(await refused({ token: TOKEN }, { HTTP_PORT: String((other.address() as AddressInfo).port) })).toContain('is not Navwatch');
  other.close();
  await once(other, 'close');
  expect(await refused({ token: TOKEN }, { HTTP_PORT: '1' })).toContain('start it with: npm start');
});

test.each([
  [['--nonsense'], '--nonsense'],
  [['--url', 'not an address'], 'is no address'],
  [[], '--url'],
])('%j is refused with the remedy', async (args, says) => {
  expect(await run(args, { HTTP_PORT: '0' })).toMatchObject({ code: 1, out: '', err: expect.stringContaining(says) });
});
