import { expect, test } from 'vitest';
import { instant, later, MINUTE } from '../../../src/base/clock.js';
import { byLateness, CHECK_DEADLINE, createTurns, roundOf } from '../../../src/jobs/plan/check-order.js';

const NOW = instant(Date.UTC(2026, 10, 20, 12));
const check = (name: string, late: number, every: number) => ({ name, at: later(NOW, -late * MINUTE), every: every * MINUTE });
const order = (checks: readonly ReturnType<typeof check>[], round = 60 * MINUTE) =>
  byLateness(checks, { now: NOW, round }).map(({ name }) => name);

test('the check that is later by its own interval goes first, and of equals the one due first', () => {
  expect(order([check('daily', 50, 1440), check('minutely', 2, 1), check('hourly', 50, 60)])).toEqual(['minutely', 'hourly', 'daily']);
  expect(order([check('younger', 10, 10), check('older', 20, 20)])).toEqual(['older', 'younger']);
});

test('what is a whole round late goes before all others, the oldest first', () => {
  expect(order([check('minutely', 59, 1), check('daily', 60, 1440), check('weekly', 61, 10_080)])).toEqual(['weekly', 'daily', 'minutely']);
});

test('a round is the deadline of one check for each eight', () => {
  expect([0, 1, 8, 9, 190].map(roundOf)).toEqual([0, 1, 1, 2, 24].map((each) => each * CHECK_DEADLINE));
});

test('owners take turns, whoever is new joins at the end, and whoever leaves loses the place', () => {
  const turns = createTurns<string>();
  const take = (ready: readonly string[]) => turns.next((owner) => (ready.includes(owner) ? owner : undefined));
  const all = ['a', 'b', 'c'];
  turns.keep(new Set(all));
  expect([take(all), take(all)]).toEqual(['a', 'b']);
  turns.join('d');
  expect([take(['b']), take([...all, 'd']), take([...all, 'd'])]).toEqual(['b', 'c', 'a']);
  turns.keep(new Set(['a', 'b', 'c']));
  turns.keep(new Set(['a', 'b', 'c', 'd']));
  expect([...all, 'd'].map(() => take([...all, 'd']))).toEqual(['b', 'c', 'a', 'd']);
  expect(take([])).toBeUndefined();
});
