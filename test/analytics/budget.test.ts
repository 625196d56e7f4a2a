import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DAY, MINUTE, SECOND } from '../../src/base/clock.js';
import { signalOnce } from '../../src/base/when-ready.js';
import { supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { openStore } from '../../src/store/open.js';
import { StoreError, type Store } from '../../src/store/store.js';
import { startNastyPeer } from '../stand-ins/nasty-peer.js';
import { handClock } from '../support/clock.js';
import { answerWith, caught, connect, reply, serve } from '../support/service.js';

const OVERVIEW = { totalMint: '1' };
const good = async () => serve((asked) => answerWith(asked, OVERVIEW));

test('the last call of the month is the last, until the first of the next in UTC', async () => {
  const clock = handClock(Date.UTC(2026, 10, 30, 23, 0));
  const service = await good();
  const { analytics } = await connect(service.url, { clock, requestsPerMonth: 2 });
  await analytics.call(supplyOverview, { slug: 'a' });
  await analytics.call(supplyOverview, { slug: 'b' });
  await expect(analytics.call(supplyOverview, { slug: 'c' })).rejects.toMatchObject({
    trouble: 'budget-spent',
    until: Date.UTC(2026, 11, 1),
  });
  expect(analytics.state().budget).toMatchObject({ used: 2, limit: 2, resetsAt: Date.UTC(2026, 11, 1) });
  expect(service.asked).toHaveLength(2);
  await clock.advance(DAY);
  await analytics.call(supplyOverview, { slug: 'c' });
  expect(analytics.state().budget).toMatchObject({ used: 1, limit: 2, resetsAt: Date.UTC(2027, 0, 1) });
});

test('two calls at once cannot both be the last', async () => {
  const service = await good();
  const { analytics } = await connect(service.url, { requestsPerMonth: 3 });
  const calls = await Promise.allSettled(['a', 'b', 'c', 'd', 'e', 'f'].map(async (slug) => analytics.call(supplyOverview, { slug })));
  expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(service.asked).toHaveLength(3);
});

test('each retry counts', async () => {
  const service = await serve((asked) => reply(asked, '', { status: 500 }));
  const { analytics, clock } = await connect(service.url, { requestsPerMonth: 1 });
  const call = analytics.call(supplyOverview, { slug: 'a' }).catch((error: unknown) => error);
  await service.arrived(1);
  await clock.asleep(2);
  await clock.advance(SECOND);
  expect(await call).toMatchObject({ trouble: 'budget-spent' });
  expect(service.asked).toHaveLength(1);
});

describe('a request that never reached the service', () => {
  /** Where nobody listens. */
  const nobody = async (): Promise<string> => {
    const service = await serve(() => {});
    await service.close();
    return service.url;
  };
  const unreachable: Readonly<Record<string, () => Promise<string> | string>> = {
    'nobody listens': nobody,
    'its name is not known': () => 'http://service.invalid',
    'TLS is not established': async () => (await serve(() => {})).url.replace('http:', 'https:'),
  };

  test.each(Object.entries(unreachable))('costs nothing, also after a kill: %s', async (_, url) => {
    const clock = handClock();
    const store = await openStore('memory://');
    const { analytics } = await connect(await url(), { store, clock, requestsPerMonth: 500 });
    const counts = { calls: 0, most: 0 };
    const meter = {
      count: () => void (counts.most = Math.max(counts.most, (counts.calls += 1))),
      giveBack: () => void (counts.calls -= 1),
    };
    for (const slug of ['a', 'b', 'c']) {
      const progress = { isOver: false };
      const call = analytics.call(supplyOverview, { slug }, { meter }).catch((error: unknown) => error);
      void call.then(() => (progress.isOver = true));
      while (!progress.isOver) {
        await Promise.race([call, clock.asleep(2)]);
        if (clock.sleepers() > 1) await clock.advance(SECOND);
      }
      expect(await call).toMatchObject({ trouble: 'unreachable' });
    }
    expect(analytics.state().budget).toMatchObject({ used: 0, questions: 0 });
    expect(counts).toEqual({ calls: 0, most: 1 });
    const next = await connect('http://service.invalid', { store, clock, requestsPerMonth: 500 });
    await next.analytics.ready();
    expect(next.analytics.state().budget).toMatchObject({ used: 0, questions: 0 });
  });

  test('costs nothing where the deadline passes before there is a connection', async () => {
    const peer = await startNastyPeer('never ends the TLS handshake');
    const { analytics, clock } = await connect(peer.url, { requestsPerMonth: 500 });
    const call = caught(analytics.call(supplyOverview, { slug: 'a' }));
    await peer.arrived;
    await clock.advance(15 * SECOND);
    expect(await call).toMatchObject({ trouble: 'timeout' });
    await analytics.close();
    expect(analytics.state().budget.used).toBe(0);
  });

  test('is given back before a stop has ended, although its caller has left', async () => {
    const [begun, written] = [signalOnce(), signalOnce()];
    const store = await openStore('memory://');
    const slow: Store = {
      ...store,
      collection: (spec) => {
        const documents = store.collection(spec);
        if (spec.prefix !== 'ledger') return documents;
        const set: typeof documents.set = async (...document) => {
          begun.signal();
          await written.done;
          await documents.set(...document);
        };
        return { ...documents, set };
      },
    };
    const { analytics } = await connect('http://127.0.0.1:9', { store: slow, requestsPerMonth: 500 });
    const leaving = new AbortController();
    const call = analytics.call(supplyOverview, { slug: 'a' }, { signal: leaving.signal }).catch((error: unknown) => error);
    await begun.done;
    leaving.abort(new Error('the bot is stopping'));
    expect(await call).toMatchObject({ message: 'the bot is stopping' });
    const closed = analytics.close();
    written.signal();
    await closed;
    expect(analytics.state().budget.used).toBe(0);
    const { found } = await store.collection({ prefix: 'ledger', version: 1, schema: z.object({ booked: z.int() }) }).list();
    expect(found.map(([, { booked }]) => booked)).toEqual([0]);
  });

  test.each(['says nothing', 'closes the connection', 'resets the connection after the headers'] as const)(
    'is not one that was sent: it stays counted where the service %s',
    async (behaviour) => {
      const peer = await startNastyPeer(behaviour);
      const { analytics, clock } = await connect(peer.url, { requestsPerMonth: 500 });
      const call = caught(analytics.call(supplyOverview, { slug: 'a' }, { priority: 'poll' }));
      await peer.arrived;
      await clock.advance(MINUTE);
      await call;
      expect(analytics.state().budget.used).toBe(1);
    },
  );

  test('leaves the last call of the month for a request that arrives', async () => {
    const store = await openStore('memory://');
    const gone = await connect(await nobody(), { store, requestsPerMonth: 1 });
    const lost = caught(gone.analytics.call(supplyOverview, { slug: 'a' }, { priority: 'question' }));
    for (const wait of [500, 1_000]) {
      await gone.clock.asleep(2);
      await gone.clock.advance(wait);
    }
    expect(await lost).toMatchObject({ trouble: 'unreachable' });
    const service = await good();
    const { analytics } = await connect(service.url, { store, clock: gone.clock, requestsPerMonth: 1 });
    await analytics.call(supplyOverview, { slug: 'a' });
    expect(await caught(analytics.call(supplyOverview, { slug: 'b' }))).toMatchObject({ trouble: 'budget-spent' });
  });
});

test('what was used is remembered over a restart, also when the process was killed during a call', async () => {
  const store = await openStore('memory://');
  const service = await serve(() => {});
  const first = await connect(service.url, { store, requestsPerMonth: 2 });
  const call = first.analytics.call(supplyOverview, { slug: 'a' }).catch(() => {});
  await service.arrived(1);
  // No farewell: the second one starts from what is in the store at this moment.
  const second = await connect(service.url, { store, clock: first.clock, requestsPerMonth: 2 });
  await second.analytics.ready();
  expect(second.analytics.state().budget.used).toBe(1);
  await first.analytics.close();
  await call;
});

test('kept answers and refused inputs cost nothing', async () => {
  const service = await good();
  const { analytics } = await connect(service.url);
  await analytics.call(supplyOverview, { slug: 'a' });
  await analytics.call(supplyOverview, { slug: 'a' });
  await expect(analytics.call(supplyOverview, { slug: '' })).rejects.toThrow('slug');
  expect(analytics.state().budget.used).toBe(1);
});

test('when the budget is spent, the last good copy answers', async () => {
  const service = await good();
  const { analytics } = await connect(service.url, { requestsPerMonth: 1 });
  await analytics.call(supplyOverview, { slug: 'a' });
  expect(await analytics.call(supplyOverview, { slug: 'a' }, { maxAge: 0 })).toMatchObject({
    stale: 'budget-spent',
    data: { minted: '1' },
  });
});

test('with a limit nothing is asked that cannot be booked; without one it is asked all the same', async () => {
  const service = await good();
  const full = await fullStore();
  const limited = await connect(service.url, { store: full, requestsPerMonth: 10 });
  await expect(limited.analytics.call(supplyOverview, { slug: 'a' })).rejects.toBeInstanceOf(StoreError);
  expect(service.asked).toHaveLength(0);
  const free = await connect(service.url, { store: full });
  expect((await free.analytics.call(supplyOverview, { slug: 'a' })).data.minted).toBe('1');
  expect(free.analytics.state().budget.used).toBe(1);
});

/** A store whose disk is full: everything can be read, nothing written. */
async function fullStore(): Promise<Store> {
  const store = await openStore('memory://');
  return {
    ...store,
    collection: (spec) => ({
      ...store.collection(spec),
      set: async () => {
        throw new StoreError('full', 'store: the disk is full');
      },
    }),
  };
}

test('a stop writes how many calls were made, and a crash counts fewer than twenty that were not', async () => {
  const store = await openStore('memory://');
  const service = await good();
  const limited = { store, requestsPerMonth: 10_000 };
  const first = await connect(service.url, limited);
  for (let number = 0; number < 100; number += 1) await first.analytics.call(supplyOverview, { slug: `a${number}` });
  const used = async (): Promise<number> => {
    const { analytics } = await connect(service.url, { ...limited, clock: first.clock });
    await analytics.ready();
    return analytics.state().budget.used;
  };
  expect(first.analytics.state().budget.used).toBe(100);
  const afterCrash = await used();
  expect(afterCrash).toBeGreaterThan(100);
  expect(afterCrash).toBeLessThan(120);
  await first.analytics.close();
  expect(await used()).toBe(100);
});

test('checks stop where the part begins that is kept for questions, which go on to the limit', async () => {
  const clock = handClock(Date.UTC(2026, 10, 1));
  const service = await good();
  const { analytics } = await connect(service.url, { clock, requestsPerMonth: 10 });
  const check = async (slug: string) => analytics.call(supplyOverview, { slug }, { priority: 'poll', ifFailing: 'refuse' });
  for (const slug of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await check(slug);
  await expect(check('i')).rejects.toMatchObject({ trouble: 'budget-spent', message: expect.stringContaining('kept for questions') });
  expect(analytics.state()).toMatchObject({ ok: true, budget: { used: 8, questions: 0, reserved: 2, forChecks: 0 } });
  await analytics.call(supplyOverview, { slug: 'i' });
  await analytics.call(supplyOverview, { slug: 'j' });
  await expect(analytics.call(supplyOverview, { slug: 'k' })).rejects.toMatchObject({ trouble: 'budget-spent' });
  expect(analytics.state().budget).toMatchObject({ used: 10, questions: 2, reserved: 0, forChecks: 0 });
  expect(service.asked).toHaveLength(10);
});

test('the month begins on the reset day', async () => {
  const clock = handClock(Date.UTC(2026, 10, 14, 12));
  const service = await good();
  const { analytics } = await connect(service.url, { clock, requestsPerMonth: 1, budgetResetDay: 15 });
  await analytics.call(supplyOverview, { slug: 'a' });
  await expect(analytics.call(supplyOverview, { slug: 'b' })).rejects.toMatchObject({ until: Date.UTC(2026, 10, 15) });
  await clock.advance(DAY / 2);
  await analytics.call(supplyOverview, { slug: 'b' });
  expect(analytics.state().budget).toMatchObject({ used: 1, resetsAt: Date.UTC(2026, 11, 15) });
});

test('another reset day does not forget what was used since', async () => {
  const store = await openStore('memory://');
  const clock = handClock(Date.UTC(2026, 10, 9, 12));
  const service = await good();
  const first = await connect(service.url, { store, clock, requestsPerMonth: 100 });
  await first.analytics.call(supplyOverview, { slug: 'a' });
  await clock.advance(DAY);
  await first.analytics.call(supplyOverview, { slug: 'b' });
  const second = await connect(service.url, { store, clock, requestsPerMonth: 100, budgetResetDay: 10 });
  await second.analytics.ready();
  expect(second.analytics.state().budget.used).toBe(1);
  await second.analytics.call(supplyOverview, { slug: 'c' });
  const back = await connect(service.url, { store, clock, requestsPerMonth: 100 });
  await back.analytics.ready();
  expect(back.analytics.state().budget.used).toBe(3);
});

test('ledgers are kept for a year, and not longer', async () => {
  const store = await openStore('memory://');
  const ledgers = store.collection({ prefix: 'ledger', version: 1, schema: z.object({ booked: z.int() }) });
  for (const month of ['2024-12', '2025-11', '2026-10']) await ledgers.set(month, { booked: 7 });
  const { analytics } = await connect((await good()).url, { store, requestsPerMonth: 10 });
  await analytics.ready();
  expect((await ledgers.list()).found.map(([month]) => month)).toEqual(['2025-11', '2026-10']);
});

test('a ledger of before days were kept counts whole', async () => {
  const store = await openStore('memory://');
  const clock = handClock(Date.UTC(2026, 10, 20));
  await store.collection({ prefix: 'ledger', version: 1, schema: z.object({ booked: z.int() }) }).set('2026-11', { booked: 7 });
  const { analytics } = await connect((await good()).url, { store, clock, requestsPerMonth: 100, budgetResetDay: 10 });
  await analytics.ready();
  expect(analytics.state().budget.used).toBe(7);
});

test('whoever pays for a call is notified of each request, and those who join ride free', async () => {
  const service = await good();
  const { analytics } = await connect(service.url);
  const counts = [0, 0];
  const meter = (index: 0 | 1) => ({ count: () => void (counts[index] = (counts[index] ?? 0) + 1), giveBack: () => {} });
  await Promise.all([
    analytics.call(supplyOverview, { slug: 'a' }, { meter: meter(0) }),
    analytics.call(supplyOverview, { slug: 'a' }, { meter: meter(1) }),
  ]);
  await analytics.call(supplyOverview, { slug: 'a' }, { meter: meter(1) });
  expect(counts).toEqual([1, 0]);
});
