import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { createSamples } from '../../../src/alerts/delivery/sample.js';
import { FEEDS } from '../../../src/feeds/index.js';
import { createHistory } from '../../../src/alerts/explanation/history.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { lineText } from '../../../src/chat/plain-text.js';
import { burn, CHAT, openAlertsHarness, TIDE } from '../harness.js';
import { figuresIn } from '../../support/figures.js';
import { count } from '../delivery/delivering.js';

type Harness = Awaited<ReturnType<typeof openAlertsHarness>>;
const ALL_OF_IT = { page: 1, size: 100 };

async function watching(): Promise<Harness> {
  const harness = await openAlertsHarness();
  await harness.watch(TIDE);
  return harness;
}

/** One message that tells these burns. */
async function alerted(harness: Harness, ...burns: readonly number[]): Promise<void> {
  await harness.announce(...burns.map((number) => burn(number, harness.clock.now())));
  await harness.clock.advance(MINUTE);
  await deliver(CHAT, harness.context, harness.signal);
}

const page = async (harness: Harness, paging = ALL_OF_IT) => createHistory(harness).page(CHAT, paging);
const idOf = async (harness: Harness): Promise<string> => (await page(harness)).deliveries[0]?.id ?? 'none';

test('a chat without deliveries has an empty history', async () => {
  expect(await page(await watching())).toEqual({ total: 0, deliveries: [] });
});

test('a sample is marked as an example among alerts', async () => {
  const harness = await watching();
  await alerted(harness, 1);
  await createSamples({ ...harness.context, feeds: FEEDS, watchlists: harness.watchlists }).post(CHAT, ['supply']);
  await harness.clock.advance(MINUTE);
  await deliver(CHAT, harness.context, harness.signal);
  const { deliveries } = await page(harness);
  const [sample, real] = deliveries.map(({ headlines: [headline = []] }) => lineText(headline, harness.clock.now()));
  expect(sample).toMatch(/^Example: .+ minted /u);
  expect(real).toBe('Tidewater burned 1 TIDE');
});

test('the latest delivery comes first, with its end, when it came, how many events it reports, and the first of them in words', async () => {
  const harness = await watching();
  await alerted(harness, 1);
  await harness.clock.advance(HOUR);
  await alerted(harness, 2, 3, 4, 5);
  const { total, deliveries } = await page(harness);
  expect(total).toBe(2);
  expect(deliveries.map(({ end, at, count: many, attempts }) => [end, at, many, attempts])).toEqual([
    ['sent', harness.clock.now(), 4, 1],
    ['sent', later(harness.clock.now(), -HOUR - MINUTE), 1, 1],
  ]);
  expect(deliveries.map(({ headlines }) => headlines.map((line) => lineText(line, harness.clock.now())))).toEqual([
    ['Tidewater burned 2 TIDE', 'Tidewater burned 3 TIDE', 'Tidewater burned 4 TIDE'],
    ['Tidewater burned 1 TIDE'],
  ]);
  expect(deliveries.map(({ id }) => id)).toEqual(harness.to.shown.map(({ id }) => id).toReversed());
});

test('what is under way, refused or given up is there too, with the reason', async () => {
  const harness = await watching();
  harness.to.answers({ kind: 'refused', detail: 'too long' }, { kind: 'later', because: 'rate-limited', afterMs: HOUR });
  await alerted(harness, 1);
  await alerted(harness, 2);
  expect((await page(harness)).deliveries).toMatchObject([
    { end: 'under way', because: 'the platform is rate limiting the bot', attempts: 1 },
    { end: 'refused', because: 'too long' },
  ]);
  await harness.clock.advance(HOUR);
  await deliver(CHAT, harness.context, harness.signal);
  expect((await page(harness)).deliveries.map(({ end }) => end)).toEqual(['sent', 'refused']);
});

test('an alert that may have arrived says so also when a later attempt met another problem', async () => {
  const harness = await watching();
  harness.to.answers({ kind: 'unclear', because: 'line-cut' }, { kind: 'later', because: 'unreachable' });
  await alerted(harness, 1);
  expect((await page(harness)).deliveries).toMatchObject([{ end: 'under way', because: 'it may have arrived: the connection was cut' }]);
  await harness.clock.advance(10 * MINUTE);
  await deliver(CHAT, harness.context, harness.signal);
  const because = 'it may have arrived, because an earlier attempt was cut off; now the platform cannot be reached';
  const { deliveries } = await page(harness);
  expect(deliveries).toMatchObject([{ end: 'under way', because, attempts: 2 }]);
  expect((await createHistory(harness).delivery(CHAT, await idOf(harness), ALL_OF_IT))?.delivery).toMatchObject({ because });
});

test('a summary says what kept its events', async () => {
  const harness = await watching();
  await harness.announceLate('service', burn(1, harness.clock.now()), burn(2, harness.clock.now()));
  await harness.clock.advance(10 * MINUTE);
  await deliver(CHAT, harness.context, harness.signal);
  const { summary } = (await page(harness)).deliveries[0] ?? {};
  expect(summary).toBeDefined();
  expect(summary).toBe(harness.queues.read(CHAT).receipts[0]?.summary);
});

test('pages hold as many as asked for, in order, and one beyond the last is empty', async () => {
  const harness = await watching();
  for (const number of count(7)) await alerted(harness, number);
  const onPage = async (number: number) =>
    (await page(harness, { page: number, size: 3 })).deliveries.map(({ headlines }) => lineText(headlines[0] ?? [], harness.clock.now()));
  expect(await onPage(1)).toEqual([7, 6, 5].map((number) => `Tidewater burned ${number} TIDE`));
  expect(await onPage(3)).toEqual(['Tidewater burned 1 TIDE']);
  expect(await onPage(4)).toEqual([]);
  expect((await page(harness, { page: 4, size: 3 })).total).toBe(7);
});

describe('a delivery', () => {
  test('shows its events in full, page by page, while it is under way and after', async () => {
    const harness = await watching();
    harness.to.answers({ kind: 'later', because: 'unreachable', afterMs: HOUR });
    const at = harness.clock.now();
    await alerted(harness, ...count(25));
    for (const end of ['under way', 'sent']) {
      const history = createHistory(harness);
      const id = await idOf(harness);
      const second = await history.delivery(CHAT, id, { page: 2, size: 10 });
      expect(second).toMatchObject({ total: 25, delivery: { id, end, count: 25 } });
      expect(second?.events).toHaveLength(10);
      const last = await history.delivery(CHAT, id, { page: 3, size: 10 });
      const first = await history.delivery(CHAT, id, { page: 1, size: 10 });
      const all = [...(first?.events ?? []), ...(second?.events ?? []), ...(last?.events ?? [])];
      expect(new Set(all.map((event) => event.id)).size).toBe(25);
      expect(all.find((event) => event.id === 'supply/tide/7')).toMatchObject({ tone: 'down', at });
      expect(all.every(({ headline }) => lineText(headline, at).includes('burned'))).toBe(true);
      await harness.clock.advance(HOUR);
      await deliver(CHAT, harness.context, harness.signal);
    }
  });

  test('shows the details of its events', async () => {
    const harness = await watching();
    const at = harness.clock.now();
    const event = burn(1, at);
    await harness.announce({ ...event, facts: { ...event.facts, supplyAfter: '90' } });
    await harness.clock.advance(MINUTE);
    await deliver(CHAT, harness.context, harness.signal);
    const { events = [] } = (await createHistory(harness).delivery(CHAT, await idOf(harness), ALL_OF_IT)) ?? {};
    expect(events.map(({ details }) => details.map((line) => figuresIn(lineText(line, at))))).toEqual([[['91', '90']]]);
  });

  test('names events that are no longer kept, or cannot be read, by their id', async () => {
    const harness = await watching();
    await alerted(harness, 1, 2, 3);
    await harness.archive.sweep(later(harness.clock.now(), 40 * DAY), (id) => id !== 'supply/tide/1');
    await harness.store.collection({ prefix: 'event', schema: z.unknown(), version: 1 }).set('supply/tide/2', 'torn');
    // After a restart: the process that saw an event remembers it.
    const after = await openAlertsHarness({ store: harness.store, clock: harness.clock });
    const { events = [] } = (await createHistory(after).delivery(CHAT, await idOf(after), ALL_OF_IT)) ?? {};
    expect(events.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ headline }) => lineText(headline, harness.clock.now()))).toEqual([
      'supply/tide/1',
      'supply/tide/2',
      'Tidewater burned 3 TIDE',
    ]);
  });

  test('of another chat, or of none, is unknown', async () => {
    const harness = await watching();
    await alerted(harness, 1);
    const id = await idOf(harness);
    expect(await createHistory(harness).delivery(address('console', 'other'), id, ALL_OF_IT)).toBeUndefined();
    expect(await createHistory(harness).delivery(CHAT, 'nothing', ALL_OF_IT)).toBeUndefined();
  });
});
