/** When a wallet that rests is looked at again: as soon as something about it has changed, and not before. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { HOUR, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { walletAddress } from '../../src/domain/wallet.js';
import { openStore } from '../../src/store/open.js';
import { failing } from './failing-store.js';
import { failure, NOON, openScripted, WALLET } from './refresh/scripted.js';
import { openWallets } from './wallets.js';

const completed = { status: 'completed', snapshotAt: later(NOON, SECOND) };

test('a wallet that is watched after a person had it refreshed is refreshed when its snapshot is as old as it may be', async () => {
  const { boot, of, wallet } = await openWallets();
  const bot = await boot({ watched: [], maxAge: 10 * MINUTE });
  const asked = bot.refresh({ address: wallet, patience: HOUR });
  await bot.run(2 * MINUTE);
  await asked;
  bot.chats.watched = new Set([wallet]);
  const { snapshotAt = 0 } = bot.standing(wallet);
  await bot.run(15 * MINUTE, 5 * SECOND);
  const late = (of('ask')[1]?.at ?? Number.NaN) - snapshotAt - 10 * MINUTE;
  expect(of('ask')).toHaveLength(2);
  expect(late).toBeGreaterThanOrEqual(0);
  expect(late).toBeLessThan(10 * SECOND);
});

test('a wallet of which a person had one token refreshed has all of them refreshed a quarter of an hour later when it is watched', async () => {
  const { boot, of, wallet, world, sim } = await openWallets();
  await sim({ kind: 'refresh-rule', cooldownSeconds: 0 });
  const bot = await boot({ watched: [] });
  const asked = bot.refresh({ address: wallet, token: world.mint('tide'), patience: HOUR });
  await bot.run(2 * MINUTE);
  await asked;
  expect([of('ask-token').length, of('ask').length]).toEqual([1, 0]);
  bot.chats.watched = new Set([wallet]);
  await bot.run(16 * MINUTE, 5 * SECOND);
  expect(of('ask')).toHaveLength(1);
});

describe('a wallet', () => {
  test('whose refreshes the budget made seldom is refreshed within an hour of the budget allowing it', async () => {
    const { run, answers, chats, times } = await openScripted();
    [answers.status, chats.plannedAge] = [completed, 8 * HOUR];
    await run(100 * MINUTE, 5 * SECOND);
    expect(times('ask')).toEqual([0]);
    chats.plannedAge = undefined;
    await run(30 * MINUTE, 5 * SECOND);
    expect(times('ask')).toHaveLength(2);
  });

  test('that rests is looked at again when the clock is set back', async () => {
    const { run, answers, back, times } = await openScripted();
    answers.overview = failure('unreachable');
    await run(10 * SECOND);
    back.by = 24 * HOUR;
    await run(2 * SECOND);
    expect(times('overview')).toEqual([0, 10 - 24 * 60 * 60]);
  });

  test('that nobody watches any more has a request without an answer settled after a restart', async () => {
    const store = await openStore('memory://');
    await store.collection({ prefix: 'wallet', schema: z.unknown(), version: 1 }).set(WALLET, { address: WALLET, intent: { at: NOON } });
    const { run, answers, standing, times } = await openScripted({ watched: [], store });
    answers.overview = { job: { id: 'ours' } };
    answers.status = completed;
    await run(10 * SECOND);
    expect(standing(WALLET)).toMatchObject({ running: false, snapshotAt: completed.snapshotAt });
    expect(times('ask')).toEqual([]);
  });

  test('that nobody watches, and whose request was lost, is read once more and then forgotten', async () => {
    const store = await openStore('memory://');
    const documents = store.collection({ prefix: 'wallet', schema: z.unknown(), version: 1 });
    await documents.set(WALLET, { address: WALLET, intent: { at: later(NOON, -HOUR) } });
    const { run, answers, sweep, times } = await openScripted({ watched: [], store });
    answers.overview = { snapshotAt: later(NOON, -2 * HOUR) };
    await run(5 * HOUR, MINUTE);
    expect(times('overview')).toEqual([0]);
    await sweep();
    expect(await documents.get(WALLET)).toBeUndefined();
  });

  test('whose document cannot be read is taken for one that was just asked for', async () => {
    const store = await openStore('memory://');
    await store.collection({ prefix: 'wallet', schema: z.unknown(), version: 1 }).set(WALLET, { address: 7 });
    const { run, logged, times } = await openScripted({ store });
    expect(logged).toEqual(['wallet.unreadable']);
    await run(16 * MINUTE, 5 * SECOND);
    expect([times('overview')[0], times('ask')]).toEqual([0, [15 * 60]]);
  });

  test('has nothing asked for while the store fails, and who asked is told', async () => {
    const store = failing(await openStore('memory://'));
    const { run, refresh, answers, times } = await openScripted({ store, watched: [] });
    answers.overview = { snapshotAt: later(NOON, -2 * HOUR) };
    store.fails(2, { after: 1 });
    await expect(refresh({ address: WALLET, patience: HOUR })).rejects.toThrow('locked');
    expect(times('ask')).toEqual([]);
    const asked = refresh({ address: WALLET, patience: HOUR });
    await expect(asked).rejects.toThrow('locked');
    answers.status = completed;
    const again = refresh({ address: WALLET, patience: HOUR });
    await run(5 * SECOND);
    expect(await again).toMatchObject({ kind: 'refreshed' });
    expect(times('ask')).toEqual([0]);
  });

  test('whose document cannot be written is tried again after growing pauses', async () => {
    const store = failing(await openStore('memory://'));
    const { run, times, logged } = await openScripted({ store });
    store.fails(4);
    await run(8 * MINUTE);
    expect(times('overview')).toEqual([0, 30, 90, 210, 450]);
    expect(logged.filter((event) => event === 'refresh.broke')).toHaveLength(4);
  });
});

describe('many wallets', () => {
  const wallets = Array.from('123456789ABCDEFGHJKL', (digit) => walletAddress(`1111111111111111111111111111111${digit}`));

  test('have at most eight steps at once, and one that is no longer watched loses its turn', async () => {
    const bot = await openScripted({ watched: wallets });
    let go = (): void => {};
    bot.held.until = new Promise((resolve) => (go = resolve));
    await bot.tick();
    await bot.hand.advance(0);
    expect(bot.calls).toHaveLength(8);
    bot.chats.watched = new Set(wallets.slice(0, 10));
    go();
    await bot.run(2 * SECOND);
    expect(bot.times('ask')).toHaveLength(10);
  });
});

describe('a stop', () => {
  test('waits for the check that follows a refresh, and no step begins after it', async () => {
    const { run, tick, stop, answers, onChange, calls, changed, hand } = await openScripted();
    let finish = (): void => {};
    onChange.run = async () => new Promise((resolve) => (finish = resolve));
    await run(2 * SECOND);
    answers.status = completed;
    await hand.advance(2 * SECOND);
    await tick();
    await hand.advance(0);
    expect(changed).toHaveLength(1);
    let isOver = false;
    const stopped = stop().then(() => (isOver = true));
    await hand.advance(SECOND);
    expect(isOver).toBe(false);
    finish();
    await stopped;
    const before = calls.length;
    await hand.advance(3 * HOUR);
    await tick();
    await hand.advance(0);
    expect(calls).toHaveLength(before);
  });

  test('is not a failure of the step it interrupts', async () => {
    const { tick, stop, held, logged, hand } = await openScripted();
    let go = (): void => {};
    held.until = new Promise((resolve) => (go = resolve));
    held.arrived = () => {
      throw new Error('stopping');
    };
    await tick();
    const stopped = stop();
    go();
    await hand.advance(SECOND);
    await stopped;
    expect(logged).toEqual([]);
  });
});

test('a check that fails after a refresh is logged, and the wallet goes on', async () => {
  const { run, answers, onChange, logged, times } = await openScripted();
  onChange.run = async () => Promise.reject(new Error('no'));
  answers.status = completed;
  await run(61 * MINUTE, 5 * SECOND);
  expect(logged.filter((event) => event === 'refresh.not-notified')).toHaveLength(2);
  expect(times('ask')).toHaveLength(2);
});

test('a sweep leaves a wallet alone that somebody has asked for meanwhile', async () => {
  const { run, answers, refresh, sweep, standing, hand } = await openScripted({ watched: [] });
  answers.status = completed;
  const first = refresh({ address: WALLET, patience: HOUR });
  await run(5 * SECOND);
  await first;
  const second = refresh({ address: WALLET, patience: HOUR });
  await sweep();
  await hand.advance(0);
  expect(standing(WALLET).snapshotAt).toBe(completed.snapshotAt);
  await run(5 * SECOND);
  expect(await second).toMatchObject({ kind: 'refreshed' });
  await sweep();
  expect(standing(WALLET).snapshotAt).toBeUndefined();
});
