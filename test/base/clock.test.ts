import { expect, test } from 'vitest';
import { DAY, HOUR, instant, later, MINUTE, systemClock } from '../../src/base/clock.js';

test('the units fit into each other', () => {
  expect(later(instant(0), DAY)).toBe(24 * HOUR);
  expect(HOUR).toBe(60 * MINUTE);
});

test('a sleep that is aborted rejects with the reason that was given', async () => {
  const stop = new AbortController();
  const asleep = systemClock.sleep(HOUR, stop.signal);
  stop.abort(new Error('stopping'));
  await expect(asleep).rejects.toThrow('stopping');
});

test('a sleep longer than a timer can hold does not end at once', async () => {
  const stop = new AbortController();
  let ended = false;
  const asleep = systemClock.sleep(60 * DAY, stop.signal).finally(() => {
    ended = true;
  });
  await systemClock.sleep(5);
  expect(ended).toBe(false);
  stop.abort(new Error('enough'));
  await expect(asleep).rejects.toThrow('enough');
});

test('a sleep of nothing ends', async () => {
  const before = systemClock.now();
  await systemClock.sleep(0);
  expect(systemClock.now()).toBeGreaterThanOrEqual(before);
});
