/** A treasury at a past moment. */
import { expect, test } from 'vitest';
import { openAppHarness } from '../../support/app-harness.js';

test('NAV and runway are shown for the past moment, which other views keep', async () => {
  const { say, deadButtons } = await openAppHarness();
  const then = await say('/treasury tide at:2026-10-01');
  const now = await say('/treasury tide nav');
  expect(then.text).toMatch(/^Oct 1, 23:59 UTC: Tidewater's NAV\/share is \$/u);
  expect(then.text.split('\n')[1]).not.toBe(now.text.split('\n')[1]);
  expect(then.reply.actions.find(({ label }) => label === 'Runway')?.line).toBe('/treasury tide runway at:2026-10-01T23:59:59Z');
  expect(await deadButtons(then.reply)).toEqual([]);
  expect((await say('/treasury tide runway at:2026-10-01T14:00Z')).text).toMatch(/^Oct 1, 14:00 UTC: Tidewater's runway: \d/u);
  expect((await say('/treasury tide runway 2026-10-01')).text).toMatch(/^Oct 1, 23:59 UTC: /u);
});

test('what has not passed yet, what is no day, and what only the present has are said to be so', async () => {
  const { say } = await openAppHarness();
  expect((await say('/treasury tide nav at:2099-01-01')).text).toMatch(/^⚠ .+in the future/u);
  expect((await say('/treasury tide nav at:2026-13-45')).text).toContain('Invalid at "2026-13-45"');
  const { text, reply } = await say('/treasury tide holdings at:2026-10-01');
  expect(text).toMatch(/^⚠ .+NAV and runway.+"holdings"/u);
  expect(reply.actions.map(({ line }) => line)).toContain('/treasury tide nav at:2026-10-01T23:59:59Z');
});

test('today means the part of the day until now', async () => {
  const { say, clock } = await openAppHarness();
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  expect((await say(`/treasury tide nav at:${today}`)).reply.tone).toBe('plain');
});
