import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRule } from '../../../src/alerts/rules/read-rule.js';
import { FEEDS } from '../../../src/feeds/index.js';
import { ageText, thresholdRuleText } from '../../../src/dispatch/watchlists/rule-text.js';
import { meaning, typed } from '../../../commands/alerts/edit.js';
import { levelRules } from '../../alerts/threshold-rules.js';
import { runs } from '../../support/properties.js';

const kinds = FEEDS.flatMap(({ id: kind, alerts: { measures } }) => (measures.length === 0 ? [] : [{ kind, measures }]));

test('whatever level there is, what a button types for it reads as that level', () => {
  const some = fc.constantFrom(...kinds).chain(({ kind, measures }) => fc.record({ kind: fc.constant(kind), level: levelRules(measures) }));
  fc.assert(
    fc.property(some, ({ kind, level }) => {
      expect(readRule(`${kind} ${typed(kind, level)}`)).toMatchObject({ read: true, rules: { kind, filters: {}, thresholds: [level] } });
      expect(thresholdRuleText(kind, level)).not.toMatch(new RegExp(`^${kind} `, 'u'));
      expect(meaning(level)).not.toBe('');
    }),
    { numRuns: runs(500) },
  );
});

test.each([
  [1, '1 h'],
  [12, '12 h'],
  [undefined, '3 d'],
  [168, '7 d'],
  [30, '30 h'],
])('an age of %s hours is written as %s', (hours, text) => {
  expect(ageText(hours)).toBe(text);
});
