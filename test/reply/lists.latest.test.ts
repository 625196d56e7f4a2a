import { expect, test } from 'vitest';
import { AnalyticsError } from '../../src/analytics/errors.js';
import { instant } from '../../src/base/clock.js';
import { latestPage, PAGE_SIZE } from '../../src/reply/lists.js';

/** A ledger whose row `n` happened at moment `n`, in the order given, and the calls that were made for a page of it. */
async function pageOf(
  ids: readonly number[],
  page: number,
  { counted = true, pages = Infinity }: { counted?: boolean; pages?: number } = {},
) {
  const asked: number[] = [];
  const found = await latestPage({
    page,
    at: (row: number) => instant(row),
    ask: async (number) => {
      asked.push(number);
      if (number > pages) throw new AnalyticsError({ trouble: 'forbidden', row: 'ledger', detail: 'beyond the plan' });
      const rows = ids.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE);
      return { data: { rows, broken: 0 }, meta: counted ? { totalItems: ids.length } : {}, at: instant(0) };
    },
  });
  return { ...found, asked };
}
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

test('whatever the length of a ledger, in either order each page holds what is expected there, in at most four calls', async () => {
  for (const length of [1, 9, 10, 11, 19, 20, 21, 37]) {
    const newest = upTo(length).toReversed();
    for (const ids of [upTo(length), newest])
      for (let page = 1; page <= Math.ceil(length / PAGE_SIZE); page += 1) {
        const { rows, asked, notes } = await pageOf(ids, page);
        expect([length, page, rows]).toEqual([length, page, newest.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)]);
        expect(asked.length).toBeLessThanOrEqual(4);
        expect(notes).toEqual([]);
      }
  }
});

test('a ledger that comes newest first costs one call', async () => {
  expect((await pageOf(upTo(30).toReversed(), 1)).asked).toEqual([1]);
});

test('where the latest rows cannot be reached, the page says so', async () => {
  for (const how of [{ counted: false }, { pages: 3 }]) {
    const { rows, notes } = await pageOf(upTo(50), 1, how);
    expect(rows).toHaveLength(PAGE_SIZE);
    expect(notes).toMatchObject([{ line: [expect.stringContaining('Oldest first')] }]);
  }
});

test('a list in no order is sorted a page at a time, and says so', async () => {
  const { rows, notes, asked } = await pageOf([3, 9, 1, 8, 2, 7, 4, 6, 5, 10, 11, 12], 1);
  expect(rows).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(notes).toMatchObject([{ line: [expect.stringContaining('within each page')] }]);
  expect(asked).toEqual([1]);
});
