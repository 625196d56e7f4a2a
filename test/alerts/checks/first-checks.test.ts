import { expect, test } from 'vitest';
import { openFirstChecks } from '../../../src/alerts/checks/first-checks.js';
import { instant, later, MINUTE } from '../../../src/base/clock.js';
import { openStore } from '../../../src/store/open.js';
import { failing } from '../../jobs/failing-store.js';
import { notebook } from '../../jobs/harness.js';

const NOON = instant(Date.UTC(2026, 10, 20, 12));

test('since when a check is wanted outlives a restart, until it succeeded', async () => {
  const [store, { log }] = [await openStore('memory://'), notebook()];
  const checks = await openFirstChecks({ store, log });
  await checks.begin('supply/tide', NOON);
  await checks.begin('supply/tide', later(NOON, MINUTE));
  for (const one of [checks, await openFirstChecks({ store, log })]) expect(one.since('supply/tide')).toBe(NOON);
  await checks.end('supply/tide');
  await checks.end('supply/heron');
  for (const one of [checks, await openFirstChecks({ store, log })]) expect(one.keys()).toEqual([]);
});

test('a store that fails is logged, and what could not be written is known until the end', async () => {
  const store = failing(await openStore('memory://'));
  const { log, names } = notebook();
  const checks = await openFirstChecks({ store, log });
  store.fails(1);
  await checks.begin('supply/tide', NOON);
  expect(checks.since('supply/tide')).toBe(NOON);
  expect(names()).toEqual(['warn first-check.unwritten']);
});
