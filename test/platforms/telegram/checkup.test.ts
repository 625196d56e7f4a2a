import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { checkTelegram } from '../../../src/platforms/telegram/checkup.js';
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
