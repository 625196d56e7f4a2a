import { expect, test } from 'vitest';
import { startingWith } from '../../src/store/backend.js';
import { openMemory } from '../../src/store/memory.js';
import { openProbe } from '../../src/store/open.js';

test('what a killed process left is swept once it has not changed for two sweeps, and nothing of a process that lives', async () => {
  const memory = openMemory();
  const keys = async () => (await memory.range(startingWith('.probe'))).length;
  const [killed, other, own] = [openProbe(memory, true), openProbe(memory, true), openProbe(memory, true)];
  for (const probe of [killed, other, own]) await probe.check();
  await own.sweep();
  expect(await keys()).toBe(3);
  await other.check();
  await own.sweep();
  expect(await keys()).toBe(2);
  // One that is swept while it is idle goes on.
  await own.sweep();
  expect(await keys()).toBe(1);
  await other.check();
  await Promise.all([other.remove(), own.remove()]);
  expect(await keys()).toBe(0);
});

test('a database that keeps nothing is found out', async () => {
  const memory = openMemory();
  for (const isShared of [true, false])
    await expect(openProbe({ ...memory, set: async () => {} }, isShared).check()).rejects.toMatchObject({ trouble: 'failed' });
});
