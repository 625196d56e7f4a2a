import { expect, test } from 'vitest';
import { premiumBreakdown, treasuryHoldings } from '../../../src/analytics/endpoints/treasury.js';
import { supplyEvents, supplyOverview } from '../../../src/analytics/endpoints/supply.js';
import { proposalOutcomes, proposals } from '../../../src/analytics/endpoints/proposals.js';
import { surveyFields } from '../../../src/operations/doctor/fields.js';

const OVERVIEW = { totalMint: '130', totalBurn: '30', resultingSupply: '100', netChange: '-2', symbol: 'TIDE', publicKey: 'mint1' };
const PREMIUM = { spotPrice: '0.6', navPerAdjustedShare: '0.7', current: '-14', low: '-30', mean: '-12', high: '2' };

test('names that a schema lists are found, missing, or unexpected', () => {
  expect(surveyFields(supplyOverview, OVERVIEW)).toMatchObject({ found: Object.keys(OVERVIEW), missing: [], unexpected: [] });
  const { totalBurn, ...rest } = OVERVIEW;
  expect(surveyFields(supplyOverview, { ...rest, total_burn: totalBurn })).toMatchObject({
    missing: ['totalBurn'],
    unexpected: ['total_burn'],
  });
});

test('a name is found when any row has it, also as null, and wherever the list stands', () => {
  const event = { id: 1, timestamp: '2026-11-20T10:00:00Z', type: 'Mint', amount: '1', resultingSupply: '2', change: '1' };
  const whole = { ...event, priceAtTime: '1', usdValue: '1', signature: null, proposal: null };
  expect(surveyFields(supplyEvents, [event, whole]).missing).toEqual([]);
  expect(surveyFields(supplyEvents, { events: [event] }).missing).toEqual(['priceAtTime', 'usdValue', 'signature', 'proposal']);
});

test('an empty list misses nothing', () => {
  expect(surveyFields(supplyEvents, [])).toMatchObject({ found: [], missing: [], unexpected: [] });
});

test('a stated name that went is missing even where a guess takes its place', () => {
  expect(surveyFields(premiumBreakdown, PREMIUM)).toMatchObject({ missing: [], found: expect.arrayContaining(['spotPrice']) as unknown });
  const { spotPrice, ...rest } = PREMIUM;
  const other = surveyFields(premiumBreakdown, { ...rest, price: spotPrice });
  expect(other.missing).toEqual(['spotPrice']);
  expect(other.guessed).toContain('price for spotPrice');
});

test('guessed names are alerted with the stated ones they stand for', () => {
  expect(surveyFields(proposals, [{ id: 7, title: 'Pay', status: 'live', zz: 1 }])).toMatchObject({
    guessed: expect.arrayContaining(['id for proposalId', 'title for proposalTitle or proposalName', 'status']) as unknown,
    unexpected: ['zz'],
  });
});

test('what is nested is alerted with its path, and as a whole where nothing below is read', () => {
  const holding = { symbol: 'USDC', amount: '1', value: '1', zz: { a: 1, b: { c: 2 } } };
  expect(surveyFields(treasuryHoldings, { tokens: [holding] }).unexpected).toEqual(['tokens.zz']);
});

test('words that are read as data are no unexpected fields', () => {
  expect(surveyFields(proposalOutcomes, { passed: 12, failed: 3 }).unexpected).toEqual([]);
});

test('names with different values at one depth are doubtful, not missing', () => {
  const twice = { pass: { navPerAdjustedShare: '1' }, fail: { navPerAdjustedShare: '2' }, spotPrice: '1' };
  expect(surveyFields(premiumBreakdown, twice)).toMatchObject({ doubtful: ['navPerAdjustedShare'], missing: [] });
});

test.each([null, 7, 'text', [null, 3, 'x'], { a: { b: [] } }])('%j is surveyed without an error', (answer) => {
  expect(surveyFields(supplyEvents, answer).doubtful).toEqual([]);
});
