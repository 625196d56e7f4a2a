import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { HOUR, MINUTE } from '../../src/base/clock.js';
import { Cache } from '../../src/analytics/cache.js';
import { supplyEvents, supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { silentLog } from '../../src/base/log.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { handClock } from '../support/clock.js';
import { OVERVIEW, answerWith, caught, connect, reply, serve, tide } from '../support/service.js';

describe('kept answers', () => {
  test('a fresh one is used without asking, an old one is not, and a check may insist on a new one', async () => {
    const service = await serve((asked) => answerWith(asked, { ...OVERVIEW, symbol: `S${asked.number}` }));
    const { analytics, clock } = await connect(service.url);
    const symbol = async (maxAge?: number) =>
      (await analytics.call(supplyOverview, tide, maxAge === undefined ? {} : { maxAge })).data.symbol;
    expect([await symbol(), await symbol(), await symbol(0)]).toEqual(['S1', 'S1', 'S2']);
    await clock.advance(MINUTE);
    expect(await symbol()).toBe('S3');
  });

  test('when the service fails, the last good copy answers with its age, but never a check that refuses it', async () => {
    let well = true;
    const service = await serve((asked) => (well ? answerWith(asked, OVERVIEW) : reply(asked, '<html>')));
    const { analytics, clock } = await connect(service.url);
    const at = clock.now();
    await analytics.call(supplyOverview, tide);
    well = false;
    await clock.advance(3 * HOUR);
    expect(await analytics.call(supplyOverview, tide)).toMatchObject({ at, stale: 'malformed', data: { supply: '100' } });
    expect(await caught(analytics.call(supplyOverview, tide, { ifFailing: 'refuse' }))).toMatchObject({ trouble: 'malformed' });
  });

  test('a list of which no row can be read is answered with the last good copy, which it does not replace; an empty list is an answer', async () => {
    let rows: readonly unknown[] = [{ id: 1, timestamp: '2026-11-20T10:00:00Z', type: 'Mint', amount: '5' }];
    const service = await serve((asked) => answerWith(asked, rows));
    const { analytics, clock } = await connect(service.url);
    const at = clock.now();
    const good = await analytics.call(supplyEvents, tide);
    expect(good.data).toMatchObject({ rows: [{ id: '1' }], broken: 0 });
    rows = [{ id: null }, 'neither'];
    await clock.advance(3 * HOUR);
    for (let times = 0; times < 2; times += 1)
      expect(await analytics.call(supplyEvents, tide)).toMatchObject({ at, stale: 'malformed', data: good.data });
    // Who takes no copy sees how many rows came, and the copy stays.
    expect(await analytics.call(supplyEvents, tide, { ifFailing: 'refuse' })).toMatchObject({ data: { rows: [], broken: 2 } });
    expect(await analytics.call(supplyEvents, tide)).toMatchObject({ at, stale: 'malformed', data: good.data });
    rows = [];
    const empty = await analytics.call(supplyEvents, tide);
    expect([empty.stale, empty.data]).toEqual([undefined, { rows: [], broken: 0 }]);
  });

  test('a list of which no row can be read is shown as it came where there is no better copy', async () => {
    const service = await serve((asked) => answerWith(asked, [{ id: null }]));
    const { analytics } = await connect(service.url);
    for (let times = 0; times < 2; times += 1)
      expect(await analytics.call(supplyEvents, tide)).toMatchObject({ data: { rows: [], broken: 1 } });
    expect(service.asked).toHaveLength(1);
  });

  test("the service's own no is not answered with an older yes", async () => {
    let known = true;
    const service = await serve((asked) => (known ? answerWith(asked, OVERVIEW) : reply(asked, '', { status: 404 })));
    const { analytics } = await connect(service.url);
    await analytics.call(supplyOverview, tide);
    known = false;
    expect(await caught(analytics.call(supplyOverview, tide, { maxAge: 0 }))).toMatchObject({ trouble: 'unknown' });
    expect(analytics.state().ok).toBe(true);
  });

  test('they outlive a restart, digits and all, but not a change of the service', async () => {
    const store = await openStore('memory://');
    const clock = handClock();
    const service = await serve((asked) => reply(asked, '{"data":{"totalMint":1234567890123456789.5,"symbol":"TIDE"}}'));
    const before = await connect(service.url, { store, clock });
    await before.analytics.call(supplyOverview, tide);
    await before.analytics.close();
    const again = await connect(service.url, { store, clock });
    expect((await again.analytics.call(supplyOverview, tide)).data.minted).toBe('1234567890123456789.5');
    expect(service.asked).toHaveLength(1);
    const other = await connect(service.url, { store, clock, source: 'another service' });
    await other.analytics.call(supplyOverview, tide);
    expect(service.asked).toHaveLength(2);
  });

  test('a copy that no longer fits counts as absent', async () => {
    const store = await openStore('memory://');
    const service = await serve((asked) => answerWith(asked, [{ anything: 1 }]));
    const first = await connect(service.url, { store });
    await first.analytics.call({ ...supplyOverview, data: supplyEvents.data }, tide);
    await first.analytics.close();
    const second = await connect(service.url, { store, clock: first.clock });
    expect(await caught(second.analytics.call(supplyOverview, tide))).toMatchObject({ trouble: 'malformed' });
  });

  const storedIn = async (store: Store) => {
    const { found } = await store.collection({ prefix: 'answer', version: 1, schema: z.unknown() }).list();
    return found.map(([key]) => key);
  };

  test('old ones are swept from the store', async () => {
    const store = await openStore('memory://');
    const service = await serve((asked) => answerWith(asked, OVERVIEW));
    const { analytics, clock } = await connect(service.url, { store });
    await analytics.call(supplyOverview, tide);
    await analytics.flush();
    await clock.advance(20 * 24 * HOUR);
    await analytics.call(supplyOverview, { slug: 'reef' });
    await analytics.flush();
    expect(await storedIn(store)).toEqual(['supply.overview?slug=reef']);
  });

  test('without a monthly limit the store has what questions were answered with, and nothing that only checks read', async () => {
    const store = await openStore('memory://');
    const service = await serve((asked) => answerWith(asked, OVERVIEW));
    const { analytics } = await connect(service.url, { store });
    await analytics.call(supplyOverview, { slug: 'checked' }, { priority: 'poll' });
    await analytics.call(supplyOverview, { slug: 'asked' });
    await analytics.call(supplyOverview, { slug: 'both' }, { priority: 'poll' });
    await analytics.call(supplyOverview, { slug: 'both' });
    expect(await storedIn(store)).toEqual([]);
    await analytics.flush();
    expect(await storedIn(store)).toEqual(['supply.overview?slug=asked', 'supply.overview?slug=both']);
  });

  test('a question answered many times between two flushes is written once, as it was answered last', async () => {
    const store = await openStore('memory://');
    const writes: string[] = [];
    const counted: Store = {
      ...store,
      collection: (spec) => {
        const inner = store.collection(spec);
        const set: typeof inner.set = async (key, document) => {
          writes.push(spec.prefix);
          await inner.set(key, document);
        };
        return { ...inner, set };
      },
    };
    const service = await serve((asked) => answerWith(asked, { ...OVERVIEW, symbol: `S${asked.number}` }));
    const { analytics, clock } = await connect(service.url, { store: counted });
    for (let times = 0; times < 3; times += 1) await analytics.call(supplyOverview, tide, { maxAge: 0 });
    for (let times = 0; times < 2; times += 1) await analytics.flush();
    expect(writes.filter((prefix) => prefix === 'answer')).toHaveLength(1);
    const again = await connect(service.url, { store, clock });
    expect((await again.analytics.call(supplyOverview, tide)).data.symbol).toBe('S3');
  });

  test('with a monthly limit a restart costs no call: what checks read is stored at once', async () => {
    const store = await openStore('memory://');
    const service = await serve((asked) => answerWith(asked, OVERVIEW));
    const limited = { store, requestsPerMonth: 100 };
    const before = await connect(service.url, limited);
    await before.analytics.call(supplyOverview, tide, { priority: 'poll' });
    // Nothing is flushed: the process was killed.
    const again = await connect(service.url, { ...limited, clock: before.clock });
    await again.analytics.call(supplyOverview, tide);
    expect(service.asked).toHaveLength(1);
  });

  test('a response that leaves the memory before the flush is written then', async () => {
    const store = await openStore('memory://');
    const [clock, source] = [handClock(), 'the service'];
    const cache = new Cache({ store, clock, log: silentLog, source, storesAll: false });
    cache.keep('first', { at: clock.now(), body: '1' });
    cache.use('first');
    for (const key of ['second', 'third', 'fourth']) cache.keep(key, { at: clock.now(), body: 'x'.repeat(8_000_000) });
    expect(await cache.read('first')).toEqual({ at: clock.now(), body: '1' });
  });
});
