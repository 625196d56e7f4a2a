/** How far a list is believed, and what it calls for. */
import { expect, test } from 'vitest';
import { HOUR, instant, later } from '../../src/base/clock.js';
import { decimal } from '../../src/domain/scalars.js';
import { premium } from '../../src/feeds/premium.js';
import { supply } from '../../src/feeds/supply.js';
import {
  afterCheck,
  afterStart,
  afterSweep,
  agreementOf,
  isBelieved,
  NOTHING_SWEPT,
  trustOf,
  type Confirmed,
  type Swept,
} from '../../src/sweeps/trust.js';

const NOON = instant(Date.UTC(2026, 10, 20, 12));
const listed = (supply: string, at = NOON) => ({ at, supply: decimal(supply) });

const swept = (before: Swept, because: string | undefined, { at = NOON, supply = '100' } = {}): Swept =>
  afterSweep(before, { at, views: new Map([['tide', { base: listed(supply, at), because }]]), subjects: ['tide'] });
const checked = (before: Swept, more: Partial<Confirmed> = {}): Swept =>
  afterCheck(before, { subject: 'tide', triedAt: later(NOON, 1), base: listed('100'), agreed: new Map(), found: false, ...more });

test('the first sweep is what later ones are compared with, until the project is checked', () => {
  const first = swept(NOTHING_SWEPT, undefined);
  const second = swept(first, 'a mint', { at: later(NOON, HOUR), supply: '120' });
  expect(second.subjects['tide']).toMatchObject({ base: { supply: '100' }, called: { at: later(NOON, HOUR), because: 'a mint' } });
  const confirmed = checked(second, { triedAt: later(NOON, 2 * HOUR), base: listed('120'), found: true });
  expect(confirmed.subjects['tide']).toMatchObject({ base: { supply: '120' }, falseCalls: 0 });
  expect(confirmed.subjects['tide']?.called).toBeUndefined();
});

test('a call stays until a check that began after it has succeeded', () => {
  const called = swept(swept(NOTHING_SWEPT, undefined), 'a mint', { at: later(NOON, HOUR) });
  expect(swept(called, undefined, { at: later(NOON, 2 * HOUR) }).subjects['tide']?.called?.at).toBe(later(NOON, HOUR));
});

test('after a crash a call that a check has answered does not keep the list from calling for later changes', () => {
  const called = swept(swept(NOTHING_SWEPT, undefined), 'a mint', { at: later(NOON, HOUR), supply: '120' });
  const answered = afterStart(called, () => later(NOON, HOUR));
  const again = swept(answered, 'a burn', { at: later(NOON, 3 * HOUR), supply: '90' });
  expect(again.subjects['tide']).toMatchObject({ base: { supply: '100' }, called: { at: later(NOON, 3 * HOUR), because: 'a burn' } });
  expect(afterStart(called, () => later(NOON, HOUR - 1))).toEqual(called);
  expect(afterStart(called, () => undefined)).toEqual(called);
});

test('a call that no check confirms keeps what it is compared with, and is repeated after more and more sweeps', () => {
  let now = swept(NOTHING_SWEPT, undefined);
  const gaps: number[] = [];
  let since = 0;
  for (let sweep = 1; sweep <= 200; sweep += 1) {
    const at = later(NOON, sweep * HOUR);
    now = swept(now, 'a mint', { at, supply: '120' });
    since += 1;
    if (now.subjects['tide']?.called === undefined) continue;
    gaps.push(since);
    since = 0;
    now = checked(now, { triedAt: later(at, 1), base: listed('120'), found: false });
    expect(now.subjects['tide']?.base).toMatchObject({ supply: '100' });
  }
  expect(gaps.slice(0, 5)).toEqual([1, 3, 5, 9, 17]);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(33);
});

test('trust grows with each figure that agrees, falls with each that differs, and is never full', () => {
  const agreeing = (before: Swept, agreed: boolean) => checked(before, { agreed: new Map([['premium', agreed]]), found: true });
  let now = swept(NOTHING_SWEPT, undefined);
  expect(trustOf(now, ['premium'])).toBe(0.75);
  const grown: number[] = [];
  for (let check = 0; check < 300; check += 1) {
    now = agreeing(now, true);
    grown.push(trustOf(now, ['premium']));
  }
  expect(grown).toEqual(grown.toSorted((a, b) => a - b));
  expect(grown.at(-1)).toBe(0.98);
  const fallen = agreeing(agreeing(agreeing(now, false), false), false);
  expect(trustOf(fallen, ['premium'])).toBeLessThan(0.98);
  // A field that was never compared is as uncertain as at first.
  expect(trustOf(now, ['premium', 'runway'])).toBe(0.75);
});

test('a project of which the list was wrong is believed again once two checks agree', () => {
  const agreeing = (before: Swept, agreed: boolean) => checked(before, { agreed: new Map([['premium', agreed]]), found: agreed });
  const believed = (state: Swept) => isBelieved(state.subjects['tide'] ?? {});
  const wrong = agreeing(swept(NOTHING_SWEPT, undefined), false);
  expect(believed(wrong)).toBe(false);
  const once = agreeing(wrong, true);
  expect(believed(once)).toBe(false);
  expect(believed(agreeing(once, true))).toBe(true);
  expect(believed(agreeing(agreeing(once, false), true))).toBe(false);
});

test('a project that the newest sweep does not show keeps what is known, and one that is not checked any more is forgotten', () => {
  const first = swept(NOTHING_SWEPT, undefined);
  const absent = afterSweep(first, { at: later(NOON, HOUR), views: new Map(), subjects: ['tide'] });
  expect(absent.subjects['tide']?.seenAt).toBe(NOON);
  expect(afterSweep(first, { at: later(NOON, HOUR), views: new Map(), subjects: ['heron'] }).subjects).toEqual({});
});

const compared = (feed: Parameters<typeof agreementOf>[0], more: Partial<Parameters<typeof agreementOf>[1]> = {}) =>
  Object.fromEntries(agreementOf(feed, { listed: {}, values: {}, isShown: false, isDated: false, events: 0, ...more }));

test('an event counts against a list only if the list did not show it, although it could have', () => {
  expect(compared(supply)).toEqual({ events: true });
  expect(compared(supply, { events: 2 })).toEqual({ events: false });
  // A burn that is too small for every chat is on the list all the same.
  expect(compared(supply, { events: 2, isShown: true })).toEqual({ events: true });
  // What the list showed was too early or false, which its calls count.
  expect(compared(supply, { isShown: true })).toEqual({});
  // A TWAP window opens at its date, whatever was read before.
  expect(compared(supply, { events: 1, isDated: true })).toEqual({});
});

test('figures agree within the hysteresis of a percentage and within a fiftieth of an amount, and a missing one says nothing', () => {
  const figures = (gap: string, price: string) => ({ premium: decimal(gap), price: decimal(price) });
  const own = figures('-10', '1');
  expect(compared(premium, { listed: figures('-10.9', '0.981'), values: own })).toEqual({ premium: true, price: true });
  expect(compared(premium, { listed: figures('0', '0.97'), values: own })).toEqual({ premium: false, price: false });
  expect(compared(premium, { listed: { price: decimal('1') }, values: own, isDated: true, events: 1 })).toEqual({ price: true });
});
