import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LevelRule } from '../../src/domain/level.js';
import { readRule } from '../../src/alerts/read-rule.js';
import { CHOICES, kindRulesSchema, wordsOf, type KindRules } from '../../src/alerts/rule.js';
import { decimal } from '../../src/domain/scalars.js';
import { levelRules } from './levels.js';

/** The rule in words, or the sentence that refuses it. */
function words(text: string): string {
  const found = readRule(text);
  return found.read ? wordsOf(found.rules) : found.says;
}

test.each([
  ['premium<-20', 'premium: premium below −20 % (dead-band 2 points)'],
  ['premium < −20 %', 'premium: premium below −20 % (dead-band 2 points)'],
  ['premium >10% band 0.5', 'premium: premium above 10 % (dead-band 0.5 points)'],
  ['premium move 5%', 'premium: premium moves by 5 points'],
  ['premium extreme 90d', 'premium: premium at a new extreme of 90 days'],
  ['premium z>2', 'premium: premium with a z-score of at least 2'],
  ['runway<6', 'treasury: runway below 6 months (dead-band 1 month)'],
  ['treasury runway<6 nav move 5%', 'treasury: runway below 6 months (dead-band 1 month); NAV moves by 5 %'],
  ['nav>$1.5m', 'treasury: NAV above $1,500,000 (dead-band $10,000)'],
  ['allowance changes', 'treasury: allowance changes'],
  ['supply usd>10000', 'supply: at least $10,000'],
  ['Supply at least $10k and percent>=0.5', 'supply: at least $10,000; at least 0.5 %'],
  ['proposals stages:resolved', 'proposals: stages resolved'],
  ['proposals stages:live,resolved', 'proposals: stages live, resolved'],
  ['growth metrics:fees', 'growth: metrics fees'],
  ['growth metrics:fees, daily-traders percent>20', 'growth: at least 20 %; metrics fees, daily-traders'],
  ['movements usd>1m', 'movements: at least $1,000,000'],
  ['wallet rank move 3', 'wallet: rank moves by 3 places'],
  ['launches', 'launches: everything'],
])('“%s” is read as “%s”', (typed, expected) => {
  expect(words(typed)).toBe(expected);
});

test.each([
  ['premium<-500', '“premium<-500”: A line for premium must be between −100 % and 10,000 %.'],
  ['premium<abc', '“premium<abc”: A line for premium must be between −100 % and 10,000 %.'],
  ['premium<', '“premium<”: A line for premium must be between −100 % and 10,000 %.'],
  ['premium<-20 band 0', '“premium<-20 band 0”: The dead-band of premium must be between 0.1 points and 1,000 points.'],
  ['runway<6m', '“runway<6m”: A line for runway must be between 0 months and 1,200 months.'],
  ['premium move -5', '“move -5”: A move of premium must be between 0.1 points and 10,000 points.'],
  ['premium extreme 1', '“extreme 1”: The length of an extreme must be between 2 days and 365 days.'],
  ['premium extreme 90.5', '“extreme 90.5”: The length of an extreme must be whole days.'],
  ['premium z>9', '“z>9”: A z-score must be between 1 and 6.'],
  ['supply usd>0', '“usd>0”: The least amount must be between $0.01 and $1,000,000,000,000.'],
  ['supply percent>lots', '“percent>lots”: The least percentage must be between 0.01 % and 100,000 %.'],
])('“%s” is refused with the allowed range', (typed, says) => {
  expect(words(typed)).toBe(says);
});

test.each([
  ['premium<=-20', 'write < or >'],
  ['proposals stages:done', 'There is no stage “done” of proposals; there is created, live, twap'],
  ['proposals usd>5', 'For proposals there is stages:resolved.'],
  ['supply metrics:fees', 'For supply there is usd>10000, percent>5 or stages:burn.'],
  ['supply usd>5 usd>6', 'the same thing twice'],
  ['supply >5', 'Write usd>10000 or percent>5'],
  ['treasury move 5%', 'say of which figure; treasury has nav, runway or allowance'],
  ['supply runway<6', 'I cannot read “runway<6”'],
  ['premium sometimes', 'I cannot read “sometimes”. For premium there is premium<-20'],
  ['weather>5', 'A rule begins with its kind, which is supply, proposals,'],
  ['', 'A rule begins with its kind'],
  ['premium '.repeat(200), 'at most 1000 characters'],
])('“%s” is refused with what can be written instead', (typed, part) => {
  const found = readRule(typed);
  expect(found.read ? wordsOf(found.rules) : found.says).toContain(part);
  expect(found.read).toBe(false);
});

describe('whatever rule there is', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/u);
  const cents = fc.integer({ min: 1, max: 10_000_000 }).map((count) => decimal(count / 100));
  const optional = <T>(is: boolean, value: fc.Arbitrary<T>) => (is ? fc.option(value, { nil: undefined }) : fc.constant(undefined));
  const rules: fc.Arbitrary<KindRules> = fc.constantFrom(...Object.entries(CHOICES)).chain(([kind, { filters, measures, stages }]) =>
    fc
      .record({
        kind: fc.constant(kind),
        filters: fc.record({
          leastUsd: optional(filters.includes('leastUsd'), cents),
          leastPercent: optional(filters.includes('leastPercent'), cents),
          stages: optional(
            filters.includes('stages'),
            fc.subarray(Object.keys(stages), { minLength: Math.min(1, Object.keys(stages).length) }),
          ),
          metrics: optional(filters.includes('metrics'), fc.uniqueArray(word, { minLength: 1, maxLength: 4 })),
        }),
        levels:
          measures.length === 0
            ? fc.constant([])
            : fc.uniqueArray<LevelRule, string>(levelRules(measures), { maxLength: 4, selector: (rule) => JSON.stringify(rule) }),
      })
      .map((candidate) => kindRulesSchema.parse(JSON.parse(JSON.stringify(candidate)))),
  );

  test('it reads as the same rule when it is written back in words, and from the store', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        expect(readRule(wordsOf(rule))).toEqual({ read: true, rules: rule });
        expect(kindRulesSchema.parse(JSON.parse(JSON.stringify(rule)))).toEqual(rule);
      }),
      { numRuns: 500 },
    );
  });

  test('any text is read or answered with a sentence, never with an exception', () => {
    const piece = fc.constantFrom(
      'premium',
      'runway',
      '<',
      '>=',
      '-20',
      '%',
      'stages:',
      'supply',
      'usd',
      ' ',
      ',',
      ';',
      'z',
      'move',
      'band',
      '$',
      '1k',
      ':',
      '(',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((all) => all.join('')),
        ),
        (text) => {
          const found = readRule(text);
          expect(found.read ? readRule(wordsOf(found.rules)) : found).toEqual(found);
          expect(found.read ? '.' : found.says).toMatch(/[.]$/u);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
