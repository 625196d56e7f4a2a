import { expect, test } from 'vitest';
import { outcomeOf } from '../../../src/platforms/discord/outcome.js';
import { openRest } from '../../../src/platforms/discord/rest.js';
import { handClock } from '../../support/clock.js';
import { reply, serve } from '../../support/service.js';

/** A process that is active for its first request only. */
const once = () => {
  let asked = 0;
  return () => (asked += 1) === 1;
};

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
