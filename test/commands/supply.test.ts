import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const OVERVIEW = '/v1/dao/token-supply/overview';
const EVENTS = '/v1/dao/token-supply';
const CHART = '/v1/dao/token-supply/chart';
const event = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  timestamp: `2026-11-${String(10 + (id % 10))}T10:00:00Z`,
  type: 'Burn',
  amount: '12.5',
  usdValue: '9.94',
  change: '-0.0001',
  ...more,
});

test('the supply is exact to the last digit', async () => {
  const { say } = await openAppHarness({
    answers: {
      [OVERVIEW]: {
        totalMint: '9223372036854775808.000001',
        totalBurn: '1.000001',
        resultingSupply: '9223372036854775807',
        symbol: 'TIDE',
      },
    },
  });
  const { text } = await say('/supply tide');
  expect(text).toContain('TIDE supply: 9,223,372,036,854,775,807\n');
  expect(text).not.toContain('⚠');
});

test('a supply that is not minted less burned is said to differ', async () => {
  const { say } = await openAppHarness({ answers: { [OVERVIEW]: { totalMint: '100', totalBurn: '10', resultingSupply: '91' } } });
  expect((await say('/supply tide')).text).toMatch(/⚠ .+ 90\./u);
});

test('events are sorted newest first, unknown words are unchanged, and a linked proposal is named', async () => {
  const { say } = await openAppHarness({
    answers: {
      [EVENTS]: {
        data: [
          event(1),
          event(3, { type: 'Rebase', proposal: { proposalTitle: 'Raise it' } }),
          event(2, { proposal: { foo: 1 }, usdValue: null }),
          { id: null },
        ],
        meta: { totalItems: 4 },
      },
    },
  });
  const { text } = await say('/supply tide events');
  const rows = text
    .split('\n')
    .slice(2, 5)
    .map((row) => row.split(/\s{2,}/u));
  expect(text).toContain('TIDE: 4 mints and burns\n');
  expect(rows).toEqual([
    ['Nov 13, 10:00 UTC', 'Rebase', '12.5', '−0.0001%', '$9.94', 'Raise it'],
    ['Nov 12, 10:00 UTC', 'Burn', '12.5', '−0.0001%', 'n/a', 'unnamed'],
    ['Nov 11, 10:00 UTC', 'Burn', '12.5', '−0.0001%', '$9.94'],
  ]);
  expect(text).toMatch(/⚠ 1 row /u);
});

test('a mint of a negative amount is marked as what the service reports', async () => {
  const { say } = await openAppHarness({
    answers: { [EVENTS]: { data: [event(1, { type: 'Mint', amount: '-5' })], meta: { totalItems: 1 } } },
  });
  expect((await say('/supply tide events')).text).toMatch(/⚠ Mint as reported +−5\b/u);
});

test('pages follow the count of the service, and where it does not count, a full page has another behind it', async () => {
  const rows = Array.from({ length: 10 }, (_, id) => event(id));
  const next = async (meta: unknown, data: readonly unknown[], page = 1) => {
    const { say } = await openAppHarness({ answers: { [EVENTS]: { data, meta } } });
    const { reply } = await say(`/supply tide events ${page}`);
    return reply.actions.filter(({ label }) => label.endsWith('page')).map(({ line }) => line);
  };
  expect(await next({ totalItems: 11 }, rows)).toEqual(['/supply tide events 2']);
  expect(await next({ totalItems: 10 }, rows)).toEqual([]);
  expect(await next(null, rows)).toEqual(['/supply tide events 2']);
  expect(await next(null, rows.slice(1))).toEqual([]);
  expect(await next({ totalItems: 21 }, rows, 2)).toEqual(['/supply tide events 1', '/supply tide events 3']);
  expect(await next({ totalItems: 21 }, [], 9)).toEqual(['/supply tide events 3']);
});

test('a page behind the last one says so', async () => {
  const { say } = await openAppHarness({ answers: { [EVENTS]: { data: [], meta: { totalItems: 4 } } } });
  expect((await say('/supply tide events 7')).text).toContain('TIDE: page 7 is empty');
  expect((await say('/supply tide events')).text).toMatch(/^TIDE: 4 entries .+none here/u);
  const empty = await openAppHarness({ answers: { [EVENTS]: { data: [], meta: { totalItems: 0 } } } });
  expect((await empty.say('/supply tide events')).text).toContain('TIDE: no mints or burns yet');
});

test('the chart is a table of how each period ended', async () => {
  const { say } = await openAppHarness({
    answers: { [CHART]: [{ period: '2026-11-19', supply: 110 }, { period: '2026-11-18', supply: 100, interval: 'day' }, { period: 'x' }] },
  });
  expect((await say('/supply tide chart')).text.split('\n').slice(0, 5)).toEqual([
    'TIDE supply is 110, +10.0% since Nov 18',
    'Day     Supply  Change',
    'Nov 19     110  +10.0%',
    'Nov 18     100',
    '⚠ 1 row skipped: unreadable.',
  ]);
});

test('every view of the simulated service answers, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const line of [
    '/supply tide',
    '/supply tide events',
    '/supply tide events 2',
    '/supply tide chart',
    '/supply marsh',
    '/supply marsh events',
  ]) {
    const { reply, text } = await say(line);
    expect([line, await deadButtons(reply), text.match(/undefined|NaN|\[object/u)]).toEqual([line, [], null]);
  }
});

test('the picture of a supply has the mints and burns, and does without them when they are not to be had', async () => {
  const simulated = (await (await openAppHarness()).say('/supply tide chart')).reply.chart;
  expect(simulated).toMatchObject({ kind: 'xy', series: expect.arrayContaining([expect.objectContaining({ axis: 'below' })]) });
  const points = ['2026-11-01', '2026-11-02'].map((day, index) => ({
    period: `${day}T00:00:00Z`,
    supply: String(100 + index),
    interval: 'day',
  }));
  const { say } = await openAppHarness({ answers: { '/v1/dao/token-supply/chart': points } });
  expect((await say('/supply tide chart')).reply.chart).toMatchObject({
    kind: 'xy',
    series: [{ name: 'supply' }, { name: 'added', points: [[Date.UTC(2026, 10, 2), 1]] }],
  });
});
