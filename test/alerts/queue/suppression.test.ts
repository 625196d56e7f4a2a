import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { suppressionOf, suppressionSince } from '../../../src/alerts/queue/suppression.js';
import { quietFrom } from '../../../src/alerts/queue/quiet-hours.js';
import type { Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, instant, later, MINUTE, SECOND, type Instant } from '../../../src/base/clock.js';
import { NOON } from '../../feeds/reading.js';
import { CHAT, entry, TIDE } from '../harness.js';
import { runs } from '../../support/properties.js';

const SUPPLY = { feed: 'supply' };
const chatWith = (extra: Partial<Chat> = {}): Chat => ({ address: CHAT, entries: [], ...extra });
const at = (text: string): Instant => instant(Date.parse(text));
const NIGHT = { from: '22:00', to: '07:00' };

test('nothing holds where nothing was said', () => {
  expect(suppressionOf(SUPPLY, entry(TIDE, NOON), chatWith(), NOON)).toBeUndefined();
  expect(suppressionSince({ about: SUPPLY, entry: undefined, chat: chatWith() }, NOON, later(NOON, DAY))).toBeUndefined();
});

describe('a mute', () => {
  test('of the chat, of a kind, of an entry or of its kind holds until its last moment, and the longest is named', () => {
    const end = later(NOON, HOUR);
    const kinds = { supply: end };
    const each = [
      ['chat', suppressionOf(SUPPLY, entry(TIDE, NOON), chatWith({ mutedUntil: end }), NOON)],
      ['kind', suppressionOf(SUPPLY, entry(TIDE, NOON), chatWith({ mutedKinds: kinds }), NOON)],
      ['entry', suppressionOf(SUPPLY, entry(TIDE, NOON, { mutedUntil: end }), chatWith(), NOON)],
      ['entry kind', suppressionOf(SUPPLY, entry(TIDE, NOON, { mutedKinds: kinds }), chatWith({ mutedUntil: later(NOON, 1) }), NOON)],
    ] as const;
    for (const [what, suppression] of each) expect(suppression).toMatchObject({ because: 'muted', what, until: end, endsAt: end });
    expect(suppressionOf(SUPPLY, entry(TIDE, NOON), chatWith({ mutedUntil: end }), later(end, -1))?.until).toBe(end);
    expect(suppressionOf(SUPPLY, entry(TIDE, NOON), chatWith({ mutedUntil: end }), end)).toBeUndefined();
  });

  test('of one proposal holds its events, its trades and its live message, and no other of its project', () => {
    const [mine, other] = ['proposals/tide/9xQ', 'proposals/tide/8aB'];
    const chat = chatWith({ mutedTopics: { [mine]: later(NOON, HOUR) } });
    const what = (id?: string) => suppressionOf({ feed: 'proposals', id }, entry(TIDE, NOON), chat, NOON)?.what;
    expect([`${mine}/live`, `${mine}/trades/12`, mine, `${other}/live`, `${mine}2/live`, undefined].map(what)).toEqual([
      ...['topic', 'topic', 'topic'],
      ...[undefined, undefined, undefined],
    ]);
  });

  test('of another kind holds nothing', () => {
    const kinds = { growth: later(NOON, HOUR) };
    expect(suppressionOf(SUPPLY, entry(TIDE, NOON, { mutedKinds: kinds }), chatWith({ mutedKinds: kinds }), NOON)).toBeUndefined();
  });

  test('that ends inside quiet hours goes on until they end, and the first of them is named', () => {
    const chat = chatWith({ mutedUntil: at('2026-11-20T23:00:00Z'), quiet: NIGHT });
    const suppression = suppressionOf(SUPPLY, undefined, chat, NOON);
    expect(suppression).toMatchObject({ because: 'muted', endsAt: at('2026-11-20T23:00:00Z'), until: at('2026-11-21T07:00:00Z') });
  });

  test('that outlasts the quiet hours is what counts', () => {
    const chat = chatWith({ mutedUntil: at('2026-11-21T09:00:00Z'), quiet: NIGHT });
    expect(suppressionOf(SUPPLY, undefined, chat, at('2026-11-20T22:30:00Z'))).toMatchObject({
      because: 'muted',
      until: at('2026-11-21T09:00:00Z'),
    });
  });

  test('that was ended early leaves it known that something was held', () => {
    const ended = later(NOON, HOUR);
    const about = { about: SUPPLY, entry: undefined, chat: chatWith({ mutedUntil: ended }) };
    expect(suppressionSince(about, NOON, later(ended, 1))).toMatchObject({ from: NOON, until: ended });
    expect(suppressionSince(about, later(ended, 1), later(ended, 2))).toBeUndefined();
  });
});

describe('quiet hours', () => {
  const until = (chat: Partial<Chat>, moment: string): string | undefined => {
    const suppression = suppressionOf(SUPPLY, undefined, chatWith(chat), at(moment));
    return suppression && new Date(suppression.until).toISOString();
  };

  test("hold over midnight in the chat's own timezone, from the first minute to the last", () => {
    const berlin = { quiet: NIGHT, timezone: 'Europe/Berlin' };
    expect(until(berlin, '2026-11-20T20:59:59.999Z')).toBeUndefined();
    expect(until(berlin, '2026-11-20T21:00:00Z')).toBe('2026-11-21T06:00:00.000Z');
    expect(until(berlin, '2026-11-21T05:59:59.999Z')).toBe('2026-11-21T06:00:00.000Z');
    expect(until(berlin, '2026-11-21T06:00:00Z')).toBeUndefined();
  });

  test('within one day hold that day alone, in UTC where no timezone was chosen or nobody knows it', () => {
    for (const chat of [{}, { timezone: 'Mars/Olympus' }]) {
      const lunch = { ...chat, quiet: { from: '12:00', to: '13:30' } };
      expect(until(lunch, '2026-11-20T12:00:00Z')).toBe('2026-11-20T13:30:00.000Z');
      expect(until(lunch, '2026-11-20T13:30:00Z')).toBeUndefined();
      expect(until(lunch, '2026-11-20T11:59:00Z')).toBeUndefined();
    }
  });

  test('are an hour shorter in the night the clocks are set forward and an hour longer when they are set back', () => {
    const berlin = { quiet: NIGHT, timezone: 'Europe/Berlin' };
    expect(until(berlin, '2026-03-28T21:00:00Z')).toBe('2026-03-29T05:00:00.000Z');
    expect(until(berlin, '2026-10-24T20:00:00Z')).toBe('2026-10-25T06:00:00.000Z');
  });

  test('that end at a time which is left out end when the clocks are set forward', () => {
    expect(until({ quiet: { from: '22:00', to: '02:30' }, timezone: 'Europe/Berlin' }, '2026-03-28T23:00:00Z')).toBe(
      '2026-03-29T01:00:00.000Z',
    );
  });

  test('that began while an alert waited for something else held it from then on', () => {
    const listening = { about: SUPPLY, entry: undefined, chat: chatWith({ quiet: NIGHT }) };
    const [ready, morning] = [at('2026-11-20T21:59:58Z'), at('2026-11-21T07:00:00Z')];
    expect(suppressionSince(listening, ready, later(ready, SECOND))).toBeUndefined();
    expect(suppressionSince(listening, ready, morning)).toMatchObject({ from: at('2026-11-20T22:00:00Z'), until: morning });
    expect(suppressionSince(listening, morning, later(morning, HOUR))).toBeUndefined();
  });

  test('from a time to the same time are none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 365 * 24 * 60 }), fc.constantFrom('00:00', '07:30'), (minutes, time) => {
        const quiet = { from: time, to: time };
        expect(
          suppressionOf(SUPPLY, undefined, chatWith({ quiet, timezone: 'Europe/Berlin' }), later(NOON, minutes * MINUTE)),
        ).toBeUndefined();
      }),
    );
  });

  test('hold exactly while a clock on the wall shows them, on the days the clocks change too', () => {
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map(([hour, minute]) => [hour, minute].map((part) => String(part).padStart(2, '0')).join(':'));
    const days = { 'Europe/Berlin': ['2026-03-28', '2026-10-24'], 'America/New_York': ['2026-03-07', '2026-10-31'] } as const;
    const moment = fc
      .constantFrom('Europe/Berlin' as const, 'America/New_York' as const)
      .chain((timezone) =>
        fc.tuple(fc.constant(timezone), fc.constantFrom(...days[timezone]), fc.integer({ min: 0, max: 3 * 24 * 60 - 1 }), fc.nat(59_999)),
      );
    fc.assert(
      fc.property(time, time, moment, (from, to, [timezone, day, minutes, beyond]) => {
        const wall = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
        const quietAt = (when: number): boolean => {
          const shown = wall.format(when);
          return from <= to ? from <= shown && shown < to : from <= shown || shown < to;
        };
        const now = later(at(`${day}T00:00:00Z`), minutes * MINUTE + beyond);
        const suppression = suppressionOf(SUPPLY, undefined, chatWith({ quiet: { from, to }, timezone }), now);
        expect(suppression !== undefined).toBe(quietAt(now));
        const begins = quietFrom({ quiet: { from, to }, timezone }, now);
        expect(begins === undefined).toBe(from === to);
        expect(begins === undefined || quietAt(begins)).toBe(true);
        for (let step = now; step < (begins ?? now); step = later(step, MINUTE)) expect(quietAt(step)).toBe(false);
        if (suppression === undefined) return;
        expect(quietAt(suppression.until)).toBe(false);
        // Both zones skip the hour after two in spring; where all that is not quiet lies in it, that day is quiet throughout.
        const skipped = '02:00' <= to && to < from && from <= '03:00';
        expect(suppression.until - now).toBeLessThanOrEqual((skipped ? 2 : 1) * DAY + HOUR);
        for (let step = Math.floor(now / MINUTE) * MINUTE; step < suppression.until; step += MINUTE) expect(quietAt(step)).toBe(true);
      }),
      { numRuns: runs(200), examples: [['02:01', '02:00', ['Europe/Berlin', '2026-03-28', 61, 0]]] },
    );
  });
});
