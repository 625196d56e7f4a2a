import { expect, test } from 'vitest';
import { EMPTY_PROPOSAL, type ProposalRow } from '../../src/analytics/endpoints/proposals.js';
import { DAY, HOUR, later, type Instant } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { proposals } from '../../src/feeds/proposals.js';
import { NOON, snapshotOf, TIDE } from './reading.js';

const { spec } = proposals;
const END = later(NOON, DAY);

const readAt = (at: Instant, passEdge: string) => {
  const stage = at < END ? { status: 'live' } : { status: 'resolved', result: 'passed' };
  const figures = { startsAt: NOON, endsAt: END, threshold: decimal('1.5'), passEdge: decimal(passEdge) };
  const row: ProposalRow = { ...EMPTY_PROPOSAL, publicKey: '9xQ', id: '41', ...stage, ...figures };
  return snapshotOf<readonly ProposalRow[]>([row], { at });
};

test('the result of a market keeps the course of its margin, although the result ends the series', () => {
  let { watermark } = spec.diff(TIDE, undefined, readAt(NOON, '1.5'));
  const statusAt = (at: Instant, passEdge: string) => {
    const [before, snapshot] = [watermark, readAt(at, passEdge)];
    ({ watermark } = spec.diff(TIDE, before, snapshot));
    return spec.live?.statuses({ subject: TIDE, before, watermark, snapshot }, () => true)[0];
  };
  for (const [hour, passEdge] of ['1.0', '1.9', '1.2'].entries()) statusAt(later(NOON, (hour + 1) * HOUR), passEdge);
  const { stage, facts } = statusAt(later(END, HOUR), '2.4') ?? {};
  expect([stage, facts?.margins?.map(([, margin]) => margin)]).toEqual(['passed', ['0', '-0.5', '0.4', '-0.3']]);
  expect(watermark.markets).toBeUndefined();
});
