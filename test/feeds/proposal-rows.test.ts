/** The rows of a project's proposals, where its list and the detail of a market were read at different times. */
import { expect, test } from 'vitest';
import { DAY, HOUR, later, MINUTE } from '../../src/base/clock.js';
import type { MarketRow } from '../../src/feeds/market-values.js';
import { proposals } from '../../src/feeds/proposals.js';
import { answerPage, answerWith, connect, serve } from '../support/service.js';
import { background, NOON, TIDE } from './reading.js';

const KEY = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const ROW = {
  ...{ id: 41, publicKey: '9xQ', title: 'Audit', status: 'live', result: null },
  ...{ creationDate: new Date(later(NOON, -DAY)).toISOString(), endDate: new Date(later(NOON, 2 * DAY)).toISOString() },
};

test.each([
  ['a margin from the list', { twapMargin: '0.1' }, { passEdge: 0, passThresholdBps: 180 }, { margin: '0.1', passEdge: undefined }],
  [
    'an edge from the list',
    { passEdge: '1.9' },
    { passEdge: 0, twapMargin: '-1.8', passThresholdBps: 180 },
    { margin: '-1.8', passEdge: '0' },
  ],
  [
    'an edge from the list alone',
    { passEdge: '1.9' },
    { twapMargin: '-1.8', passThresholdBps: 180 },
    { margin: undefined, passEdge: '1.9' },
  ],
])('a market alert does not join %s with what a reading of another age says', async (_, listed, detailed, expected) => {
  const { url } = await serve((asked) => {
    if (asked.path === '/v1/proposal') answerPage(asked, [{ ...ROW, ...listed }]);
    else if (asked.path.startsWith('/v1/proposal/')) answerWith(asked, { ...ROW, ...detailed });
    else answerPage(asked, []);
  });
  const { analytics } = await connect(url);
  const { data: snapshot } = await proposals.spec.read(TIDE, background(analytics));
  expect(snapshot[0]).toMatchObject({ ...expected, threshold: '1.8' });
});

test('a check that the list of live markets called for reads the trades of a market only where a rule is about them', async () => {
  const { url } = await serve((asked) => {
    if (asked.path.endsWith('/orders')) answerPage(asked, [{ timestamp: new Date(NOON).toISOString(), usdValue: '640' }]);
    else if (asked.path.startsWith('/v1/proposal/')) answerWith(asked, { ...ROW, publicKey: KEY });
    else answerPage(asked, []);
  });
  const { analytics } = await connect(url);
  const listed = { now: { at: NOON, markets: [], open: [KEY] }, base: undefined };
  const wanting = async (wanted?: string) =>
    proposals.spec.read(TIDE, { ...background(analytics), listed, wants: (measure) => measure === wanted });
  const asked = await wanting('trade');
  expect(asked.isPart).toBe(true);
  expect(asked.data).toMatchObject([{ publicKey: KEY, orders: [{ value: '640' }] }]);
  expect((await wanting()).data).not.toMatchObject([{ orders: expect.anything() }]);
});

test('it reads them once more of a market that has just ended, and of none that ended an hour before', async () => {
  const endedAgo = async (ago: number) => {
    const { url } = await serve((asked) => {
      const ended = { status: 'resolved', result: 'approved', endDate: new Date(later(NOON, -ago)).toISOString() };
      if (asked.path.endsWith('/orders')) answerPage(asked, [{ timestamp: new Date(NOON).toISOString(), usdValue: '640' }]);
      else if (asked.path.startsWith('/v1/proposal/')) answerWith(asked, { ...ROW, ...ended, publicKey: KEY });
      else answerPage(asked, []);
    });
    const { analytics } = await connect(url);
    const listed = { now: { at: NOON, markets: [], open: [] }, base: { at: NOON, open: [KEY] } };
    const { data } = await proposals.spec.read(TIDE, { ...background(analytics), listed, wants: (measure) => measure === 'trade' });
    return data.map((row) => (row as MarketRow).orders?.length);
  };
  expect(await endedAgo(MINUTE)).toEqual([1]);
  expect(await endedAgo(2 * HOUR)).toEqual([undefined]);
});
