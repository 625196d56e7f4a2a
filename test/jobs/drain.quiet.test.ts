import { expect, test } from 'vitest';
import { GATHER } from '../../src/alerts/queue/batch.js';
import { withHours } from '../../src/alerts/queue/quiet-hours.js';
import { muted, unmuted, type Chat } from '../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../src/base/clock.js';
import { slug } from '../../src/domain/scalars.js';
import { movements } from '../../src/feeds/movements.js';
import { amounts, burn, CHAT, TIDE } from '../alerts/harness.js';
import { handClock } from '../support/clock.js';
import { fates, openDrainHarness } from './drain-harness.js';

const clockAt = (text: string) => handClock(Date.parse(text));

async function openQuiet({ start, chat }: { readonly start: string; readonly chat: Partial<Chat> }) {
  const shift = await openDrainHarness({ clock: clockAt(start) });
  await shift.watch(TIDE);
  await shift.watchlists.change(CHAT, (before) => ({ ...before, ...chat }));
  const burned = async (amount: number) => shift.announce(burn(amount, shift.clock.now()));
  return { ...shift, burned };
}

const BERLIN = { quiet: { from: '22:00', to: '07:00' }, timezone: 'Europe/Berlin' } as const;

test('what happens in quiet hours over midnight comes as one summary when they end, and what happens before and after them at once', async () => {
  const { burned, work, wait, to, clock } = await openQuiet({ start: '2026-11-20T20:59:00Z', chat: BERLIN });
  await burned(1);
  await work(10 * SECOND);
  expect(amounts(to.shown)).toEqual([1]);
  await work(MINUTE);
  await burned(2);
  await wait(4 * HOUR, MINUTE);
  await burned(3);
  await wait(4 * HOUR + 58 * MINUTE, MINUTE);
  expect(new Date(clock.now()).toISOString()).toBe('2026-11-21T05:58:10.000Z');
  expect(amounts(to.shown)).toEqual([1]);
  await work(2 * MINUTE);
  expect(to.shown).toHaveLength(2);
  expect(to.shown[1]?.text).toMatch(/^Catching up: this chat had quiet hours · 2 burns at Tidewater\n▼ Tidewater burned 2 TIDE/u);
  expect(amounts(to.shown)).toEqual([1, 2, 3]);
  await burned(4);
  await work(20 * SECOND);
  expect(amounts(to.shown)).toEqual([1, 2, 3, 4]);
});

test('what was gathered when quiet hours began is held until they end', async () => {
  const { burned, work, wait, to } = await openQuiet({ start: '2026-11-20T20:59:59Z', chat: BERLIN });
  await burned(1);
  await work(MINUTE);
  expect(to.shown).toEqual([]);
  await wait(9 * HOUR, MINUTE);
  await work(MINUTE);
  expect(amounts(to.shown)).toEqual([1]);
  expect(to.shown[0]?.text).toContain('Catching up: this chat had quiet hours');
});

test('what waits for the first pause of quiet hours is not too old for having waited all of them', async () => {
  const { burned, wait, work, ...shift } = await openQuiet({ start: '2026-11-20T20:59:58Z', chat: BERLIN });
  await shift.watch(TIDE, { maxAgeHours: 6 });
  await burned(1);
  await wait(9 * HOUR, MINUTE);
  await work(MINUTE);
  expect(await fates(shift, CHAT)).toEqual({ sent: ['supply/tide/1'] });
});

test('what quiet hours held comes when they are taken away, however long they held it', async () => {
  const { burned, wait, work, to, clock, watchlists, ...shift } = await openQuiet({ start: '2026-11-20T21:00:10Z', chat: BERLIN });
  await shift.watch(TIDE, { maxAgeHours: 6 });
  await burned(1);
  await wait(8 * HOUR, MINUTE);
  await watchlists.change(CHAT, (chat) => withHours(chat, { quiet: undefined }, clock.now()));
  await work(MINUTE);
  expect(amounts(to.shown)).toEqual([1]);
  expect(to.shown[0]?.text).toContain('Catching up: this chat was muted');
});

test('a mute that ends in quiet hours goes on until they end', async () => {
  const { burned, wait, work, to, watchlists, clock } = await openQuiet({ start: '2026-11-20T12:00:00Z', chat: BERLIN });
  await watchlists.change(CHAT, (chat) => muted(chat, { until: later(clock.now(), 12 * HOUR) }));
  await burned(1);
  await wait(17 * HOUR + 59 * MINUTE, MINUTE);
  expect(to.shown).toEqual([]);
  await work(2 * MINUTE);
  expect(amounts(to.shown)).toEqual([1]);
});

test('a mute of one kind suppresses that kind alone; ended early, its alerts come at once in one summary', async () => {
  const { burned, work, wait, to, watchlists, clock, announce } = await openQuiet({ start: '2026-11-20T12:00:00Z', chat: {} });
  await watchlists.change(CHAT, (chat) => muted(chat, { target: TIDE, kind: 'supply', until: later(clock.now(), DAY) }));
  await burned(1);
  await burned(2);
  const { crossings: _, ...moved } = movements.sample(clock.now());
  await announce({ ...moved, id: 'movements/tide/9', project: slug('tide') });
  await wait(HOUR, MINUTE);
  expect(to.shown).toHaveLength(1);
  expect(amounts(to.shown)).toEqual([]);
  await watchlists.change(CHAT, (chat) => unmuted(chat, { target: TIDE, kind: 'supply', now: clock.now() }));
  await work(GATHER);
  expect(to.shown).toHaveLength(2);
  expect(to.shown[1]?.text).toContain('Catching up: supply alerts of Tidewater were muted · 2 burns at Tidewater');
  expect(amounts(to.shown)).toEqual([1, 2]);
});

test('a suppression longer than the maximum age loses nothing: suppressed alerts do not age', async () => {
  const { burned, wait, work, to, watchlists, clock, ...shift } = await openQuiet({ start: '2026-11-20T12:00:00Z', chat: {} });
  await shift.watch({ kind: 'project', slug: slug('tide') }, { maxAgeHours: 1 });
  await watchlists.change(CHAT, (chat) => muted(chat, { until: later(clock.now(), 3 * DAY) }));
  await burned(1);
  await wait(3 * DAY, 10 * MINUTE);
  await work(MINUTE);
  expect(amounts(to.shown)).toEqual([1]);
  expect(await fates(shift, CHAT)).toEqual({ sent: ['supply/tide/1'] });
});

test('a suppression costs nothing until it ends', async () => {
  const { burned, work, to, ...shift } = await openQuiet({ start: '2026-11-20T21:30:00Z', chat: BERLIN });
  await burned(1);
  const due = shift.due();
  await work(MINUTE);
  expect(to.tried).toEqual([]);
  expect(due).toBe(Date.parse('2026-11-21T06:00:03Z'));
  expect(shift.due()).toBe(due);
});
