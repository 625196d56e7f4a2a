import { expect, test } from 'vitest';
import { proposalRow } from '../../../src/analytics/endpoints/proposals.js';
import { edgeText, marginOf, passState, wouldPass } from '../../../commands/proposal/pass-state.js';
import { decimal } from '../../../src/domain/scalars.js';

const row = (fields: object) => proposalRow.parse({ id: 1, ...fields });

test.each([
  [{ status: 'live', passEdge: 2.1, threshold: 1.5 }, 'live', 'would pass now: pass edge +2.1% against +1.5% needed'],
  [{ status: 'live', passEdge: '-4', threshold: '-3' }, 'live', 'would fail now: pass edge −4.0% against −3.0% needed'],
  [{ status: 'live', threshold: 1.5 }, 'live', 'is live: +1.5% needed'],
  [{ status: 'live' }, 'live', 'is live'],
  [{ status: 'live', twapMargin: '0.2' }, 'live', 'would pass now'],
  [{ status: 'resolved', result: 'approved', passEdge: 2.4 }, 'over', 'passed, final edge +2.4%'],
  [{ status: 'defeated' }, 'over', 'failed'],
  [{ status: 'draft', stakedAmount: '477500', requiredStake: 500_000 }, 'plain', 'is a draft that gathers stake: 478K of 500K'],
  [{ status: 'removed' }, 'over', 'was removed'],
  [{ status: 'Hibernating' }, 'plain', 'is said to be "Hibernating"'],
  [{}, 'plain', 'does not say how it stands'],
])('%j is shown as %s: %s', (fields, tone, words) => {
  expect(passState(row(fields))).toEqual({ tone, text: words });
});

test('a reported margin counts before a computed one, and neither is guessed', () => {
  expect(marginOf(row({ passEdge: 2, threshold: 1.5, twapThresholdMargin: '0.4' }))).toBe('0.4');
  expect(marginOf(row({ passEdge: '2', threshold: '1.5' }))).toBe('0.5');
  expect(marginOf(row({ passEdge: 2 }))).toBeUndefined();
});

test('reaching the threshold is not passing it', () => {
  expect([wouldPass(decimal('0')), wouldPass(decimal('0.01')), wouldPass(decimal('-0.01'))]).toEqual([false, true, false]);
  expect(edgeText(row({}), true)).toBeUndefined();
});
