import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.js';
import { telegram } from '../../../src/platforms/telegram/descriptor.js';
import { openWebhook } from '../../../src/platforms/telegram/receiving.js';

const TOKEN = '7100000001:planted-secret-of-a-test';
const issues = (more: Readonly<Record<string, string>>) => {
  const read = telegram.configure({ TELEGRAM_TOKEN: TOKEN, ...more });
  return 'issues' in read ? read.issues.map(({ path }) => path.join('.')) : [];
};

test.each(['https://bot.example/telegram', 'https://bot.example:8443/a/b-c', 'https://bot.example/telegram/'])(
  '%s can be a webhook',
  (url) => {
    expect(issues({ TELEGRAM_WEBHOOK_URL: url })).toEqual([]);
  },
);

test.each([
  'http://bot.example/telegram',
  'https://bot.example',
  'https://bot.example/',
  'https://bot.example/api/ask',
  'https://bot.example/healthz',
  'https://bot.example:8787/telegram',
  'https://bot.example/:anything',
  'https://bot.example/*',
  'https://bot.example/telegram?secret=1',
  'bot.example/telegram',
])('%s can be no webhook', (url) => {
  expect(issues({ TELEGRAM_WEBHOOK_URL: url })).toEqual(['TELEGRAM_WEBHOOK_URL']);
});

test('pictures of inline results go to a chat by its id or its name', () => {
  for (const chat of ['-1001234567890', '5', '@navwatch_charts']) expect(issues({ TELEGRAM_CACHE_CHAT: chat })).toEqual([]);
  for (const chat of ['https://t.me/charts', '-0', 'charts', '@x'])
    expect(issues({ TELEGRAM_CACHE_CHAT: chat })).toEqual(['TELEGRAM_CACHE_CHAT']);
});

test('the secret that Telegram sends with updates is redacted like the token it is made of', () => {
  const url = 'https://bot.example/telegram';
  const read = telegram.configure({ TELEGRAM_TOKEN: TOKEN, TELEGRAM_WEBHOOK_URL: url });
  const { secret } = openWebhook({ token: TOKEN, url, log: silentLog });
  expect('connected' in read && read.connected?.secrets).toEqual([TOKEN, secret]);
});
