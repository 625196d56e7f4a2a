import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, instant, MINUTE, type Instant } from '../../src/base/clock.js';
import type { Crossing } from '../../src/domain/crossing.js';
import { decimal } from '../../src/domain/scalars.js';
import { premium, type PremiumSeen } from '../../src/feeds/premium.js';
import { treasury } from '../../src/feeds/treasury.js';
import { answerWith, connect, reply, serve, type Asked } from '../support/service.js';
import { background, figuresOf, found, hastyClock, snapshotOf, measuredLines, NOON, sameOf, TIDE, alertedFigures } from './reading.js';

const { spec } = premium;
const seen = (gap: string | undefined, extra: Partial<PremiumSeen> = {}): PremiumSeen => ({
  ...{ gap: gap === undefined ? undefined : decimal(gap), reported: undefined, price: undefined, navPerShare: undefined },
  ...{ nav: undefined, updatedAt: undefined, past: [], ...extra },
});
const minute = (n: number): Instant => instant(NOON + n * MINUTE);

describe('what it reads', () => {
  test('the first check emits measurements too; evaluation decides that they do not alert', () => {
    const check = snapshotOf(seen('-9.1', { updatedAt: instant(NOON - MINUTE) }));
    expect(found(spec, [check, check])).toEqual([[], []]);
    expect(figuresOf(spec, [check])[0]).toMatchObject([
      { id: `premium/tide/${NOON - MINUTE}`, project: 'tide', at: NOON - MINUTE, values: { premium: '-9.1' } },
    ]);
  });

  test.each([
    [HOUR, undefined],
    [20 * HOUR, '25'],
    [3 * DAY, undefined],
  ])('a price of %d ms before gives a 24 h change of %s', (age, change) => {
    const chart = [{ at: instant(NOON - age), premium: decimal('0'), price: decimal('0.8'), navPerShare: decimal('0.8') }];
    const [read] = figuresOf(spec, [snapshotOf(seen('0', { price: decimal('1'), past: chart }))])[0] ?? [];
    expect(read?.values.price24h).toBe(change);
    expect(read?.values.price).toBe('1');
  });

  test('nothing is read where neither a gap nor what it comes of is known, and nothing is forgotten by that', () => {
    const known = snapshotOf(seen('-9.1', { updatedAt: NOON }));
    const blank = snapshotOf(seen(undefined, { updatedAt: minute(5) }), { at: minute(5) });
    expect(figuresOf(spec, [blank, known, blank, known]).map((all) => all.length)).toEqual([0, 1, 0, 0]);
  });

  test('only a check that reads the very same gap finds it unchanged, not one that reads none or an older one', () => {
    const known = snapshotOf(seen('-9.1', { updatedAt: NOON }), { at: minute(1) });
    const again = snapshotOf(seen('-9.1', { updatedAt: NOON }), { at: minute(5) });
    const older = snapshotOf(seen('-9.1', { updatedAt: minute(-9) }), { at: minute(6) });
    const blank = snapshotOf(seen(undefined, { updatedAt: NOON }), { at: minute(7) });
    expect(sameOf(spec, [known, again, older, blank, again])).toEqual([[], ['premium/tide'], [], [], ['premium/tide']]);
  });

  test('whatever the order, the split into checks and the repetition, each measurement that is newer than all before it is read once', () => {
    const answers = fc.uniqueArray(fc.nat(300), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(answers, fc.array(fc.nat(19), { maxLength: 60 }), (dates, picks) => {
        const order = [...picks.flatMap((index) => dates[index] ?? []), Math.max(...dates)];
        // Each answer arrives later than all that it may say.
        const checkRecords = order.map((date, index) =>
          snapshotOf(seen(String(date), { updatedAt: minute(date) }), { at: minute(1_000 + index) }),
        );
        const read = figuresOf(spec, checkRecords).map((all) => all.map(({ id, values }) => `${id} ${values.premium}`));
        const newest = order.map((date, index) =>
          order.slice(0, index).some((earlier) => earlier >= date) ? [] : [`premium/tide/${minute(date)} ${date}`],
        );
        expect(read).toEqual(newest);
        // In order of time and without a repetition it is the same.
        const kept = order.filter((date, index) => !order.slice(0, index).some((earlier) => earlier >= date));
        const sorted = kept.map((date) => snapshotOf(seen(String(date), { updatedAt: minute(date) }), { at: minute(2_000) }));
        const ids = (all: ReturnType<typeof figuresOf>) => all.flat().map(({ id }) => id);
        expect(ids(figuresOf(spec, sorted))).toEqual(ids(figuresOf(spec, checkRecords)));
      }),
    );
  });

  test('a measurement has the treasury of its response beside it, and a change of that alone is one too', () => {
    const of = (runway: string, at: number) =>
      snapshotOf(seen('-9.1', { updatedAt: NOON, nav: decimal('5000000'), runway: decimal(runway) }), { at: minute(at) });
    const read = figuresOf(spec, [of('14', 1), of('14', 5), of('15', 9)]);
    expect(
      read.map((all) => all.map(({ at, values, others }) => [at, values.premium, others?.nav, others?.runway, others?.allowance])),
    ).toEqual([[[NOON, '-9.1', '5000000', '14', undefined]], [], [[minute(9), '-9.1', '5000000', '15', undefined]]]);
  });

  test('its history is what the chart says, and the watermark keeps none of it', () => {
    const past = Array.from({ length: 400 }, (_, index) => ({
      at: instant(NOON - (index + 1) * DAY),
      price: decimal('0.9'),
      navPerShare: decimal('1'),
    }));
    const check = snapshotOf(seen('-17.2', { past }));
    const [[measurements] = []] = figuresOf(spec, [check]);
    expect(measurements?.history?.premium).toHaveLength(400);
    expect(measurements?.history?.premium?.[0]).toEqual({ at: NOON - DAY, value: '-10' });
    expect(JSON.stringify(spec.diff(TIDE, undefined, check).watermark).length).toBeLessThan(400);
  });

  test('after days of checks the watermark is still small', () => {
    let watermark: ReturnType<typeof spec.diff>['watermark'] | undefined;
    for (let n = 0; n < 3_000; n += 1)
      ({ watermark } = spec.diff(TIDE, watermark, snapshotOf(seen(`-9.${n}`, { nav: decimal('5766000') }), { at: minute(n * 2) })));
    expect(JSON.stringify(watermark).length).toBeLessThan(2_000);
  });
});

/** The overview and the chart as the service sends them. */
const OVERVIEW = { baseMintCurrentPrice: '0.828', netAssetValue: '10000000', navPerAdjustedShare: '1', premiumDiscountPercent: -17.2 };
const isChart = (asked: Asked): boolean => asked.path.endsWith('/nav-as-chart');
const chartOf = (days: number) =>
  Array.from({ length: days * 2 }, (_, index) => ({
    timestamp: new Date(NOON - (days * 2 - index) * 12 * HOUR).toISOString(),
    navPerAdjustedShare: '0.9760',
    tokenPrice: index % 2 === 0 ? '0.8' : '0.8872',
    adjustedSupply: '10000000',
    premiumDiscountPercent: null,
  }));
const kept = { maxAge: 2 * MINUTE };

describe('what it asks', () => {
  const open = async (chart: (asked: Asked) => void = (asked) => answerWith(asked, chartOf(40))) => {
    const service = await serve((asked) => (isChart(asked) ? chart(asked) : answerWith(asked, OVERVIEW)));
    const clock = hastyClock();
    const { analytics } = await connect(service.url, { clock });
    const { options } = background(analytics);
    const context = { analytics, options: { ...options, ...kept } };
    const calls = () => ({ overview: service.asked.filter((one) => !isChart(one)).length, chart: service.asked.filter(isChart).length });
    return { context, clock, calls, service };
  };

  test('the past of a chart is worked out once, for as long as the chart is the same', async () => {
    let days = 40;
    const { context, clock } = await open((asked) => answerWith(asked, chartOf(days)));
    const pastNow = async () => (await premium.check(TIDE, undefined, context)).measurements[0]?.history?.premium;
    const [first, second] = [await pastNow(), await pastNow()];
    expect(first).toHaveLength(41);
    expect(second).toBe(first);
    await clock.advance(2 * DAY);
    expect(await pastNow()).toBe(first);
    days = 50;
    await clock.advance(2 * DAY);
    expect(await pastNow()).toHaveLength(51);
  });

  test('one overview serves premium and treasury, and the chart is asked for once a day', async () => {
    const { context, clock, calls, service } = await open();
    const [first] = await Promise.all([premium.check(TIDE, undefined, context), treasury.check(TIDE, undefined, context)]);
    expect(calls()).toEqual({ overview: 1, chart: 1 });
    expect(service.asked.find(isChart)?.query.get('range')).toBe('ALL');
    let { watermark } = first;
    for (let check = 0; check < 10; check += 1) {
      await clock.advance(2 * HOUR);
      ({ watermark } = await premium.check(TIDE, watermark, context));
      await treasury.check(TIDE, undefined, context);
    }
    expect(calls()).toEqual({ overview: 11, chart: 1 });
    await clock.advance(5 * HOUR);
    await premium.check(TIDE, watermark, context);
    expect(calls().chart).toBe(2);
  });

  test('the gap is worked out from price and NAV/share, and its history has the last point of each day', async () => {
    const { context } = await open();
    const { measurements } = await premium.check(TIDE, undefined, context);
    expect(measurements[0]?.values).toEqual({ premium: '-17.2', price: '0.828', price24h: '3.5' });
    const history = measurements[0]?.history?.premium ?? [];
    expect(new Set(history.map(({ at }) => Math.floor(at / DAY))).size).toBe(history.length);
    expect(history.length).toBeGreaterThan(38);
  });

  test.each([403, 400, 500])('a chart that is refused with %d costs the history and not the measurements', async (status) => {
    const { context, clock, calls } = await open((asked) => reply(asked, '{}', { status }));
    const { measurements } = await premium.check(TIDE, undefined, context);
    expect(measurements).toMatchObject([{ values: { premium: '-17.2' } }]);
    expect(measurements[0]?.history).toBeUndefined();
    // A verdict is not asked for again before the next day.
    if (status === 500) return;
    await clock.advance(HOUR);
    await premium.check(TIDE, undefined, context);
    expect(calls()).toEqual({ overview: 2, chart: 1 });
    await clock.advance(DAY);
    await premium.check(TIDE, undefined, context);
    expect(calls().chart).toBe(2);
  });

  test('without an overview the check fails, and no chart is asked for', async () => {
    const service = await serve((asked) => reply(asked, '{}', { status: 403 }));
    const { analytics } = await connect(service.url);
    await expect(premium.check(TIDE, undefined, background(analytics))).rejects.toMatchObject({ trouble: 'forbidden' });
    expect(service.asked.filter(isChart)).toEqual([]);
  });

  test('a project that publishes no NAV has no measurements and costs one call', async () => {
    const service = await serve((asked) =>
      answerWith(asked, { ...OVERVIEW, netAssetValue: null, navPerAdjustedShare: null, premiumDiscountPercent: null }),
    );
    const { analytics } = await connect(service.url);
    expect((await premium.check(TIDE, undefined, background(analytics))).measurements).toEqual([]);
    expect(service.asked).toHaveLength(1);
  });
});

describe('in words', () => {
  const before = { at: instant(NOON - DAY), price: decimal('0.8872'), navPerShare: decimal('0.976'), nav: decimal('9760000') };
  const now = { price: decimal('0.828'), navPerShare: decimal('1'), nav: decimal('10000000'), updatedAt: NOON };
  const measurements = (extra: Partial<PremiumSeen> = {}) =>
    figuresOf(spec, [snapshotOf(seen('-17.2', { ...now, past: [before], ...extra }))])[0]![0]!;
  const point = (value: string, age: number) => ({ at: instant(NOON - age), value: decimal(value) });
  const fell: Crossing = {
    rule: { when: 'below', measure: 'premium', threshold: decimal('-10'), hysteresis: decimal('2') },
    ...{ side: 'low', now: point('-17.2', 0), was: point('-9.5', 2 * MINUTE), since: point('-4', 5 * DAY), zScore: decimal('-2.13') },
  };

  test('a crossing states the threshold, the value, the one a few minutes earlier, what moved it since yesterday, and its z-score', () => {
    expect(alertedFigures(premium, measurements(), { alertContext: { crossings: [fell] } }).split('\n')).toEqual([
      '▼ | −10% | 17.2%',
      '9.5% | −6.0 pts | −2.1 pts | 0 | −2.1',
      '$0.8280 | /share | $1.000 | $10.0M',
      '/premium tide /treasury tide',
    ]);
    const [headline, details] = measuredLines(premium, measurements(), { alertContext: { crossings: [fell] } });
    expect(headline).toMatch(/^TIDE dropped below\b.*\bbelow NAV$/u);
    expect(details).toMatch(/\bbelow a few minutes earlier\b.*\bsince yesterday\b.*\bprice −6.*\btreasury −2.*\bsupply 0\b.*\bz-score −2/u);
    const noDay = measurements({ past: [] });
    expect(alertedFigures(premium, noDay, { alertContext: { crossings: [fell] } }).split('\n')[1]).toBe('9.5% | −2.1');
  });

  test('what moved it is dated, and the value before names NAV where it is the other side of the headline', () => {
    const rise: Crossing = {
      rule: { when: 'above', measure: 'premium', threshold: decimal('0'), hysteresis: decimal('2') },
      ...{ side: 'high', now: point('16.5', 0), was: point('-12.7', 2 * MINUTE), since: point('-12.7', HOUR) },
    };
    const dayAgo = {
      ...before,
      at: instant(NOON - 43 * HOUR),
      price: decimal('1.11'),
      navPerShare: decimal('1'),
      nav: decimal('10000000'),
    };
    const [figure] = figuresOf(spec, [snapshotOf(seen('16.5', { ...now, price: decimal('1.165'), past: [dayAgo] }))])[0]!;
    const [headline, details] = alertedFigures(premium, figure!, { alertContext: { crossings: [rise] } }).split('\n');
    expect(headline).toBe('▲ | 16.5%');
    expect(details).toMatch(/^12\.7% \| 2 d \| \+5\.5 pts/u);
    const lines = measuredLines(premium, figure!, { alertContext: { crossings: [rise] } });
    expect(lines[0]).toMatch(/^TIDE rose above NAV\b.*\bpremium\b/u);
    expect(lines[1]).toMatch(/\bbelow NAV\b.*\bprice \+5/u);
  });

  test('several crossings in one alert: the first is the headline, the others follow', () => {
    const extreme: Crossing = { ...fell, rule: { when: 'extreme', measure: 'premium', days: decimal('90') } };
    const text = alertedFigures(premium, measurements(), { alertContext: { crossings: [fell, extreme] } });
    expect(text.split('\n')[1]).toBe('90');
    expect(measuredLines(premium, measurements(), { alertContext: { crossings: [fell, extreme] } })[1]).toMatch(/^Also\b.*\blow\b/u);
  });

  test('a move is reported from where it began, and its parts say since when', () => {
    const move: Crossing = { ...fell, rule: { when: 'move', measure: 'premium', by: decimal('5') } };
    const [headline, details] = alertedFigures(premium, measurements(), { alertContext: { crossings: [move] } }).split('\n');
    expect(headline).toBe('▼ | 13.2 pts | 17.2%');
    expect(details).toMatch(/^4\.0% \| 5 d \| −6\.0 pts/u);
    const lines = measuredLines(premium, measurements(), { alertContext: { crossings: [move] } });
    expect(lines[0]).toMatch(/\bfell\b.*\bbelow NAV$/u);
    expect(lines[1]).toMatch(/\bsince yesterday: price\b/u);
  });

  test('without a crossing it is reported as it stands', () => {
    expect(alertedFigures(premium, measurements()).split('\n').slice(0, 2)).toEqual([' | 17.2%', '9.1% | −6.0 pts | −2.1 pts | 0']);
    expect(measuredLines(premium, measurements())[0]).toMatch(/^TIDE\b.*\bbelow NAV$/u);
    expect(alertedFigures(premium, measurements({ past: [], price: undefined, navPerShare: undefined, nav: undefined }))).toBe(
      [' | 17.2%', '/premium tide /treasury tide'].join('\n'),
    );
  });

  test('what the service reports otherwise, and a NAV it has not updated for long, are said', () => {
    const old = measurements({ updatedAt: instant(NOON - 9 * DAY), reported: decimal('-15') });
    expect(alertedFigures(premium, old)).toBe(
      [
        ' | 17.2%',
        '$0.8280 | /share | $1.000 | $10.0M',
        'Nov 11, 12:00 UTC',
        '−15.0% | /share give | −17.2%',
        '/premium tide /treasury tide',
      ].join('\n'),
    );
    const warnings = measuredLines(premium, old).filter((line) => line.startsWith('⚠'));
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toMatch(/^⚠ −15\.0% as reported\b/u);
  });
});
