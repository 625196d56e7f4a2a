import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { treasuryOverview } from '../../src/analytics/endpoints/treasury.js';
import { readKept } from '../../src/analytics/interpret-response.js';

test('a long copy from the cache is parsed and read in two turns of the event loop, so that neither adds to the other', async () => {
  const large = JSON.stringify({ data: { monthsOfRunway: 12, notes: 'x'.repeat(300_000) }, meta: null });
  let isRead = false;
  const reading = readKept(treasuryOverview, large).finally(() => (isRead = true));
  await Promise.resolve();
  // All that needs no turn of the loop is done before the next one.
  for (let ticks = 0; ticks < 100; ticks += 1) await Promise.resolve();
  expect(isRead).toBe(false);
  await turn();
  expect(await reading).toMatchObject({ ok: true });
});
