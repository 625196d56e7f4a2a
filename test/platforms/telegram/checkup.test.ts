import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { checkTelegram } from '../../../src/platforms/telegram/checkup.js';
import { startTelegram } from '../../stand-ins/telegram/server.js';
import { reply, serve } from '../../support/service.js';

const TOKEN = '7100000001:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQ';

test('a webhook that takes the updates, and a bot that no group may add, deserve a look; nothing is changed', async () => {
  const telegram = await serve((asked) => {
    const result = asked.path.endsWith('/getMe')
      ? { id: 1, is_bot: true, first_name: 'N', username: 'navwatch_bot', can_join_groups: false }
      : { url: 'https://elsewhere.example/secret-path', has_custom_certificate: false, pending_update_count: 0 };
    reply(asked, JSON.stringify({ ok: true, result }));
  });
  const found = await checkTelegram({ token: TOKEN, apiRoot: telegram.url, clock: systemClock });
  expect(found.map(({ mark, about }) => [mark, about])).toEqual([
    ['ok', 'telegram'],
    ['warn', 'telegram groups'],
    ['none', 'telegram mentions'],
    ['ok', 'telegram link'],
    ['none', 'telegram inline'],
    ['warn', 'telegram updates'],
  ]);
  expect(JSON.stringify(found)).not.toMatch(/secret-path|AAbb/u);
  expect(telegram.asked.map(({ path }) => path.split('/').at(-1))).toEqual(['getMe', 'getWebhookInfo']);
});

test('a platform that is away is said without the token', async () => {
  const gone = await serve(() => {});
  await gone.close();
  const found = await checkTelegram({ token: TOKEN, apiRoot: gone.url, clock: systemClock });
  expect(found).toEqual([{ mark: 'fail', about: 'telegram', says: 'Telegram cannot be reached; check the network and TELEGRAM_API_ROOT' }]);
});

test.each([
  ['https://bot.example/telegram', 'none', { url: '' }],
  ['https://bot.example/telegram', 'ok', { url: 'https://bot.example/telegram' }],
  ['https://bot.example/telegram', 'warn', { url: 'https://elsewhere.example/secret-path' }],
  [
    'https://bot.example/telegram',
    'warn',
    { url: 'https://bot.example/telegram', last_error_date: Math.floor(Date.now() / 1_000), last_error_message: 'Connection refused' },
  ],
  [undefined, 'ok', { url: '' }],
])('with TELEGRAM_WEBHOOK_URL=%s it is %s that Telegram knows %j', async (webhookUrl, mark, info) => {
  const telegram = await serve((asked) => {
    const me = { id: 1, is_bot: true, first_name: 'N', username: 'navwatch_bot', can_join_groups: true, supports_inline_queries: true };
    const result = asked.path.endsWith('/getMe') ? me : { has_custom_certificate: false, pending_update_count: 0, ...info };
    reply(asked, JSON.stringify({ ok: true, result }));
  });
  const found = await checkTelegram({ token: TOKEN, apiRoot: telegram.url, webhookUrl, clock: systemClock });
  expect(found.find(({ about }) => about === 'telegram updates')?.mark).toBe(mark);
  expect(JSON.stringify(found)).not.toContain('secret-path');
});

test.each([
  ['ok', { ok: true, result: { id: 5, type: 'private', first_name: 'Ada' } }],
  ['fail', { ok: false, error_code: 400, description: 'Bad Request: chat not found' }],
])('the chat for notices is examined: %s', async (mark, chat) => {
  const telegram = await serve((asked) => {
    const me = { id: 1, is_bot: true, first_name: 'N', username: 'navwatch_bot', can_join_groups: true };
    const other = { ok: true, result: asked.path.endsWith('/getMe') ? me : asked.path.endsWith('/sendChatAction') ? true : { url: '' } };
    reply(asked, JSON.stringify(asked.path.endsWith('/getChat') ? chat : other), {
      status: asked.path.endsWith('/getChat') && mark === 'fail' ? 400 : 200,
    });
  });
  const found = await checkTelegram({ token: TOKEN, apiRoot: telegram.url, operatorChat: address('telegram', '5'), clock: systemClock });
  expect(found.filter(({ about }) => about === 'notices').map((finding) => finding.mark)).toEqual([mark]);
});

test('privacy mode is said, because mentions in groups need it to be off', async () => {
  const says = async (privacyMode: boolean): Promise<string | undefined> => {
    const telegram = await startTelegram({ token: TOKEN, privacyMode });
    const found = await checkTelegram({ token: TOKEN, apiRoot: telegram.url, operatorChat: undefined, clock: systemClock });
    await telegram.close();
    return found.find(({ about }) => about === 'telegram mentions')?.says;
  };
  expect(await says(true)).toContain('/setprivacy');
  expect(await says(false)).toContain('answers when @navwatch_bot is mentioned');
});
