import { describe, expect, test } from 'vitest';
import { HOUR, SECOND, later } from '../../src/base/clock.js';
import { supplyEvents, supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { handClock } from '../support/clock.js';
import { OVERVIEW, answerWith, caught, connect, reply, serve, tide } from '../support/service.js';

describe('asking again', () => {
  test('a failing service is asked three times, with a pause between, and what it says then counts', async () => {
    const service = await serve((asked) => (asked.number < 3 ? reply(asked, 'oops', { status: 503 }) : answerWith(asked, OVERVIEW)));
    const { analytics, clock } = await connect(service.url);
    const begun = clock.now();
    const answer = analytics.call(supplyOverview, tide);
    await clock.asleep(2);
    await clock.advance(500);
    await service.arrived(2);
    await clock.asleep(2);
    await clock.advance(1_000);
    expect((await answer).at - begun).toBe(1_500);
    expect(analytics.state()).toMatchObject({ ok: true, budget: { used: 3 } });
  });

  test('a body cut in the middle is asked for again', async () => {
    const service = await serve((asked) => {
      if (asked.number > 1) return answerWith(asked, OVERVIEW);
      asked.response.writeHead(200, { 'content-length': '1000' });
      asked.response.write('{"data":', () => asked.response.destroy());
    });
    const { analytics, clock } = await connect(service.url);
    const answer = analytics.call(supplyOverview, tide);
    await clock.asleep(2);
    await clock.advance(SECOND);
    expect((await answer).data.symbol).toBe('TIDE');
  });

  test('nobody there is unreachable after three attempts, and one attempt tells as much while it stays so', async () => {
    const service = await serve(() => {});
    await service.close();
    const { analytics, clock } = await connect(service.url);
    const first = caught(analytics.call(supplyOverview, tide));
    for (const wait of [500, 1_000]) {
      await clock.asleep(2);
      await clock.advance(wait);
    }
    expect(await first).toMatchObject({ trouble: 'unreachable' });
    expect(analytics.state()).toMatchObject({ ok: false, trouble: 'unreachable', budget: { used: 3 } });
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ trouble: 'unreachable' });
    expect(analytics.state().budget.used).toBe(4);
  });

  test('a service that never answers ends at the deadline, however much was already received', async () => {
    const service = await serve(({ response }) => {
      response.writeHead(200);
      response.write('{"data":');
    });
    const { analytics, clock } = await connect(service.url);
    const error = caught(analytics.call(supplyOverview, tide));
    await service.arrived(1);
    await clock.advance(15 * SECOND);
    expect(await error).toMatchObject({ trouble: 'timeout' });
    expect(service.asked).toHaveLength(1);
    expect(clock.sleepers()).toBe(0);
  });
});

describe('a pause the service asks for', () => {
  test('is waited when it fits into the deadline', async () => {
    const service = await serve((asked) =>
      asked.number === 1 ? reply(asked, '', { status: 429, headers: { 'retry-after': '7' } }) : answerWith(asked, OVERVIEW),
    );
    const { analytics, clock } = await connect(service.url);
    const begun = clock.now();
    const answer = analytics.call(supplyOverview, tide);
    await clock.asleep(2);
    await clock.advance(6_999);
    expect(service.asked).toHaveLength(1);
    await clock.advance(1);
    expect((await answer).at - begun).toBe(7_000);
  });

  test('of an hour is reported at once with its end, and nobody is called before that end', async () => {
    const service = await serve((asked) =>
      asked.number === 1 ? reply(asked, '', { status: 429, headers: { 'retry-after': '3600' } }) : answerWith(asked, OVERVIEW),
    );
    const { analytics, clock } = await connect(service.url);
    const until = later(clock.now(), HOUR);
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ trouble: 'limited', until });
    expect(await caught(analytics.call(supplyOverview, { slug: 'reef' }))).toMatchObject({ trouble: 'limited', until });
    expect(await caught(analytics.call(supplyEvents, tide, { priority: 'poll' }))).toMatchObject({ trouble: 'limited', until });
    expect(service.asked).toHaveLength(1);
    await clock.advance(HOUR);
    expect((await analytics.call(supplyOverview, tide)).data.symbol).toBe('TIDE');
  });

  test('may be given as a date', async () => {
    const clock = handClock(Date.UTC(2026, 10, 20, 12));
    const service = await serve((asked) => reply(asked, '', { status: 429, headers: { 'retry-after': 'Fri, 20 Nov 2026 14:30:00 GMT' } }));
    const { analytics } = await connect(service.url, { clock });
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ until: Date.UTC(2026, 10, 20, 14, 30) });
  });

  test('beyond all sense is taken for a day', async () => {
    const service = await serve((asked) => reply(asked, '', { status: 429, headers: { 'retry-after': '99999999999' } }));
    const { analytics, clock } = await connect(service.url);
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ until: later(clock.now(), 24 * HOUR) });
  });
});
