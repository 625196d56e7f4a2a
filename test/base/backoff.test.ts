import { expect, test } from 'vitest';
import { supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { backoff, jittered, FULL, paceAt, slowed, SLOWEST } from '../../src/base/backoff.js';
import { instant, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { answerWith, connect, OVERVIEW, reply, serve } from '../support/service.js';

test('a wait doubles with each failure in a row, to the most', () => {
  const waits = [1, 2, 3, 4, 5].map((failures) => backoff({ first: 10, most: 60 }, failures));
  expect(waits).toEqual([10, 20, 40, 60, 60]);
});

test('before a failure, and after thousands, a wait is still a number', () => {
  expect([0, 100_000].map((failures) => backoff({ first: 10, most: 60 }, failures))).toEqual([10, 60]);
});

test('what failed together is tried again after half of the wait to all of it', () => {
  expect([0, 0.5, 1].map((random) => jittered(60, random))).toEqual([30, 45, 60]);
});

const RECOVERY = 10 * MINUTE;
const NOON = instant(Date.UTC(2026, 10, 20, 12));

test('a refusal halves the pace, and it grows back to the whole with time', () => {
  const once = slowed(FULL, NOON, RECOVERY);
  expect(paceAt(FULL, NOON, RECOVERY)).toBe(1);
  expect(paceAt(once, NOON, RECOVERY)).toBe(0.5);
  expect(paceAt(once, later(NOON, RECOVERY / 4), RECOVERY)).toBe(0.75);
  expect(paceAt(once, later(NOON, RECOVERY), RECOVERY)).toBe(1);
});

test('requests that are refused together are one refusal, and no number of them stops it', () => {
  expect(slowed(slowed(FULL, NOON, RECOVERY), later(NOON, SECOND - 1), RECOVERY)).toEqual(slowed(FULL, NOON, RECOVERY));
  let pace = FULL;
  for (let second = 0; second < 100; second += 2) pace = slowed(pace, later(NOON, second * SECOND), RECOVERY);
  expect(paceAt(pace, later(NOON, 100 * SECOND), RECOVERY)).toBeGreaterThanOrEqual(SLOWEST);
});

test('a service that says 429 is asked half as fast, and as fast as before after a while', async () => {
  let refuses = true;
  const service = await serve((asked) => (refuses ? reply(asked, '', { status: 429 }) : answerWith(asked, OVERVIEW)));
  const { analytics, clock } = await connect(service.url, { requestsPerSecond: 8, deadlines: { question: 100, poll: 100 } });
  await expect(analytics.call(supplyOverview, { slug: 'tide' })).rejects.toMatchObject({ trouble: 'limited' });
  expect(analytics.state().pace).toEqual({ now: 4, full: 8 });
  refuses = false;
  await clock.advance(10 * MINUTE);
  expect(analytics.state().pace).toEqual({ now: 8, full: 8 });
  await analytics.call(supplyOverview, { slug: 'tide' });
});
