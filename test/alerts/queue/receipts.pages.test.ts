/** When the oldest page of receipts goes, and which documents a queue leaves behind. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ReceiptPages, withoutOldReceipts, type Pages, type Receipt } from '../../../src/alerts/queue/receipts.js';
import { HOUR, later, type Instant } from '../../../src/base/clock.js';
import { openStore } from '../../../src/store/open.js';
import { NOON } from '../../feeds/reading.js';
import { CHAT } from '../harness.js';

const hour = (hours: number): Instant => later(NOON, hours * HOUR);
const receipt = (hours: number): Receipt => ({ id: `d${hours}`, members: [], end: 'sent', endedAt: hour(hours), attempts: 1 });
const eventful = (hours: number, events: number): Receipt => ({
  ...receipt(hours),
  members: Array.from({ length: events }, (_, index) => ({ event: `supply/tide/${hours}-${index}`, entry: 'tide', queuedAt: NOON })),
});
interface Paged {
  readonly receipts: readonly Receipt[];
  readonly pages?: Pages | undefined;
}
const newestFirst = (from: number, count: number): readonly Receipt[] =>
  Array.from({ length: count }, (_, index) => receipt(from + count - 1 - index));

async function open() {
  const store = await openStore('memory://');
  const raw = store.collection({ prefix: 'receipt', schema: z.unknown(), version: 1 });
  return {
    pages: new ReceiptPages(store),
    raw,
    keys: async () => (await raw.list()).found.map(([key]) => Number(key.split('/').at(-1))).toSorted((a, b) => a - b),
  };
}

describe('receipts beyond forty', () => {
  test('go to pages of twenty, the oldest first, and the first page is known by when its newest one ended', async () => {
    const { pages, keys } = await open();
    const few: Paged = { receipts: newestFirst(0, 40) };
    expect(await pages.moved(CHAT, few)).toBe(few);
    const many = await pages.moved<Paged>(CHAT, { receipts: newestFirst(0, 61) });
    expect([many.receipts.length, many.pages, await keys()]).toEqual([
      21,
      { first: 0, next: 2, firstEndedAt: hour(19), sizes: [20, 20] },
      [0, 1],
    ]);
    expect((await pages.read(CHAT, many)).map(({ id }) => id)).toEqual(newestFirst(0, 61).map(({ id }) => id));
  });

  test('beyond fifteen pages the oldest one is no longer named, and the age of the next is not known yet', async () => {
    const { pages } = await open();
    const movedTo = async (next: number) =>
      (await pages.moved<Paged>(CHAT, { receipts: newestFirst(0, 41), pages: { first: 0, next, firstEndedAt: NOON } })).pages;
    expect([await movedTo(14), await movedTo(15)]).toEqual([
      { first: 0, next: 15, firstEndedAt: NOON, sizes: Array.from({ length: 15 }, () => 20) },
      { first: 1, next: 16, sizes: Array.from({ length: 15 }, () => 20) },
    ]);
  });

  test.each([
    { each: 13, most: 200 },
    { each: 25, most: 200 },
    { each: 90, most: 200 },
  ])('of $each events each fill pages too, so that the last three hundred messages stay', async ({ each, most }) => {
    const { pages, keys } = await open();
    let queue: Paged = { receipts: [] };
    for (let number = 0; number < 700; number += 1) {
      const before = queue;
      queue = await pages.moved<Paged>(CHAT, { ...before, receipts: [eventful(number, each), ...before.receipts] });
      await pages.release(CHAT, before, queue);
      expect(queue.receipts.length * each).toBeLessThanOrEqual(most);
    }
    const kept = (await pages.read(CHAT, queue)).map(({ id }) => id);
    expect(kept).toEqual(kept.map((_, index) => `d${699 - index}`));
    expect(kept.length).toBeGreaterThanOrEqual(each > 30 ? 100 : 300);
    expect(kept.length).toBeLessThanOrEqual(340);
    const named = await keys();
    expect([named.length <= 100, queue.pages?.sizes?.length]).toEqual([true, named.length]);
  });

  test('a thousand events are a page of their own, and do not shorten the pages beside it', async () => {
    const { pages } = await open();
    const receipts = [...newestFirst(1, 61), eventful(0, 1_000)];
    expect((await pages.moved<Paged>(CHAT, { receipts })).pages?.sizes).toEqual([1, 20, 20]);
  });
});

describe('the first page', () => {
  /** Two pages: receipts that ended until hour 19, and until hour 39. */
  const filled = async () => {
    const place = await open();
    const queue = await place.pages.moved<Paged>(CHAT, { receipts: newestFirst(0, 61) });
    const expired = async (before: Instant, of: Paged = queue) => (await place.pages.expired(CHAT, of, before)).pages;
    return { ...place, queue, expired };
  };

  test('goes when all of its receipts are older, and then the next one is the first', async () => {
    const { expired, queue } = await filled();
    expect([await expired(hour(19)), await expired(hour(0))]).toEqual([queue.pages, queue.pages]);
    const second = { first: 1, next: 2, firstEndedAt: hour(39), sizes: [20] };
    expect(await expired(later(hour(19), 1))).toEqual(second);
    expect(await expired(hour(39), { ...queue, pages: second })).toEqual(second);
    expect(await expired(hour(40), { ...queue, pages: second })).toEqual({ first: 2, next: 2, sizes: [] });
    expect(await expired(hour(99), { receipts: [], pages: { first: 2, next: 2 } })).toEqual({ first: 2, next: 2 });
  });

  test('is read where its age is not known, and one that was never written goes', async () => {
    const { expired, queue, raw } = await filled();
    const bare = { ...queue, pages: { first: 0, next: 2 } };
    expect([await expired(hour(19), bare), await expired(hour(20), bare)]).toEqual([
      bare.pages,
      { first: 1, next: 2, firstEndedAt: hour(39) },
    ]);
    await raw.delete(`${CHAT}/0`);
    expect(await expired(hour(0), bare)).toEqual({ first: 1, next: 2, firstEndedAt: hour(39) });
  });

  test('that is damaged stays, and before a damaged one the age is unknown', async () => {
    const { expired, queue, raw } = await filled();
    await raw.set(`${CHAT}/1`, { receipts: 'torn' });
    expect(await expired(hour(20))).toEqual({ first: 1, next: 2, sizes: [20] });
    const damaged = { ...queue, pages: { first: 1, next: 2 } };
    expect(await expired(hour(99), damaged)).toEqual(damaged.pages);
  });

  test('cannot be judged while the store is down', async () => {
    const store = await openStore('memory://');
    const down: typeof store = {
      ...store,
      collection(spec) {
        const get = async () => Promise.reject(new Error('down'));
        return { ...store.collection(spec), get };
      },
    };
    await expect(new ReceiptPages(down).expired(CHAT, { receipts: [], pages: { first: 0, next: 1 } }, NOON)).rejects.toThrow('down');
  });

  test('and any other that the queue names no longer is deleted, with what a crash left beside them', async () => {
    const { pages, raw, keys, queue } = await filled();
    for (const number of [2, 3, 4]) await raw.set(`${CHAT}/${number}`, { receipts: [] });
    await pages.release(CHAT, { pages: { first: 1, next: 3 } }, { pages: { first: 2, next: 3 } });
    expect(await keys()).toEqual([2, 4]);
    await pages.release(CHAT, queue);
    expect(await keys()).toEqual([4]);
  });
});

test('receipts in the queue go by their end, and a queue without old ones is the same object', () => {
  const queue: Paged = { receipts: [receipt(2), receipt(1), receipt(0)] };
  expect(withoutOldReceipts(queue, hour(1)).receipts.map(({ id }) => id)).toEqual(['d2', 'd1']);
  expect(withoutOldReceipts(queue, hour(0))).toBe(queue);
});
