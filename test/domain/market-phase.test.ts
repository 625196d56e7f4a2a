import { expect, test } from 'vitest';
import { phaseOf } from '../../src/domain/market-phase.js';

test.each([
  [{ status: 'Pending' }, 'live'],
  [{ status: 'Draft' }, 'draft'],
  [{ status: 'resolved', result: 'Approved' }, 'passed'],
  [{ status: 'resolved', result: 'rejected' }, 'failed'],
  [{ status: 'passed' }, 'passed'],
  [{ result: 'failed' }, 'failed'],
  [{ status: 'cancelled' }, 'removed'],
  [{ status: 'Hibernating' }, { word: 'Hibernating' }],
  [{ status: 'resolved', result: 'drawn' }, { word: 'drawn' }],
  [{ status: 'resolved' }, { word: 'resolved' }],
  [{}, undefined],
])('%o is %o', (words, phase) => {
  expect(phaseOf(words)).toEqual(phase);
});
