import { expect, test } from 'vitest';
import { ruleStep } from '../../../src/alerts/explanation/threshold-distance.js';
import { HOUR, instant, later, MINUTE } from '../../../src/base/clock.js';
import { lineText } from '../../../src/chat/plain-text.js';
import { thresholdRuleSchema } from '../../../src/domain/threshold-rule.js';
import { decimal } from '../../../src/domain/scalars.js';

const NOW = instant(Date.UTC(2026, 10, 20, 12));
const rule = thresholdRuleSchema.parse({ when: 'below', measure: 'premium', threshold: '-10', hysteresis: '3' });
const alertedAt = later(NOW, -10 * MINUTE);
const alerted = { at: alertedAt, value: decimal('-11') };

const stepOf = (value: string, armed: boolean) => {
  const read = { at: later(NOW, -MINUTE), value: decimal(value) };
  const { says } = ruleStep({ rule, read, state: { armed, anchor: alerted, last: read, alertedAt }, history: undefined });
  return lineText(says, NOW);
};

test('soon after an alert it says where the measurement must come back to, and the pause that there is between two alerts', () => {
  expect(stepOf('-9', false)).toContain('alerted 11:50 UTC, not re-armed yet: re-arms above −7% (at most hourly)');
});

test('what crossed too soon says when it is reported', () => {
  expect(stepOf('-12', true)).toContain('alerts if it still holds at 12:50 UTC');
});

const joined = thresholdRuleSchema.parse({ ...rule, and: [{ when: 'above', measure: 'runway', threshold: '12', hysteresis: '1' }] });

test.each([
  ['-12', '10.9', '−12.0%, runway 10.9 months, read 11:59 UTC; not met: runway above 12 months (1.1 months away)'],
  ['-8', '14', '−8.0%, runway 14 months, read 11:59 UTC; not met: premium below −10% (2 pts away)'],
  ['-12', undefined, 'runway n/a, read 11:59 UTC; not met: runway above 12 months (the service gave no runway, so it counts as not met)'],
])('of joined conditions it names those that are not met, with their values and when they were read: %s, %s', (value, runway, expected) => {
  const others = runway === undefined ? {} : { runway: decimal(runway) };
  const read = { at: later(NOW, -MINUTE), value: decimal(value), others };
  const state = { armed: true, anchor: { at: later(NOW, -HOUR), value: decimal('-5') }, last: read };
  expect(lineText(ruleStep({ rule: joined, read, state, history: undefined }).says, NOW)).toContain(expected);
  const unarmed = lineText(ruleStep({ rule: joined, read, state: { ...state, armed: false, alertedAt }, history: undefined }).says, NOW);
  expect(unarmed).toContain('re-arms when premium is above −7% or runway below 11 months');
});

const lasting = thresholdRuleSchema.parse({ ...rule, lasts: 6 * HOUR });
const held = { since: later(NOW, -2 * HOUR), due: later(NOW, 4 * HOUR), furthest: alerted };

test('what must last says for how long it has, when it alerts, and whether checks are too rare for it', () => {
  const read = { at: later(NOW, -2 * HOUR), value: decimal('-12') };
  const state = { armed: true, anchor: { at: later(NOW, -3 * HOUR), value: decimal('-5') }, last: read, held };
  const says = (every?: number) => lineText(ruleStep({ rule: lasting, read, seenAt: NOW, every, state, history: undefined }).says, NOW);
  expect(says(3 * HOUR)).toContain('beyond the threshold for 2 h of 6 h; alerts if it still is 16:00 UTC');
  expect(says()).not.toContain('too rare');
  expect(says(12 * HOUR)).toContain('checks are about every 12 h now, which is too rare for 6 h');
});

test('a rule on single trades waits for them, whatever was traded before it was set', () => {
  const trades = thresholdRuleSchema.parse({ when: 'above', measure: 'trade', threshold: '500', hysteresis: '50' });
  const says = (read: Parameters<typeof ruleStep>[0]['read']) =>
    lineText(ruleStep({ rule: trades, read, state: undefined, history: undefined }).says, NOW);
  expect(says(undefined)).toContain('waiting for the next trade; none was read yet');
  expect(says({ at: later(NOW, -MINUTE), value: decimal('612') })).toContain(
    'waiting for the next trade; the last one was $612.00, 11:59 UTC',
  );
});

test.each([
  ['-12', '13', 'already there when the rule was set: alerts when it comes back and crosses again'],
  ['-12', '11', 'not there when the rule was set: alerts when it gets there'],
  ['-12', undefined, 'not there when the rule was set: alerts when it gets there'],
])('a rule that no check has evaluated says whether it holds already: %s, %s', (value, runway, expected) => {
  const read = { at: later(NOW, -MINUTE), value: decimal(value), others: runway === undefined ? {} : { runway: decimal(runway) } };
  expect(lineText(ruleStep({ rule: joined, read, state: undefined, history: undefined }).says, NOW)).toContain(expected);
});

test('a rule that held at its first check says so, and when it re-arms', () => {
  const read = { at: later(NOW, -MINUTE), value: decimal('-12') };
  const state = { armed: false, anchor: read, last: read };
  expect(lineText(ruleStep({ rule, read, state, history: undefined }).says, NOW)).toContain(
    'already beyond the threshold at the first check; re-arms above −7%',
  );
});

test('a rule on markets says that none is live, and not that a value is missing', () => {
  const flips = thresholdRuleSchema.parse({ when: 'flip', measure: 'margin' });
  const says = (one: typeof rule) => lineText(ruleStep({ rule: one, read: undefined, state: undefined, history: undefined }).says, NOW);
  expect(says(flips)).toContain('no live market at the last check');
  expect(says(rule)).toContain('the last check got no value');
});
