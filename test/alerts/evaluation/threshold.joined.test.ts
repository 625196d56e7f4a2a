/** A rule that joins conditions: it alerts when all hold and did not all hold before, and is over when the first of them is surely back. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateRule, ruleStateSchema, type RuleResult, type RuleState } from '../../../src/alerts/evaluation/threshold.js';
import { HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { omitUndefined } from '../../../src/base/omit-undefined.js';
import { decimal } from '../../../src/domain/scalars.js';
import { thresholdRuleSchema } from '../../../src/domain/threshold-rule.js';
import { NOON } from '../../feeds/reading.js';
import { runs } from '../../support/properties.js';

const CHEAP = { when: 'below', measure: 'premium', threshold: '-10', hysteresis: '2' } as const;
const FUNDED = { when: 'above', measure: 'runway', threshold: '12', hysteresis: '1' } as const;
const BOTH = thresholdRuleSchema.parse({ ...CHEAP, and: [FUNDED] });

/** A premium and a runway, of which one may be missing. */
type Values = readonly [premium: number, runway: number | undefined];

function read(values: readonly Values[], { rule = BOTH, apart = 2 * HOUR } = {}): readonly RuleResult[] {
  let state: RuleState | undefined;
  return values.map(([premium, runway], index) => {
    const others = omitUndefined({ runway: runway === undefined ? undefined : decimal(runway) });
    const result = evaluateRule(rule, state, { at: later(NOON, index * apart), value: decimal(premium), others });
    state = result.state && ruleStateSchema.parse(JSON.parse(JSON.stringify(result.state)));
    return result;
  });
}
const reasons = (results: readonly RuleResult[]): readonly string[] => results.map(({ reason }) => reason);
const alertsAt = (results: readonly RuleResult[]): readonly number[] =>
  results.flatMap(({ alert }, at) => (alert === undefined ? [] : [at]));

describe('a rule of two conditions', () => {
  test.each<[string, readonly Values[], readonly number[]]>([
    [
      'when the first comes to hold while the second does',
      [
        [-5, 14],
        [-11, 14],
      ],
      [1],
    ],
    [
      'when the second comes to hold while the first does',
      [
        [-11, 10],
        [-11, 14],
      ],
      [1],
    ],
    [
      'when both come to hold at once',
      [
        [-5, 10],
        [-11, 14],
      ],
      [1],
    ],
    [
      'not while one alone holds',
      [
        [-5, 10],
        [-11, 10],
        [-5, 14],
      ],
      [],
    ],
    [
      'not of what held at the first check',
      [
        [-11, 14],
        [-12, 15],
      ],
      [],
    ],
    [
      'again when the second was back by its hysteresis',
      [
        [-5, 14],
        [-11, 14],
        [-11, 11],
        [-11, 14],
      ],
      [1, 3],
    ],
    [
      'again when the first was back by its hysteresis',
      [
        [-5, 14],
        [-11, 14],
        [-8, 14],
        [-11, 14],
      ],
      [1, 3],
    ],
    [
      'once while the second wavers within its hysteresis',
      [
        [-5, 14],
        [-11, 14],
        [-11, 11.5],
        [-11, 14],
      ],
      [1],
    ],
    [
      'once while the first wavers within its hysteresis',
      [
        [-5, 14],
        [-11, 14],
        [-9, 14],
        [-11, 14],
      ],
      [1],
    ],
  ])('alerts %s', (_, values, expected) => {
    expect(alertsAt(read(values))).toEqual(expected);
  });

  test('keeps what it knew while a value is missing, and alerts when that is there again', () => {
    expect(
      reasons(
        read([
          [-5, 14],
          [-11, undefined],
          [-11, 14],
          [-11, undefined],
          [-11, 14],
        ]),
      ),
    ).toEqual([...['first check', 'unknown', 'alert', 'unknown', 'within the hysteresis']]);
  });

  test('begins with the first check that knows whether all hold, so what always held is no alert', () => {
    expect(
      reasons(
        read([
          [-11, undefined],
          [-11, 14],
          [-11, 14],
        ]),
      ),
    ).toEqual(['unknown', 'first check', 'within the hysteresis']);
  });

  test('does not hold if one surely fails, whatever the missing one is', () => {
    expect(
      reasons(
        read([
          [-5, undefined],
          [-11, 14],
        ]),
      ),
    ).toEqual(['first check', 'alert']);
  });

  test('tells the values of all conditions, and at its end those that ended it and how far the first went', () => {
    const results = read([
      [-5, 14],
      [-11, 14],
      [-14, 13],
      [-12, 11],
    ]);
    expect(results[1]?.alert).toMatchObject({ now: { value: '-11' }, others: { runway: '14' } });
    expect(results[3]?.back).toMatchObject({ now: { value: '-12' }, others: { runway: '11' }, furthest: { value: '-14' } });
  });

  test('went as far as while all held, not with the check that ended it by another condition', () => {
    const results = read([
      [-5, 14],
      [-11, 14],
      [-20, 11],
    ]);
    expect(results[2]?.back).toMatchObject({ now: { value: '-20' }, furthest: { value: '-11' } });
  });

  test('that must last begins its time again when any of them fails for one check', () => {
    const lasting = thresholdRuleSchema.parse({ ...BOTH, lasts: 6 * HOUR });
    const values: readonly Values[] = [
      [-5, 14],
      [-11, 14],
      [-11, 14],
      [-11, 11.9],
      [-11, 14],
      [-11, 14],
      [-11, 14],
      [-11, 14],
    ];
    expect(alertsAt(read(values, { rule: lasting }))).toEqual([7]);
  });

  test('waits an hour after an alert, as every threshold', () => {
    const results = read(
      [
        [-5, 14],
        [-11, 14],
        [-11, 11],
        [-11, 14],
        [-11, 14],
      ],
      { apart: 25 * MINUTE },
    );
    expect(reasons(results).slice(3)).toEqual(['too soon after the last alert', 'alert']);
  });
});

test('a rule alerts as often as its conditions, taken as one value that is met or back, come to hold', () => {
  const value = fc.integer({ min: -6, max: 6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 40 }), (pairs) => {
      // Offsets from the thresholds: a premium 1 point beyond is at -11, and a runway at 13.
      const results = read(pairs.map(([first, second]): Values => [-10 - first, 12 + second]));
      const expected: number[] = [];
      let armed = !pairs[0]?.every((offset) => offset > 0);
      for (const [at, [first = 0, second = 0]] of pairs.entries()) {
        if (at === 0) continue;
        if (first <= -2 || second <= -1) armed = true;
        else if (first > 0 && second > 0 && armed) [armed] = [false, expected.push(at)];
      }
      expect(alertsAt(results)).toEqual(expected);
    }),
    { numRuns: runs(500) },
  );
});
