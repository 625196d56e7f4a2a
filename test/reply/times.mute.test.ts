import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY, HOUR, instant, MINUTE } from '../../src/base/clock.js';
import { MAX_MUTE, muteTime } from '../../src/reply/times.js';
import { runs } from '../support/properties.js';

/** A Friday, at noon in London and at one in Berlin. */
const NOW = instant(Date.parse('2026-11-20T12:00:00Z'));
const LONDON = { now: NOW, zone: 'Europe/London' };
const BERLIN = { now: NOW, zone: 'Europe/Berlin' };

const iso = (text: string, here = LONDON): string => {
  const end = muteTime(text, here);
  if (end === undefined) return 'no time';
  if (end === 'off') return 'off';
  return 'until' in end ? new Date(end.until).toISOString().slice(0, 16) : end.says;
};

test.each([
  ['30m', 30 * MINUTE],
  ['30MIN', 30 * MINUTE],
  ['2h', 2 * HOUR],
  ['3d', 3 * DAY],
  ['3 days', 3 * DAY],
  ['for 1 week', 7 * DAY],
  ['1w', 7 * DAY],
  ['1h30m', 90 * MINUTE],
  ['2 h 30 m', 150 * MINUTE],
  ['2 hours and 30 minutes', 150 * MINUTE],
  ['1.5h', 90 * MINUTE],
  ['1 month', 30 * DAY],
])('%s is a mute of %s milliseconds', (text, length) => {
  expect(muteTime(text, LONDON)).toEqual({ until: NOW + length });
});

test.each([
  ['18:00', '2026-11-20T18:00'],
  ['9:00', '2026-11-21T09:00'],
  ['6pm', '2026-11-20T18:00'],
  ['9:30am', '2026-11-21T09:30'],
  ['tomorrow', '2026-11-21T00:00'],
  ['tomorrow 9:00', '2026-11-21T09:00'],
  ['Tomorrow at 9:00', '2026-11-21T09:00'],
  ['today 23:15', '2026-11-20T23:15'],
  ['monday', '2026-11-23T00:00'],
  ['mon 9:00', '2026-11-23T09:00'],
  ['friday', '2026-11-27T00:00'],
  ['2026-12-01', '2026-12-01T00:00'],
  ['2026-12-01 18:00', '2026-12-01T18:00'],
  ['2026-12-01T18:00', '2026-12-01T18:00'],
  ['1 Dec', '2026-12-01T00:00'],
  ['Dec 1', '2026-12-01T00:00'],
  ['until 1 Dec 18:00', '2026-12-01T18:00'],
  ['until 1 December 2026, 18:00', '2026-12-01T18:00'],
  ['1.12.2026 6pm', '2026-12-01T18:00'],
  ['3 Jan', '2027-01-03T00:00'],
  ['fri 20:00', '2026-11-20T20:00'],
  ['until friday 23:00', '2026-11-20T23:00'],
  ['fri 11:00', '2026-11-27T11:00'],
  ['until next monday', '2026-11-23T00:00'],
  ['until 9:00 pm', '2026-11-20T21:00'],
  ['9 am', '2026-11-21T09:00'],
  ['tomorrow 9', '2026-11-21T09:00'],
  ['1.12.', '2026-12-01T00:00'],
  ['1.12. 18:00', '2026-12-01T18:00'],
  ['tonight', '2026-11-20T20:00'],
  ['tonight 23:00', '2026-11-20T23:00'],
  ['midnight', '2026-11-21T00:00'],
  ['2026-12-01T18:00Z', '2026-12-01T18:00'],
  ['2026-12-01T18:00:00.000Z', '2026-12-01T18:00'],
  ['OFF', 'off'],
])('%s is the moment %s', (text, moment) => {
  expect(iso(text)).toBe(moment);
});

test('a clock that says UTC is not the one on the wall', () => {
  expect(iso('18:00 UTC', BERLIN)).toBe('2026-11-20T18:00');
  expect(iso('2026-12-01T18:00Z', BERLIN)).toBe('2026-12-01T18:00');
});

test('a clock is the one on the wall of the chat, on either side of a change of the clocks', () => {
  expect(iso('18:00', BERLIN)).toBe('2026-11-20T17:00');
  expect(iso('1 Dec 18:00', BERLIN)).toBe('2026-12-01T17:00');
  const march = { now: instant(Date.parse('2027-03-20T12:00:00Z')), zone: 'Europe/Berlin' };
  expect(iso('27 March 18:00', march)).toBe('2027-03-27T17:00');
  expect(iso('28 March 18:00', march)).toBe('2027-03-28T16:00');
  // There is no half past two that night.
  expect(iso('28 March 2:30', march)).toBe('2027-03-28T01:30');
});

test.each([
  ['today 9:00', '"today 9:00" is in the past.'],
  ['2026-11-19', '"2026-11-19" is in the past.'],
  ['1 Mar 2026', '"1 Mar 2026" is in the past.'],
  ['1 Jun', '"1 Jun" is in the past.'],
  ['1 Mar', '"1 Mar" is in the past.'],
  ['2027-03-01', 'A mute lasts at most 90 days. To stop alerts for good, use /unwatch.'],
  ['13w', 'A mute lasts at most 90 days. To stop alerts for good, use /unwatch.'],
  ['0d', 'A mute must be longer than zero.'],
  ['30 Feb', 'There is no date or time "30 Feb".'],
  ['25:00', 'There is no date or time "25:00".'],
  ['tomorrow 9:99', 'There is no date or time "tomorrow 9:99".'],
])('%s is answered with a sentence', (text, says) => {
  expect(iso(text)).toBe(says);
});

test.each(['5x', 'h', '-5d', 'tide', 'tide 3d', '', 'until', 'the first of May', 'forever', 'two hours', '2h x', 'tide 9'])(
  '"%s" is no time',
  (text) => {
    expect(muteTime(text, LONDON)).toBeUndefined();
  },
);

test('whatever is read lies ahead, by 90 days at most', () => {
  const part = fc.constantFrom(
    '1',
    '30',
    ' ',
    'd',
    'Dec',
    'Feb',
    '2026',
    '-',
    '18:00',
    'tomorrow',
    'mon',
    'am',
    'until',
    '12',
    '.',
    'w',
    'at',
  );
  fc.assert(
    fc.property(fc.array(part), fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/Santiago'), (parts, zone) => {
      const end = muteTime(parts.join(''), { now: NOW, zone });
      const until = typeof end === 'object' && 'until' in end ? end.until : NOW + 1;
      expect(until).toBeGreaterThan(NOW);
      expect(until).toBeLessThanOrEqual(NOW + MAX_MUTE);
    }),
    { numRuns: runs(500) },
  );
});
