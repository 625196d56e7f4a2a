import { expect, test } from 'vitest';
import type { Away, Free } from '../../../src/alerts/queue/batch.js';
import type { Entry, Target } from '../../../src/alerts/watchlist/entry.js';
import { headOf, type SuppressedPart } from '../../../src/alerts/delivery/compose-message.js';
import { suppressionSince } from '../../../src/alerts/queue/suppression.js';
import type { Member } from '../../../src/alerts/queue/queue.js';
import type { Chat } from '../../../src/alerts/watchlist/watchlists.js';
import { HOUR, later, MINUTE } from '../../../src/base/clock.js';
import { slug } from '../../../src/domain/scalars.js';
import { walletAddress } from '../../../src/domain/wallet.js';
import { NOON } from '../../feeds/reading.js';
import { CHAT, entry, TIDE } from '../harness.js';

const now = later(NOON, 6 * HOUR);
const member = (extra: Partial<Member> = {}): Member => ({ event: 'supply/tide/1', entry: 'tide', queuedAt: NOON, ...extra });
const kept = (extra: Partial<Free> = {}): SuppressedPart => ({
  one: { member: member(), entry: entry(TIDE, NOON), since: NOON, suppression: undefined, away: undefined, ...extra },
  ...{ about: 'Tidewater', feed: 'supply' },
});
const awayFor = (from: number, to = 0, because: Away['because'] = 'service') => ({
  away: { from: later(now, -from), to: later(now, -to), because },
});

const end = later(NOON, HOUR);
const all: Target = { kind: 'all' };
const WALLET: Target = { kind: 'wallet', address: walletAddress('7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd'), label: 'fund-1' };
const suppression = (
  { target = TIDE, ...own }: Partial<Entry>,
  chat: Partial<Chat> = {},
  ready = NOON,
): Pick<Free, 'entry' | 'suppression'> => {
  const through = entry(target, NOON, own);
  return {
    entry: through,
    suppression: suppressionSince({ about: { feed: 'supply' }, entry: through, chat: { address: CHAT, entries: [], ...chat } }, ready, now),
  };
};
const muted = suppression({}, { mutedUntil: end });
const quiet = suppression({}, { quiet: { from: '11:00', to: '13:00' }, timezone: 'UTC' });

test('what came late is headed by how long the outage was, from the beginning of the first to the end of the last', () => {
  expect(headOf([kept(awayFor(5 * HOUR)), kept(awayFor(2 * HOUR))])).toEqual({
    words: 'Catching up: the analytics service was down for 5 h',
    tone: 'warning',
  });
  expect(headOf([kept(awayFor(20 * HOUR, 19 * HOUR))]).words).toMatch(/ 1 h$/u);
  expect(headOf([kept(awayFor(5 * HOUR, 3 * HOUR)), kept(awayFor(2 * HOUR, HOUR))]).words).toMatch(/ 4 h$/u);
});

test('what came while the bot was not in the chat is headed by that alone, and by how long', () => {
  const away: Away = { from: later(now, -4 * HOUR), to: later(now, -HOUR), because: 'absence', chat: true };
  expect(headOf([kept(muted), kept({ away }), kept(awayFor(9 * HOUR))])).toEqual({
    words: 'Catching up: the bot was not in this chat for 3 h',
    tone: 'warning',
  });
});

test('each cause of a delay is named with its own length, and a bot that is down explains what it did not send', () => {
  const [service, bot] = [awayFor(5 * HOUR, 3 * HOUR), awayFor(2 * HOUR, 0, 'bot')];
  const sending = (from: number, to = 0) => awayFor(from, to, 'sending');
  expect(headOf([kept(service), kept(bot)]).words).toMatch(/service was down for 2 h and the bot was down for 2 h$/u);
  expect(headOf([kept(bot), kept(sending(HOUR))]).words).toBe('Catching up: the bot was down for 2 h');
  expect(headOf([kept(bot), kept(sending(6 * HOUR, 5 * HOUR))]).words).toMatch(/bot was down for 2 h and .* sent for 1 h$/u);
  const earlier = awayFor(9 * HOUR, 7 * HOUR, 'bot');
  expect(headOf([kept(earlier), kept(sending(6 * HOUR, 5 * HOUR))]).words).toMatch(/bot was down for 2 h and .* sent for 1 h$/u);
  expect(headOf([kept(sending(HOUR))])).toMatchObject({ words: expect.stringMatching(/ sent for 1 h$/u), tone: 'warning' });
});

test.each<[string, Pick<Free, 'entry' | 'suppression'>]>([
  ['Catching up: this chat had quiet hours', quiet],
  ['Catching up: this chat was muted', muted],
  ['Catching up: supply alerts were muted', suppression({}, { mutedKinds: { supply: end } })],
  ['Catching up: Tidewater was muted', suppression({ mutedUntil: end })],
  ['Catching up: supply alerts of Tidewater were muted', suppression({ mutedKinds: { supply: end } })],
  ['Catching up: all projects were muted', suppression({ target: all, mutedUntil: end })],
  ['Catching up: supply alerts of all projects were muted', suppression({ target: all, mutedKinds: { supply: end } })],
  ['Catching up: launches were muted', suppression({ target: { kind: 'launches' }, mutedUntil: end })],
  ['Catching up: launches were muted', suppression({ target: { kind: 'launches' }, mutedKinds: { supply: end } })],
  ['Catching up: supply alerts of fund-1 were muted', suppression({ target: WALLET, mutedKinds: { supply: end } })],
  ['Catching up: Tidewater was muted', { suppression: suppression({ mutedUntil: end }).suppression, entry: undefined }],
])('what was suppressed here is headed by the suppression: %s', (words, one) => {
  expect(headOf([kept(one), kept(one)])).toEqual({ words, tone: 'plain' });
});

test('two that held are both named, more are not', () => {
  const tide = kept(suppression({ mutedUntil: end }));
  const heron: SuppressedPart = {
    ...kept(suppression({ target: { kind: 'project', slug: slug('heron') }, mutedUntil: end })),
    about: 'Heron Flats',
  };
  expect(headOf([tide, heron]).words).toBe('Catching up: Tidewater was muted and Heron Flats was muted');
  expect(headOf([tide, heron, kept(muted)]).words).toBe('Catching up: several alerts were muted');
  expect(headOf([tide, heron, kept(quiet)]).words).toBe('Catching up: this chat had quiet hours');
});

test('what only waited behind the rest for a while is no outage', () => {
  expect(headOf([kept(muted), kept({ since: later(now, -MINUTE) })]).words).toBe('Catching up: this chat was muted');
});

test('both are named where both kept something back', () => {
  expect(headOf([kept(awayFor(5 * HOUR)), kept(quiet)])).toEqual({
    words: 'Catching up: the analytics service was down for 5 h and this chat had quiet hours',
    tone: 'warning',
  });
  expect(headOf([kept({ ...quiet, ...awayFor(30 * MINUTE) })]).words).toMatch(/ 30 min and this chat had quiet hours$/u);
});
