import { expect, test } from 'vitest';
import { ruleStep } from '../../../src/alerts/explanation/threshold-distance.js';
import { instant, later, MINUTE } from '../../../src/base/clock.js';
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
