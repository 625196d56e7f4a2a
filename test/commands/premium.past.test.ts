/** A premium at a past moment. */
import { expect, test } from 'vitest';
import { openAppHarness } from '../support/app-harness.js';

const BREAKDOWN = '/v1/dao/treasury/premium-discount-breakdown';

test('the premium of a past moment includes the low and the high until then', async () => {
  const { say, deadButtons } = await openAppHarness({
    answers: {
      [BREAKDOWN]: {
        spotPrice: '0.9',
        navPerAdjustedShare: '1',
        premiumPct: -10,
        low: '-30.5',
        lowAt: '2026-08-23T00:00:00Z',
        mean: -5,
        high: 12,
      },
    },
  });
  const { text, reply } = await say('/premium tide at:2026-10-01');
  expect(text.split('\n').slice(0, 2)).toEqual([
    'Oct 1, 23:59 UTC: TIDE traded 10.0% below NAV',
    'Price $0.9000 · NAV/share $1.000 · reported range −30.5% (Aug 23) to +12.0% · average −5.0%',
  ]);
  expect(await deadButtons(reply)).toEqual([]);
});

test('the simulated service answers for a moment, and before a token was born nothing is known', async () => {
  const { say } = await openAppHarness();
  const then = await say('/premium tide at:2026-10-01');
  const other = await say('/premium tide at:2026-06-01');
  expect(then.text).toMatch(/^Oct 1, 23:59 UTC: TIDE traded /u);
  expect(then.text.split('\n')[1]).not.toBe(other.text.split('\n')[1]);
  expect((await say('/premium tide at:2099-01-01')).text).toMatch(/^⚠ .+in the future/u);
});

test('a moment before all data says since when there are any, not that there was no premium', async () => {
  const { say, deadButtons } = await openAppHarness();
  const { text, reply } = await say('/premium tide at:1999-01-01');
  expect(text).toMatch(/^No premium of TIDE is known for Jan 1, 1999: its data starts [A-Z][a-z]{2} \d+/u);
  expect(text).not.toContain('no premium or discount');
  expect(reply.actions.map(({ label }) => label)).toEqual(['First day', 'All of it']);
  expect(await deadButtons(reply)).toEqual([]);
  expect((await say(reply.actions[0]?.line ?? '')).text).toContain('TIDE traded');
});
