import { expect, test } from 'vitest';
import { DAY, SECOND } from '../../src/base/clock.js';
import { supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { openStore } from '../../src/store/open.js';
import { StoreError, type Store } from '../../src/store/store.js';
import { handClock } from '../support/clock.js';
import { answerWith, connect, reply, serve } from '../support/service.js';

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
  const { analytics, clock } = await connect(service.url, { requestsPerMonth: 2 });
  const call = analytics.call(supplyOverview, { slug: 'a' }).catch((error: unknown) => error);
  for (const count of [1, 2]) {
    await service.arrived(count);
    await clock.asleep(2);
    await clock.advance(SECOND);
  }
  expect(await call).toMatchObject({ trouble: 'budget-spent' });
  expect(service.asked).toHaveLength(2);
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
