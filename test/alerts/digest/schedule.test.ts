import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { digestId, digestPeriods, type DigestPeriod } from '../../../src/alerts/digest/schedule.js';
import type { DigestSetting, LastDigest } from '../../../src/alerts/digest/setting.js';
import { DAY, HOUR, instant, later, MINUTE, type Instant } from '../../../src/base/clock.js';
import { runs } from '../../support/properties.js';

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'] as const;
const START = instant(Date.UTC(2025, 8, 27, 12));
/** From each of these so many days: the change of the clocks in each direction, wherever it is. */
const AROUND_CHANGES = [
  ['autumn', START],
  ['spring', instant(Date.UTC(2026, 1, 28, 12))],
] as const;
const DAYS = 45;

const daily = (at: string, since: Instant = START): DigestSetting => ({ every: 'day', at, since });
const weekly = (weekday: number, at: string, since: Instant = START): DigestSetting => ({ every: 'week', weekday, at, since });
const sentOf = ({ every, day, zone, dueAt }: DigestPeriod): LastDigest => ({ every, day, zone, dueAt });

interface Sent extends LastDigest {
  readonly sentAt: Instant;
}

/** Sends what is due, from one due moment to the next; while the bot is off it waits until it is on again. */
function lived(
  zone: string,
  setting: DigestSetting,
  {
    from = START,
    until,
    off = [],
  }: { readonly from?: Instant; readonly until: Instant; readonly off?: readonly (readonly [Instant, Instant])[] },
): readonly Sent[] {
  const sent: Sent[] = [];
  let last: LastDigest | undefined;
  let now = from;
  for (let steps = 0; steps < 2_000; steps += 1) {
    const outage = off.find(([from, to]) => now >= from && now < to);
    now = outage?.[1] ?? now;
    const { missed, next } = digestPeriods({ setting, timezone: zone, last, now });
    if (missed !== undefined) last = sentOf(missed);
    else if (next !== undefined && next.dueAt <= now) {
      last = sentOf(next);
      sent.push({ ...last, sentAt: now });
    } else now = next?.dueAt ?? later(now, HOUR);
    if (now >= until) return sent;
  }
  throw new Error('the schedule does not go on');
}

const local = (at: Instant, zone: string, format: string): string => DateTime.fromMillis(at, { zone }).toFormat(format);
const PLACES = ZONES.flatMap((zone) => AROUND_CHANGES.map(([season, from]) => [zone, season, from] as const));

describe.each(PLACES)('45 days in %s in %s, through the change of the clocks', (zone, _season, from) => {
  const end = later(from, DAYS * DAY);
  const days = Array.from({ length: DAYS }, (_, index) =>
    DateTime.fromMillis(from, { zone })
      .plus({ days: index + 1 })
      .toISODate(),
  );

  test.each(['09:00', '00:00', '02:15', '02:30'])('a daily one at %s comes once each local day, at that time wherever it exists', (at) => {
    const sent = lived(zone, daily(at, from), { from, until: later(end, DAY) });
    expect(sent.map(({ day }) => day).filter((day) => days.includes(day))).toEqual(days);
    expect(sent.map(({ sentAt }) => local(sentAt, zone, 'yyyy-MM-dd'))).toEqual(sent.map(({ day }) => day));
    const odd = sent.filter(({ sentAt }) => local(sentAt, zone, 'HH:mm') !== at);
    // Only a time that the clocks skip is shown otherwise, and as much later as the clocks are put forward.
    expect(odd.length).toBeLessThanOrEqual(2);
    for (const { day, sentAt } of odd) {
      const skipped = DateTime.fromISO(`${day}T${at}`, { zone }).toFormat('HH:mm');
      expect(skipped).not.toBe(at);
      expect(local(sentAt, zone, 'HH:mm')).toBe(skipped);
    }
    expect(new Set(sent.map(digestId)).size).toBe(sent.length);
  });

  test('of a time that occurs twice the first counts', () => {
    const twice = days.flatMap((day) => {
      const both = DateTime.fromISO(`${day}T01:45`, { zone }).getPossibleOffsets();
      const [first] = both.map((one) => one.toMillis()).toSorted((a, b) => a - b);
      return both.length === 2 && first !== undefined ? [[day, first]] : [];
    });
    const sent = lived(zone, daily('01:45', from), { from, until: end });
    expect(sent.flatMap(({ day, sentAt }) => (twice.some(([of]) => of === day) ? [[day, sentAt]] : []))).toEqual(twice);
  });

  test('a weekly one comes once each week, on its day', () => {
    const sent = lived(zone, weekly(7, '02:30', from), { from, until: end });
    expect(new Set(sent.map(({ sentAt }) => local(sentAt, zone, 'ccc')))).toEqual(new Set(['Sun']));
    const weeks = sent.map(({ sentAt }) => local(sentAt, zone, 'kkkk-WW'));
    expect(new Set(weeks).size).toBe(weeks.length);
    expect(weeks).toHaveLength(days.filter((day) => DateTime.fromISO(day ?? '').weekday === 7).length);
  });
});

describe('an outage', () => {
  const zone = 'Europe/Berlin';
  const at = (text: string): Instant => instant(DateTime.fromISO(text, { zone }).toMillis());
  const around = (from: string, to: string, setting: DigestSetting) =>
    lived(zone, setting, { from: at('2026-02-20'), until: at('2026-03-20'), off: [[at(from), at(to)]] })
      .filter(({ sentAt }) => sentAt > at('2026-03-01'))
      .map(({ day, sentAt }) => `${day} ${local(sentAt, zone, 'MM-dd HH:mm')}`);

  test('delays a daily one within its local day', () => {
    expect(around('2026-03-04T08:00', '2026-03-04T23:50', daily('09:00')).slice(2, 5)).toEqual([
      '2026-03-03 03-03 09:00',
      '2026-03-04 03-04 23:50',
      '2026-03-05 03-05 09:00',
    ]);
  });

  test('over the end of the day skips it, and one of several days skips each of them', () => {
    expect(around('2026-03-04T08:00', '2026-03-07T00:00', daily('09:00')).slice(2, 4)).toEqual([
      '2026-03-03 03-03 09:00',
      '2026-03-07 03-07 09:00',
    ]);
  });

  test('delays a weekly one by less than a day, else skips it', () => {
    expect(around('2026-03-09T08:00', '2026-03-10T08:59', weekly(1, '09:00'))).toEqual([
      '2026-03-02 03-02 09:00',
      '2026-03-09 03-10 08:59',
      '2026-03-16 03-16 09:00',
    ]);
    expect(around('2026-03-09T08:00', '2026-03-10T09:00', weekly(1, '09:00'))).toEqual([
      '2026-03-02 03-02 09:00',
      '2026-03-16 03-16 09:00',
    ]);
  });

  test('names the latest one that is too late', () => {
    const last = { every: 'day', day: '2026-03-03', zone, dueAt: at('2026-03-03T09:00') } as const;
    expect(digestPeriods({ setting: daily('09:00'), timezone: zone, last, now: at('2026-03-07T08:00') })).toMatchObject({
      missed: { day: '2026-03-06' },
      next: { day: '2026-03-07' },
    });
  });
});

describe('a change of the setting', () => {
  const zone = 'Europe/Berlin';
  const now = instant(DateTime.fromISO('2026-11-23T20:00', { zone }).toMillis());
  const last: LastDigest = { every: 'day', day: '2026-11-23', zone, dueAt: later(now, -11 * HOUR) };
  const next = (setting: DigestSetting, timezone: string, of: LastDigest | 'none' = last) =>
    digestPeriods({ setting, timezone, last: of === 'none' ? undefined : of, now }).next;

  test('of the time does not repeat the digest of the day, and another comes the next day', () => {
    for (const time of ['21:00', '08:00', '20:00']) expect(next(daily(time), zone)?.day).toBe('2026-11-24');
  });

  test('of the timezone does not send another on the same day in either timezone', () => {
    for (const timezone of ['Pacific/Auckland', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Pacific/Pago_Pago', 'UTC'])
      for (const time of ['00:00', '09:00', '21:00', '23:59']) {
        const { dueAt = now } = next(daily(time), timezone) ?? {};
        expect(local(dueAt, zone, 'yyyy-MM-dd') > '2026-11-23').toBe(true);
        expect(local(dueAt, timezone, 'yyyy-MM-dd') > local(last.dueAt, timezone, 'yyyy-MM-dd')).toBe(true);
        expect(dueAt - last.dueAt).toBeLessThan(3 * DAY);
      }
  });

  test('of the weekday does not send another in the same week', () => {
    const sent: LastDigest = { ...last, every: 'week' };
    expect(next(weekly(3, '09:00'), zone, sent)?.day).toBe('2026-12-02');
    expect(next(weekly(3, '09:00'), zone)?.day).toBe('2026-11-25');
  });

  test('a digest that is switched on after its time begins with the next', () => {
    expect(next(daily('09:00', now), zone, 'none')?.day).toBe('2026-11-24');
    expect(next(daily('21:00', now), zone, 'none')?.day).toBe('2026-11-23');
  });

  test('a clock that was set back does not silence the digest', () => {
    expect(next(daily('21:00', later(now, DAY)), zone, { ...last, day: '2027-01-01', dueAt: later(now, 40 * DAY) })?.day).toBe(
      '2026-11-23',
    );
  });

  test('an unknown timezone counts as UTC', () => {
    expect(next(daily('09:00'), 'Mars/Olympus', 'none')).toMatchObject({ day: '2026-11-23', zone: 'UTC' });
  });
});

test('whenever it is looked at, and however often the setting changes, no day of a timezone has two', () => {
  const change = fc.record({
    after: fc.integer({ min: 1, max: 3_000 }),
    zone: fc.constantFrom(...ZONES, 'Pacific/Auckland', 'Pacific/Pago_Pago'),
    time: fc.constantFrom('00:00', '02:30', '09:00', '23:59'),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 20 }), (changes) => {
      let last: LastDigest | undefined;
      let now = START;
      for (const { after, zone, time } of changes) {
        now = later(now, after * MINUTE);
        const { next } = digestPeriods({ setting: daily(time), timezone: zone, last, now });
        if (next === undefined || next.dueAt > now) continue;
        const before = last ?? { dueAt: instant(0), zone, day: '' };
        expect(next.day > local(before.dueAt, zone, 'yyyy-MM-dd')).toBe(true);
        expect(local(next.dueAt, before.zone, 'yyyy-MM-dd') > before.day).toBe(true);
        last = sentOf(next);
      }
    }),
    { numRuns: runs(200) },
  );
});
