import { expect, test } from 'vitest';
import { openBox } from '../box.js';

test('totals are the sums of the months, whatever order they come in; nothing published is null', async () => {
  const box = await openBox();
  const about = async (what: string, slug: string) => (await box.get(`/v1/dao/${what}?slug=${slug}`)).body.data;
  for (const [list, name, sum, total] of [
    ['revenues', 'revenue', 'total-revenue', 'totalRevenue'],
    ['expenses', 'expense', 'total-expense', 'totalExpense'],
  ] as const) {
    const months = await about(list, 'tide');
    const added = months.reduce((all: number, row: Record<string, string>) => all + Number(row[name]), 0);
    expect(added).toBeCloseTo(Number((await about(sum, 'tide'))[total]), 2);
    expect([await about(list, 'lark-hollow'), (await about(sum, 'lark-hollow'))[total]]).toEqual([[], null]);
  }
  expect((await box.get('/v1/dao/revenues')).status).toBe(400);
});
