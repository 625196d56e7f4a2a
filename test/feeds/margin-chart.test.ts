import { describe, expect, test } from 'vitest';
import { HOUR, later } from '../../src/base/clock.js';
import { chartSchema, type ChartDraft } from '../../src/chat/chart.js';
import { decimal } from '../../src/domain/scalars.js';
import { marginChart } from '../../src/feeds/margin-chart.js';
import type { ProposalFacts } from '../../src/feeds/proposal-content.js';
import { NOON } from './reading.js';

const FACTS: ProposalFacts = { name: 'Tidewater', title: 'Fund the second audit', passEdge: decimal('2.1'), threshold: decimal('1.5') };
const course = (...values: readonly string[]): NonNullable<ProposalFacts['margins']> =>
  values.map((value, index) => [later(NOON, (index - values.length) * HOUR), decimal(value)]);

const pointsOf = (draft: ChartDraft | undefined, series = 0) => (draft?.kind === 'xy' ? draft.series[series]?.points : undefined);

describe('the chart of a margin', () => {
  test('shows its course around the pass threshold, up to the margin at the time of the check', () => {
    const draft = marginChart('twap', { ...FACTS, margins: course('-0.4', '0.2') }, NOON);
    expect(pointsOf(draft)).toEqual([
      [NOON - 2 * HOUR, -0.4],
      [NOON - HOUR, 0.2],
      [NOON, 0.6],
    ]);
    expect(pointsOf(draft, 1)?.map(([, value]) => value)).toEqual([0, 0, 0]);
    expect(chartSchema.parse(draft)).toMatchObject({ title: 'Passing by 0.6 pts · last 2 h', isLow: true, gap: true });
  });

  test('says in words which side is which, so that nobody needs its colours', () => {
    expect(marginChart('live', { ...FACTS, margins: course('1', '2') }, NOON)).toMatchObject({
      gapNames: { up: 'passing (+)', down: 'failing (−)' },
      series: [{ name: 'margin' }, { name: 'pass threshold', tone: 'quiet' }],
    });
    const failing = { ...FACTS, passEdge: decimal('0.5'), margins: course('1', '2') };
    expect(marginChart('live', failing, NOON)?.title).toBe('Failing by 1.0 pts · last 2 h');
  });

  test('of a market that is over ends when the market ended, whenever its result was found', () => {
    const facts = { ...FACTS, endsAt: later(NOON, -HOUR / 2), margins: course('-0.4', '0.2', '0.3') };
    const draft = marginChart('passed', facts, NOON);
    expect(draft?.title).toBe('Passed by 0.6 pts · last 3 h');
    expect(pointsOf(draft)?.at(-1)).toEqual([NOON - HOUR / 2, 0.6]);
  });

  test('needs three values and a margin now; what is dated later than the check is not drawn', () => {
    expect(marginChart('live', { ...FACTS, margins: course('0.2') }, NOON)).toBeUndefined();
    expect(marginChart('live', FACTS, NOON)).toBeUndefined();
    expect(marginChart('live', { name: 'Tidewater', margins: course('1', '2', '3') }, NOON)).toBeUndefined();
    const ahead = [...course('-0.4', '0.2'), [later(NOON, HOUR), decimal('9')] as [typeof NOON, ReturnType<typeof decimal>]];
    expect(pointsOf(marginChart('live', { ...FACTS, margins: ahead }, NOON))?.map(([, value]) => value)).toEqual([-0.4, 0.2, 0.6]);
  });
});
