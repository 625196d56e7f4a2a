import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, instant, MINUTE, type Instant } from '../../src/base/clock.js';
import type { Crossing } from '../../src/domain/crossing.js';
import { decimal } from '../../src/domain/scalars.js';
import { treasury, type TreasurySeen } from '../../src/feeds/treasury.js';
import { answerWith, connect, serve } from '../support/service.js';
import { background, figuresOf, found, snapshotOf, measuredLines, NOON, sameOf, TIDE, alertedFigures } from './reading.js';

const { spec } = treasury;
interface Given extends Omit<Partial<TreasurySeen>, 'nav' | 'runway' | 'allowance'> {
  readonly nav?: string;
  readonly runway?: string;
  readonly allowance?: string;
}
const maybe = (text: string | undefined) => (text === undefined ? undefined : decimal(text));
const seen = ({ nav, runway, allowance, ...rest }: Given): TreasurySeen => ({
  ...{ nav: maybe(nav), runway: maybe(runway), allowance: maybe(allowance), updatedAt: undefined, past: [], ...rest },
});
const minute = (n: number): Instant => instant(NOON + n * MINUTE);

describe('what it reads', () => {
  test('each measurement only where it is known; the first check emits them too and nothing else', () => {
    const check = snapshotOf(seen({ nav: '5766000', allowance: '0' }));
    expect(found(spec, [check])).toEqual([[]]);
    expect(figuresOf(spec, [check])).toMatchObject([
      [{ id: `treasury/tide/${NOON}`, at: NOON, values: { nav: '5766000', allowance: '0' } }],
    ]);
    expect(Object.keys(figuresOf(spec, [check])[0]![0]!.values)).toEqual(['nav', 'allowance']);
  });

  test('only a check that reads the very same measurements finds them unchanged', () => {
    const [known, again] = [seen({ runway: '12', updatedAt: NOON }), seen({ updatedAt: NOON })].map((one) => snapshotOf(one));
    expect(sameOf(spec, [known!, known!, again!, known!])).toEqual([[], ['treasury/tide'], [], ['treasury/tide']]);
  });

  test('where nothing is known nothing is read', () => {
    expect(figuresOf(spec, [snapshotOf(seen({ updatedAt: NOON }))])).toEqual([[]]);
  });

  test('whatever the order, the split into checks and the repetition, each measurement that is newer than all before it is read once', () => {
    const one = fc.record({ date: fc.nat(200), nav: fc.option(fc.nat(9).map(String), { nil: '1' }), late: fc.nat(50) });
    fc.assert(
      fc.property(
        fc.uniqueArray(one, { selector: ({ date }) => date, maxLength: 15 }),
        fc.array(fc.nat(14), { maxLength: 40 }),
        (all, picks) => {
          const order = picks.flatMap((index) => all[index] ?? []);
          const checkRecords = order.map(({ date, nav }, index) =>
            snapshotOf(seen({ nav, runway: '12', updatedAt: minute(date) }), { at: minute(1_000 + index) }),
          );
          const expected = order.map(({ date }, index) =>
            order.slice(0, index).some((earlier) => earlier.date >= date) ? [] : [`treasury/tide/${minute(date)}`],
          );
          expect(figuresOf(spec, checkRecords).map((measurements) => measurements.map(({ id }) => id))).toEqual(expected);
        },
      ),
    );
  });

  test('NAV has the history that the chart gives, the others have none', () => {
    const past = [{ at: instant(NOON - DAY), nav: decimal('5000000') }, { at: instant(NOON - 2 * DAY) }];
    const [[measurements] = []] = figuresOf(spec, [snapshotOf(seen({ nav: '5766000', runway: '57', past }))]);
    expect(measurements?.history).toEqual({ nav: [{ at: NOON - DAY, value: '5000000' }] });
    expect(figuresOf(spec, [snapshotOf(seen({ runway: '57', past }))])[0]![0]!.history).toBeUndefined();
  });

  test('from the service, with a NAV that is the product of the chart only where that is exact enough', async () => {
    const point = (age: number, navPerAdjustedShare: string) => ({
      ...{ timestamp: new Date(NOON - age).toISOString(), navPerAdjustedShare, tokenPrice: '0.5', adjustedSupply: '10000000' },
    });
    const service = await serve((asked) => {
      if (asked.path.endsWith('/nav-as-chart')) answerWith(asked, [point(DAY, '0.5766'), point(2 * DAY, '0.058'), { timestamp: 'never' }]);
      else answerWith(asked, { netAssetValue: '5766000', monthOfRunway: '8000', spendingLimit: null, updatedAt: '2026-11-20T11:59:00Z' });
    });
    const { analytics } = await connect(service.url);
    const { measurements } = await treasury.check(TIDE, undefined, background(analytics));
    expect(measurements).toMatchObject([
      { values: { nav: '5766000', runway: '8000' }, history: { nav: [{ at: NOON - DAY, value: '5766000' }] } },
    ]);
    expect(measurements[0]?.event).toMatchObject({ feed: 'treasury', stage: 'level', project: 'tide' });
  });
});

describe('in words', () => {
  const dayBefore = snapshotOf(seen({ nav: '5148214', runway: '7.1', allowance: '100000' }), { at: instant(NOON - DAY) });
  const measurements = (given: Given) => figuresOf(spec, [dayBefore, snapshotOf(seen(given))])[1]![0]!;
  const crossing = (rule: Crossing['rule'], now: string, was: string): Crossing => ({
    ...{ rule, side: Number(now) > Number(was) ? 'high' : 'low', now: { at: NOON, value: decimal(now) } },
    was: { at: instant(NOON - 2 * MINUTE), value: decimal(was) },
    since: { at: instant(NOON - 3 * DAY), value: decimal(was) },
  });
  const runway = crossing({ when: 'below', measure: 'runway', threshold: decimal('6'), hysteresis: decimal('1') }, '5.44', '6.2');
  const allowance = crossing({ when: 'change', measure: 'allowance' }, '120000', '100000');

  test('several crossings of one check are one alert, each with its own measurement', () => {
    const text = alertedFigures(treasury, measurements({ nav: '5000000', runway: '5.44', allowance: '120000' }), {
      alertContext: { crossings: [runway, allowance] },
    });
    expect(text.split('\n')).toEqual([
      '▼ | 6 | 5.4 mo',
      '$120K | $100K | 3 d',
      '6.2 mo',
      '$5.00M | 5.4 mo | $120K',
      '/treasury tide /treasury tide runway',
    ]);
    const [headline, also, was, values] = measuredLines(treasury, measurements({ nav: '5000000', runway: '5.44', allowance: '120000' }), {
      alertContext: { crossings: [runway, allowance] },
    });
    expect(headline).toMatch(/^Tidewater's runway dropped below\b/u);
    expect(also).toMatch(/^Also\b.*\ballowance was raised\b/u);
    expect(was).toMatch(/^Was\b/u);
    expect(values).toMatch(/\bNAV \$5\.00M .*\brunway 5\.4 mo .*\ballowance \$120K a month$/u);
  });

  test('without a crossing it is reported as it stands, an impossible runway as reported', () => {
    expect(alertedFigures(treasury, measurements({ nav: '5000000', runway: '8000' })).split('\n')).toEqual([
      ' | $5.00M | 667 yr',
      '$5.15M | 7.1 mo | $100K',
      '/treasury tide /treasury tide runway',
    ]);
    const [headline, dayAgo] = measuredLines(treasury, measurements({ nav: '5000000', runway: '8000' }));
    expect(headline).toMatch(/^Tidewater\b.*\bNAV\b.*\brunway\b.*⚠ as reported$/u);
    expect(dayAgo).toMatch(/^Yesterday\b/u);
  });

  test('measurements that the service has not updated for long say so', () => {
    const [old] = figuresOf(spec, [snapshotOf(seen({ nav: '1', updatedAt: instant(NOON - 2 * DAY) }))])[0]!;
    expect(alertedFigures(treasury, old!)).toContain([' | $1.00', 'Nov 18, 12:00 UTC', '/treasury tide /treasury tide runway'].join('\n'));
    expect(measuredLines(treasury, old!)[1]).toMatch(/^⚠/u);
  });
});
