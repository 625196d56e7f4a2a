import { expect, test } from 'vitest';
import { key } from '../../src/cli/key.js';
import { readConfig, withToken } from '../../src/config.js';
import { openApiBot, type ApiBot } from '../platforms/api/bot-with-keys.js';

function terminal(bot: ApiBot, token: string | undefined = bot.operator.authorization.replace('Bearer ', '')) {
  const said = { out: '', err: '' };
  const streams = {
    config: () => withToken(readConfig({}), () => (token === '' ? { because: 'the folder is not readable' } : { token })),
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
  };
  return async (...argv: readonly string[]) => {
    Object.assign(said, { out: '', err: '' });
    return { code: await key([...argv, '--url', bot.url('/')], streams), ...said };
  };
}

test('a key is created, listed and revoked from the terminal; its text stands alone on standard output', async () => {
  const bot = await openApiBot();
  const run = terminal(bot);
  expect((await run('list')).out).toBe('There are no keys, so the API is off.');
  const { code, out, err } = await run('create', '--name', 'desk');
  expect(err).toContain('It sees every chat of the bot');
  expect([code, out]).toEqual([0, expect.stringMatching(/^nwk_[a-z0-9]{10}_[\w-]{43}$/u)]);
  expect((await bot.asKey(out).get('/api/v1/status')).status).toBe(200);
  const id = out.split('_')[1] ?? '';
  const list = await run('list');
  expect(list.out).toContain(`${id}  read  every chat  used within the hour after `);
  expect(list.out).not.toContain(out);
  expect(await run('revoke', id)).toMatchObject({ code: 0, out: `The key ${id} stopped working.` });
  expect((await bot.asKey(out).get('/api/v1/status')).status).toBe(404);
});

test('what cannot be done says what to do', async () => {
  const bot = await openApiBot();
  const run = terminal(bot);
  expect(await run('create', '--scope', 'manage')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('needs its chat') });
  expect(await run('create', '--scope', 'all')).toEqual({
    code: 1,
    out: '',
    err: 'key: there is no scope "all"; --scope is read or manage',
  });
  expect(await run('revoke', 'nobody')).toMatchObject({ code: 1, err: expect.stringContaining('no such key') });
  expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('Usage') });
  expect(await terminal(bot, 'another-token')('list')).toMatchObject({ code: 1, err: expect.stringContaining('another token') });
  expect(await terminal(bot, '')('list')).toMatchObject({ code: 1, err: expect.stringContaining('not readable') });
});
