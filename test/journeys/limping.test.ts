/** The service limps: down, garbled, broken in one row, hiding pages. What the chat sees, and that nothing is lost. */
import { expect, test } from 'vitest';
import { openWhole } from './whole.js';

const LEDGER = '/v1/dao/token-supply';

test('news of a time when the service was down, and then garbled, is told when it is back', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.sim({ kind: 'mint', project: 'tide', amount: '11' });
  await house.sim({ kind: 'down' });
  await house.pass(180);
  expect(await house.say('/why tide supply')).toContain("failed: the service isn't responding");
  await house.sim({ clear: true });
  await house.sim([{ kind: 'shape', shape: 'object' }]);
  await house.sim({ kind: 'mint', project: 'tide', amount: '12' });
  await house.pass(180);
  expect(await house.alerts()).toEqual([]);
  expect(await house.say('/why tide supply')).toContain('failed: the data could not be read');
  await house.sim({ clear: true });
  await house.pass(130);
  const told = (await house.alerts()).join('\n');
  expect(told.match(/minted 11 TIDE/g)).toHaveLength(1);
  expect(told.match(/minted 12 TIDE/g)).toHaveLength(1);
});

test('while the service is down, a question is answered from the last good copy, with its age', async () => {
  const house = await openWhole();
  const fresh = await house.say('/treasury tide');
  await house.sim({ kind: 'down' });
  await house.clock.advance(20 * 60_000);
  const stale = await house.say('/treasury tide');
  expect(stale.split('\n')[0]).toBe(fresh.split('\n')[0]);
  expect(stale).toContain("service isn't responding");
  expect(stale).toContain('20 min ago');
});

test('a row that cannot be read costs itself, and is told once it can', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.sim([
    { kind: 'mint', project: 'tide', amount: '21' },
    { kind: 'mint', project: 'tide', amount: '22' },
  ]);
  await house.sim({ kind: 'broken-row', path: LEDGER, field: 'amount', value: '22' });
  await house.pass(70);
  const first = (await house.alerts()).join('\n');
  expect(first.match(/minted 2[12] TIDE/g)).toEqual(['minted 21 TIDE']);
  expect(await house.say('/status')).toContain("1 row couldn't be read");
  await house.sim({ clear: true });
  await house.pass(70);
  const all = (await house.alerts()).join('\n');
  expect(all.match(/minted 21 TIDE/g)).toHaveLength(1);
  expect(all.match(/minted 22 TIDE/g)).toHaveLength(1);
});

test('news on the last page is told', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.sim({ kind: 'reversed', path: LEDGER });
  await house.sim({ kind: 'mint', project: 'tide', amount: '31' });
  await house.pass(70);
  expect(await house.alerts()).toEqual([expect.stringContaining('minted 31 TIDE')]);
});

test('news on pages that the plan hides is a gap that is said, and told once the plan shows it', async () => {
  const house = await openWhole();
  await house.say('/watch tide');
  await house.sim([
    { kind: 'reversed', path: LEDGER },
    { kind: 'plan', path: LEDGER, maxRows: 10, maxPages: 3 },
  ]);
  await house.sim({ kind: 'mint', project: 'tide', amount: '41' });
  await house.pass(70);
  expect(await house.alerts()).toEqual([]);
  expect(await house.say('/status')).toMatch(/tide supply: the data plan hides \d+ rows/);
  expect(await house.say('/why tide supply')).toMatch(/✗ readable: .*the data plan hides \d+ rows/);
  await house.sim({ clear: true });
  await house.pass(70);
  expect(await house.alerts()).toEqual([expect.stringContaining('minted 41 TIDE')]);
});

test('a budget that is used up stops every call until the next month, over restarts', async () => {
  const house = await openWhole({ env: { ANALYTICS_REQUESTS_PER_MONTH: '40' } });
  await house.say('/watch tide');
  await house.pass(600);
  // Looks keep to their part of the month, so it is questions that use it up.
  const before = await house.simState();
  expect(before.requests).toBeLessThanOrEqual(32);
  const projects = ['heron', 'alder', 'quarry-lane', 'glass-pier', 'spindrift', 'thistle-down', 'birch-brine'];
  for (const command of ['treasury', 'premium', 'supply']) for (const slug of projects) await house.say(`/${command} ${slug}`);
  expect((await house.simState()).requests).toBeLessThanOrEqual(40);
  await house.restart();
  await house.pass(120);
  const { requests } = await house.simState();
  expect(requests).toBeLessThanOrEqual(40);
  expect(await house.say('/growth kestrel-yard')).toContain('budget');
  expect(await house.say('/status')).toContain('40 of 40');
});
