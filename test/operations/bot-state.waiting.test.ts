import { expect, test } from 'vitest';
import { MINUTE } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { waitingItems } from '../../src/operations/bot-state.js';
import { deliver } from '../../src/alerts/delivery/deliver.js';
import { CHAT, TIDE, burn, openAlertsHarness } from '../alerts/harness.js';

async function open() {
  const harness = await openAlertsHarness();
  const running = new Map();
  return {
    ...harness,
    running,
    report: () => waitingItems({ ...harness, drain: { running: () => running } }),
    deliver: async () => deliver(CHAT, harness.context, harness.signal),
  };
}

test('a queue where nothing waits costs nothing and is nothing', async () => {
  const bot = await open();
  await bot.watch(TIDE);
  expect([...bot.queues.busy()]).toEqual([]);
  expect(await bot.report()).toEqual({ items: { waiting: 0, retrying: 0, not_permitted: 0, away: 0 }, oldest: undefined });
});

test('what gathers, is muted or waits for quiet hours to end is counted and is not late', async () => {
  const bot = await open();
  await bot.watch(TIDE);
  await bot.announce(burn(1, bot.clock.now()), burn(2, bot.clock.now()));
  expect(await bot.report()).toMatchObject({ items: { waiting: 2 }, oldest: undefined });
});

test('a run that waits for its turn is as old as its oldest alert', async () => {
  const bot = await open();
  await bot.watch(TIDE);
  const queuedAt = bot.clock.now();
  await bot.announce(burn(1, queuedAt));
  await bot.clock.advance(MINUTE);
  bot.running.set(CHAT, queuedAt);
  expect((await bot.report()).oldest).toBe(queuedAt);
});

test('a delivery that waits for its next try is late once that is due; one that people must permit is not', async () => {
  const bot = await open();
  await bot.watch(TIDE);
  await bot.announce(burn(1, bot.clock.now()));
  await bot.clock.advance(MINUTE);
  bot.to.answers({ kind: 'later', because: 'unreachable' });
  await bot.deliver();
  const { notBefore = 0 } = bot.queues.read(CHAT).open ?? {};
  expect(notBefore).toBeGreaterThan(bot.clock.now());
  await bot.clock.advance(10 * MINUTE);
  expect(await bot.report()).toMatchObject({ items: { waiting: 0, retrying: 1 }, oldest: notBefore });
  bot.to.answers({ kind: 'not-permitted', because: 'I need Embed Links there' });
  await bot.deliver();
  expect(await bot.report()).toMatchObject({ items: { retrying: 0, not_permitted: 1 }, oldest: undefined });
  await bot.queues.forget(CHAT);
  expect([...bot.queues.busy()]).toEqual([]);
});

test('what waits for a chat that the bot is not in is counted apart', async () => {
  const bot = await open();
  const other = address('telegram', '-5');
  await bot.watch(TIDE, {}, other);
  await bot.announce(burn(1, bot.clock.now()));
  await bot.watchlists.change(other, (chat) => ({ ...chat, left: { at: bot.clock.now(), because: 'kicked' } }));
  expect(await bot.report()).toMatchObject({ items: { waiting: 0, away: 1 }, oldest: undefined });
  expect(bot.watchlists.count()).toBe(bot.watchlists.all().length);
});
