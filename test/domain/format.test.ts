import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valueText } from '../../src/charts/scale.js';
import { DAY, HOUR, MINUTE, SECOND, instant } from '../../src/base/clock.js';
import {
  UNKNOWN,
  amount,
  clockTime,
  date,
  day,
  duration,
  exact,
  fromTo,
  month,
  months,
  percent,
  points,
  portion,
  portionOf,
  premium,
  price,
  relative,
  share,
  times,
  tokens,
  usd,
  usdExact,
  usdLimit,
  wholePercent,
} from '../../src/domain/format.js';
import { daySchema, decimal, decimalSchema } from '../../src/domain/scalars.js';

const now = instant(Date.UTC(2026, 10, 20, 14, 5));
const figure = { exact, amount, tokens, usd, usdExact, price, percent, points, share, wholePercent, months, portion, times };
type Shown = keyof typeof figure;

const table: Readonly<Record<Shown, readonly (readonly [given: string, shown: string])[]>> = {
  exact: [
    ['486210.500', '486,210.5'],
    ['9223372036854775807', '9,223,372,036,854,775,807'],
    ['-1234567.000001', '−1,234,567.000001'],
    ['0.000000000001', '0.000000000001'],
    ['0', '0'],
    ['-0', '0'],
  ],
  amount: [
    ['12899934', '12.9M'],
    ['1200000', '1.2M'],
    ['10230', '10.2K'],
    ['9999.99', '10K'],
    ['9999.4', '9,999'],
    ['0.00012345', '0.0001235'],
    ['-3159.921', '−3,160'],
    ['828.504', '828.5'],
    ['9223372036854775807', '9,220,000T'],
    ['0', '0'],
    ['-0', '0'],
  ],
  tokens: [
    ['486210.5', '486,211'],
    ['999.996', '1,000'],
    ['828.504', '828.5'],
    ['0.00012345', '0.0001235'],
    ['-3159.921', '−3,160'],
    ['0', '0'],
  ],
  usd: [
    ['5766232.78', '$5.77M'],
    ['763000', '$763K'],
    ['402582', '$403K'],
    ['12100', '$12.1K'],
    ['10000', '$10.0K'],
    ['999.996', '$1.00K'],
    ['828', '$828.00'],
    ['-9.937', '−$9.94'],
    ['0.004', '$0.004000'],
    ['0', '$0'],
    ['-0', '$0'],
  ],
  usdExact: [
    ['402581.88', '$402,581.88'],
    ['9.94', '$9.94'],
    ['1234567.895', '$1,234,567.90'],
    ['9223372036854775807', '$9,223,372,036,854,775,807.00'],
    ['-100000', '−$100,000.00'],
    ['0.0001', '$0.0001000'],
    ['0', '$0'],
  ],
  price: [
    ['0.628927', '$0.6289'],
    ['0.00001234', '$0.00001234'],
    ['12.5', '$12.50'],
    ['1', '$1.000'],
    ['1065061.07', '$1,065,061'],
    ['-0.5', '−$0.5000'],
    ['0', '$0'],
    ['-0', '$0'],
  ],
  percent: [
    ['13.94', '+13.9%'],
    ['3.7712', '+3.8%'],
    ['12', '+12.0%'],
    ['0.4567', '+0.46%'],
    ['0.996', '+1.0%'],
    ['-0.0412', '−0.04%'],
    ['0.00412', '+0.0041%'],
    ['0', '0%'],
    ['-0', '0%'],
    ['250.4', '+250%'],
    ['-99.99', '−100%'],
    ['1234.56', '+1,235%'],
  ],
  points: [
    ['1.4', '+1.4 pts'],
    ['-6', '−6.0 pts'],
    ['0.6', '+0.6 pts'],
    ['0.04', '+0.04 pts'],
    ['123.46', '+123.5 pts'],
    ['0', '0 pts'],
  ],
  share: [
    ['85', '85.0%'],
    ['0.01', '0.01%'],
    ['128.4', '128%'],
    ['-5.5', '−5.5%'],
    ['0', '0%'],
  ],
  wholePercent: [
    ['76.92', '77%'],
    ['76.4', '76%'],
    ['99.6', '99%'],
    ['100', '100%'],
    ['0.9', '<1%'],
    ['0', '0%'],
  ],
  months: [
    ['57.66', '57.7 mo'],
    ['99.96', '100 mo'],
    ['480.4', '480 mo'],
    ['1200', '1,200 mo'],
    ['7556.3', '630 yr ⚠ as reported'],
    ['1200000000', '100M yr ⚠ as reported'],
    ['-2', '−2 mo ⚠ as reported'],
    ['0.04', '<0.1 mo'],
    ['0.05', '0.1 mo'],
    ['-0.04', '−0.04 mo ⚠ as reported'],
    ['0', '0 mo'],
  ],
  portion: [
    ['71.9', '71.9%'],
    ['128', '128%'],
    ['999.4', '999%'],
    ['999.5', '10.0x'],
    ['1457', '14.6x'],
    ['0', '0%'],
  ],
  times: [
    ['9.81', '9.8x'],
    ['1.2', '1.2x'],
    ['154.9', '155x'],
    ['0.5', '0.50x'],
  ],
};

describe.each(Object.entries(table).map(([name, rows]) => ({ name: name as Shown, rows })))('$name', ({ name, rows }) => {
  test.each(rows)('shows %s as %s', (given, shown) => {
    expect(figure[name](decimalSchema.parse(given))).toBe(shown);
  });
  test('says n/a of what is unknown, never 0', () => {
    expect(figure[name](undefined)).toBe(UNKNOWN);
  });
});

test('every digit of any amount survives in an alert', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 999_999 }), (whole, fraction) => {
      const given = decimal(`${whole}.${String(fraction).padStart(6, '0')}`);
      const back = exact(given).replaceAll(',', '').replace('−', '-');
      expect(new Big(back).eq(given)).toBe(true);
    }),
  );
});

test.each([
  ['-17.24', '17.2% below NAV'],
  ['4', '4.0% above NAV'],
  ['0.04', '0.04% above NAV'],
  ['-0.0412', '0.04% below NAV'],
  ['-0', 'at NAV'],
])('a gap of %s is said in words: %s', (given, shown) => {
  expect(premium(decimalSchema.parse(given))).toBe(shown);
});

test('what is not nothing never reads as nothing, however small or large', () => {
  const sized = fc.tuple(fc.integer({ min: 1, max: 10 ** 6 }), fc.integer({ min: -30, max: 24 }), fc.boolean());
  const zero = /^[+−]?\$?[0.,]+(?:%|x| pts| mo.*|[KMBT])?$|^at NAV/u;
  fc.assert(
    fc.property(sized, ([digits, power, negative]) => {
      const value = decimal(`${negative ? '-' : ''}${digits}e${power}`);
      for (const [name, show] of Object.entries({ ...figure, premium })) expect([name, zero.test(show(value))]).toEqual([name, false]);
      for (const unit of ['usd', 'percent', 'tokens', 'count'] as const) expect(zero.test(valueText(unit, Number(value)))).toBe(false);
    }),
  );
  for (const [name, show] of Object.entries({ ...figure, premium })) expect([name, zero.test(show(decimal('0')))]).toEqual([name, true]);
});

test('a gap nobody knows is said to be one', () => {
  expect(premium(undefined)).toBe('n/a: no NAV published');
});

test.each([
  [40 * SECOND, 1, '40 s'],
  [2 * HOUR + 10 * MINUTE, 1, '2 h'],
  [2 * HOUR + 10 * MINUTE, 2, '2 h 10 min'],
  [20 * DAY, 1, '20 d'],
  [0, 1, '0 s'],
  [400, 1, '<1 s'],
  [-5 * SECOND, 1, '0 s'],
] as const)('%i ms in %i parts is %s', (length, parts, shown) => {
  expect(duration(length, parts)).toBe(shown);
});

test('a clock time names the day where it is another one, and the year where that is another one', () => {
  expect(clockTime(instant(now - HOUR), now)).toBe('13:05 UTC');
  expect(clockTime(instant(now - DAY), now)).toBe('Nov 19, 14:05 UTC');
  expect(clockTime(instant(now - 400 * DAY), now)).toBe('Oct 16, 2025, 14:05 UTC');
});

test('a moment is shown relative to the reader where the display is kept up to date', () => {
  expect(relative(instant(now - 3 * HOUR), now)).toBe('3 h ago');
  expect(relative(instant(now + 5 * HOUR), now)).toBe('in 5 h');
  expect(relative(instant(now - 999), now)).toBe('just now');
  expect(relative(instant(now + 90 * 60_000 - 5), now)).toBe('in 1 h 30 min');
  expect(relative(instant(now - HOUR - 2 * MINUTE), now)).toBe('1 h ago');
  expect(relative(instant(now - 3 * HOUR + 1), now)).toBe('3 h ago');
  expect(relative(instant(now - 29 * HOUR), now)).toBe('1 d 5 h ago');
  expect(relative(instant(now - 43 * HOUR), now)).toBe('1 d 19 h ago');
  expect(relative(instant(now - 3 * DAY - 9 * HOUR), now)).toBe('3 d ago');
});

test.each([
  ['12899934', '13386144', '12.90M → 13.39M'],
  ['12899934', '12899935', '12,899,934 → 12,899,935'],
  ['500', '12000', '500 → 12.00K'],
])('a change from %s to %s shows the difference: %s', (from, to, shown) => {
  expect(fromTo(decimal(from), decimal(to))).toBe(shown);
});

test.each([
  ['10000', '$10K'],
  ['1500000', '$1.5M'],
  ['402581.88', '$402,581.88'],
  ['12345', '$12,345'],
  ['500', '$500'],
  ['-10000', '−$10K'],
])('a limit of %s is shown as people write it: %s', (given, shown) => {
  expect(usdLimit(decimal(given))).toBe(shown);
});

test('a moment that no calendar holds is not made up', () => {
  const absurd = instant(9e15);
  expect(clockTime(absurd, now)).toBe('n/a');
  expect(relative(absurd, now)).toBe('n/a');
});

test('a part is of its whole, a multiple needs no "of"', () => {
  expect(['128', '1457'].map((percentage) => portionOf(decimal(percentage), 'minimum'))).toEqual(['128% of minimum', '14.6x minimum']);
});

test('days and months are those of UTC, with the year where it is not that of the reader', () => {
  const late = instant(Date.UTC(2026, 10, 19, 23, 59, 59, 999));
  expect(date(late, now)).toBe('Nov 19');
  expect(date(instant(late - 365 * DAY), now)).toBe('Nov 19, 2025');
  expect(day(daySchema.parse('2026-01-02'), now)).toBe('Jan 2');
  expect(day(daySchema.parse('2025-12-31'), now)).toBe('Dec 31, 2025');
  expect(month(late)).toBe('Nov 2026');
});

test.each([
  [Date.UTC(2026, 10, 20, 14, 5), 'Europe/Berlin', '15:05 CET'],
  [Date.UTC(2026, 6, 20, 14, 5), 'Europe/Berlin', 'Jul 20, 16:05 CEST'],
  [Date.UTC(2026, 10, 20, 14, 5), 'Asia/Kolkata', '19:35 IST'],
  [Date.UTC(2026, 10, 20, 1, 5), 'America/St_Johns', 'Nov 19, 21:35 NST'],
  [Date.UTC(2026, 10, 20, 20, 5), 'Asia/Tokyo', 'Nov 21, 05:05 UTC+9'],
  [Date.UTC(2026, 10, 20, 14, 5), 'Etc/GMT-2', '16:05 UTC+2'],
  [Date.UTC(2026, 10, 20, 14, 5), undefined, '14:05 UTC'],
  [Date.UTC(2026, 10, 20, 14, 5), 'Nowhere/At_All', '14:05 UTC'],
])('the moment %d in %s is %s', (at, zone, text) => {
  expect(clockTime(instant(at), now, zone)).toBe(text);
});
