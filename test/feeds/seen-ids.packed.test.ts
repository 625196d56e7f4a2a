import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instant } from '../../src/base/clock.js';
import { packed, storedRowsSchema } from '../../src/feeds/seen-ids.js';
import { runs } from '../support/properties.js';

const stored = (rows: Parameters<typeof packed>[0]): unknown => JSON.parse(JSON.stringify(packed(rows)));

const id = fc.oneof(fc.nat().map(String), fc.string(), fc.constantFrom('0', '007', '-1', '1e3', '999999999999999', '99999999999999999999'));
const at = fc.integer({ min: -8.64e15, max: 8.64e15 }).map(instant);

test('any rows come back as they were, in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ id, at })), (rows) => {
      expect(storedRowsSchema.parse(stored(rows))).toEqual(rows);
    }),
    { numRuns: runs(200) },
  );
});

test('rows that were stored as they are are read', () => {
  const rows = [
    { id: '12', at: instant(2_000) },
    { id: 'b', at: instant(1_000) },
  ];
  expect(storedRowsSchema.parse(rows)).toEqual(rows);
});

test('neighbours are stored as their differences', () => {
  expect(
    packed([
      { id: '1000000012', at: instant(1_795_432_000_000) },
      { id: 'b', at: instant(1_795_431_000_000) },
      { id: '1000000010', at: instant(1_795_431_000_000) },
    ]),
  ).toEqual({ ids: [1_000_000_012, 'b', -2], dates: [1_795_432_000_000, -1_000_000, 0] });
});

test.each([{ ids: [1], dates: [] }, { ids: [1], dates: ['2'] }, { ids: [1.5], dates: [1] }, { ids: [1] }, 'everything'])(
  'what no version stored is refused: %j',
  (damaged) => {
    expect(storedRowsSchema.safeParse(damaged).success).toBe(false);
  },
);
