import { describe, expect, test } from 'vitest';
import { DAY, HOUR, instant, MINUTE } from '../../src/base/clock.js';
import type { Crossing, Side } from '../../src/domain/crossing.js';
import { agoWords, crossingWords, wasWords, zWords, type CrossingSubject } from '../../src/domain/crossing-words.js';
import { thresholdRuleSchema } from '../../src/domain/threshold-rule.js';
import { decimal } from '../../src/domain/scalars.js';

const SPACED = ', at the earliest 1 h after this one';
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
  const { rose, finding, value, was, next } = crossingWords(crossing(one), about);
  return [rose ? '▲' : '▼', `${finding}: ${value} (${was})`, next];
};

const premium = (when: string, level: string) => ({ when, measure: 'premium', level, band: '2' });

describe('each kind of rule and each measure has its words', () => {
  test.each<[Case, readonly (string | undefined)[]]>([
    [
      { rule: premium('below', '-10'), side: 'low', now: '-17.23', was: '-9.1' },
      ['▼', 'TIDE fell below your −10% line: 17.2% below NAV (was 9.1% just before)', `it is back at or above −8%${SPACED}`],
    ],
    [
      { rule: premium('above', '5'), side: 'high', now: '6', was: '-1' },
      ['▲', 'TIDE rose above your 5% line: 6.0% above NAV (was 1.0% below NAV just before)', `it is back at or below 3%${SPACED}`],
    ],
    [
      { rule: premium('above', '0'), side: 'high', now: '0.02', was: '-1.2' },
      ['▲', 'TIDE rose above NAV: a premium of 0.02% (was 1.2% below NAV just before)', `it is back at or below −2%${SPACED}`],
    ],
    [
      { rule: premium('below', '0'), side: 'low', now: '-1.2', was: '0' },
      ['▼', 'TIDE fell below NAV: a discount of 1.2% (was at NAV just before)', `it is back at or above 2%${SPACED}`],
    ],
    [
      { rule: premium('below', '-2'), side: 'low', now: '-3', was: '-1' },
      ['▼', 'TIDE fell below your −2% line: 3.0% below NAV (was 1.0% just before)', `it is back at or above NAV${SPACED}`],
    ],
    [
      { rule: { when: 'move', measure: 'premium', by: '5' }, side: 'low', now: '-17.2', was: '-16', since: '-9.05' },
      ['▼', 'TIDE fell by 8.2 pts against NAV: 17.2% below NAV (was 9.1% 3 d ago)', `it moves by another 5 pts${SPACED}`],
    ],
    [
      { rule: { when: 'above', measure: 'price', level: '1.5', band: '0.03' }, side: 'high', now: '1.52', was: '1.48' },
      ['▲', "TIDE's price rose above your $1.5 line: $1.520 (was $1.480 just before)", `it is back at or below $1.47${SPACED}`],
    ],
    [
      { rule: { when: 'below', measure: 'price24h', level: '-15', band: '2' }, side: 'low', now: '-16.4', was: '-9' },
      ['▼', "TIDE's 24 h change fell below your −15% line: −16.4% in 24 h (was −9.0% just before)", `it is back at or above −13%${SPACED}`],
    ],
    [
      { rule: { when: 'extreme', measure: 'premium', days: '90' }, side: 'high', now: '12.4', was: '11' },
      ['▲', 'TIDE is at its highest of 90 days: 12.4% above NAV (was 11.0% just before)', 'it goes 2 pts higher'],
    ],
    [
      { rule: { when: 'z-score', measure: 'premium', least: '2' }, side: 'low', now: '-17.2', was: '-9.1' },
      ['▼', 'TIDE is unusually low for its year: 17.2% below NAV (was 9.1% just before)', `its z-score is back within 1.5${SPACED}`],
    ],
    [
      { rule: { when: 'below', measure: 'runway', level: '6', band: '1' }, side: 'low', now: '5.44', was: '7.1' },
      ['▼', "TIDE's runway fell below your 6-month line: 5.4 mo (was 7.1 mo just before)", `it is back at or above 7 months${SPACED}`],
    ],
    [
      { rule: { when: 'above', measure: 'runway', level: '1000', band: '1' }, side: 'high', now: '8000', was: '57.7' },
      [
        '▲',
        "TIDE's runway rose above your 1,000-month line: 8,000 mo ⚠ as reported (was 57.7 mo just before)",
        `it is back at or below 999 months${SPACED}`,
      ],
    ],
    [
      { rule: { when: 'move', measure: 'nav', by: '10' }, side: 'high', now: '5766000.51', was: '5700000', since: '5148214' },
      ['▲', "TIDE's NAV rose by 12.0%: $5.77M (was $5.15M 3 d ago)", `it moves by another 10%${SPACED}`],
    ],
    [
      { rule: { when: 'move', measure: 'nav', by: '10' }, side: 'high', now: '5', since: '0' },
      ['▲', "TIDE's NAV rose: $5.00 (was $0 3 d ago)", `it moves by another 10%${SPACED}`],
    ],
    [
      { rule: { when: 'below', measure: 'nav', level: '5000000', band: '10000' }, side: 'low', now: '4999999', was: '5000000' },
      ['▼', "TIDE's NAV fell below your $5M line: $5.00M (was $5.00M just before)", `it is back at or above $5.01M${SPACED}`],
    ],
    [
      { rule: { when: 'change', measure: 'allowance' }, side: 'high', now: '120000', since: '100000' },
      ['▲', "TIDE's allowance was raised: $120K a month (was $100K 3 d ago)", undefined],
    ],
    [
      { rule: { when: 'change', measure: 'allowance' }, side: 'low', now: '0', since: '100000' },
      ['▼', "TIDE's allowance was lowered: $0 a month (was $100K 3 d ago)", undefined],
    ],
  ])('%o', (one, expected) => {
    expect(words(one)).toEqual(expected);
  });

  test('a rank of a smaller number is better, and one place is one place', () => {
    const rule = { when: 'move', measure: 'rank', by: '1' };
    const about = { who: '“fund-1”', token: 'TIDE' };
    expect(words({ rule, side: 'low', now: '9', since: '12' }, about)).toEqual([
      '▲',
      '“fund-1” rose 3 places among the holders of TIDE: rank 12 → 9 (was 12 3 d ago)',
      `it moves by another 1 place${SPACED}`,
    ]);
    expect(words({ rule, side: 'high', now: '1,013'.replace(',', ''), since: '1012' }, about)[1]).toBe(
      '“fund-1” fell 1 place among the holders of TIDE: rank 1,012 → 1,013 (was 1,012 3 d ago)',
    );
  });
});

test.each<[Case, string]>([
  [
    { rule: premium('above', '0'), side: 'high', now: '16.5', was: '0.4' },
    'TIDE is above NAV again: a premium of 16.5% (was 0.40% just before)',
  ],
  [
    { rule: premium('below', '-10'), side: 'low', now: '-12.7', was: '-12.7' },
    'TIDE is below your −10% line again: 12.7% below NAV (was 12.7% just before)',
  ],
])('what had to wait after an alert does not claim that it crossed the line just now: %o', (one, told) => {
  expect(words(one)[1]).toBe(told);
});

test.each([
  [30_000, 'just before'],
  [9 * MINUTE, 'just before'],
  [10 * MINUTE, '10 min ago'],
  [3 * HOUR, '3 h ago'],
  [19 * HOUR, '19 h ago'],
  [20 * HOUR, 'yesterday'],
  [30 * HOUR, 'yesterday'],
  [36 * HOUR, '36 h ago'],
  [49 * HOUR, '2 d ago'],
])('%d ms before is %s', (age, text) => {
  expect(agoWords(age)).toBe(text);
});

test('a figure on the other side of NAV says so, and a z-score has one decimal and its sign', () => {
  expect(wasWords('premium', point('3', DAY), point('-2'))).toBe('was 3.0% above NAV yesterday');
  expect(wasWords('allowance', point('90000.5', DAY), point('1'))).toBe('was $90.0K yesterday');
  expect([zWords(decimal('-2.149')), zWords(decimal('3'))]).toEqual(['z-score −2.1 of its year', 'z-score 3 of its year']);
});
