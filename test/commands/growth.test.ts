import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const FEED = '/v1/growth-feed';
/** Noon of 20 November is the harness's now, so the 19th is the newest completed day. */
const days = (values: Readonly<Record<string, string | number>>) => Object.entries(values).map(([date, value]) => ({ date, value }));
const feed = (...metrics: readonly unknown[]) => ({ status: 'ok', metrics });

test('a day without data is a gap and a 0 is a 0', async () => {
  const { say } = await openAppHarness({
    answers: {
      [FEED]: feed({
        metricId: 'daily-traders',
        unit: 'count',
        observations: days({ '2026-11-17': 10, '2026-11-18': 0, '2026-11-14': 20 }),
      }),
    },
  });
  const { text } = await say('/growth tide daily-traders 7');
  expect(
    text
      .split('\n')
      .slice(1, 9)
      .map((row) => row.split(/\s{2,}/u)),
  ).toEqual([
    ['Day', 'Value', 'Data'],
    ['Nov 19', '–', 'no data'],
    ['Nov 18', '0'],
    ['Nov 17', '10'],
    ['Nov 16', '–', 'no data'],
    ['Nov 15', '–', 'no data'],
    ['Nov 14', '20'],
    ['Nov 13', '–', 'no data'],
  ]);
  expect(text).toMatch(/^Tidewater: Daily traders 0 on Nov 18, −100% /u);
});

test('the mean is of the days before that have data, also those before the range', async () => {
  const { say } = await openAppHarness({
    answers: {
      [FEED]: feed({
        metricId: 'fees-usd',
        name: 'Fees',
        unit: 'usd',
        observations: days({ '2026-11-12': 10, '2026-11-13': '30', '2026-11-19': 40, '2026-11-11': 9_999 }),
      }),
    },
  });
  expect((await say('/growth tide fees 7')).text).toMatch(/^Tidewater: Fees \$40\.00 on Nov 19, \+100% /u);
});

test('without a metric every metric is summed up with its gaps', async () => {
  const { say, deadButtons } = await openAppHarness({
    answers: {
      [FEED]: feed(
        { metricId: 'A', observations: days({ '2026-11-19': 5, '2026-11-18': 5 }) },
        { metricId: 'B', observations: [] },
        { nothing: true },
      ),
    },
  });
  const { text, reply } = await say('/growth tide 7');
  expect(
    text
      .split('\n')
      .slice(0, 4)
      .map((row) => row.split(/\s{2,}/u)),
  ).toEqual([
    ['Tidewater: 2 metrics over 7 days'],
    ['Metric', 'Latest', 'Value', 'vs 7-day avg', 'Days with data'],
    ['A', 'Nov 19', '5', '0%', '2 of 7'],
    ['B', 'no data', 'n/a', 'n/a', '0 of 7'],
  ]);
  expect(text).toMatch(/⚠ 1 row /u);
  expect(await deadButtons(reply)).toEqual([]);
});

test('ninety days are shown by week, with the number of days of each', async () => {
  const { say } = await openAppHarness({
    answers: { [FEED]: feed({ metricId: 'A', observations: days({ '2026-11-19': 4, '2026-11-14': 2, '2026-11-12': 7 }) }) },
  });
  const rows = (await say('/growth tide a 90')).text
    .split('\n')
    .slice(1, 5)
    .map((row) => row.split(/\s{2,}/u));
  expect(rows).toEqual([
    ['Week to', 'Value', 'Data'],
    ['Nov 19', '3 a day', '2 of 7 days'],
    ['Nov 12', '7 a day', '1 of 7 days'],
    ['Nov 5', '–', '0 of 7 days'],
  ]);
});

test('a project without a feed is said to publish none', async () => {
  const { say } = await openAppHarness({ answers: { [FEED]: { status: 'no_source', metrics: [] } } });
  expect((await say('/growth tide')).text).toContain('Tidewater publishes no metrics');
});

test('a range and a metric of the simulated service answer, in any order, and every button leads on', async () => {
  const { say, deadButtons } = await openAppHarness();
  for (const line of ['/growth tide', '/growth tide 90 fees-usd', '/growth Glass Pier volume-usd 7', '/growth moss-harbor 90']) {
    const { reply, text } = await say(line);
    expect([line, reply.tone, await deadButtons(reply), text.match(/undefined|NaN|\[object/u)]).toEqual([line, 'plain', [], null]);
  }
});

test('the picture of a metric has a point for every day of the range, gaps included', async () => {
  const { say } = await openAppHarness();
  const { chart } = (await say('/growth tide fees-usd 30')).reply;
  if (chart?.kind !== 'xy') throw new Error('the metric has no picture');
  expect(chart.series[0]?.points).toHaveLength(30);
});
