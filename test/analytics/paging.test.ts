import { expect, test } from 'vitest';
import { HOUR } from '../../src/base/clock.js';
import { proposalIdentity, proposals } from '../../src/analytics/endpoints/proposals.js';
import { supplyChart, supplyEvents } from '../../src/analytics/endpoints/supply.js';
import type { Analytics, CallOptions } from '../../src/analytics/analytics.js';
import { handClock } from '../support/clock.js';
import { answerPage, answerWith, connect, reply, serve, type Asked } from '../support/service.js';

const event = (id: number) => ({ id, timestamp: '2026-11-20T10:00:00Z', type: 'Mint', amount: '1' });
const events = (count: number) => Array.from({ length: count }, (_, index) => event(index + 1));
const walkEvents = async (analytics: Analytics, how?: CallOptions) => analytics.walk(supplyEvents, { slug: 'tide' }, (row) => row.id, how);
const pages = (asked: readonly Asked[]) => asked.map(({ query }) => `${query.get('limit')}/${query.get('page')}`);

test('a list of one page is one call', async () => {
  const service = await serve((asked) => answerPage(asked, events(40)));
  const { analytics, clock } = await connect(service.url);
  expect(await walkEvents(analytics)).toMatchObject({ broken: 0, hidden: 0, complete: true, at: clock.now() });
  expect(pages(service.asked)).toEqual(['100/1']);
});

test('the count is followed over pages of the size the service likes, to events on the last page', async () => {
  const service = await serve((asked) => answerPage(asked, events(25), { most: 7 }));
  const { analytics } = await connect(service.url);
  const walk = await walkEvents(analytics);
  expect(walk.rows.map(({ id }) => Number(id))).toEqual(events(25).map(({ id }) => id));
  expect(walk.complete).toBe(true);
  expect(pages(service.asked)).toEqual(['100/1', '100/2', '100/3', '100/4']);
});

test('without a count it goes on to an empty page, or as far as the number of pages says', async () => {
  const uncounted = await serve((asked) =>
    answerWith(
      asked,
      events(25)
        .slice((Number(asked.query.get('page')) - 1) * 10)
        .slice(0, 10),
    ),
  );
  const { analytics } = await connect(uncounted.url);
  expect(await walkEvents(analytics)).toMatchObject({ complete: true, hidden: 0 });
  expect(uncounted.asked).toHaveLength(4);
  const counted = await serve((asked) =>
    answerWith(
      asked,
      events(25)
        .slice((Number(asked.query.get('page')) - 1) * 10)
        .slice(0, 10),
      { totalPages: 3 },
    ),
  );
  const other = await connect(counted.url);
  expect((await walkEvents(other.analytics)).rows).toHaveLength(25);
  expect(counted.asked).toHaveLength(3);
});

test('a plan that gives ten rows is found out once, and remembered for other lists too', async () => {
  const service = await serve((asked) =>
    Number(asked.query.get('limit')) > 10 ? reply(asked, '', { status: 400 }) : answerPage(asked, events(12)),
  );
  const { analytics } = await connect(service.url);
  expect((await walkEvents(analytics)).rows).toHaveLength(12);
  await analytics.walk(supplyEvents, { slug: 'reef' }, (row) => row.id);
  await analytics.walk(proposals, { slug: 'tide' }, proposalIdentity);
  expect(pages(service.asked)).toEqual(['100/1', '50/1', '20/1', '10/1', '10/2', '10/1', '10/2', '10/1', '10/2']);
});

test('what is refused at every size is refused, and costs one call the next time', async () => {
  const service = await serve((asked) =>
    asked.query.get('slug') === 'tide' ? reply(asked, '', { status: 403 }) : answerPage(asked, events(3)),
  );
  const { analytics } = await connect(service.url);
  await expect(walkEvents(analytics)).rejects.toMatchObject({ trouble: 'forbidden' });
  await expect(walkEvents(analytics)).rejects.toMatchObject({ trouble: 'forbidden' });
  await analytics.walk(supplyEvents, { slug: 'reef' }, (row) => row.id);
  expect(pages(service.asked)).toEqual(['100/1', '50/1', '20/1', '10/1', '10/1', '100/1']);
});

test('a plan that hides later pages leaves a gap that is counted, and is not asked again for hours', async () => {
  const service = await serve((asked) =>
    Number(asked.query.get('page')) > 3 ? reply(asked, '', { status: 403 }) : answerPage(asked, events(45), { most: 10 }),
  );
  const { analytics, clock } = await connect(service.url);
  expect(await walkEvents(analytics)).toMatchObject({ complete: false, hidden: 15, rows: { length: 30 } });
  await clock.advance(HOUR);
  expect(await walkEvents(analytics)).toMatchObject({ complete: false, hidden: 15 });
  expect(service.asked).toHaveLength(7);
  await clock.advance(6 * HOUR);
  await walkEvents(analytics);
  expect(service.asked).toHaveLength(11);
});

test('a later page that fails ends the walk there, incomplete, with the reason', async () => {
  const service = await serve((asked) =>
    asked.query.get('page') === '2' ? reply(asked, 'oops') : answerPage(asked, events(25), { most: 10 }),
  );
  const { analytics } = await connect(service.url);
  expect(await walkEvents(analytics)).toMatchObject({ complete: false, hidden: 0, cut: 'malformed', rows: { length: 10 } });
});

test('a row on two pages is one row, and a list that grew meanwhile is not complete', async () => {
  const service = await serve((asked) => {
    // One event was put in front after the first page was read.
    const all = asked.query.get('page') === '1' ? events(20) : [event(99), ...events(20)];
    answerPage(asked, all, { most: 10 });
  });
  const { analytics } = await connect(service.url);
  const walk = await walkEvents(analytics);
  expect(walk.rows.map(({ id }) => Number(id))).toEqual(events(20).map(({ id }) => id));
  expect(walk.complete).toBe(false);
});

test('a broken row is counted, and the walk proves nothing about it', async () => {
  const all = events(25).map((row) => (row.id === 13 ? { ...row, amount: 'lots' } : row));
  const service = await serve((asked) => answerPage(asked, all, { most: 10 }));
  const { analytics } = await connect(service.url);
  expect(await walkEvents(analytics)).toMatchObject({ broken: 1, hidden: 0, complete: false, rows: { length: 24 } });
  expect(service.asked).toHaveLength(3);
});

test('a service that ignores the page number does not keep us for ever', async () => {
  const service = await serve((asked) => answerWith(asked, events(10), { totalItems: 5_000, totalPages: 500 }));
  const { analytics } = await connect(service.url);
  expect(await walkEvents(analytics)).toMatchObject({ complete: false, rows: { length: 10 } });
  expect(service.asked.length).toBeLessThan(4);
});

test('a list without pages is one call without paging', async () => {
  const service = await serve((asked) => answerWith(asked, [{ period: '2026-11-19T00:00:00Z', supply: 12 }]));
  const { analytics } = await connect(service.url);
  expect(await analytics.walk(supplyChart, { slug: 'tide' }, (row) => String(row.at))).toMatchObject({
    complete: true,
    rows: [{ supply: '12' }],
  });
  expect(service.asked[0]?.query.toString()).toBe('slug=tide');
});

test('with the service away a question gets the old pages, marked, and a check gets none', async () => {
  let well = true;
  const service = await serve((asked) => {
    if (!well) return reply(asked, '<html>');
    if (Number(asked.query.get('limit')) > 10) return reply(asked, '', { status: 400 });
    answerPage(asked, events(12));
  });
  const first = await connect(service.url);
  const at = first.clock.now();
  await walkEvents(first.analytics);
  await first.analytics.close();
  // A new start has forgotten which size was accepted; the copies are kept under it.
  const { analytics, clock } = await connect(service.url, { store: first.store, clock: first.clock });
  well = false;
  await clock.advance(HOUR);
  const before = service.asked.length;
  expect(await walkEvents(analytics)).toMatchObject({ at, stale: 'malformed', rows: { length: 12 } });
  // Once to learn that it is away, and once for the second page: not once for every size.
  expect(service.asked).toHaveLength(before + 2);
  await expect(walkEvents(analytics, { ifFailing: 'refuse' })).rejects.toMatchObject({ trouble: 'malformed' });
});

test('a row that cannot be read is no progress: the same broken page is not asked for again and again', async () => {
  const broken = { id: 1, amount: 'lots' };
  for (const meta of [undefined, { totalItems: 5_000 }, { totalItems: 5_000, totalPages: 500 }]) {
    const service = await serve((asked) => answerWith(asked, [broken], meta));
    const { analytics } = await connect(service.url);
    expect(await walkEvents(analytics)).toMatchObject({ complete: false, rows: [] });
    expect(service.asked.length).toBeLessThan(4);
  }
});

test('one deadline for all pages: a list that grows as it is read ends there, cut', async () => {
  const { analytics, clock, service } = await slow(2_000);
  const begun = clock.now();
  expect(await walkEvents(analytics)).toMatchObject({ complete: false, cut: 'timeout' });
  expect(clock.now() - begun).toBeLessThanOrEqual(17_000);
  expect(service.asked.length).toBeLessThan(10);
  const polled = await slow(30_000);
  const polledAt = polled.clock.now();
  expect(await walkEvents(polled.analytics, { priority: 'poll', ifFailing: 'refuse' })).toMatchObject({ complete: false, cut: 'timeout' });
  expect(polled.clock.now() - polledAt).toBeLessThanOrEqual(330_000);
});

/** A service that takes so many milliseconds for a page, each of which is new, and counts one page more each time. */
async function slow(milliseconds: number) {
  const clock = handClock();
  const service = await serve((asked) => {
    const page = Number(asked.query.get('page'));
    void clock.advance(milliseconds).then(() => answerWith(asked, [event(page)], { totalItems: page * 2 + 10 }));
  });
  return { ...(await connect(service.url, { clock })), service };
}

test.each([
  [1, [event(1), event(2)], 2, 2],
  [1, [event(1), event(2)], 1, undefined],
  [1, [event(1), { id: 2 }], 1, undefined],
  [2, [event(3), event(4)], 3, undefined],
  [2, [event(3)], 3, 3],
  [1, [event(1)], -5, undefined],
  [1, [], 7, 7],
  [1, [], 0, 0],
])('page %i with %j of %i in total: the total shown is %s', async (page, rows, totalItems, shown) => {
  const service = await serve((asked) => answerWith(asked, rows, { totalItems }));
  const { analytics } = await connect(service.url);
  expect((await analytics.call(supplyEvents, { slug: 'tide', page, limit: 10 })).meta.totalItems).toBe(shown);
});

test('a total below what was met ends no walk', async () => {
  const service = await serve((asked) => {
    const page = Number(asked.query.get('page'));
    answerWith(asked, page > 3 ? [] : [event(2 * page), event(2 * page + 1)], { totalItems: 0 });
  });
  const { analytics } = await connect(service.url);
  expect((await walkEvents(analytics)).rows).toHaveLength(6);
});

test('a walk ends before the next page once its rows are enough, and is then neither whole nor cut', async () => {
  const service = await serve((asked) => answerPage(asked, events(25), { most: 7 }));
  const { analytics } = await connect(service.url);
  const found = await analytics.walk(supplyEvents, { slug: 'tide' }, (row) => row.id, {
    enough: (rows) => rows.some(({ id }) => Number(id) === 9),
  });
  expect([found.rows.length, found.complete, found.hidden, found.cut]).toEqual([14, false, 0, undefined]);
  expect(pages(service.asked)).toEqual(['100/1', '100/2']);
});
