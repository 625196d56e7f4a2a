import { expect, test } from 'vitest';
import { proposalRow } from '../../src/analytics/endpoints/proposals.js';
import { edgeText, passState, proposalItem, proposalTimes } from '../../src/reply/proposals.js';
import { instant } from '../../src/base/clock.js';

const row = (fields: object) => proposalRow.parse({ id: 1, ...fields });

test.each([
  [{ status: 'live', passEdge: 2.1, threshold: 1.5 }, 'live', 'passing by 0.6 pts'],
  [{ status: 'live', passEdge: '-4', threshold: '-3' }, 'live', 'failing by 1.0 pts'],
  [{ status: 'live', threshold: 1.5 }, 'live', 'live, needs pass over 1.5% above fail'],
  [{ status: 'live' }, 'live', 'live'],
  [{ status: 'live', twapMargin: '0.2' }, 'live', 'passing by 0.2 pts'],
  [{ status: 'resolved', result: 'approved', passEdge: 2.4 }, 'over', 'passed'],
  [{ status: 'resolved', result: 'approved', passEdge: 2.4, threshold: 1.5 }, 'over', 'passed by 0.9 pts'],
  [{ status: 'defeated' }, 'over', 'failed'],
  [{ status: 'draft', stakedAmount: '477500', requiredStake: 500_000 }, 'plain', 'draft, 478K of 500K staked'],
  [{ status: 'removed' }, 'over', 'removed'],
  [{ status: 'Hibernating' }, 'over', 'state "Hibernating"'],
  [{}, 'plain', 'state n/a'],
])('%j is shown as %s: %s', (fields, tone, words) => {
  expect(passState(row(fields))).toEqual({ tone, text: words });
});

test('an edge names its threshold only where it is known', () => {
  expect(edgeText(row({ passEdge: 2.1, threshold: 1.5 }))).toBe('+2.1% (needs +1.5%)');
  expect(edgeText(row({ passEdge: 2.1 }))).toBe('+2.1%');
  expect(edgeText(row({}))).toBeUndefined();
});

test('a proposal that was removed before its end has not ended in the future', () => {
  const [now, endsAt] = [instant(Date.UTC(2026, 10, 27)), '2026-11-30T23:02:00Z'];
  const removed = row({ status: 'removed', title: 'Audit', endsAt });
  const { line } = proposalItem(removed, { now, named: false });
  expect(JSON.stringify(line)).toContain('was due to end ');
  expect(JSON.stringify([line, proposalTimes(removed, now)])).not.toMatch(/[Ee]nded|[Ee]nds /u);
  expect(JSON.stringify(proposalTimes(row({ status: 'live', endsAt }), now))).toContain('Ends ');
});
