import { expect, test } from 'vitest';
import { decimal, daySchema } from '../../src/domain/scalars.js';
import { pastDays } from '../../src/feeds/growth.js';

const metric = (id: string, ...days: readonly (readonly [day: string, value: string])[]) => ({
  ...{ id, name: undefined, unit: 'count', semantics: undefined, broken: 1 },
  days: days.map(([day, value]) => ({ day: daySchema.parse(day), value: decimal(value) })),
});
type Metric = Parameters<typeof pastDays>[0]['metrics'][number];

test('each day is a check at its end, oldest first, with the values of that day alone', () => {
  const metrics: Metric[] = [metric('traders', ['2026-11-19', '7'], ['2026-11-17', '5']), metric('pools', ['2026-11-17', '2'])];
  const { snapshots, since, hidden, broken } = pastDays({ published: true, metrics, broken: 4 });
  expect({ since, hidden, broken }).toEqual({ since: Date.UTC(2026, 10, 17), hidden: 0, broken: 4 });
  expect(
    snapshots.map(({ at, complete, hidden: unseen, broken: bad, data }) => [
      ...[new Date(at).toISOString().slice(0, 10), complete, unseen, bad, data.published, data.broken],
      data.metrics.map(({ id, days, broken: unread }) => [id, days.map(({ value }) => value), unread]),
    ]),
  ).toEqual([
    [
      ...['2026-11-18', true, 0, 0, true, 0],
      [
        ['traders', ['5'], 0],
        ['pools', ['2'], 0],
      ],
    ],
    [...['2026-11-20', true, 0, 0, true, 0], [['traders', ['7'], 0]]],
  ]);
});

test('without values there are no past checks, and no record begins', () => {
  expect(pastDays({ published: false, metrics: [metric('traders')], broken: 0 })).toMatchObject({ snapshots: [], since: undefined });
});
