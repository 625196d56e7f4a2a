import { describe, expect, test } from 'vitest';
import { SECOND } from '../../src/base/clock.js';
import { supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { OVERVIEW, answerWith, connect, serve, tide, type Asked } from '../support/service.js';

describe('many who ask', () => {
  test('the same question at once is one request, and one who leaves does not take the answer from the others', async () => {
    let release: (() => void) | undefined;
    const service = await serve((asked) => (release = () => answerWith(asked, OVERVIEW)));
    const { analytics } = await connect(service.url);
    const leaver = new AbortController();
    const left = analytics.call(supplyOverview, tide, { signal: leaver.signal });
    const stays = analytics.call(supplyOverview, tide);
    await service.arrived(1);
    leaver.abort(new Error('went away'));
    await expect(left).rejects.toThrow('went away');
    release?.();
    expect((await stays).data.symbol).toBe('TIDE');
    expect(service.asked).toHaveLength(1);
  });

  test('when the last one leaves, the request is cut', async () => {
    const service = await serve(() => {});
    const { analytics, clock } = await connect(service.url);
    const leaver = new AbortController();
    const left = analytics.call(supplyOverview, tide, { signal: leaver.signal });
    await service.arrived(1);
    const cut = new Promise((resolve) => service.asked[0]?.response.on('close', resolve));
    leaver.abort(new Error('went away'));
    await expect(left).rejects.toThrow('went away');
    await cut;
    expect(clock.sleepers()).toBe(0);
    expect(analytics.state().ok).toBeUndefined();
  });

  test('no more than the pace allows start in a second, and questions overtake polls', async () => {
    const order: string[] = [];
    const service = await serve((asked) => {
      order.push(asked.query.get('slug') ?? '');
      answerWith(asked, OVERVIEW);
    });
    const { analytics, clock } = await connect(service.url, { requestsPerSecond: 2 });
    const polls = ['p1', 'p2', 'p3', 'p4', 'p5'].map(async (slug) => analytics.call(supplyOverview, { slug }, { priority: 'poll' }));
    await service.arrived(2);
    const question = analytics.call(supplyOverview, { slug: 'q' });
    await clock.advance(999);
    expect(order).toEqual(['p1', 'p2']);
    await clock.advance(1);
    await service.arrived(4);
    expect(order.toSorted()).toEqual(['p1', 'p2', 'p3', 'q']);
    await clock.advance(SECOND);
    await Promise.all([...polls, question]);
    expect(order.slice(4)).toEqual(['p4', 'p5']);
  });

  test('questions without end let the oldest poll through after every four', async () => {
    const order: string[] = [];
    const service = await serve((asked) => {
      order.push(asked.query.get('slug') ?? '');
      answerWith(asked, OVERVIEW);
    });
    const { analytics, clock } = await connect(service.url, { requestsPerSecond: 1 });
    const before = analytics.call(supplyOverview, { slug: 'q0' });
    await service.arrived(1);
    const polls = ['p1', 'p2'].map(async (slug) => analytics.call(supplyOverview, { slug }, { priority: 'poll' }));
    const questions = Array.from({ length: 5 }, async (_, index) => analytics.call(supplyOverview, { slug: `q${index + 1}` }));
    await clock.advance(7 * SECOND);
    await Promise.all([before, ...polls, ...questions]);
    expect(order).toEqual(['q0', 'p1', 'q1', 'q2', 'q3', 'q4', 'p2', 'q5']);
  });

  test('a person who asks what a poll waits for takes it along', async () => {
    const order: string[] = [];
    const service = await serve((asked) => {
      order.push(asked.query.get('slug') ?? '');
      answerWith(asked, OVERVIEW);
    });
    const { analytics, clock } = await connect(service.url, { requestsPerSecond: 1 });
    const polls = ['p1', 'p2', 'p3', 'p4'].map(async (slug) => analytics.call(supplyOverview, { slug }, { priority: 'poll' }));
    await service.arrived(1);
    const question = analytics.call(supplyOverview, { slug: 'p4' });
    await clock.advance(10 * SECOND);
    await Promise.all([...polls, question]);
    expect(order).toEqual(['p1', 'p2', 'p4', 'p3']);
  });

  test('a person who asks many things waits for one of another person in between, also where both ask the same', async () => {
    const order: string[] = [];
    const service = await serve((asked) => {
      order.push(asked.query.get('slug') ?? '');
      answerWith(asked, OVERVIEW);
    });
    const { analytics, clock } = await connect(service.url, { requestsPerSecond: 1 });
    const ask = async (asker: string, slug: string) =>
      analytics.call(supplyOverview, { slug }, { meter: { asker, count: () => {}, giveBack: () => {} } });
    const many = Array.from({ length: 8 }, async (_, index) => ask('many', `m${index}`));
    await service.arrived(1);
    const others = [ask('anna', 'a0'), ask('ben', 'b0'), ask('carla', 'm7')];
    await clock.advance(10 * SECOND);
    await Promise.all([...many, ...others]);
    expect(order).toEqual(['m0', 'm1', 'a0', 'b0', 'm7', 'm2', 'm3', 'm4', 'm5', 'm6']);
  });

  test('a slow service is not asked more than four things at once', async () => {
    const held: Asked[] = [];
    const service = await serve((asked) => held.push(asked));
    const { analytics, clock } = await connect(service.url);
    const calls = Array.from({ length: 6 }, async (_, index) => analytics.call(supplyOverview, { slug: `s${index}` }));
    await service.arrived(4);
    await clock.advance(5 * SECOND);
    expect(service.asked).toHaveLength(4);
    answerWith(held[0]!, OVERVIEW);
    answerWith(held[1]!, OVERVIEW);
    await service.arrived(6);
    for (const one of held.slice(2)) answerWith(one, OVERVIEW);
    await Promise.all(calls);
  });
});
