import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const BREAKDOWN = '/v1/dao/treasury/premium-discount-breakdown';
const CHART = '/v1/dao/treasury/nav-as-chart';
const day = (date: string, price: string, nav = '1') => ({ timestamp: `${date}T10:00:00Z`, tokenPrice: price, navPerAdjustedShare: nav });

test('the finding shows the gap between price and NAV, and the number of days with a smaller one', async () => {
  const { say, deadButtons } = await openAppHarness({
    answers: {
      [BREAKDOWN]: { spotPrice: '0.828', navPerAdjustedShare: '1', premiumPct: -17.2 },
      [CHART]: [day('2026-11-17', '0.695'), day('2026-11-18', '1.12'), day('2026-11-19', '0.9'), day('2026-11-20', '0.828')],
    },
  });
  const { text, reply } = await say('/premium tide 1M');
  expect(text.split('\n').slice(0, 2)).toEqual([
    'TIDE trades 17.2% below NAV',
    'Price $0.8280 · NAV/share $1.000 · 1M range −30.5% (Nov 17) to +12.0% (Nov 18) · average −11.4% · lower than 50% of days',
  ]);
  expect(text).not.toContain('⚠');
  expect(reply.actions.filter(({ on }) => on).map(({ line }) => line)).toEqual(['/premium tide 1M']);
  expect(await deadButtons(reply)).toEqual([]);
});

test('a positive percentage is a premium, and one that disagrees with price and NAV/share is shown beside them', async () => {
  const { say } = await openAppHarness({
    answers: { [BREAKDOWN]: { spotPrice: '1.1', navPerAdjustedShare: '1', premiumPct: -17.2 }, [CHART]: [] },
  });
  const { text } = await say('/premium tide');
  expect(text).toContain('TIDE trades 10.0% above NAV\n');
  expect(text).toMatch(/⚠ .+−17\.2%.+\+10\.0%/u);
});

test('without a chart the low, mean and high are those the service reports', async () => {
  const { say } = await openAppHarness({
    answers: {
      [BREAKDOWN]: { spotPrice: '0.9', navPerAdjustedShare: '1', low: '-30.5', lowAt: '2026-08-23T00:00:00Z', mean: -5, high: 12 },
    },
  });
  const { text } = await say('/premium tide');
  expect(text).toContain('−30.5% (Aug 23) to +12.0% · average −5.0%');
  expect(text).toContain('No NAV/share history');
});

test('without the breakdown the chart alone answers', async () => {
  const { say } = await openAppHarness({ answers: { [CHART]: [day('2026-11-19', '0.5'), day('2026-11-20', '0.9')] } });
  expect((await say('/premium tide')).text).toMatch(/^TIDE trades 10\.0% below NAV\n.+higher than 50% of days/u);
});

test('a breakdown that gives no gap does not hide the last point of the chart', async () => {
  const { say } = await openAppHarness({
    answers: {
      [BREAKDOWN]: { spotPrice: '0.9', navPerAdjustedShare: null },
      [CHART]: [day('2026-11-19', '0.5'), day('2026-11-20', '0.9')],
    },
  });
  const { text } = await say('/premium tide');
  expect(text).toMatch(/^TIDE traded 10\.0% below NAV on Nov 20 /u);
  expect(text).not.toContain('no NAV published');
});

test('no NAV, or a NAV of zero, is no premium and no discount', async () => {
  for (const nav of [null, '0']) {
    const { say } = await openAppHarness({ answers: { [BREAKDOWN]: { spotPrice: '0.9', navPerAdjustedShare: nav }, [CHART]: [] } });
    const { text } = await say('/premium tide');
    expect(text).toMatch(/no NAV published\nPrice \$0\.9000 · NAV\/share /u);
    expect(text).not.toMatch(/range |average|than|0%/u);
  }
});

test('several values that differ are doubted, not chosen from', async () => {
  const { say } = await openAppHarness({
    answers: { [BREAKDOWN]: { now: { spotPrice: '1' }, before: { spotPrice: '2' }, navPerAdjustedShare: '1' }, [CHART]: [] },
  });
  expect((await say('/premium tide')).text).toContain('⚠ Not shown: now.spotPrice, before.spotPrice.');
});

test('a short range is shown by hour', async () => {
  const hour = (time: string, price: string) => ({ timestamp: `2026-11-20T${time}:00Z`, tokenPrice: price, navPerAdjustedShare: '1' });
  const { say } = await openAppHarness({
    answers: { [BREAKDOWN]: { spotPrice: '0.8', navPerAdjustedShare: '1' }, [CHART]: [hour('09:00', '0.9'), hour('10:15', '0.8')] },
  });
  expect((await say('/premium tide 1D')).text).toMatch(
    /Price \$0\.8000 · NAV\/share \$1\.000 · 1D range −20\.0% \(10:15 UTC\) .+ lower than 50% of hours/u,
  );
});

test('the buttons of a project named like a choice work', async () => {
  const { say } = await openAppHarness({
    answers: { [BREAKDOWN]: { spotPrice: '0.9', navPerAdjustedShare: '1' }, [CHART]: [day('2026-11-20', '0.9')] },
  });
  const { reply } = await say('/premium project:all');
  const month = reply.actions.find(({ label }) => label === '1M')?.line ?? '';
  expect((await say(month)).text).toMatch(/^ALL trades 10\.0% below NAV/u);
});

test.each(['1D', '1W', '1M', '3M', 'ALL'])('the request covers %s', async (range) => {
  const { say } = await openAppHarness();
  expect((await say(`/premium heron ${range}`)).text).toMatch(
    /^HERN trades [\d.]+% (below|above) NAV\n.+ (higher|lower) than \d+% of (days|hours)/u,
  );
});

test('the chart shows the requested range and repeats the finding', async () => {
  const { say } = await openAppHarness();
  const { reply, text } = await say('/premium heron 1M');
  expect(reply.chart?.title).toBe(text.split('\n')[0]);
  expect(reply.chart).toMatchObject({ kind: 'xy', gap: true, series: [{ name: 'price' }, { name: 'NAV/share' }] });
  expect(
    (
      await openAppHarness({ answers: { [BREAKDOWN]: { spotPrice: '1', navPerAdjustedShare: '1' } } }).then(({ say: ask }) =>
        ask('/premium tide'),
      )
    ).reply.chart,
  ).toBeUndefined();
});

test('a project whose NAV/share ended long ago is described in the past tense with the day, over every range', async () => {
  const breakdown = { spotPrice: '0.792', navPerAdjustedShare: '1', premiumPct: -20.8 };
  const { say } = await openAppHarness({ answers: { [BREAKDOWN]: breakdown, [CHART]: [day('2026-08-14', '0.792')] } });
  expect((await say('/premium tide')).text).toMatch(/^TIDE traded 20\.8% below NAV on Aug 14 /u);
  const { say: ask } = await openAppHarness();
  for (const range of ['1M', 'ALL'])
    expect((await ask(`/premium cinder-quay ${range}`)).text).toMatch(/^CNDR traded [\d.]+% below NAV on Aug 14 /u);
});

test('an old chart does not date an answer that knows another NAV/share', async () => {
  const { say } = await openAppHarness({
    answers: { [BREAKDOWN]: { spotPrice: '0.9', navPerAdjustedShare: '1.2' }, [CHART]: [day('2026-08-14', '0.792')] },
  });
  expect((await say('/premium tide')).text).toMatch(/^TIDE trades 25\.0% below NAV\n/u);
});
