/** Who may ask at all. */
import { expect, test } from 'vitest';
import { address } from '../../src/chat/address.js';
import { openAppHarness } from '../support/app-harness.js';

const circles = ['telegram/chat/-100200300', 'telegram/user/77'];
const ask = { line: '/premium tide' };
const chat = address('telegram', '-100200300');
const lists = (...listed: string[]) => ({ access: { open: false, listed, operators: [] } });

test('a stranger learns who can give access and causes no request', async () => {
  const harness = await openAppHarness(lists('telegram/chat/-1'));
  const { reply, text } = await harness.ask({ chat, circles, ask });
  expect(text).toMatch(/^⚠ .*operator.*\n.*ACCESS: telegram\/chat\/-100200300, telegram\/user\/77$/u);
  expect(reply.audience).toBe('asker');
  expect(harness.analytics.state().budget.used).toBe(0);
  expect(harness.heard).toEqual([]);
});

test.each([
  ['the chat is listed', lists('telegram/chat/-100200300')],
  ['the person is listed', lists('telegram/user/77')],
  ['the person runs the bot', { access: { open: false, listed: [], operators: ['telegram/user/77'] } }],
  ['everyone may', { access: { open: true, listed: [], operators: [] } }],
])('a question is answered where %s', async (_, options) => {
  const harness = await openAppHarness(options);
  expect((await harness.ask({ chat, circles, ask })).text).toMatch(/^TIDE trades/u);
  expect(harness.heard).toEqual([chat]);
});

test('only whoever runs the bot sees the whole status', async () => {
  const harness = await openAppHarness({ access: { open: true, listed: [], operators: ['telegram/user/1'] } });
  const status = { line: '/status' };
  expect((await harness.ask({ chat, circles, ask: status })).text).toBe(
    'No problems so far. The analytics service has not been called yet.\nUp 1 min 30 s\n[Refresh: /status]',
  );
  expect((await harness.ask({ chat, circles: ['telegram/user/1'], ask: status })).text).toContain('API requests this month');
  expect((await harness.ask({ ask: status })).text).toContain('API requests this month');
});
