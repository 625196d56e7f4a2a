import { expect, test } from 'vitest';
import { z } from 'zod';
import { HOUR, MINUTE } from '../../src/base/clock.js';
import { openHeartbeat } from '../../src/jobs/downtime.js';
import { StoreError } from '../../src/store/store.js';
import { openStore } from '../../src/store/open.js';
import { handClock } from '../support/clock.js';
import { notebook } from './harness.js';

async function openPlace() {
  const clock = handClock();
  const store = await openStore('memory://');
  const book = notebook();
  return { clock, store, ...book, start: async () => openHeartbeat({ store, clock, log: book.log }) };
}

test('the first start ever was not away', async () => {
  const { start } = await openPlace();
  expect((await start()).away()).toBeUndefined();
});

test('half an hour and more without a beat was an absence, and less was none', async () => {
  const { start, clock, names } = await openPlace();
  await start();
  await clock.advance(30 * MINUTE - 1);
  expect((await start()).away()).toBeUndefined();
  const from = clock.now();
  await clock.advance(30 * MINUTE);
  expect((await start()).away()).toEqual({ from, to: clock.now() });
  expect(names()).toEqual(['info bot.was-away']);
});

test('beats keep the bot present, and an absence of before is remembered over beats and restarts', async () => {
  const { start, clock } = await openPlace();
  await start();
  const from = clock.now();
  await clock.advance(6 * HOUR);
  const away = { from, to: clock.now() };
  const running = await start();
  for (let minutes = 0; minutes < 90; minutes += 1) {
    await clock.advance(MINUTE);
    await running.beat();
  }
  expect(running.away()).toEqual(away);
  expect((await start()).away()).toEqual(away);
});

test('a machine that slept was away too', async () => {
  const { start, clock } = await openPlace();
  const running = await start();
  await clock.advance(8 * HOUR);
  await running.beat();
  expect(running.away()).toMatchObject({ to: clock.now() });
});

test('a clock that was set back makes nobody absent, now or when it has caught up', async () => {
  const { store, log, start, clock } = await openPlace();
  await start();
  await clock.advance(HOUR);
  await start();
  const earlier = handClock(clock.now() - 10 * HOUR);
  const back = await openHeartbeat({ store, clock: earlier, log });
  expect(back.away()).toBeUndefined();
  await earlier.advance(MINUTE);
  await back.beat();
  expect(back.away()).toBeUndefined();
});

test('a beat that cannot be read is as good as none', async () => {
  const { store, start, names } = await openPlace();
  await store.collection({ prefix: 'heartbeat', schema: z.unknown(), version: 1 }).set('bot', { at: 'torn' });
  expect((await start()).away()).toBeUndefined();
  expect(names()).toEqual(['warn heartbeat.unreadable']);
  expect((await start()).away()).toBeUndefined();
});

test('an absence is logged by the start that ended it, with its length, and by no later one', async () => {
  const { start, clock, noted } = await openPlace();
  await start();
  await clock.advance(2 * HOUR);
  await start();
  await clock.advance(MINUTE);
  await start();
  expect(noted.map(({ event, fields }) => [event, fields])).toEqual([['bot.was-away', { milliseconds: 2 * HOUR }]]);
});

test('a store that is down fails the start, rather than taking the bot for present', async () => {
  const { store, clock, log } = await openPlace();
  const down = (cause: Error): typeof store => ({
    ...store,
    collection(spec) {
      const get = async () => Promise.reject(cause);
      return { ...store.collection(spec), get };
    },
  });
  for (const cause of [new StoreError('unreachable', 'down'), new Error('down')])
    await expect(openHeartbeat({ store: down(cause), clock, log })).rejects.toThrow('down');
});
