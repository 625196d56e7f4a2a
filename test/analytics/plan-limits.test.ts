import { expect, test } from 'vitest';
import { DAY } from '../../src/base/clock.js';
import { supplyEvents } from '../../src/analytics/endpoints/supply.js';
import { proposalIdentity, proposals } from '../../src/analytics/endpoints/proposals.js';
import type { Analytics } from '../../src/analytics/analytics.js';
import { openStore } from '../../src/store/open.js';
import { answerPage, connect, reply, serve, type Asked } from '../support/service.js';

const event = (id: number) => ({ id, timestamp: '2026-11-20T10:00:00Z', type: 'Mint', amount: '1', publicKey: `key-${id}` });
const events = (count: number) => Array.from({ length: count }, (_, index) => event(index + 1));
const walk = async (analytics: Analytics, slug = 'tide') => analytics.walk(supplyEvents, { slug }, (row) => row.id, { maxAge: 0 });
const pages = (asked: readonly Asked[]) => asked.map(({ query }) => `${query.get('limit')}/${query.get('page')}`);

/** A service whose plan gives ten rows and three pages. */
const small = async (status: 400 | 403 = 403) =>
  serve((asked) => {
    const isTooMuch = Number(asked.query.get('limit')) > 10 || Number(asked.query.get('page')) > 3;
    return isTooMuch ? reply(asked, '', { status }) : answerPage(asked, events(45));
  });

test.each([400, 403] as const)('what a plan gives is learned from %i, once, and known after a restart', async (status) => {
  const store = await openStore('memory://');
  const service = await small(status);
  const first = await connect(service.url, { store });
  await first.analytics.ready();
  await walk(first.analytics);
  await first.analytics.walk(proposals, { slug: 'tide' }, proposalIdentity);
  expect(first.analytics.state().planLimits).toMatchObject({ rows: 10, pages: 3, learnedAt: first.clock.now() });
  const before = service.asked.length;
  await first.analytics.close();
  const second = await connect(service.url, { store, clock: first.clock });
  await second.analytics.ready();
  await walk(second.analytics, 'heron');
  expect(pages(service.asked.slice(before))).toEqual(['10/1', '10/2', '10/3']);
  expect(second.analytics.state().planLimits).toMatchObject({ rows: 10, pages: 3 });
});

test('what is configured is not found out by asking', async () => {
  const service = await small();
  const { analytics } = await connect(service.url, { maxRows: 10, maxPages: 3 });
  expect(await walk(analytics)).toMatchObject({ hidden: 15, complete: false, rows: { length: 30 } });
  expect(pages(service.asked)).toEqual(['10/1', '10/2', '10/3']);
  expect(analytics.state().planLimits).toEqual({ rows: 10, pages: 3 });
});

test('a row cap between the usual sizes is used as it is', async () => {
  const service = await serve((asked) => answerPage(asked, events(45)));
  const { analytics } = await connect(service.url, { maxRows: 25 });
  expect((await walk(analytics)).rows).toHaveLength(45);
  expect(pages(service.asked)).toEqual(['25/1', '25/2']);
});

test('one list that ends early says nothing about the others', async () => {
  const service = await small();
  const { analytics } = await connect(service.url, { maxRows: 10 });
  await walk(analytics);
  expect(analytics.state().planLimits?.pages).toBeUndefined();
});

test('after a week a plan may have become larger, and is tried again', async () => {
  const service = await small();
  const { analytics, clock } = await connect(service.url);
  await walk(analytics);
  await clock.advance(7 * DAY);
  const before = service.asked.length;
  await walk(analytics);
  expect(pages(service.asked.slice(before))[0]).toBe('100/1');
});

test('what was learned of one service means nothing to another', async () => {
  const store = await openStore('memory://');
  const [one, other] = [await small(), await serve((asked) => answerPage(asked, events(45)))];
  const first = await connect(one.url, { store });
  await walk(first.analytics);
  await first.analytics.close();
  const second = await connect(other.url, { store });
  await second.analytics.ready();
  expect((await walk(second.analytics)).rows).toHaveLength(45);
  expect(pages(other.asked)).toEqual(['100/1']);
});
