import { expect, test } from 'vitest';
import { emptyQueue } from '../../src/alerts/queue/queue.js';
import { address } from '../../src/chat/address.js';
import { createChatRuns } from '../../src/jobs/chat-runs.js';
import { silentLog } from '../../src/base/log.js';
import { handClock } from '../support/clock.js';

test('the first tick visits a part of many chats, and other work gets its turn before the others', async () => {
  const all = Array.from({ length: 1_200 }, (_, index) => emptyQueue(address('console', `c${index}`)));
  const clock = handClock();
  const visited: string[] = [];
  const ran: string[] = [];
  const runs = createChatRuns({
    ...{ name: 'drain', clock, log: silentLog },
    queues: { read: emptyQueue, busy: () => all.map(({ address: one }) => one) },
    dueAt(queue, now) {
      visited.push(queue.address);
      return queue.address.endsWith('7') && !ran.includes(queue.address) ? now : undefined;
    },
    run: async (one) => void ran.push(one),
    watch() {},
  });
  runs.tick();
  expect(visited.length).toBeLessThan(all.length / 2);
  await runs.idle();
  expect(new Set(visited)).toEqual(new Set(all.map((queue) => queue.address)));
  expect(ran).toHaveLength(120);
  await runs.stop();
});
