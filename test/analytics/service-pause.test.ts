/** A pause that the service asks for, over the loopback: who waits, who tries, and when all goes on. */
import { describe, expect, test } from 'vitest';
import type { Analytics } from '../../src/analytics/analytics.js';
import { supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { interpretResponse } from '../../src/analytics/interpret-response.js';
import { ServicePause } from '../../src/analytics/service-pause.js';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { handClock } from '../support/clock.js';
import { OVERVIEW, answerWith, caught, connect, reply, serve, type Asked } from '../support/service.js';

const YEAR = 31_536_000;
const refuse = (asked: Asked, retryAfter: string | undefined) =>
  reply(asked, '', { status: 429, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
/** Refuses so many requests, each with this header, and answers those that follow. */
const refusing = async (count: number, retryAfter: string | undefined) =>
  serve((asked) => (asked.number <= count ? refuse(asked, retryAfter) : answerWith(asked, OVERVIEW)));

const question = async (analytics: Analytics, slug = 'tide') => analytics.call(supplyOverview, { slug }, { maxAge: 0 });
const check = async (analytics: Analytics, slug = 'tide') => analytics.call(supplyOverview, { slug }, { maxAge: 0, priority: 'poll' });

describe('one refusal for a year', () => {
  test('stops questions for a minute, and the first that is answered lets checks and questions go on', async () => {
    const service = await refusing(1, String(YEAR));
    const { analytics, clock } = await connect(service.url);
    const nextTry = later(clock.now(), MINUTE);
    expect(await caught(question(analytics))).toMatchObject({ trouble: 'limited', until: nextTry });
    expect(await caught(question(analytics, 'reef'))).toMatchObject({ trouble: 'limited', until: nextTry });
    expect(await caught(check(analytics))).toMatchObject({ trouble: 'limited', until: later(clock.now(), 15 * MINUTE) });
    expect(service.asked).toHaveLength(1);
    expect(analytics.state()).toMatchObject({
      ok: false,
      trouble: 'limited',
      pause: {
        askedUntil: later(clock.now(), YEAR * SECOND),
        questionsFrom: nextTry,
        checksFrom: later(clock.now(), 15 * MINUTE),
      },
    });
    await clock.advance(MINUTE);
    expect(await caught(check(analytics))).toMatchObject({ trouble: 'limited' });
    expect((await question(analytics)).data.symbol).toBe('TIDE');
    await Promise.all([check(analytics, 'a'), check(analytics, 'b'), question(analytics, 'c')]);
    expect(service.asked).toHaveLength(5);
    expect(analytics.state().ok).toBe(true);
    expect(analytics.state().pause).toBeUndefined();
  });

  test('does not stop checks for long where nobody asks a question', async () => {
    const service = await refusing(1, String(YEAR));
    const { analytics, clock } = await connect(service.url);
    await caught(check(analytics));
    await clock.advance(15 * MINUTE);
    expect((await check(analytics)).data.symbol).toBe('TIDE');
  });

  test.each([
    ['questions', question, [1, 2, 4, 8, 15, 15, 15]],
    ['checks', check, [15, 30, 60, 60]],
  ] as const)('that is repeated is tested after pauses that grow: %s', async (_, ask, minutes) => {
    const service = await refusing(100, String(YEAR));
    const { analytics, clock } = await connect(service.url);
    for (const wait of minutes) {
      expect(await caught(ask(analytics))).toMatchObject({ until: later(clock.now(), wait * MINUTE) });
      await clock.advance(wait * MINUTE - 20 * SECOND);
      await caught(ask(analytics, 'early'));
      await clock.advance(20 * SECOND);
    }
    expect(service.asked).toHaveLength(minutes.length);
    expect(analytics.state().budget.used).toBe(minutes.length);
  });

  test('is tested with one request, for which the others wait', async () => {
    const tests: Asked[] = [];
    const service = await serve((asked) =>
      asked.number === 1 ? refuse(asked, String(YEAR)) : asked.number < 4 ? tests.push(asked) : answerWith(asked, OVERVIEW),
    );
    const { analytics, clock } = await connect(service.url);
    await caught(question(analytics));
    await clock.advance(MINUTE);
    const refused = ['a', 'b', 'c'].map(async (slug) => caught(question(analytics, slug)));
    await service.arrived(2);
    await clock.advance(SECOND);
    expect(service.asked).toHaveLength(2);
    refuse(tests[0]!, String(YEAR));
    expect((await Promise.all(refused)).map(({ trouble }) => trouble)).toEqual(['limited', 'limited', 'limited']);
    await clock.advance(2 * MINUTE);
    const answered = ['a', 'b', 'c'].map(async (slug) => question(analytics, slug));
    await service.arrived(3);
    answerWith(tests[1]!, OVERVIEW);
    await Promise.all(answered);
    expect(service.asked).toHaveLength(5);
  });

  test.each([
    ['fails', (asked: Asked) => reply(asked, '', { status: 503 })],
    ['is cut', (asked: Asked) => asked.response.destroy()],
  ])('stays where the request that tests it %s', async (_, fail) => {
    const service = await serve((asked) => (asked.number === 1 ? refuse(asked, String(YEAR)) : fail(asked)));
    const { analytics, clock } = await connect(service.url, { requestsPerMonth: 500 });
    await caught(check(analytics));
    await clock.advance(15 * MINUTE);
    expect(await caught(check(analytics))).toMatchObject({ trouble: 'unreachable' });
    expect(await caught(question(analytics))).toMatchObject({ trouble: 'limited', until: later(clock.now(), MINUTE) });
    expect(service.asked).toHaveLength(2);
  });

  test('is not lifted by an answer to an older request, and refusals of one moment are one', async () => {
    const held: Asked[] = [];
    const service = await serve((asked) => held.push(asked));
    const { analytics, clock } = await connect(service.url);
    const calls = ['a', 'b', 'c'].map(async (slug) => question(analytics, slug).catch((error: unknown) => error));
    await service.arrived(3);
    refuse(held[0]!, String(YEAR));
    refuse(held[1]!, '3');
    await Promise.all(calls.slice(0, 2));
    answerWith(held[2]!, OVERVIEW);
    await calls[2];
    expect(analytics.state().pause).toMatchObject({
      askedUntil: later(clock.now(), YEAR * SECOND),
      questionsFrom: later(clock.now(), MINUTE),
    });
  });
});

test('a short pause is waited for, by a check too', async () => {
  for (const ask of [question, check]) {
    const service = await refusing(1, '7');
    const { analytics, clock } = await connect(service.url);
    const begun = clock.now();
    const answer = ask(analytics);
    await clock.asleep(2);
    await clock.advance(6_999);
    expect(service.asked).toHaveLength(1);
    await clock.advance(1);
    expect((await answer).at - begun).toBe(7_000);
  }
});

test('a pause may be given as a date, and its end is not exceeded', async () => {
  const clock = handClock(Date.UTC(2026, 10, 20, 12));
  const service = await refusing(2, 'Fri, 20 Nov 2026 12:02:30 GMT');
  const { analytics } = await connect(service.url, { clock });
  expect(await caught(question(analytics))).toMatchObject({ until: Date.UTC(2026, 10, 20, 12, 1) });
  expect(analytics.state().pause?.askedUntil).toBe(Date.UTC(2026, 10, 20, 12, 2, 30));
  await clock.advance(MINUTE);
  // Two minutes would be after the end.
  expect(await caught(question(analytics))).toMatchObject({ until: Date.UTC(2026, 10, 20, 12, 2, 30) });
  await clock.advance(90 * SECOND);
  expect((await question(analytics)).data.symbol).toBe('TIDE');
});

const NO_TIMES = ['-5', 'NaN', 'soon', '0', '0.0', '', '9'.repeat(400), 'Fri, 20 Nov 2020 12:00:00 GMT', undefined];

test.each(NO_TIMES)('a pause of "%s" is a short one', async (retryAfter) => {
  const service = await refusing(1, retryAfter);
  const { analytics, clock } = await connect(service.url);
  const answer = question(analytics);
  await clock.asleep(2);
  await clock.advance(499);
  expect(service.asked).toHaveLength(1);
  expect(analytics.state().pause).toMatchObject({ askedUntil: undefined, questionsFrom: later(clock.now(), 1) });
  await clock.advance(1);
  expect((await answer).data.symbol).toBe('TIDE');
});

test.each([...NO_TIMES, '3'])('refused for "%s": the error says whether the service stated a time', (retryAfter) => {
  const now = handClock().now();
  for (const changes of [false, true]) {
    const response = { kind: 'status', status: 429, retryAfter, text: '{"refreshRetryAfterSeconds":0}' } as const;
    const read = interpretResponse(response, { row: 'r', names: true, now, backoff: 500, changes });
    expect(read).toMatchObject({ kind: 'failed', error: { trouble: 'limited', requested: retryAfter === '3' } });
  }
});

test('a time that the service stated for one of several refusals of one moment is kept', () => {
  const clock = handClock();
  const pause = new ServicePause(clock);
  const [first, second] = [pause.begin(), pause.begin()];
  first.refused(3_000, 3_000);
  second.refused(9_000);
  expect(pause.state()).toMatchObject({ askedUntil: later(clock.now(), 3_000), questionsFrom: later(clock.now(), 9_000) });
  pause.begin().refused(9_000);
  expect(pause.state()?.askedUntil).toBeUndefined();
});

test('a pause beyond all dates is a long one', async () => {
  const service = await refusing(1, '99999999999999');
  const { analytics, clock } = await connect(service.url);
  expect(await caught(question(analytics))).toMatchObject({ until: later(clock.now(), MINUTE) });
  expect(new Date(analytics.state().pause?.askedUntil ?? Number.NaN).getUTCFullYear()).toBeGreaterThan(2100);
});

test('a service that refuses everything and states no time is asked less and less, at least once a minute', () => {
  const clock = handClock();
  const pause = new ServicePause(clock);
  const waits = Array.from({ length: 9 }, () => {
    pause.begin().refused(0);
    return (pause.from('poll') - clock.now()) / SECOND;
  });
  expect(waits).toEqual([0.5, 1, 2, 4, 8, 16, 32, 60, 60]);
  pause.begin().answered();
  pause.begin().refused(0);
  expect(pause.from('question') - clock.now()).toBe(0.5 * SECOND);
});

test('a clock that is set back ends a pause', async () => {
  let now = handClock().now();
  const pause = new ServicePause({ ...handClock(), now: () => now });
  pause.begin().refused(DAY);
  now = later(now, -HOUR);
  expect(pause.state()).toBeUndefined();
  expect(pause.from('poll')).toBeLessThan(now);
});
