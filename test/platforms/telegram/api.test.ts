import { GrammyError, HttpError } from 'grammy/web';
import { expect, test } from 'vitest';
import { address } from '../../../src/chat/address.js';
import { openApi } from '../../../src/platforms/telegram/api.js';
import { outcomeOf } from '../../../src/platforms/telegram/outcome.js';
import { handClock } from '../../support/clock.js';
import { reply, serve } from '../../support/service.js';

/** A process that is active for its first request only. */
const once = () => {
  let asked = 0;
  return () => (asked += 1) === 1;
};

test('a process that is active no longer sends nothing, not even a poll that would confirm updates', async () => {
  const service = await serve((asked) => reply(asked, '{"ok":true,"result":[]}'));
  const never = new AbortController().signal;
  const api = openApi({
    ...{ token: 'token', apiRoot: service.url, clock: handClock(), polling: never, closing: never, isActive: once() },
  });
  await api.getUpdates();
  for (const call of [async () => api.sendMessage(7, 'an alert'), async () => api.getUpdates({ offset: 5 })]) {
    const failure: unknown = await call().catch((error: unknown) => error);
    expect(failure instanceof GrammyError || failure instanceof HttpError).toBe(true);
    expect(outcomeOf(failure, address('telegram', '7'))).toEqual({ kind: 'later', because: 'unreachable' });
  }
  expect(service.asked).toHaveLength(1);
});

test.each([
  ['a redirect is not followed', { location: '/elsewhere' }, 302, '', { kind: 'unclear', because: 'line-cut' }],
  ['a page of a proxy that has nothing behind it', {}, 502, '<html>Bad Gateway</html>', { kind: 'later', because: 'server-error' }],
  ['a list', {}, 200, '[]', { kind: 'unclear', because: 'line-cut' }],
  ['a refusal without a reason', {}, 400, '{"ok":false,"error_code":400}', { kind: 'later', because: 'unreachable' }],
  ['half an answer', {}, 200, '{"ok":tr', { kind: 'unclear', because: 'line-cut' }],
])('what is no answer of Telegram: %s', async (_, headers, status, text, outcome) => {
  const service = await serve(({ response }) => void response.writeHead(status, headers).end(text));
  const never = new AbortController().signal;
  const api = openApi({ token: 'token', apiRoot: service.url, clock: handClock(), polling: never, closing: never });
  const failure: unknown = await api.sendMessage(7, 'an alert').catch((error: unknown) => error);
  expect(outcomeOf(failure, address('telegram', '7'))).toEqual(outcome);
  expect(service.asked).toHaveLength(1);
});

test('what Telegram says of the time is passed on, with a refusal too', async () => {
  const service = await serve((asked) =>
    reply(asked, '{"ok":false,"error_code":403,"description":"blocked"}', {
      status: 403,
      headers: { date: 'Fri, 20 Nov 2026 12:00:00 GMT' },
    }),
  );
  const never = new AbortController().signal;
  const dates: unknown[] = [];
  const api = openApi({
    ...{ token: 'token', apiRoot: service.url, clock: handClock(), polling: never, closing: never, onDate: (date) => dates.push(date) },
  });
  await expect(api.sendMessage(7, 'an alert')).rejects.toThrow('blocked');
  expect(dates).toEqual(['Fri, 20 Nov 2026 12:00:00 GMT']);
});
