import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { healthRoutes } from '../../src/operations/readiness.js';
import { TIDE, burn } from '../alerts/harness.js';
import { openRunning } from './running.js';

type Running = Awaited<ReturnType<typeof openRunning>>;

/** The answer, over the routes as the bot mounts them. */
async function health({ context }: Pick<Running, 'context'>, host = 'localhost'): Promise<readonly [status: number, said: unknown]> {
  const { path, app } = healthRoutes(context, []);
  const answer = await new Hono().route(path, app).request('/healthz', { headers: { host } });
  return [answer.status, await answer.json()];
}

test('a bot that has just begun is well, though it knows nothing of the service yet', async () => {
  expect(await health(await openRunning())).toEqual([200, { ok: true, store: true, service: null, waiting: 0, droppedLogLines: 0 }]);
});

test('it says how the service is and how much waits', async () => {
  const bot = await openRunning();
  await bot.ask();
  await bot.watch(TIDE);
  await bot.announce(burn(1, bot.clock.now()), burn(2, bot.clock.now()));
  expect(await health(bot)).toEqual([200, { ok: true, store: true, service: true, waiting: 2, droppedLogLines: 0 }]);
});

test('a service that is ill does not make the bot ill, since a restart would not mend it', async () => {
  const bot = await openRunning();
  bot.refuse();
  await bot.ask();
  expect(await health(bot)).toEqual([200, { ok: true, store: true, service: false, waiting: 0, droppedLogLines: 0 }]);
});

test('a store that takes no writes does, with what to do about it; where the database is is not said', async () => {
  const bot = await openRunning();
  bot.fillDisk();
  expect(await health(bot)).toEqual([
    503,
    {
      ok: false,
      store: false,
      service: null,
      waiting: 0,
      droppedLogLines: 0,
      problem: 'The disk of the database is full. Free some space.',
    },
  ]);
});

test('it needs no key, asks the service nothing and says nothing about chats', async () => {
  const bot = await openRunning();
  await bot.watch(TIDE);
  const [, said] = await health(bot);
  expect(bot.asked).toEqual([]);
  expect(Object.keys(Object(said))).toEqual(['ok', 'store', 'service', 'waiting', 'droppedLogLines']);
});

test('log lines that could not be written are counted, and do not make the bot unhealthy', async () => {
  const bot = await openRunning();
  const droppedLines = () => ({ count: 12, because: 'ENOSPC', failing: true });
  expect(await health({ context: { ...bot.context, droppedLines } })).toEqual([
    200,
    { ok: true, store: true, service: null, waiting: 0, droppedLogLines: 12 },
  ]);
});

test('a name that was made to resolve here is refused', async () => {
  expect((await health(await openRunning(), 'evil.example'))[0]).toBe(403);
});
