import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Diagnosis } from '../../src/chat/notifier.js';
import { ALONE, readiness, readyRoutes, sharedCheck, standsBy, type ReadinessContext } from '../../src/operations/readiness.js';
import { platform } from '../alerts/harness.js';
import { handClock } from '../support/clock.js';
import { openRunning } from './running.js';

async function open(over: Partial<ReadinessContext> = {}, diagnosis: Diagnosis = { ok: true, says: 'connected' }) {
  const notifier = { ...platform().notifier, platform: 'telegram', diagnose: async () => diagnosis };
  const bot = await openRunning({ notifiers: [notifier] });
  return { ...bot, check: async () => readiness({ ...bot.context, role: async () => ALONE, isLoaded: () => true, ...over }) };
}

const parts = async (bot: { check: () => ReturnType<typeof readiness> }) => (await bot.check()).notReady.map(({ part }) => part);

test('a bot whose parts all work is ready, also before the service was asked', async () => {
  expect(await (await open()).check()).toEqual({ role: 'active', notReady: [] });
});

test('each part that does not work is named', async () => {
  const bot = await open({ isLoaded: () => false }, { ok: false, says: 'Telegram refuses TELEGRAM_TOKEN' });
  bot.fillDisk();
  bot.refuse();
  await bot.ask();
  expect(await parts(bot)).toEqual(['store', 'loading', 'service', 'telegram']);
});

test('a clock that is not followed is named', async () => {
  const clockDoubt = { since: handClock().now(), ahead: 40 * 86_400_000, isContradicted: false };
  expect(await parts(await open({ clockDoubt: () => clockDoubt }))).toEqual(['clock']);
});

test('a platform that is connected and lacks something smaller is ready', async () => {
  expect(await parts(await open({}, { ok: false, says: 'in 1 server, but …', problem: 'On Discord …' }))).toEqual([]);
});

test('a process that stands by says who is active, and asks nothing', async () => {
  const bot = await open({ role: async () => ({ name: 'standby', active: 'host-1 (pid 7)' }) });
  const { role, notReady } = await bot.check();
  expect([role, notReady.map(({ part }) => part)]).toEqual(['standby', ['role']]);
  expect(notReady[0]?.because).toContain('host-1 (pid 7)');
  expect(standsBy(undefined).notReady).toHaveLength(1);
});

test('what is not ready is answered with 503, without the place of the database or a chat', async () => {
  const bot = await open();
  bot.fillDisk();
  const { path, app } = readyRoutes(bot.check, []);
  const server = new Hono().route(path, app);
  const answer = await server.request('/readyz', { headers: { host: 'localhost' } });
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { ready: false, role: 'active', notReady: [{ part: 'store', because: 'The disk of the database is full. Free some space.' }] },
  ]);
  expect((await server.request('/readyz', { headers: { host: 'evil.example' } })).status).toBe(403);
});

test('who asks often does not make the store write often', async () => {
  const clock = handClock();
  let checks = 0;
  const check = sharedCheck(async () => {
    checks += 1;
    return { role: 'active', notReady: [] };
  }, clock);
  await Promise.all([check(), check(), check()]);
  expect(checks).toBe(1);
  await clock.advance(1_000);
  await check();
  expect(checks).toBe(2);
});
