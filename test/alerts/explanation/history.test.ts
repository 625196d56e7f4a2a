import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deliver } from '../../../src/alerts/delivery/deliver.js';
import { createHistory } from '../../../src/alerts/explanation/history.js';
import { DAY, HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { lineText } from '../../../src/chat/text.js';
import { burn, CHAT, openAlertsHarness, TIDE } from '../harness.js';
import { figuresIn } from '../../support/figures.js';
import { count } from '../delivery/delivering.js';

type Desk = Awaited<ReturnType<typeof openAlertsHarness>>;
const ALL_OF_IT = { page: 1, size: 100 };

async function watching(): Promise<Desk> {
  const desk = await openAlertsHarness();
  await desk.watch(TIDE);
  return desk;
}

/** One message that tells these burns. */
async function told(desk: Desk, ...burns: readonly number[]): Promise<void> {
  await desk.announce(...burns.map((number) => burn(number, desk.clock.now())));
  await desk.clock.advance(MINUTE);
  await deliver(CHAT, desk.context, desk.signal);
}

const page = async (desk: Desk, paging = ALL_OF_IT) => createHistory(desk).page(CHAT, paging);
const idOf = async (desk: Desk): Promise<string> => (await page(desk)).deliveries[0]?.id ?? 'none';

test('a chat without deliveries has an empty history', async () => {
  expect(await page(await watching())).toEqual({ total: 0, deliveries: [] });
});

test('the latest delivery comes first, with its end, when it came, how many events it reports, and the first of them in words', async () => {
  const desk = await watching();
  await told(desk, 1);
  await desk.clock.advance(HOUR);
  await told(desk, 2, 3, 4, 5);
  const { total, deliveries } = await page(desk);
  expect(total).toBe(2);
  expect(deliveries.map(({ end, at, count: many, attempts }) => [end, at, many, attempts])).toEqual([
    ['sent', desk.clock.now(), 4, 1],
    ['sent', later(desk.clock.now(), -HOUR - MINUTE), 1, 1],
  ]);
  expect(deliveries.map(({ headlines }) => headlines.map((line) => lineText(line, desk.clock.now())))).toEqual([
    ['Tidewater burned 2 TIDE', 'Tidewater burned 3 TIDE', 'Tidewater burned 4 TIDE'],
    ['Tidewater burned 1 TIDE'],
  ]);
  expect(deliveries.map(({ id }) => id)).toEqual(desk.to.shown.map(({ id }) => id).toReversed());
});

test('what is under way, refused or given up is there too, with the reason', async () => {
  const desk = await watching();
  desk.to.answers({ kind: 'refused', detail: 'too long' }, { kind: 'later', because: 'rate-limited', afterMs: HOUR });
  await told(desk, 1);
  await told(desk, 2);
  expect((await page(desk)).deliveries).toMatchObject([
    { end: 'under way', because: 'the platform is rate limiting the bot', attempts: 1 },
    { end: 'refused', because: 'too long' },
  ]);
  await desk.clock.advance(HOUR);
  await deliver(CHAT, desk.context, desk.signal);
  expect((await page(desk)).deliveries.map(({ end }) => end)).toEqual(['sent', 'refused']);
});

test('a summary says what kept its events', async () => {
  const desk = await watching();
  await desk.announceLate('service', burn(1, desk.clock.now()), burn(2, desk.clock.now()));
  await desk.clock.advance(10 * MINUTE);
  await deliver(CHAT, desk.context, desk.signal);
  const { summary } = (await page(desk)).deliveries[0] ?? {};
  expect(summary).toBeDefined();
  expect(summary).toBe(desk.queues.read(CHAT).receipts[0]?.summary);
});

test('pages hold as many as asked for, in order, and one beyond the last is empty', async () => {
  const desk = await watching();
  for (const number of count(7)) await told(desk, number);
  const onPage = async (number: number) =>
    (await page(desk, { page: number, size: 3 })).deliveries.map(({ headlines }) => lineText(headlines[0] ?? [], desk.clock.now()));
  expect(await onPage(1)).toEqual([7, 6, 5].map((number) => `Tidewater burned ${number} TIDE`));
  expect(await onPage(3)).toEqual(['Tidewater burned 1 TIDE']);
  expect(await onPage(4)).toEqual([]);
  expect((await page(desk, { page: 4, size: 3 })).total).toBe(7);
});

describe('a delivery', () => {
  test('shows its events in full, page by page, while it is under way and after', async () => {
    const desk = await watching();
    desk.to.answers({ kind: 'later', because: 'unreachable', afterMs: HOUR });
    const at = desk.clock.now();
    await told(desk, ...count(25));
    for (const end of ['under way', 'sent']) {
      const history = createHistory(desk);
      const id = await idOf(desk);
      const second = await history.delivery(CHAT, id, { page: 2, size: 10 });
      expect(second).toMatchObject({ total: 25, delivery: { id, end, count: 25 } });
      expect(second?.events).toHaveLength(10);
      const last = await history.delivery(CHAT, id, { page: 3, size: 10 });
      const first = await history.delivery(CHAT, id, { page: 1, size: 10 });
      const all = [...(first?.events ?? []), ...(second?.events ?? []), ...(last?.events ?? [])];
      expect(new Set(all.map((event) => event.id)).size).toBe(25);
      expect(all.find((event) => event.id === 'supply/tide/7')).toMatchObject({ tone: 'down', at });
      expect(all.every(({ headline }) => lineText(headline, at).includes('burned'))).toBe(true);
      await desk.clock.advance(HOUR);
      await deliver(CHAT, desk.context, desk.signal);
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
    const desk = await watching();
    await told(desk, 1, 2, 3);
    await desk.archive.sweep(later(desk.clock.now(), 40 * DAY), (id) => id !== 'supply/tide/1');
    await desk.store.collection({ prefix: 'event', schema: z.unknown(), version: 1 }).set('supply/tide/2', 'torn');
    // After a restart: the process that saw an event remembers it.
    const after = await openAlertsHarness({ store: desk.store, clock: desk.clock });
    const { events = [] } = (await createHistory(after).delivery(CHAT, await idOf(after), ALL_OF_IT)) ?? {};
    expect(events.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ headline }) => lineText(headline, desk.clock.now()))).toEqual([
      'supply/tide/1',
      'supply/tide/2',
      'Tidewater burned 3 TIDE',
    ]);
  });

  test('of another chat, or of none, is unknown', async () => {
    const desk = await watching();
    await told(desk, 1);
    const id = await idOf(desk);
    expect(await createHistory(desk).delivery(address('console', 'other'), id, ALL_OF_IT)).toBeUndefined();
    expect(await createHistory(desk).delivery(CHAT, 'nothing', ALL_OF_IT)).toBeUndefined();
  });
});
