import { describe, expect, test } from 'vitest';
import { DAY, HOUR, instant, MINUTE } from '../../src/base/clock.js';
import type { Crossing, Side } from '../../src/domain/crossing.js';
import { crossingWords, wasWords, whenWords, zWords, type CrossingSubject } from '../../src/domain/crossing-words.js';
import { thresholdRuleSchema } from '../../src/domain/threshold-rule.js';
import { decimal } from '../../src/domain/scalars.js';
import { figuresIn } from '../support/figures.js';

const NOW = instant(Date.UTC(2026, 10, 20, 12));
const point = (value: string, age = 0) => ({ at: instant(NOW - age), value: decimal(value) });

interface Case {
  readonly rule: Record<string, string>;
  readonly side: Side;
  readonly now: string;
  readonly was?: string;
  readonly since?: string;
}
const crossing = ({ rule, side, now, was = '0', since = was }: Case): Crossing => ({
  rule: thresholdRuleSchema.parse(rule),
  side,
  now: point(now),
  was: point(was, 2 * MINUTE),
  since: point(since, 3 * DAY),
});
const words = (one: Case, about: CrossingSubject = { who: 'TIDE' }) => {
  const { rose, finding, value, was, rearms } = crossingWords(crossing(one), about);
  return [
    rose ? '▲' : '▼',
    figuresIn(`${finding}: ${value} (${was})`).join(' | '),
    rearms && figuresIn(rearms).join(' | '),
    [finding, value, was, rearms ?? ''].map(directionsIn).join(' | '),
  ];
};

const DIRECTIONS =
  /\b(?:rose|dropped|fell|raised|lowered|above|below|NAV|high|low|premium|discount|higher|within|another|hourly|reported|a month|a few minutes earlier)\b/gu;
/** The words of a text that give a direction, a side of NAV or a bound. */
const directionsIn = (text: string): string => [...text.matchAll(DIRECTIONS)].map(([word]) => word).join(' ');

const premium = (when: string, threshold: string) => ({ when, measure: 'premium', threshold, hysteresis: '2' });

describe('each kind of rule and each measure has its words', () => {
  test.each<[Case, readonly (string | undefined)[]]>([
    [
      { rule: premium('below', '-10'), side: 'low', now: '-17.23', was: '-9.1' },
      ['▼', '−10% | 17.2% | 9.1%', '−8%', 'dropped below | below NAV | below a few minutes earlier | above hourly'],
    ],
    [
      { rule: premium('above', '5'), side: 'high', now: '6', was: '-1' },
      ['▲', '5% | 6.0% | 1.0%', '3%', 'rose above | above NAV | below NAV a few minutes earlier | below hourly'],
    ],
    [
      { rule: premium('above', '0'), side: 'high', now: '0.02', was: '-1.2' },
      ['▲', '0.02% | 1.2%', '−2%', 'rose above NAV | premium | below NAV a few minutes earlier | below hourly'],
    ],
    [
      { rule: premium('below', '0'), side: 'low', now: '-1.2', was: '0' },
      ['▼', '1.2%', '2%', 'dropped below NAV | discount | NAV a few minutes earlier | above hourly'],
    ],
    [
      { rule: premium('below', '-2'), side: 'low', now: '-3', was: '-1' },
      ['▼', '−2% | 3.0% | 1.0%', '', 'dropped below | below NAV | below a few minutes earlier | above NAV hourly'],
    ],
    [
      { rule: { when: 'move', measure: 'premium', by: '5' }, side: 'low', now: '-17.2', was: '-16', since: '-9.05' },
      ['▼', '8.2 pts | 17.2% | 9.1% | 3 d', '5 pts', 'fell NAV | below NAV | below | another hourly'],
    ],
    [
      { rule: { when: 'above', measure: 'price', threshold: '1.5', hysteresis: '0.03' }, side: 'high', now: '1.52', was: '1.48' },
      ['▲', '$1.50 | $1.520 | $1.480', '$1.47', 'rose above |  | a few minutes earlier | below hourly'],
    ],
    [
      { rule: { when: 'below', measure: 'price24h', threshold: '-15', hysteresis: '2' }, side: 'low', now: '-16.4', was: '-9' },
      ['▼', '24 h | −15% | −16.4% | 24 h | −9.0%', '−13%', 'dropped below |  | a few minutes earlier | above hourly'],
    ],
    [
      { rule: { when: 'extreme', measure: 'premium', days: '90' }, side: 'high', now: '12.4', was: '11' },
      ['▲', '90 | 12.4% | 11.0%', '2 pts', 'premium high | above NAV | above a few minutes earlier | higher'],
    ],
    [
      { rule: { when: 'z-score', measure: 'premium', least: '2' }, side: 'low', now: '-17.2', was: '-9.1' },
      ['▼', '17.2% | 9.1%', '1.5', 'premium low | below NAV | below a few minutes earlier | within hourly'],
    ],
    [
      { rule: { when: 'below', measure: 'runway', threshold: '6', hysteresis: '1' }, side: 'low', now: '5.44', was: '7.1' },
      ['▼', '6 | 5.4 mo | 7.1 mo', '7 months', 'dropped below |  | a few minutes earlier | above hourly'],
    ],
    [
      { rule: { when: 'above', measure: 'runway', threshold: '1000', hysteresis: '1' }, side: 'high', now: '8000', was: '57.7' },
      ['▲', '1,000 | 667 yr | 57.7 mo', '999 months', 'rose above | reported | a few minutes earlier | below hourly'],
    ],
    [
      { rule: { when: 'move', measure: 'nav', by: '10' }, side: 'high', now: '5766000.51', was: '5700000', since: '5148214' },
      ['▲', '12.0% | $5.77M | $5.15M | 3 d', '10%', 'NAV rose |  |  | another hourly'],
    ],
    [
      { rule: { when: 'move', measure: 'nav', by: '10' }, side: 'high', now: '5', since: '0' },
      ['▲', '$5.00 | $0 | 3 d', '10%', 'NAV rose |  |  | another hourly'],
    ],
    [
      { rule: { when: 'below', measure: 'nav', threshold: '5000000', hysteresis: '10000' }, side: 'low', now: '4999999', was: '5000000' },
      ['▼', '$5M | $4,999,999 | $5.00M', '$5.01M', 'NAV dropped below |  | a few minutes earlier | above hourly'],
    ],
    [
      { rule: { when: 'change', measure: 'allowance' }, side: 'high', now: '120000', since: '100000' },
      ['▲', '$120K | $100K | 3 d', undefined, 'raised | a month |  | '],
    ],
    [
      { rule: { when: 'change', measure: 'allowance' }, side: 'low', now: '0', since: '100000' },
      ['▼', '$0 | $100K | 3 d', undefined, 'lowered | a month |  | '],
    ],
  ])('%o', (one, expected) => {
    expect(words(one)).toEqual(expected);
  });

  test('a rank of a smaller number is better, and one place is one place', () => {
    const rule = { when: 'move', measure: 'rank', by: '1' };
    const about = { who: '"fund-1"', token: 'TIDE' };
    expect(words({ rule, side: 'low', now: '9', since: '12' }, about)).toEqual([
      '▲',
      '"fund-1" | 3 | 12 | 9 | 12 | 3 d',
      '1',
      'rose |  |  | another hourly',
    ]);
    expect(words({ rule, side: 'high', now: '1013', since: '1012' }, about)).toEqual([
      '▼',
      '"fund-1" | 1 | 1,012 | 1,013 | 1,012 | 3 d',
      '1',
      'fell |  |  | another hourly',
    ]);
    const finding = (now: string) => crossingWords(crossing({ rule, side: 'high', now, since: '12' }), about).finding;
    expect(finding('13')).toMatch(/\bplace\b.*\bTIDE\b/u);
    expect(finding('14')).toMatch(/\bplaces\b.*\bTIDE\b/u);
  });
});

test.each<[Case, string, string]>([
  [{ rule: premium('above', '0'), side: 'high', now: '16.5', was: '0.4' }, 'is above NAV again', '16.5% | 0.40%'],
  [
    { rule: premium('below', '-10'), side: 'low', now: '-12.7', was: '-12.7' },
    'is below your −10% threshold again',
    '−10% | 12.7% | 12.7%',
  ],
])('what had to wait after an alert does not claim that it crossed the line just now: %o', (one, claim, figures) => {
  expect(crossingWords(crossing(one), { who: 'TIDE' }).finding).toContain(claim);
  expect(words(one)[1]).toBe(figures);
});

test.each([
  [30_000, 'a few minutes earlier'],
  [9 * MINUTE, 'a few minutes earlier'],
  [10 * MINUTE, '10 min earlier'],
  [3 * HOUR, '3 h earlier'],
  [19 * HOUR, '19 h earlier'],
  [20 * HOUR, 'yesterday'],
  [30 * HOUR, 'yesterday'],
  [36 * HOUR, '2 d earlier'],
  [49 * HOUR, '2 d earlier'],
  [15 * 24 * HOUR, 'on Nov 5'],
])('%d ms before is %s', (age, text) => {
  const now = Date.UTC(2026, 10, 20, 12);
  expect(whenWords(instant(now - age), instant(now))).toBe(text);
});

test('a figure on the other side of NAV says so, and a z-score has one decimal and its sign', () => {
  expect(wasWords('premium', point('3', DAY), point('-2'))).toBe('was 3.0% above NAV yesterday');
  expect(wasWords('allowance', point('90000.5', DAY), point('1'))).toBe('was $90.0K yesterday');
  const value = decimal('-17.2');
  const year = { mean: decimal('-4.6'), deviation: decimal('6'), count: 365 };
  expect([zWords({ value, zScore: decimal('-2.149') }), zWords({ value, zScore: decimal('3') }), zWords({ value, year })]).toEqual([
    'z-score −2.1 (1Y)',
    'z-score 3 (1Y)',
    undefined,
  ]);
  expect(zWords({ value, zScore: decimal('-2.1'), year })).toBe('z-score −2.1 (1Y)');
});

test.each([
  [
    { rule: { when: 'below', measure: 'nav', threshold: '5000000', hysteresis: '10000' }, side: 'low', now: '4998712.3', was: '5020000' },
    '$4,998,712.3',
  ],
  [
    { rule: { when: 'below', measure: 'premium', threshold: '-10', hysteresis: '2' }, side: 'low', now: '-10.04', was: '-9' },
    '10.04% below NAV',
  ],
  [
    { rule: { when: 'below', measure: 'premium', threshold: '-10', hysteresis: '2' }, side: 'low', now: '-17.23', was: '-9' },
    '17.2% below NAV',
  ],
] as const)('a value that rounds to its threshold is shown with more digits: %o', (one, value) => {
  expect(crossingWords(crossing(one), { who: 'TIDE' }).value).toBe(value);
});
