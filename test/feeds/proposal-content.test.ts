/** What an alert about a single trade says while its market goes on, and with its result. */
import { expect, test } from 'vitest';
import { HOUR, later, MINUTE, type Instant } from '../../src/base/clock.js';
import { lineText } from '../../src/chat/plain-text.js';
import type { Crossing, Point } from '../../src/domain/crossing.js';
import { decimal } from '../../src/domain/scalars.js';
import type { ThresholdRule } from '../../src/domain/threshold-rule.js';
import { measuredContent, type ProposalFacts } from '../../src/feeds/proposal-content.js';
import { NOON } from './reading.js';

const made: Point = { at: NOON, value: decimal('60000') };
const rule: ThresholdRule = { when: 'above', measure: 'trade', threshold: decimal('10000'), hysteresis: decimal('1000') };
const crossing: Crossing = { rule, side: 'high', now: made, was: made, since: made };
const facts: ProposalFacts = {
  ...{ name: 'Tide', title: 'Audit', publicKey: '9xQ', endsAt: later(NOON, HOUR), margin: decimal('1') },
  trade: { value: made.value, at: made.at, market: 'pass', direction: 'buy' },
};
const details = (detectedAt: Instant, more: Partial<ProposalFacts> = {}): readonly string[] =>
  measuredContent({ facts: { ...facts, ...more }, project: 'tide', detectedAt }, [crossing]).details.map((line) =>
    lineText(line, detectedAt),
  );

test('a trade is dated where it was listed late, and the market goes on', () => {
  expect(details(later(NOON, MINUTE))).toEqual(['Bought pass', 'Passing by 1.0 pts · ends 13:00 UTC']);
  expect(details(later(NOON, 9 * MINUTE))[0]).toBe('Bought pass · made 12:00 UTC');
});

test('a trade that is read with the result is dated, and says how the market ended', () => {
  expect(details(later(NOON, MINUTE), { outcome: 'passed' })).toEqual([
    'Bought pass · made 12:00 UTC',
    'The market has ended: passed by 1.0 pts',
  ]);
});
