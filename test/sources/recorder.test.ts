import { expect, test } from 'vitest';
import type { Analytics } from '../../src/analytics/analytics.js';
import { treasuryHoldings, treasuryOverview } from '../../src/analytics/endpoints/treasury.js';
import { AnalyticsError } from '../../src/analytics/errors.js';
import { instant } from '../../src/base/clock.js';
import { subtract } from '../../src/domain/decimal.js';
import { usd } from '../../src/domain/format.js';
import { decimal } from '../../src/domain/scalars.js';
import { openRecorder } from '../../src/sources/recorder.js';

const AT = instant(Date.UTC(2026, 10, 20, 12));

/** Answers everything but holdings, the overview last. */
const service: Analytics = {
  call: async (row) => {
    if (row.id === treasuryHoldings.id) throw new AnalyticsError({ trouble: 'timeout', row: row.id, detail: 'late' });
    return { data: row.data.parse({}), meta: {}, at: AT, dataAt: instant(AT - 1), stale: 'timeout' };
  },
  walk: async () => ({ rows: [], broken: 0, hidden: 0, complete: true, at: AT }),
  kept: async () => undefined,
  state: () => {
    throw new Error('not asked');
  },
};

test('a call is recorded with its operation, its input and the age of its data, and a failed one is not', async () => {
  const recorder = openRecorder();
  const analytics = recorder.analytics(service);
  await Promise.all([
    analytics.call(treasuryOverview, { slug: 'tide & co' }),
    analytics.call(treasuryHoldings, { slug: 'tide' }).catch(() => undefined),
  ]);
  expect(recorder.records().map(({ record }) => record)).toEqual([
    {
      ...{ what: 'GET /v1/dao/treasury/overview?slug=tide+%26+co', id: 'treasury.overview', section: '§4.9' },
      ...{ at: AT, dataAt: AT - 1, stale: true },
    },
  ]);
});

test('a question that goes on records after another has ended', async () => {
  const [first, second] = [openRecorder(), openRecorder()];
  let goOn = (): void => undefined;
  const waits = new Promise<void>((resolve) => (goOn = resolve));
  const going = first.run(async () => {
    await waits;
    return usd(subtract(decimal('5'), decimal('3')));
  });
  await second.run(async () => usd(decimal('7')));
  goOn();
  await going;
  expect([...first.log.shown.keys()]).toEqual(['$2.00']);
  await first.run(async () => usd(decimal('8')));
  expect([...first.log.shown.keys()]).toEqual(['$2.00']);
});

test('what a question left running records nothing after its reply', async () => {
  const recorder = openRecorder();
  let goOn = (): void => undefined;
  const waits = new Promise<void>((resolve) => (goOn = resolve));
  let left: Promise<string> | undefined;
  await recorder.run(async () => {
    usd(subtract(decimal('5'), decimal('3')));
    left = waits.then(() => usd(subtract(decimal('9'), decimal('2'))));
  });
  goOn();
  expect(await left).toBe('$7.00');
  expect([...recorder.log.shown.keys()]).toEqual(['$2.00']);
  expect(recorder.log.calculations.size).toBe(1);
});

test('a question that goes on while others begin and end is recorded to its end', async () => {
  const [long, short] = [openRecorder(), openRecorder()];
  let goOn = (): void => undefined;
  const waits = new Promise<void>((resolve) => (goOn = resolve));
  const ended = long.run(async () => {
    await waits;
    usd(subtract(decimal('5'), decimal('3')));
  });
  for (const recorder of [short, openRecorder()]) await recorder.run(async () => void usd(subtract(decimal('9'), decimal('2'))));
  goOn();
  await ended;
  const after = openRecorder();
  await after.run(async () => {
    await Promise.resolve();
    usd(subtract(decimal('4'), decimal('3')));
  });
  expect([long, short, after].map(({ log }) => [...log.shown.keys()])).toEqual([['$2.00'], ['$7.00'], ['$1.00']]);
});
