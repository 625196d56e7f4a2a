/** Layouts that the interface allows and does not show: each is read by the real client from a real answer. */
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { projects, projectsLaunch } from '../../src/analytics/endpoints/dashboard.js';
import { unlockSchedule } from '../../src/analytics/endpoints/holders.js';
import { proposalOutcomes } from '../../src/analytics/endpoints/proposals.js';
import {
  navBreakdown,
  premiumBreakdown,
  runwayBreakdown,
  treasuryHoldings,
  treasuryOverview,
} from '../../src/analytics/endpoints/treasury.js';
import type { Row } from '../../src/analytics/endpoint-row.js';
import { answerWith, connect, serve, tide } from '../support/service.js';

describe('layouts that are not shown', () => {
  const answer = async <D>(row: Row<z.ZodObject, D>, data: unknown): Promise<D> => {
    const service = await serve((asked) => answerWith(asked, data));
    const { analytics } = await connect(service.url);
    return (await analytics.call(row, tide)).data;
  };

  test("the row's own price is not replaced by one that stands deeper, however that is named", async () => {
    const { rows } = await answer(treasuryHoldings, [
      { symbol: 'USDC', price: '1', value: '10', pool: { spotPrice: '7', totalValue: '99' } },
    ]);
    expect(rows).toMatchObject([{ price: '1', value: '10' }]);
  });

  test('null is an answer: neither a nested number nor a guessed name stands in for it', async () => {
    expect((await answer(treasuryOverview, { monthsOfRunway: null, previous: { monthsOfRunway: 5 } })).runway).toBeUndefined();
    expect((await answer(treasuryOverview, { monthsOfRunway: null, previous: { runway: 5 } })).runway).toBeUndefined();
    expect((await answer(treasuryOverview, { runway: null, previous: { monthsOfRunway: 5 } })).runway).toBeUndefined();
    expect((await answer(treasuryOverview, { spotPrice: null, price: '1' })).price).toBeUndefined();
  });

  test('of several at one depth of which one is null, none is shown, and their places are alerted', async () => {
    const { netAssetValue, doubts } = await answer(navBreakdown, { dao: { netAssetValueUsd: '10' }, opco: { netAssetValueUsd: null } });
    expect([netAssetValue, doubts]).toEqual([undefined, ['dao.netAssetValueUsd', 'opco.netAssetValueUsd']]);
  });

  test('NAV per adjusted share is read in the lists of all projects', async () => {
    const row = { organizationSlug: 'tide', navPerAdjustedShare: '0.6977', netAssetValue: '5766232.78' };
    expect((await answer(projectsLaunch, [row])).rows).toMatchObject([{ navPerShare: '0.6977' }]);
    expect((await answer(projects, [{ ...row, navPerAdjustedShare: undefined, netAssetValue: '0.69' }])).rows[0]?.navPerShare).toBe('0.69');
  });

  test.each([
    { withLp: { monthsOfRunway: 12 }, withoutLp: { monthsOfRunway: 9 } },
    { withoutLP: { monthsOfRunway: '9' }, withLP: { monthsOfRunway: '12' } },
    { monthsOfRunway: { withLp: 12, withoutLp: 9 } },
    { runway: { includingLp: { months: 12 }, excludingLp: { months: 9 } } },
    { monthsOfRunway: 12, monthsOfRunwayWithoutLp: 9 },
    { monthsOfRunway: 12, withoutLp: { monthsOfRunway: 9 }, inputs: { allowance: 100 } },
  ])('the runway with and without LP is read from %j', async (data) => {
    expect(await answer(runwayBreakdown, data)).toMatchObject({ runway: '12', withoutLp: '9', doubts: [] });
  });

  test('an unknown runway with LP is not replaced by the one without', async () => {
    const data = { withLp: { monthsOfRunway: null }, withoutLp: { monthsOfRunway: 9 } };
    expect(await answer(runwayBreakdown, data)).toMatchObject({ runway: undefined, withoutLp: '9' });
  });

  test.each([
    { passed: 12, failed: 3 },
    { outcomes: { passed: 12, failed: 3 } },
    { total: 15, outcomes: { passed: '12', failed: '3' } },
    {
      outcomes: [
        { outcome: 'passed', count: 12 },
        { outcome: 'failed', count: 3 },
      ],
    },
  ])('outcomes are read from %j', async (data) => {
    expect(await answer(proposalOutcomes, data)).toEqual([
      { word: 'passed', count: 12 },
      { word: 'failed', count: 3 },
    ]);
  });

  test.each([
    { current: -17.2, low: { value: '-30.5', at: '2026-08-23T00:00:00Z' }, high: { value: 12, at: 1787529600 }, mean: { value: '-5' } },
    { premium: { current: '-17.2', low: { pct: -30.5, timestamp: 1787443200 }, mean: -5, high: { pct: '12', timestamp: 1787529600 } } },
    { pct: -17.2, low: -30.5, lowAt: 1787443200, mean: -5, high: 12, highAt: 1787529600 },
  ])('low, mean and high are read from %j', async (data) => {
    const at = Date.UTC(2026, 7, 23);
    expect(await answer(premiumBreakdown, data)).toEqual(
      expect.objectContaining({ premium: '-17.2', low: '-30.5', lowAt: at, mean: '-5', high: '12', highAt: at + 86_400_000 }),
    );
  });

  test('the list that the interface names is read, whatever stands beside it', async () => {
    const points = [{ date: '2026-11-20', cumulativeUnlocked: '5' }];
    const other = [{ date: '2020-01-01', cumulativeUnlocked: '1' }, 7];
    for (const data of [
      { scheduleData: points, tranches: other },
      { tranches: other, scheduleData: points },
      { schedule: { scheduleData: points, markers: other } },
      { markers: other, schedule: { scheduleData: points } },
    ])
      expect(await answer(unlockSchedule, data)).toMatchObject({ broken: 0, rows: [{ unlocked: '5' }] });
    expect(await answer(unlockSchedule, { scheduleData: null, markers: other })).toEqual({ rows: [], broken: 0 });
  });
});
