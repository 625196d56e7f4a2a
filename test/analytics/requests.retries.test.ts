import { describe, expect, test } from 'vitest';
import { SECOND } from '../../src/base/clock.js';
import { supplyOverview } from '../../src/analytics/endpoints/supply.js';
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

  test('nobody there is unreachable after three attempts that cost nothing, and one attempt tells as much while it stays so', async () => {
    const service = await serve(() => {});
    await service.close();
    const { analytics, clock } = await connect(service.url);
    const first = caught(analytics.call(supplyOverview, tide));
    for (const wait of [500, 1_000]) {
      await clock.asleep(2);
      await clock.advance(wait);
    }
    expect(await first).toMatchObject({ trouble: 'unreachable' });
    expect(analytics.state()).toMatchObject({ ok: false, trouble: 'unreachable', budget: { used: 0 } });
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ trouble: 'unreachable' });
    expect(analytics.state().budget.used).toBe(0);
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

test.each([
  ['no limit', undefined, 3, 3],
  ['50,000 requests a month', 50_000, 3, 3],
  ['5,000 requests a month', 5_000, 2, 2],
  ['500 requests a month', 500, 2, 1],
])('with %s a failing service is asked as often as the plan bears', async (_, requestsPerMonth, ofQuestion, ofCheck) => {
  for (const [priority, most] of [['question', ofQuestion] as const, ['poll', ofCheck] as const]) {
    const service = await serve((asked) => reply(asked, 'oops', { status: 503 }));
    const { analytics, clock } = await connect(service.url, { requestsPerMonth });
    const failed = caught(analytics.call(supplyOverview, tide, { priority }));
    for (let count = 1; count <= most; count += 1) {
      await service.arrived(count);
      if (count === most) break;
      await clock.asleep(2);
      await clock.advance(SECOND);
    }
    expect(await failed).toMatchObject({ trouble: 'unreachable' });
    expect(service.asked).toHaveLength(most);
    expect(analytics.state().budget.used).toBe(most);
  }
});
