/** The service limps: down, garbled, broken in one row, hiding pages. What the chat sees, and that nothing is lost. */
import { expect, test } from 'vitest';
import { openBot } from './bot.js';

const LEDGER = '/v1/dao/token-supply';

test('events of a time when the service was down, and then garbled, is alerted when it is back', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.sim({ kind: 'mint', project: 'tide', amount: '11' });
  await harness.sim({ kind: 'down' });
  await harness.pass(180);
  expect(await harness.say('/why tide supply')).toContain("failed: the service isn't responding");
  await harness.sim({ clear: true });
  await harness.sim([{ kind: 'shape', shape: 'object' }]);
  await harness.sim({ kind: 'mint', project: 'tide', amount: '12' });
  await harness.pass(180);
  expect(await harness.alerts()).toEqual([]);
  expect(await harness.say('/why tide supply')).toContain('failed: the data could not be read');
  await harness.sim({ clear: true });
  await harness.pass(130);
  const alerted = (await harness.alerts()).join('\n');
  expect(alerted.match(/minted 11 TIDE/g)).toHaveLength(1);
  expect(alerted.match(/minted 12 TIDE/g)).toHaveLength(1);
});

test('while the service is down, a question is answered from the last good copy, with its age', async () => {
  const harness = await openBot();
  const fresh = await harness.say('/treasury tide');
  await harness.sim({ kind: 'down' });
  await harness.clock.advance(20 * 60_000);
  const stale = await harness.say('/treasury tide');
  expect(stale.split('\n')[0]).toBe(fresh.split('\n')[0]);
  expect(stale).toContain("service isn't responding");
  expect(stale).toContain('20 min ago');
});

test('a row that cannot be read costs itself, and is alerted once it can', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.sim([
    { kind: 'mint', project: 'tide', amount: '21' },
    { kind: 'mint', project: 'tide', amount: '22' },
  ]);
  await harness.sim({ kind: 'broken-row', path: LEDGER, field: 'amount', value: '22' });
  await harness.pass(70);
  const first = (await harness.alerts()).join('\n');
  expect(first.match(/minted 2[12] TIDE/g)).toEqual(['minted 21 TIDE']);
  expect(await harness.say('/status')).toContain("1 row couldn't be read");
  await harness.sim({ clear: true });
  await harness.pass(70);
  const all = (await harness.alerts()).join('\n');
  expect(all.match(/minted 21 TIDE/g)).toHaveLength(1);
  expect(all.match(/minted 22 TIDE/g)).toHaveLength(1);
});

test('events on the last page is alerted', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.sim({ kind: 'reversed', path: LEDGER });
  await harness.sim({ kind: 'mint', project: 'tide', amount: '31' });
  await harness.pass(70);
  expect(await harness.alerts()).toEqual([expect.stringContaining('minted 31 TIDE')]);
});

test('events on pages that the plan hides is a gap that is said, and alerted once the plan shows it', async () => {
  const harness = await openBot();
  await harness.say('/watch tide');
  await harness.sim([
    { kind: 'reversed', path: LEDGER },
    { kind: 'plan', path: LEDGER, maxRows: 10, maxPages: 3 },
  ]);
  await harness.sim({ kind: 'mint', project: 'tide', amount: '41' });
  await harness.pass(70);
  expect(await harness.alerts()).toEqual([]);
  expect(await harness.say('/status')).toMatch(/tide supply: the data plan hides \d+ rows/);
  expect(await harness.say('/why tide supply')).toMatch(/✗ readable: .*the data plan hides \d+ rows/);
  await harness.sim({ clear: true });
  await harness.pass(70);
  expect(await harness.alerts()).toEqual([expect.stringContaining('minted 41 TIDE')]);
});

test('a budget that is used up stops every call until the next month, over restarts', async () => {
  const harness = await openBot({ env: { ANALYTICS_REQUESTS_PER_MONTH: '40' } });
  await harness.say('/watch tide');
  await harness.pass(600, 20);
  // Looks keep to their part of the month, so it is questions that use it up.
  const before = await harness.simState();
  expect(before.requests).toBeLessThanOrEqual(32);
  const projects = ['heron', 'alder', 'quarry-lane', 'glass-pier', 'spindrift', 'thistle-down', 'birch-brine'];
  for (const command of ['treasury', 'premium', 'supply']) for (const slug of projects) await harness.say(`/${command} ${slug}`);
  expect((await harness.simState()).requests).toBeLessThanOrEqual(40);
  await harness.restart();
  await harness.pass(120);
  const { requests } = await harness.simState();
  expect(requests).toBeLessThanOrEqual(40);
  expect(await harness.say('/growth kestrel-yard')).toContain('budget');
  expect(await harness.say('/status')).toContain('40 of 40');
});
