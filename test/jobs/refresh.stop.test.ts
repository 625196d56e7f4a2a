import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/base/clock.js';
import { openWallets } from './wallets.js';

test('a stop gives up a request for a refresh that stays without an answer, and the next process does not repeat it', async () => {
  const { boot, of, clock, onArrival, leavingUnanswered } = await openWallets();
  leavingUnanswered(({ what }) => what === 'ask');
  const arrived = new Promise<void>((resolve) => onArrival(({ what }) => what === 'ask' && resolve()));
  const first = await boot();
  await first.tick();
  await arrived;
  const stopped = first.stop();
  await clock.advance(4 * SECOND);
  await stopped;
  leavingUnanswered(() => false);
  const second = await boot();
  await second.run(2 * MINUTE);
  expect(of('ask')).toHaveLength(1);
  expect(second.changed).toHaveLength(1);
});
