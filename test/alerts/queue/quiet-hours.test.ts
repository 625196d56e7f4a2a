import { expect, test } from 'vitest';
import { quietFrom, quietUntil, withHours } from '../../../src/alerts/queue/quiet-hours.js';
import type { Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { HOUR, later } from '../../../src/base/clock.js';
import { NOON } from '../../feeds/reading.js';
import { CHAT } from '../harness.js';

const quiet = { from: '11:00', to: '13:00' };
const chat = (extra: Partial<Chat> = {}): Chat => ({ address: CHAT, entries: [], quiet, ...extra });

test('quiet hours that a change ends count as a mute until now, so that what waited comes as a summary', () => {
  for (const change of [
    { quiet: undefined },
    { quiet: { ...quiet, to: '12:00' } },
    { quiet: { ...quiet, from: '13:00' } },
    { timezone: 'Asia/Tokyo' },
  ])
    expect(withHours(chat(), change, NOON)).toEqual({ ...chat(), ...change, mutedUntil: NOON });
});

test('a change to the same hours, outside of them or under a mute ends nothing', () => {
  expect(withHours(chat(), { quiet: { ...quiet } }, NOON)).toEqual(chat());
  expect(withHours(chat(), { quiet: undefined }, later(NOON, HOUR))).toEqual(chat({ quiet: undefined }));
  const muted = chat({ mutedUntil: later(NOON, HOUR) });
  expect(withHours(muted, { quiet: undefined }, NOON)).toEqual({ ...muted, quiet: undefined });
});

test('hours that end when they begin are none', () => {
  const none = chat({ quiet: { from: '12:00', to: '12:00' } });
  expect([quietUntil(none, NOON), quietFrom(none, NOON)]).toEqual([undefined, undefined]);
});
