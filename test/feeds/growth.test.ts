import { expect, test } from 'vitest';
import fc from 'fast-check';
import type { GrowthMetric } from '../../src/analytics/endpoints/project.js';
import { HOUR, later, MINUTE } from '../../src/base/clock.js';
import { addDays } from '../../src/domain/day.js';
import { daySchema, decimal, type Day } from '../../src/domain/scalars.js';
import { growth, WINDOW_DAYS } from '../../src/feeds/growth.js';
import { answerWith, connect, serve } from '../support/service.js';
import { alertLines, background, found, idsOf, NOON, snapshotOf, TIDE, alerted } from './reading.js';

const spec = growth.spec;
const TODAY = daySchema.parse('2026-11-19');
const ago = (days: number): Day => addDays(TODAY, -days);

/** A metric from `[days ago, value]` pairs, oldest first as the client gives them. */
const metric = (values: readonly (readonly [number, string])[], extra: Partial<GrowthMetric> = {}): GrowthMetric => ({
  id: 'daily-traders',
  name: undefined,
  unit: undefined,
  semantics: undefined,
  days: values.map(([days, value]) => ({ day: ago(days), value: decimal(value) })).toSorted((a, b) => a.day.localeCompare(b.day)),
  broken: 0,
  ...extra,
});
const feed = (...metrics: GrowthMetric[]) => snapshotOf({ published: true, metrics, broken: 0 });
const nothing = snapshotOf({ published: false, metrics: [], broken: 0 });
const id = (days: number, rest = ''): string => `growth/tide/daily-traders/${ago(days)}${rest}`;

test('the first check returns no events, and a day that follows is an event', () => {
  expect(
    idsOf(spec, [
      feed(
        metric([
          [2, '5'],
          [1, '6'],
        ]),
      ),
      feed(
        metric([
          [2, '5'],
          [1, '6'],
          [0, '7'],
        ]),
      ),
    ]),
  ).toEqual([[], [id(0)]]);
});

test('a value of 0 is a value, and an absent day is nothing', () => {
  const events = idsOf(spec, [
    feed(metric([[3, '5']])),
    feed(
      metric([
        [3, '5'],
        [1, '0'],
      ]),
    ),
  ]);
  expect(events).toEqual([[], [id(1)]]);
  const [, [event] = []] = found(spec, [
    feed(metric([[1, '5']])),
    feed(
      metric([
        [1, '5'],
        [0, '0'],
      ]),
    ),
  ]);
  expect(alerted(growth, event!)).toContain(['▼ | 0 | Nov 19', '−100% | 7 | 5', '/growth tide metric:daily-traders'].join('\n'));
  expect(alertLines(growth, event!)[0]).toMatch(/^Tidewater\b.*\bdaily traders\b/u);
});

test('a day that vanishes is nothing, and coming back the same is nothing either', () => {
  expect(
    idsOf(spec, [
      feed(
        metric([
          [1, '5'],
          [0, '6'],
        ]),
      ),
      feed(metric([[1, '5']])),
      feed(),
      feed(
        metric([
          [1, '5'],
          [0, '6'],
        ]),
      ),
    ]).flat(),
  ).toEqual([]);
});

test('a day that comes late is reported, however old it is', () => {
  expect(
    idsOf(spec, [
      feed(
        metric([
          [60, '5'],
          [0, '6'],
        ]),
      ),
      feed(
        metric([
          [60, '5'],
          [40, '9'],
          [0, '6'],
        ]),
      ),
    ])[1],
  ).toEqual([id(40)]);
});

test('a restated day is reported once, with what it was', () => {
  const before = feed(
    metric([
      [1, '120'],
      [0, '7'],
    ]),
  );
  const after = feed(
    metric([
      [1, '118'],
      [0, '7'],
    ]),
  );
  expect(idsOf(spec, [before, after, after])).toEqual([[], [id(1, '/120>118')], []]);
  const [, [event] = []] = found(spec, [before, after]);
  expect(alerted(growth, event!)).toContain(['⚠ | 118 | Nov 18 | 120', '/growth tide metric:daily-traders'].join('\n'));
  expect(alertLines(growth, event!)[0]).toMatch(/^Tidewater\b.*\bcorrected\b.*\bdaily traders\b.*\bwas 120\b/u);
});

test('a restated day corrects its alert with what it is compared with now', () => {
  const days = (restated: string) =>
    feed(
      metric([
        [3, '100'],
        [2, '110'],
        [1, restated],
        [0, '7'],
      ]),
    );
  const [, [event] = []] = found(spec, [days('120'), days('84')]);
  expect(event?.corrects).toMatchObject({ facts: { value: '84', last: '110', weekMean: '105' } });
});

test('the same number written otherwise is no correction', () => {
  expect(idsOf(spec, [feed(metric([[0, '10']])), feed(metric([[0, '10.00']])), feed(metric([[0, '1e1']]))]).flat()).toEqual([]);
});

test('a metric seen for the first time does not flood, be it in a known feed or an empty one that fills', () => {
  const year = Array.from({ length: 90 }, (_, index) => [index, String(index)] as const);
  const other = metric(year, { id: 'fees-usd' });
  expect(idsOf(spec, [feed(metric([[0, '1']])), feed(metric([[0, '1']]), other)]).flat()).toEqual([]);
  expect(idsOf(spec, [feed(metric([])), feed(metric(year))]).flat()).toEqual([id(0)]);
  expect(idsOf(spec, [feed(metric([])), feed(metric([[0, '1']]))]).flat()).toEqual([id(0)]);
});

test('a past that could not be read at the first check does not flood when it can be', () => {
  const year = Array.from({ length: 90 }, (_, index) => [index + 1, String(index)] as const);
  const damaged = metric(
    year.filter(([days]) => days % 2 === 0),
    { broken: 45 },
  );
  const checkRecords = [feed(damaged), feed(metric([...year, [0, '7']], { broken: 1 })), feed(metric([...year, [0, '7']]))];
  // Only what follows the last day known is an event while the past is unsure.
  expect(idsOf(spec, checkRecords)).toEqual([[], [id(1), id(0)], []]);
});

test('a day that was broken in a metric that was whole before is reported once when it is good', () => {
  const whole = feed(metric([[2, '5']]));
  const broken = feed(
    metric(
      [
        [2, '5'],
        [0, '7'],
      ],
      { broken: 1 },
    ),
  );
  const good = feed(
    metric([
      [2, '5'],
      [1, '6'],
      [0, '7'],
    ]),
  );
  expect(idsOf(spec, [whole, broken, good, good])).toEqual([[], [id(0)], [id(1)], []]);
});

test('a feed that is published is reported once, and its past is not', () => {
  const events = idsOf(spec, [
    nothing,
    feed(metric([[1, '5']])),
    nothing,
    feed(
      metric([
        [1, '5'],
        [0, '6'],
      ]),
    ),
  ]);
  expect(events).toEqual([[], ['growth/tide/published'], [], [id(0)]]);
  const [, [event] = []] = found(spec, [nothing, feed()]);
  expect(alerted(growth, event!)).toBe(['●', '/growth tide'].join('\n'));
  expect(alertLines(growth, event!)[0]).toMatch(/^Tidewater\b.*\bpublishes\b/u);
});

test('the mean of the week counts the days there are, not the gaps', () => {
  const [, [event] = []] = found(spec, [
    feed(
      metric([
        [8, '9000'],
        [7, '10'],
        [3, '20'],
        [1, '30'],
      ]),
    ),
    feed(
      metric([
        [7, '10'],
        [3, '20'],
        [1, '30'],
        [0, '40'],
      ]),
    ),
  ]);
  expect(event?.facts).toMatchObject({ weekMean: '20', last: '30' });
  expect(alerted(growth, event!)).toBe(['▲ | 40 | Nov 19', '+100% | 7 | 30', '/growth tide metric:daily-traders'].join('\n'));
});

test('with nothing to compare with, nothing is compared', () => {
  const [, [alone] = []] = found(spec, [
    feed(metric([[20, '5']])),
    feed(
      metric([
        [20, '5'],
        [0, '6'],
      ]),
    ),
  ]);
  expect(alerted(growth, alone!)).toBe(' | 6 | Nov 19\n/growth tide metric:daily-traders');
  const [, [fromZero] = []] = found(spec, [
    feed(metric([[1, '0']])),
    feed(
      metric([
        [1, '0'],
        [0, '6'],
      ]),
    ),
  ]);
  expect(alerted(growth, fromZero!)).not.toContain('7');
  for (const event of [alone, fromZero]) expect(alertLines(growth, event!).join('\n')).not.toMatch(/n\/a|average|undefined/u);
});

test('dollars are reported as dollars, exactly', () => {
  const fees = (values: readonly (readonly [number, string])[]) => feed(metric(values, { unit: 'USD' }));
  const [, [event] = []] = found(spec, [
    fees([[1, '1']]),
    fees([
      [1, '1'],
      [0, '10512.123456'],
    ]),
  ]);
  expect(alerted(growth, event!)).toContain(
    ['▲ | $10,512.123456 | Nov 19', '+1,051,112% | 7 | $1', '/growth tide metric:daily-traders'].join('\n'),
  );
  const [, [loss] = []] = found(spec, [
    fees([[1, '419.6']]),
    fees([
      [1, '419.6'],
      [0, '-7.5'],
    ]),
  ]);
  expect(alerted(growth, loss!)).toMatch(/−\$7\.50[^]*\$419\.60/u);
});

test('a day that stands twice in one answer counts once, as its last row says', () => {
  const twice = feed({
    ...metric([[1, '5']]),
    days: [
      ...metric([
        [1, '5'],
        [0, '6'],
      ]).days,
      ...metric([[0, '7']]).days,
    ],
  });
  expect(idsOf(spec, [feed(metric([[1, '5']])), twice, twice])).toEqual([[], [id(0)], []]);
});

test('the watermark stays bounded, and a forgotten day is not reported again', () => {
  const long = metric(Array.from({ length: 300 }, (_, index) => [index, '1'] as const));
  const { watermark } = spec.diff(TIDE, undefined, feed(long));
  expect(Object.keys(watermark.metrics['daily-traders'] ?? {})).toHaveLength(WINDOW_DAYS);
  expect(idsOf(spec, [feed(long), feed(long)]).flat()).toEqual([]);
});

test('any split of the days into checks reports each day once', () => {
  const day = fc.integer({ min: 0, max: 80 });
  fc.assert(
    fc.property(fc.uniqueArray(day, { minLength: 1 }), fc.array(fc.array(day), { maxLength: 5 }), (days, splits) => {
      const value = (one: number) => [one, String(one)] as const;
      const start = feed(metric([[200, '1']]));
      const checkRecords = splits.map((part) => {
        const shown = new Set(part.filter((one) => days.includes(one)));
        return feed(metric([[200, '1'], ...[...shown].map(value)]));
      });
      const all = feed(metric([[200, '1'], ...days.map(value)]));
      const ids = idsOf(spec, [start, ...checkRecords, all, all]).flat();
      expect(new Set(ids)).toEqual(new Set(days.map((one) => id(one))));
      expect(ids).toHaveLength(days.length);
    }),
  );
});

test('through the real client: a feed without a source, then with days, then with a broken row', async () => {
  let data: unknown = { status: 'no_source', metrics: [] };
  const service = await serve((asked) => answerWith(asked, data));
  const { analytics } = await connect(service.url);
  const first = await growth.check(TIDE, undefined, background(analytics));
  expect(first).toMatchObject({ events: [], broken: 0 });
  data = { status: 'ok', metrics: [{ metricId: 'fees-usd', unit: 'USD', observations: [{ date: '2026-11-18', value: 0 }] }] };
  const second = await growth.check(TIDE, first.watermark, background(analytics));
  expect(second.events.map((event) => event.id)).toEqual(['growth/tide/published']);
  data = {
    status: 'ok',
    metrics: [
      {
        metricId: 'fees-usd',
        unit: 'USD',
        observations: [
          { date: '2026-11-18', value: 0 },
          { date: 'soon', value: 1 },
          { date: '2026-11-19T00:00:00Z', value: '10.50' },
        ],
      },
    ],
  };
  const third = await growth.check(TIDE, second.watermark, background(analytics));
  expect(third.broken).toBe(1);
  expect(third.events.map((event) => event.id)).toEqual(['growth/tide/fees-usd/2026-11-19']);
});

test('a day that is restated at every check is corrected after pauses that grow, each time from what was reported', () => {
  const checks = Array.from({ length: 90 }, (_, minute) => ({
    ...feed(metric([[0, String(120 + minute)]])),
    at: later(NOON, minute * MINUTE),
  }));
  expect(idsOf(spec, checks).flat()).toEqual([
    id(0, '/120>121'),
    id(0, '/121>126#1'),
    id(0, '/126>136#2'),
    id(0, '/136>156#3'),
    id(0, '/156>196#4'),
  ]);
});

test('a day that goes to and fro ends with the value that it has at last, and each correction is one of its own', () => {
  const values = ['120', '118', '120', '118', '120'];
  const checks = values.map((value, index) => ({ ...feed(metric([[0, value]])), at: later(NOON, index * HOUR) }));
  expect(idsOf(spec, checks).flat()).toEqual([id(0, '/120>118'), id(0, '/118>120#1'), id(0, '/120>118#2'), id(0, '/118>120#3')]);
});
