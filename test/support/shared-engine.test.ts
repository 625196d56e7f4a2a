import { expect, test } from 'vitest';
import { z } from 'zod';
import { handClock } from './clock.js';
import { sharedEngineDouble } from './shared-engine.js';
import { storeContract } from '../store/contract.js';
import { sharedContract } from '../store/shared-contract.js';

const MINUTE = 60_000;

storeContract('the shared engine of tests', async () => {
  const { store } = sharedEngineDouble(handClock()).process();
  await store.shared.acquire('the suite', 60 * MINUTE);
  return store;
});

sharedContract('the shared engine of tests', async () => {
  const clock = handClock();
  const double = sharedEngineDouble(clock);
  return { process: async () => double.process().store, pass: async (ms) => clock.advance(ms) };
});

test('a write that is held until another process has taken over fails, and a cut process reaches nothing', async () => {
  const clock = handClock();
  const double = sharedEngineDouble(clock);
  const [first, second] = [double.process(), double.process()];
  const box = { prefix: 'box', schema: z.string(), version: 1 };
  await first.store.shared.acquire('first', MINUTE);
  first.hold();
  const late = first.store.collection(box).set('k', 'late');
  await clock.advance(MINUTE);
  await second.store.shared.acquire('second', MINUTE);
  await second.store.collection(box).set('k', 'of the second');
  first.restore();
  await expect(late).rejects.toMatchObject({ trouble: 'superseded' });
  second.cut();
  await expect(second.store.shared.holder()).rejects.toMatchObject({ trouble: 'failed' });
  second.restore();
  expect(await second.store.collection(box).get('k')).toBe('of the second');
});
