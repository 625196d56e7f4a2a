import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Month } from '../../../src/analytics/endpoints/finances.js';
import { instant } from '../../../src/base/clock.js';
import { sideBySide, sourcesOf, sumOf, within } from '../../../commands/finances/months.js';
import { subtract, sum } from '../../../src/domain/decimal.js';
import { decimal } from '../../../src/domain/scalars.js';

const NOW = instant(Date.UTC(2026, 10, 20, 12));
const amount = fc.option(
  fc.integer({ min: -1e9, max: 1e9 }).map((cents) => decimal(`${cents}e-2`)),
  { nil: undefined },
);
const month = fc
  .record({ back: fc.integer({ min: 0, max: 40 }), day: fc.integer({ min: 1, max: 28 }), amount })
  .map(({ back, day, ...rest }): Month => ({ ...rest, at: instant(Date.UTC(2026, 10 - back, day)), interval: 'month', details: [] }));
const year = (one: { readonly at: number }) => new Date(one.at).toISOString().slice(0, 7);

test('a range is whole calendar months up to the running one, each once, oldest first, and loses no amount', () => {
  fc.assert(
    fc.property(fc.array(month, { maxLength: 60 }), (all) => {
      const shown = within(all, '6M', NOW);
      const names = shown.map(year);
      expect(names).toEqual([...new Set(names)].toSorted());
      expect(names.every((name) => name >= '2026-06' && name <= '2026-11')).toBe(true);
      const known = all.filter((one) => one.amount !== undefined);
      expect(sumOf(within(known, 'ALL', NOW))).toEqual(known.length === 0 ? undefined : sum(known.flatMap((one) => one.amount ?? [])));
    }),
  );
});

test('a month with an unknown part is unknown, and the difference of two sides needs both', () => {
  fc.assert(
    fc.property(fc.array(month, { maxLength: 20 }), fc.array(month, { maxLength: 20 }), (came, went) => {
      const both = sideBySide(within(came, 'ALL', NOW), within(went, 'ALL', NOW));
      expect(new Set(both.map(year))).toEqual(new Set([...came, ...went].map(year)));
      for (const one of both) {
        expect(one.net).toBe(one.revenue === undefined || one.expense === undefined ? undefined : subtract(one.revenue, one.expense));
        const rows = came.filter((other) => year(other) === year(one));
        expect(one.revenue === undefined).toBe(rows.length === 0 || rows.some((row) => row.amount === undefined));
      }
    }),
  );
});

test('sources of several months are put together, the largest first; one without a name keeps its amount', () => {
  const at = instant(Date.UTC(2026, 9, 1));
  const detail = (source: string | undefined, value: string) => ({ source, amount: decimal(value) });
  const all: readonly Month[] = [
    { at, interval: 'month', amount: decimal('9'), details: [detail('Fees', '4'), detail(undefined, '5')] },
    { at, interval: 'month', amount: undefined, details: [detail('Fees', '3'), { source: 'Lost', amount: undefined }] },
  ];
  expect(sourcesOf(all)).toEqual([
    { name: 'Fees', amount: '7' },
    { name: 'unnamed', amount: '5' },
  ]);
});
