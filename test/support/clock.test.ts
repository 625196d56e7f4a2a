import { expect, test } from 'vitest';
import { handClock } from './clock.js';

test('sleeps end in the order of their moments, each at its own moment, and new sleeps join the turn', async () => {
  const clock = handClock(0);
  const seen: string[] = [];
  const nap = async (name: string, ...lengths: number[]) => {
    for (const length of lengths) {
      await clock.sleep(length);
      seen.push(`${name}@${clock.now()}`);
    }
  };
  const all = [nap('slow', 300), nap('often', 100, 100, 100), nap('late', 500)];
  await clock.advance(400);
  expect(seen).toEqual(['often@100', 'often@200', 'slow@300', 'often@300']);
  expect(clock.now()).toBe(400);
  expect(clock.sleepers()).toBe(1);
  expect(await clock.next()).toBe(true);
  await Promise.all(all);
  expect(clock.now()).toBe(500);
  expect(await clock.next()).toBe(false);
});

test('an aborted sleep rejects with the reason and leaves nobody asleep', async () => {
  const clock = handClock();
  const control = new AbortController();
  const sleep = clock.sleep(1_000, control.signal);
  await clock.asleep();
  control.abort(new Error('enough'));
  await expect(sleep).rejects.toThrow('enough');
  expect(clock.sleepers()).toBe(0);
});
