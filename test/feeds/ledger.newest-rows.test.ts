import { expect, test } from 'vitest';
import { DAY, HOUR, later, type Instant } from '../../src/base/clock.js';
import { isReadBack } from '../../src/feeds/ledger.js';
import { NOBODY, NOON } from './reading.js';

const how = { analytics: NOBODY, options: {}, isThrifty: true, checkedAt: NOON };
const rows = (...hours: readonly (number | undefined)[]): readonly { readonly at?: Instant }[] =>
  hours.map((hour) => (hour === undefined ? {} : { at: later(NOON, hour * HOUR) }));

test('a ledger is read no further once its rows, newest first, are a day older than the last check or the watch', () => {
  expect(isReadBack(rows(5, 1, -3, -25), how)).toBe(true);
  expect(isReadBack(rows(5, 1, -3, -23), how)).toBe(false);
  expect(isReadBack(rows(5, -25), { ...how, checkedAt: undefined, since: NOON })).toBe(true);
  expect(isReadBack(rows(5, -25), { ...how, checkedAt: later(NOON, -DAY) })).toBe(false);
});

test('in any other order, without dates, without a last check and without a monthly limit it is read whole', () => {
  expect(isReadBack(rows(-25, -3, 5), how)).toBe(false);
  expect(isReadBack(rows(5, undefined, -25), how)).toBe(false);
  expect(isReadBack([], how)).toBe(false);
  expect(isReadBack(rows(5, -25), { ...how, checkedAt: undefined })).toBe(false);
  expect(isReadBack(rows(5, -25), { ...how, isThrifty: false })).toBe(false);
});
