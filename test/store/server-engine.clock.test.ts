import { expect, test } from 'vitest';
import { openServerClock } from '../../src/store/server-engine.js';

test('a slow answer does not move the estimate, and a clock that was set does, never beyond what an answer proves', () => {
  const clock = openServerClock();
  clock.observe({ sentAt: 0, receivedAt: 2, serverMs: 1_001 });
  expect(clock.atServer(0)).toBe(999);
  clock.observe({ sentAt: 100, receivedAt: 5_100, serverMs: 1_101 });
  expect(clock.atServer(0)).toBe(999);
  clock.observe({ sentAt: 6_000, receivedAt: 6_002, serverMs: 60_001 });
  expect(clock.atServer(0)).toBe(53_999);
  clock.observe({ sentAt: 7_000, receivedAt: 7_002, serverMs: 7_001 });
  expect(clock.atServer(0)).toBe(1);
});
