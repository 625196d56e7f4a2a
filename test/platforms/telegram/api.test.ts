import { GrammyError, HttpError } from 'grammy/web';
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { CALL_TIMEOUT, openAnsweringApi, openApi } from '../../../src/platforms/telegram/api.js';
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

/** An answer to a Telegram that asks so many times to wait for so many seconds. */
async function answerAfter(refusals: number, seconds: number) {
  let refused = 0;
  const busy = JSON.stringify({ ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: seconds } });
  const sent = JSON.stringify({ ok: true, result: { message_id: 1, date: 0, chat: { id: 7, type: 'private', first_name: 'A' } } });
  const service = await serve((asked) => {
    const isRefused = (refused += 1) <= refusals;
    return reply(asked, isRefused ? busy : sent, { status: isRefused ? 429 : 200 });
  });
  const [hand, never] = [handClock(), new AbortController().signal];
  const waits: number[] = [];
  // Only the deadlines of requests sleep as long as this clock stands still.
  const clock: Clock = {
    now: () => hand.now(),
    sleep: async (milliseconds, signal) => (milliseconds < CALL_TIMEOUT ? void waits.push(milliseconds) : hand.sleep(milliseconds, signal)),
  };
  const slot = { answered: () => undefined, refused: () => undefined, unused: () => undefined };
  const limiter = { take: async () => slot, pausedUntil: () => clock.now() };
  const api = openAnsweringApi({ token: 'token', apiRoot: service.url, clock, polling: never, closing: never }, limiter);
  const outcome = await api.sendMessage(7, 'an answer').then(
    () => 'sent' as const,
    (error: unknown) => outcomeOf(error, address('telegram', '7')),
  );
  return { outcome, requests: service.asked.length, waits };
}

test('an answer that Telegram asks to wait for is sent after that time', async () => {
  expect(await answerAfter(2, 3)).toEqual({ outcome: 'sent', requests: 3, waits: [3_000, 3_000] });
});

test('an answer is not repeated more than twice, and not after a long wait', async () => {
  const refused = { kind: 'later', because: 'rate-limited' };
  expect(await answerAfter(9, 2)).toEqual({ outcome: { ...refused, afterMs: 2_000 }, requests: 3, waits: [2_000, 2_000] });
  expect(await answerAfter(1, 6)).toEqual({ outcome: { ...refused, afterMs: 6_000 }, requests: 1, waits: [] });
});
