import { RateLimitError } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { DAY, MINUTE } from '../../../src/base/clock.js';
import { outcomeOf } from '../../../src/platforms/discord/outcome.js';
import { openRest } from '../../../src/platforms/discord/rest.js';
import { handClock } from '../../support/clock.js';
import { reply, serve } from '../../support/service.js';

/** A process that is active for its first request only. */
const once = () => {
  let asked = 0;
  return () => (asked += 1) === 1;
};

test('one global 429 of a year stops requests for minutes at most', async () => {
  const headers = { 'content-type': 'application/json', 'retry-after': '31536000', 'x-ratelimit-global': 'true' };
  const service = await serve((asked) => reply(asked, '{"message":"","retry_after":31536000,"global":true}', { status: 429, headers }));
  const { call, close } = openRest({ token: 'token', apiUrl: service.url, clock: handClock(), deadlineMs: 5_000, patienceMs: 0 });
  onTestFinished(close);
  const wait = async (channel: number): Promise<number> => {
    const error: unknown = await call({ method: 'GET', path: `/channels/${channel}` }).catch((cause: unknown) => cause);
    return error instanceof RateLimitError ? error.timeToReset : 0;
  };
  expect(await wait(1)).toBeGreaterThan(DAY);
  const second = await wait(2);
  expect(second).toBeGreaterThan(4 * MINUTE);
  expect(second).toBeLessThan(6 * MINUTE);
  expect(service.asked).toHaveLength(1);
});

test('a process that is active no longer sends nothing, and says that nothing was posted', async () => {
  const service = await serve((asked) => reply(asked, '{"id":"1"}', { headers: { 'content-type': 'application/json' } }));
  const { call, close } = openRest({
    ...{ token: 'token', apiUrl: service.url, clock: handClock(), deadlineMs: 5_000, patienceMs: 0, isActive: once() },
  });
  const post = { method: 'POST', path: '/channels/1/messages', body: { content: 'an alert' } } as const;
  await call(post);
  const failure: unknown = await call(post).catch((error: unknown) => error);
  expect([outcomeOf(failure), service.asked.length]).toEqual([{ kind: 'later', because: 'unreachable' }, 1]);
  close();
});

test('what Discord says of the time is passed on, with a refusal too', async () => {
  const headers = { 'content-type': 'application/json', date: 'Fri, 20 Nov 2026 12:00:00 GMT' };
  const service = await serve((asked) => reply(asked, '{"message":"Missing Access","code":50001}', { status: 403, headers }));
  const dates: unknown[] = [];
  const { call, close } = openRest({
    ...{ token: 'token', apiUrl: service.url, clock: handClock(), deadlineMs: 5_000, patienceMs: 0, onDate: (date) => dates.push(date) },
  });
  onTestFinished(close);
  await expect(call({ method: 'GET', path: '/channels/1' })).rejects.toThrow('Missing Access');
  expect(dates).toEqual(['Fri, 20 Nov 2026 12:00:00 GMT']);
});
