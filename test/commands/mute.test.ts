import { expect, test } from 'vitest';
import { mutedUntil } from '../../src/alerts/watchlists.js';
import { DAY, HOUR, MINUTE } from '../../src/base/clock.js';
import { muteTime } from '../../src/dispatch/mute-time.js';
import { CHAT, openHouse } from '../support/house.js';

test('a chat is muted until a moment that is said, and hears again after off', async () => {
  const { say, watchlists, clock, deadButtons } = await openHouse({ answers: {} });
  const { text, reply } = await say('/mute 24h');
  expect(text).toContain('This chat is muted; alerts come again in 1 d (21 Nov 12:00 UTC)');
  expect(await deadButtons(reply)).toEqual([]);
  expect(mutedUntil(watchlists.read(CHAT), undefined, clock.now())).toBe(clock.now() + DAY);
  expect((await say('/mute off')).text).toContain('This chat is not muted any more');
  expect(watchlists.read(CHAT).mutedUntil).toBeUndefined();
});

test('an entry is muted by itself, and a chat that stays muted says so', async () => {
  const { say, watchlists, clock } = await openHouse({ answers: {} });
  await say('/watch Heron Flats');
  expect((await say('/mute heron flats 3d')).text).toContain('Heron Flats is muted; alerts come again in 3 d (23 Nov 12:00 UTC)');
  expect(watchlists.read(CHAT)).toMatchObject({ entries: [{ mutedUntil: clock.now() + 3 * DAY }] });
  expect(watchlists.read(CHAT).mutedUntil).toBeUndefined();
  await say('/mute 1h');
  expect((await say('/mute heron off')).text).toContain(
    'The whole chat is still muted, and alerts come again in 1 h (13:00 UTC); /mute off ends that.',
  );
});

test('without a time it says how it stands and offers times', async () => {
  const { say, deadButtons } = await openHouse({ answers: {} });
  const { text, reply } = await say('/mute');
  expect(text).toContain('This chat is not muted. For how long should it be?');
  expect(await deadButtons(reply)).toEqual([]);
  await say('/mute 2h');
  expect((await say('/mute')).text).toContain('This chat is muted; alerts come again in 2 h');
});

test('what is not watched cannot be muted', async () => {
  const { say } = await openHouse({ answers: {} });
  expect((await say('/mute tide 3d')).text).toContain('This chat does not watch Tidewater.');
});

test.each([
  ['30m', 30 * MINUTE],
  ['30MIN', 30 * MINUTE],
  ['2h', 2 * HOUR],
  ['3d', 3 * DAY],
  ['1w', 7 * DAY],
  ['OFF', 'off'],
  ['0d', undefined],
  ['5x', undefined],
  ['h', undefined],
])('%s is a mute of %s', (text, length) => {
  expect(muteTime(text)).toBe(length);
});

test('a length below zero is a bad time, not a name', async () => {
  const { say } = await openHouse({ answers: {} });
  expect((await say('/mute -5d')).text).toContain('"-5d" is no length of time I know.');
});
