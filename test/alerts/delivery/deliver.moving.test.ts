/** A group that becomes a supergroup while a message to it is on its way. */
import { expect, test } from 'vitest';
import type { Notifier } from '../../../src/chat/notifier.js';
import { later, MINUTE } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { amounts, burn, CHAT, openAlertsHarness, platform, TIDE } from '../harness.js';
import { toTheEnd } from './delivering.js';
import { passTo } from './live-topics.js';

const ELSEWHERE = address('console', 'elsewhere');

/** `moving` lets the group move before the next answer of the platform. */
async function watching() {
  const to = platform({ edits: true });
  let isMoving = false;
  const deliver: Notifier['deliver'] = async (...how) => {
    const outcome = await to.notifier.deliver(...how);
    if (isMoving) await harness.reachability.take({ kind: 'moved', from: CHAT, to: ELSEWHERE });
    isMoving = false;
    return outcome;
  };
  const harness = await openAlertsHarness({ to: { ...to, notifier: { ...to.notifier, deliver } } });
  await harness.watch(TIDE);
  return { harness, moving: () => void (isMoving = true) };
}

test('an alert that was sent meanwhile is among those of the new address, and comes once', async () => {
  const { harness, moving } = await watching();
  await harness.announce(burn(7, harness.clock.now()));
  moving();
  await toTheEnd(harness);
  await passTo(harness, later(harness.clock.now(), MINUTE), ELSEWHERE);
  expect(amounts(harness.to.shown)).toEqual([7]);
  const there = await harness.queues.receipts(ELSEWHERE);
  expect(there.map(({ end, members }) => [end, members.length])).toEqual([['sent', 1]]);
  expect(harness.queues.read(CHAT).receipts).toEqual([]);
});
