import { expect, test } from 'vitest';
import fc from 'fast-check';
import { readDigestTime } from '../../../commands/digest/read.js';
import { digestWords, WEEKDAYS } from '../../../src/alerts/digest/setting.js';

test.each([
  ['daily', { every: 'day', weekday: undefined, at: undefined }],
  ['weekly', { every: 'week', weekday: undefined, at: undefined }],
  ['9', { every: undefined, weekday: undefined, at: '09:00' }],
  ['every day at 9:30 pm', { every: 'day', weekday: undefined, at: '21:30' }],
  ['thursday', { every: 'week', weekday: 4, at: undefined }],
  ['weekly, tue 24:00', { every: 'week', weekday: 2, at: '00:00' }],
])('%s is read', (text, read) => {
  expect(readDigestTime(text)).toEqual(read);
});

test.each([
  'noon-ish',
  'daily daily',
  'mon tue',
  '9 10',
  '-1',
  '9:60',
  'mo 9',
  'daily mon',
  '__proto__',
  'daily constructor',
  '9'.repeat(100),
])('%s is no time', (text) => {
  expect(readDigestTime(text)).toHaveProperty('says');
});

test('what is shown can be typed', () => {
  const at = fc
    .tuple(fc.nat(23), fc.nat(59))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  fc.assert(
    fc.property(at, fc.integer({ min: 1, max: WEEKDAYS.length }), (time, weekday) => {
      expect(readDigestTime(digestWords({ every: 'week', weekday, at: time }))).toEqual({ every: 'week', weekday, at: time });
      expect(readDigestTime(digestWords({ every: 'day', at: time }))).toEqual({ every: 'day', at: time });
    }),
  );
});
