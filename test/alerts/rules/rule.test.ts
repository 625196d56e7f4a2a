import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ThresholdRule } from '../../../src/domain/threshold-rule.js';
import { readRule } from '../../../src/alerts/rules/read-rule.js';
import { alertKind, includesStage, KINDS, stageChoices, stageWords } from '../../../src/alerts/rules/kinds.js';
import { ruleName } from '../../../src/alerts/rules/presets.js';
import { canBe } from '../../../src/alerts/rules/rule-terms.js';
import { MEASURES } from '../../../src/domain/measures.js';
import { kindRulesSchema, wordsOf, type KindRules } from '../../../src/alerts/rules/rule.js';
import { LABELS } from '../../../src/domain/filters.js';
import { decimal } from '../../../src/domain/scalars.js';
import { levelRules } from '../threshold-rules.js';
import { runs } from '../../support/properties.js';

/** The rule in words, or the sentence that refuses it. */
function words(text: string): string {
  const found = readRule(text);
  return found.read ? wordsOf(found.rules) : found.says;
}

const JOINED = 'premium: premium below −10% (re-arms above −8%) and runway above 12 months (re-arms below 11 months)';
const APART = 'For rules that alert each on its own, write ";" between them.';
const JOINABLE = '"and" joins premium, price, price24h, nav, runway and allowance of one project';

test.each([
  ['premium<-20', 'premium: premium below −20% (re-arms above −18%)'],
  ['premium < −20%', 'premium: premium below −20% (re-arms above −18%)'],
  ['premium >10% band 0.5', 'premium: premium above 10% (re-arms below 9.5%)'],
  ['premium move 5%', 'premium: premium moves by 5 pts'],
  ['premium extreme 90d', 'premium: premium at a new extreme of 90 days'],
  ['premium z>2', 'premium: premium with a z-score of at least 2'],
  ['premium<-10 back message', 'premium: back message; premium below −10% (re-arms above −8%)'],
  ['premium back to normal: off', 'premium: back off'],
  ['runway<6', 'treasury: runway below 6 months (re-arms above 7 months)'],
  ['treasury runway<6 nav move 5%', 'treasury: runway below 6 months (re-arms above 7 months); NAV moves by 5%'],
  ['nav>$1.5m', 'treasury: NAV above $1.5M (re-arms below $1.49M)'],
  ['allowance changes', 'treasury: allowance changes'],
  ['supply usd>10000', 'supply: at least $10K'],
  ['Supply at least $10k and percent>=0.5', 'supply: at least $10K and at least 0.5%'],
  ['proposals stages:resolved', 'proposals: stages resolved'],
  ['proposals stages:live,resolved', 'proposals: stages live, resolved'],
  ['growth metrics:fees', 'growth: metrics fees'],
  ['growth metrics:fees, daily-traders percent>20', 'growth: at least 20%; metrics fees, daily-traders'],
  ['movements usd>1m', 'movements: at least $1M'],
  ['movements only outgoing usd>1m', 'movements: at least $1M; stages outgoing'],
  ['wallet rank move 3', 'wallet: rank moves by 3 places'],
  ['launches', 'launches: everything'],
  ['supply $10k', 'supply: at least $10K'],
  ['supply 10000 usd', 'supply: at least $10K'],
  ['supply usd 10000 percent 5', 'supply: at least $10K and at least 5%'],
  ['supply 5% mints', 'supply: at least 5%; stages mint'],
  ['supply usd>1bn', 'supply: at least $1B'],
  ['supply usd>1.5 million', 'supply: at least $1.5M'],
  ['supply usd>5 usd', 'supply: at least $5'],
  ['proposals live and resolved', 'proposals: stages live, resolved'],
  ['proposals only live', 'proposals: stages live'],
  ['growth fees percent>20', 'growth: at least 20%; metrics fees'],
  ['premium discount>10', 'premium: premium below −10% (re-arms above −8%)'],
  ['premium below -10, band 3', 'premium: premium below −10% (re-arms above −7%)'],
  ['runway below 6 months band 2 months', 'treasury: runway below 6 months (re-arms above 8 months)'],
  ['nav<5m usd', 'treasury: NAV below $5M (re-arms above $5.01M)'],
  ['movements usd>0.125m', 'movements: at least $125K'],
  ['supply percent>12.345', 'supply: at least 12.345%'],
  ['premium<-20 once', 'premium: premium below −20% (re-arms above −18%) once'],
  [
    'premium below -20 band 3 until 2026-12-01, move 5 once',
    'premium: premium below −20% (re-arms above −17%) until 2026-12-01; premium moves by 5 pts once',
  ],
  ['allowance changes once until 2026-12-01T14:05Z', 'treasury: allowance changes once until 2026-12-01T14:05Z'],
  ['premium<-10 for 6h', 'premium: premium below −10% for 6 h (re-arms above −8%)'],
  ['premium<-10 and runway>12', JOINED],
  ['runway>12 months and premium < -10%', JOINED],
  ['treasury runway>12 and premium<-10', JOINED],
  ['premium<-10, and runway>12 and for 6h once', `${JOINED} for 6 h once`],
  ['premium<-10 for 6h and runway>12', `${JOINED} for 6 h`],
  ['premium<-10 and runway>12; back off; price<1', `premium: back off; ${JOINED.slice(9)}; price below $1 (re-arms above $1.02)`],
  ['runway<6 band 2 and nav<5m', 'treasury: NAV below $5M (re-arms above $5.01M) and runway below 6 months (re-arms above 8 months)'],
  ['growth metrics:volume and percent>20', 'growth: at least 20%; metrics volume'],
  ['runway>12 and back off', 'treasury: back off; runway above 12 months (re-arms below 11 months)'],
  ['premium<-10 band 3 for 90 minutes once', 'premium: premium below −10% for 90 min (re-arms above −7%) once'],
  ['premium discount>10 for at least 2 days', 'premium: premium below −10% for 2 d (re-arms above −8%)'],
  [
    'runway<6 for a week nav>5m for 30d',
    'treasury: runway below 6 months for 7 d (re-arms above 7 months); NAV above $5M for 30 d (re-arms below $4.99M)',
  ],
  [
    'margin<2 for 1h on 4Nd1mYQzvgV8Vr3Z3nYb7pD6T8K9jF2eqWxABoUhs1Rk',
    'proposals: margin below 2 pts for 1 h (re-arms above 2.5 pts) on 4Nd1mYQzvgV8Vr3Z3nYb7pD6T8K9jF2eqWxABoUhs1Rk',
  ],
  ['supply usd>10000 or percent>0.5', 'supply: at least $10K or at least 0.5%'],
  ['supply $10k or 0.5% mints', 'supply: at least $10K or at least 0.5%; stages mint'],
])('"%s" is read as "%s"', (typed, expected) => {
  expect(words(typed)).toBe(expected);
});

test.each([
  ['premium<-500', '"premium<-500": A premium threshold must be between −100% and 10,000%.'],
  ['premium<-20 band 0', '"premium<-20 band 0": The re-arm distance of premium must be between 0.1 pts and 100 pts.'],
  ['runway<6m', '"runway<6m": A runway threshold must be between 0 months and 1,200 months.'],
  ['premium move -5', '"move -5": A move of premium must be between 0.1 pts and 10,000 pts.'],
  ['premium extreme 1', '"extreme 1": The length of an extreme must be between 2 days and 365 days.'],
  ['premium extreme 90.5', '"extreme 90.5": The length of an extreme must be whole days.'],
  ['premium z>9', '"z>9": A z-score must be between 1 and 6.'],
  ['premium<-10 for 5min', '"premium<-10 for 5min": A value must hold for 10 minutes to 30 days, such as "premium<-10 for 6h".'],
  ['premium<-10 for 31d', '"premium<-10 for 31d": A value must hold for 10 minutes to 30 days, such as "premium<-10 for 6h".'],
  ['premium<-10 for 6h for 7h', '"premium<-10 for 6h for 7h" says twice how long the value must last; leave one "for" out.'],
  [
    'premium<-10 and premium>5',
    `"premium<-10 and premium>5": premium is there twice, and one rule has one threshold of a measure. ${APART}`,
  ],
  ['premium<-10 and >5', `"premium<-10 and >5": premium is there twice, and one rule has one threshold of a measure. ${APART}`],
  ['margin<2 and volume>50000', `"margin<2 and volume>50000": ${JOINABLE}, and margin is of a market. ${APART}`],
  ['premium<-10 and margin<2', `"premium<-10 and margin<2": ${JOINABLE}, and margin is of a market. ${APART}`],
  ['runway<6 and nav move 5%', `"runway<6 and nav move 5%": "and" joins only thresholds, such as "premium<-10 and runway>12". ${APART}`],
  [
    'premium<0 and price<1 and price24h<0 and nav>1m and runway>2',
    `"premium<0 and price<1 and price24h<0 and nav>1m and runway>2": "and" joins at most 4 conditions, and these are 5. ${APART}`,
  ],
  [
    'premium<-10 for 6h and runway>12 for 3h',
    '"premium<-10 for 6h and runway>12 for 3h" says twice how long the values must last; leave one "for" out. It is about all conditions.',
  ],
  [
    'treasury nav<5m; premium<-10 and runway>12',
    `"treasury nav<5m; premium<-10 and runway>12": "${JOINED.slice(9)}" is a rule of premium. Set it by itself.`,
  ],
  ['premium<-10 for ever', '"for ever" is not a time. Write for 30min, for 6h or for 3d.'],
  ['premium move 5 for 6h', '"premium move 5 for 6h": only a value beyond a threshold can last, such as "premium<-10 for 6h".'],
  ['premium for 6h', '"premium for 6h": "for" follows a threshold, such as "premium<-10 for 6h".'],
  ['trade>10000 for 1h', '"trade>10000 for 1h": Every single trade counts by itself, so none lasts; leave out "for".'],
  ['supply usd>0', '"usd>0": The minimum amount must be between $0.01 and $1T.'],
])('"%s" is refused with the allowed range', (typed, says) => {
  expect(words(typed)).toBe(says);
});

test.each([
  ['supply usd>5%', '"usd>5%": The minimum amount is counted in US dollars, not in percent. Write it as in "usd>10000".'],
  ['supply percent>$5', '"percent>$5": The minimum percentage is counted in percent, not in US dollars. Write it as in "percent>5".'],
  [
    'treasury nav above 5.7m band 5%',
    '"nav above 5.7m band 5%": The re-arm distance of NAV is counted in US dollars, not in percent. Write it as in "nav<5m band 50k".',
  ],
  [
    'treasury runway<6 band 50%',
    '"runway<6 band 50%": The re-arm distance of runway is counted in months, not in percent. Write it as in "runway<6 band 2".',
  ],
  ['nav<5 months', '"nav<5 months": A NAV threshold is counted in US dollars, not in months. Write it as in "nav<5m".'],
  ['nav<5m%', '"nav<5m%": A NAV threshold is counted in US dollars, not in percent. Write it as in "nav<5m".'],
  ['runway<6%', '"runway<6%": A runway threshold is counted in months, not in percent. Write it as in "runway<6".'],
  ['runway<$6', '"runway<$6": A runway threshold is counted in months, not in US dollars. Write it as in "runway<6".'],
  ['premium<$5', '"premium<$5": A premium threshold is counted in percent, not in US dollars. Write it as in "premium<-20".'],
  ['premium<5 months', '"premium<5 months": A premium threshold is counted in percent, not in months. Write it as in "premium<-20".'],
  ['premium move $5', '"move $5": A move of premium is counted in points, not in US dollars. Write it as in "premium move 5".'],
  [
    'premium extreme $90',
    '"extreme $90": The length of an extreme is counted in days, not in US dollars. Write it as in "premium extreme 90".',
  ],
  ['premium extreme 1y', '"extreme 1y": The length of an extreme is counted in days, not in years. Write it as in "premium extreme 90".'],
  ['premium z 2%', '"z 2%": A z-score has no unit such as percent. Write it as in "premium z>2".'],
  ['movements usd>10 months', '"usd>10 months": The minimum amount is counted in US dollars, not in months. Write it as in "usd>10000".'],
  ['nav move 5 points', '"nav move 5 points": A move of NAV is counted in percent, not in points. Write it as in "nav move 5%".'],
  ['supply usd>€500', '"usd>€500": The minimum amount is counted in US dollars, not in €. Write it as in "usd>10000".'],
])('"%s" has a unit that is not its own, and is refused with its own', (typed, says) => {
  expect(words(typed)).toBe(says);
});

test.each([
  ['supply usd>10.000', '"usd>10.000": "10.000" can be read in two ways. Write 10000 or 10,000.'],
  ['supply usd>10.000,00', '"usd>10.000,00": "10.000,00" can be read in two ways. Write 10000 or 10,000.'],
  ['nav below 1.000.000', '"nav below 1.000.000": "1.000.000" can be read in two ways. Write 1000000 or 1,000,000.'],
  ['supply percent>1.000', '"percent>1.000": "1.000" can be read in two ways. Write 1000 or 1,000.'],
  ['supply percent>0,5', '"percent>0,5": "0,5" can be read in two ways. Write 0.5 with a point.'],
])('"%s" may be another number elsewhere, and is refused with how to write it', (typed, says) => {
  expect(words(typed)).toBe(says);
});

test.each([
  ['supply usd>abc', '"usd>abc": "abc" isn\'t a number. The minimum amount is counted in US dollars. Write it as in "usd>10000".'],
  [
    'runway below half a year',
    '"runway below half": "half" isn\'t a number. A runway threshold is counted in months. Write it as in "runway<6".',
  ],
  ['premium above', '"above": Say how much. A premium threshold is counted in percent, as in "premium<-20".'],
  ['premium back loudly', 'After "back" write edit, message or off: how this chat learns that an alert is over.'],
  ['supply back off', 'There is no such filter for supply. For supply there is usd>10000, percent>5 or stages:burn.'],
  ['premium<', '"premium<": Say how much. A premium threshold is counted in percent, as in "premium<-20".'],
  ['supply usd>1q', '"usd>1q": "1q" isn\'t a number. The minimum amount is counted in US dollars. Write it as in "usd>10000".'],
  [
    'premium stages:live',
    'There is no such filter for premium. For premium there is premium<-20, premium move 5, premium extreme 90d, premium z>2, price>1.5, price move 10%, price24h>20, price24h<-15 or back:off.',
  ],
])('"%s" was not read, and that is what is said', (typed, says) => {
  expect(words(typed)).toBe(says);
});

test.each([
  ['premium below -100', '"below -100": premium is never below −100%, so this threshold can never be crossed.'],
  ['runway<0', '"runway<0": runway is never below 0 months, so this threshold can never be crossed.'],
  ['nav>0', '"nav>0": NAV is always above $0, so this threshold can never be crossed.'],
  ['price>0', '"price>0": price is always above $0, so this threshold can never be crossed. Write one such as price>1.5.'],
  ['price<0', '"price<0": price is never below $0, so this threshold can never be crossed. Write one such as price>1.5.'],
  ['proposals trade>0', '"trade>0": write the least size of a trade, such as trade>10000.'],
  ['premium below -10 band 1000', '"below -10 band 1000": The re-arm distance of premium must be between 0.1 pts and 100 pts.'],
  ['premium below 10,000', '"below 10,000": premium is always below 10,000%, so this threshold can never be crossed.'],
  [
    'nav>5000',
    '"nav>5000": It would re-arm only below −$5K, but the lowest possible value is $0. Choose a re-arm distance ("band") of less than $5K.',
  ],
  [
    'runway>1',
    '"runway>1": It would re-arm only below 0 months, but the lowest possible value is 0 months. Choose a re-arm distance ("band") of less than 1 month.',
  ],
  ['premium<-10; runway<6', '"runway<6": runway belongs to treasury, so set it separately: treasury runway<6. Nothing is changed.'],
  [
    'premium<-10 or price>2',
    '"premium<-10 or price>2": rules of which each alerts on its own are two rules. Write ";" between them instead of "or".',
  ],
])('"%s" can never be an alert, and is refused', (typed, says) => {
  expect(words(typed)).toBe(says);
});

test.each([
  ['premium<=-20', 'write < or >'],
  ['proposals stages:done', 'There is no stage "done" of proposals; there is created, live, twap'],
  [
    'proposals usd>5',
    'For proposals there is stages:resolved, title:buyback, updates:off, remind:1d,1h, margin<2, flip, margin move 3 in 1h',
  ],
  ['proposals margin extreme 90', 'a market is too short for that. Write a threshold or a move, such as margin<2'],
  ['proposals trade move 5%', 'A trade is watched by its size, such as "trade>10000".'],
  ['proposals volume flips', 'Only a margin flips. For volume write a threshold, such as "volume>50000".'],
  ['proposals margin move 3 in 1m', 'A move is watched over 10 minutes to 24 hours'],
  ['premium move 3 in 1h', 'A move of premium counts since the last alert; leave out the time.'],
  ['premium<-10 on 4Nd1mYQzvgV8Vr3Z3nYb7pD6T8K9jF2eqWxABoUhs1Rk', 'only rules on a market can be for one proposal'],
  ['supply metrics:fees', 'For supply there is usd>10000, percent>5 or stages:burn.'],
  ['supply usd>5 usd>6', 'the same thing twice'],
  ['supply >5', 'Write usd>10000 or percent>5'],
  ['treasury move 5%', 'name the measure; treasury has nav, runway'],
  ['supply runway<6', `Can't read "runway<6"`],
  ['premium sometimes', `Can't read "sometimes". For premium there is premium<-20`],
  ['weather>5', 'A rule begins with its kind, which is supply, proposals,'],
  ['', 'A rule begins with its kind'],
  ['premium '.repeat(200), 'at most 1000 characters'],
])('"%s" is refused with what can be written instead', (typed, part) => {
  const found = readRule(typed);
  expect(found.read ? wordsOf(found.rules) : found.says).toContain(part);
  expect(found.read).toBe(false);
});

test('every example behind a refusal can be read', () => {
  const examples = Object.values(MEASURES).flatMap(({ threshold, move }) => [
    ...(threshold === undefined ? [] : [...threshold.examples, threshold.hysteresis.example]),
    move.example,
  ]);
  expect(examples.map((text) => readRule(text)).filter(({ read }) => !read)).toEqual([]);
  for (const kind of KINDS) {
    const [, all = ''] = /there is (.+)\.$/u.exec(canBe(kind)) ?? [];
    for (const text of all.split(/, | or /u)) expect(readRule(`${kind} ${text}`), text).toMatchObject({ read: true });
  }
});

const CHOICES = KINDS.map((kind) => ({
  kind,
  filters: alertKind(kind)?.filters ?? [],
  measures: alertKind(kind)?.measures ?? [],
  stages: Object.fromEntries(stageWords(kind)),
}));

describe('whatever rule there is', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,12}$/u);
  const phrase = fc.stringMatching(/^[A-Za-z0-9$é][A-Za-z0-9 $/&+._é-]{0,20}[a-z0-9]$/u).map((text) => text.replaceAll(/\s+/gu, ' '));
  const phrases = fc.uniqueArray(phrase, { minLength: 1, maxLength: 4, selector: (text) => text.toLowerCase() });
  const cents = fc.integer({ min: 1, max: 10_000_000 }).map((count) => decimal(count / 100));
  const optional = <T>(is: boolean, value: fc.Arbitrary<T>) => (is ? fc.option(value, { nil: undefined }) : fc.constant(undefined));
  const rules: fc.Arbitrary<KindRules> = fc.constantFrom(...CHOICES).chain(({ kind, filters, measures, stages }) =>
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
          ...Object.fromEntries(LABELS.map((label) => [label, optional(filters.includes(label), phrases)])),
        }),
        thresholds:
          measures.length === 0
            ? fc.constant([])
            : fc.uniqueArray<ThresholdRule, string>(levelRules(measures), { maxLength: 4, selector: (rule) => JSON.stringify(rule) }),
      })
      .map((candidate) => kindRulesSchema.parse(JSON.parse(JSON.stringify(candidate)))),
  );

  test('a rule beside the same one with a limit stays, and one that is written twice is one', () => {
    const flips = readRule('proposals flip flip on 4Nd1mYQzvgV8Vr3Z3nYb7pD6T8K9jF2eqWxABoUhs1Rk flip');
    expect(flips.read && flips.rules.thresholds.map(ruleName)).toEqual([
      'margin flips',
      'margin flips on 4Nd1mYQzvgV8Vr3Z3nYb7pD6T8K9jF2eqWxABoUhs1Rk',
    ]);
    const once = readRule('premium<-10 premium<-10 once');
    expect(once.read && once.rules.thresholds).toMatchObject([{ measure: 'premium' }, { measure: 'premium', once: true }]);
  });

  test('it reads as the same rule when it is written back in words, and from the store', () => {
    fc.assert(
      fc.property(rules, (rule) => {
        expect(readRule(wordsOf(rule))).toEqual({ read: true, rules: rule });
        expect(kindRulesSchema.parse(JSON.parse(JSON.stringify(rule)))).toEqual(rule);
      }),
      { numRuns: runs(500) },
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
      ' and ',
      ' for 6h',
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
      { numRuns: runs(1_000) },
    );
  });
});

test('a group of one stage is offered in its place, and the stage may still be typed', () => {
  expect(stageChoices('vesting')).toEqual(['cliff', 'near', 'unlock']);
  expect(stageChoices('proposals')).toEqual([...stageWords('proposals').keys()]);
  for (const typed of ['stages:state', 'stages:unlock']) expect(readRule(`vesting ${typed}`)).toMatchObject({ read: true });
  expect(includesStage('vesting', ['unlock'], 'state')).toBe(true);
});
