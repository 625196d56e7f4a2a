import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byAge, byImportance, byRankAndAge } from '../../../src/alerts/delivery/event-list.js';
import { later, MINUTE } from '../../../src/base/clock.js';
import type { FeedEvent } from '../../../src/domain/event.js';
import { THRESHOLD_STAGE } from '../../../src/feeds/feed.js';
import { NOON } from '../../feeds/reading.js';

/** What every supply event has besides. */
const COMPLETE = { name: 'Tidewater', type: 'Burn', amount: '1' };

type About = Pick<FeedEvent, 'feed' | 'stage' | 'facts' | 'occurredAt' | 'detectedAt'>;
const event = (feed: string, stage: string, extra: Partial<About> = {}): About => ({ feed, stage, facts: {}, detectedAt: NOON, ...extra });

test('what was decided comes before what is about to be, before what moved, then come daily measurements, and last what is not known', () => {
  const sorted = [
    event('proposals', 'passed'),
    event('launches', 'complete'),
    event('proposals', 'ending'),
    event('launches', 'live'),
    event('supply', 'burn'),
    event('vesting', 'state'),
    event('proposals', 'created'),
    event('growth', 'value'),
    event('weather', 'storm'),
  ];
  expect(sorted.toReversed().toSorted(byImportance)).toEqual(sorted);
});

test('a crossing stands beside what was decided', () => {
  for (const feed of ['premium', 'treasury', 'wallet'])
    expect([event('launches', 'complete'), event(feed, THRESHOLD_STAGE)].toSorted(byImportance)[0]?.feed).toBe(feed);
});

test('among equals the larger in USD comes first, then what has a size at all, then the older', () => {
  const sorted = [
    event('supply', 'burn', { facts: { ...COMPLETE, usd: '-500' } }),
    event('supply', 'mint', { facts: { ...COMPLETE, usd: '20' } }),
    event('supply', 'burn', { occurredAt: later(NOON, -2 * MINUTE) }),
    event('supply', 'burn', { occurredAt: later(NOON, -MINUTE) }),
    event('supply', 'burn'),
  ];
  expect(sorted.toReversed().toSorted(byImportance)).toEqual(sorted);
});

test('it is an order: whichever way they come, they are sorted alike', () => {
  const some: fc.Arbitrary<About> = fc.record({
    feed: fc.constantFrom('supply', 'proposals', 'growth', 'new kind'),
    stage: fc.constantFrom('burn', 'passed', 'value'),
    facts: fc.constantFrom({}, { usd: '1' }, { usd: '2' }, { usd: '-2' }),
    occurredAt: fc.constantFrom(undefined, later(NOON, -MINUTE)),
    detectedAt: fc.constantFrom(NOON, later(NOON, -MINUTE)),
  });
  fc.assert(
    fc.property(fc.array(some), some, some, some, (all, a, b, c) => {
      expect(Math.sign(byImportance(a, b)) + Math.sign(byImportance(b, a))).toBe(0);
      const [first, second, third] = [a, b, c].toSorted(byImportance);
      expect(first && third && byImportance(first, third) <= 0 && second && byImportance(first, second) <= 0).toBe(true);
      const sorted = all.toReversed().toSorted(byImportance);
      for (const [index, one] of all.toSorted(byImportance).entries()) expect(byImportance(one, sorted[index] ?? one)).toBe(0);
    }),
  );
});

test('by age the oldest comes first, by when it happened where that is known', () => {
  const sorted = [event('growth', 'value', { detectedAt: later(NOON, -MINUTE) }), event('supply', 'burn', { occurredAt: NOON })];
  expect(sorted.toReversed().toSorted(byAge)).toEqual(sorted);
});

test('a market that flips and a result come before single trades of $31, whether they are fresh or came late', () => {
  const facts = { name: 'Tidewater', publicKey: 'P', title: 'Audit' };
  const trade = (minutes: number) =>
    event('proposals', THRESHOLD_STAGE, { facts: { ...facts, trade: { value: '31' } }, occurredAt: later(NOON, -minutes * MINUTE) });
  const [result, flip] = [event('proposals', 'passed', { facts }), event('proposals', THRESHOLD_STAGE, { facts })];
  const all = [trade(9), trade(8), flip, trade(7), result];
  for (const order of [byImportance, byRankAndAge]) expect(new Set(all.toSorted(order).slice(0, 2))).toEqual(new Set([result, flip]));
});
