/** When a wallet that rests is looked at again: as soon as something about it has changed, and not before. */
import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/base/clock.js';
import { openWallets } from './wallets.js';

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
