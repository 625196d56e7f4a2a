import { expect, test } from 'vitest';
import { instant } from '../../src/base/clock.js';
import { nightEnd } from '../../src/reading/nights.js';
import { decided, learnedReader, loadPhraseRegistry } from './phrase-score.js';

const registry = await loadPhraseRegistry();
const reader = await learnedReader(registry);
const decide = async (text: string) => (await decided(text, { reader, registry })).decision;

test.each([
  ['be quiet tonight', '/mute 2026-11-21 09:00'],
  ['mute tonight', '/mute 2026-11-21 09:00'],
  ['/mute tonight', '/mute 2026-11-21 09:00'],
  ['mute tide tonight', '/mute tide 2026-11-21 09:00'],
  ['no pings overnight', '/mute 2026-11-21 09:00'],
  ['mute for the night', '/mute 2026-11-21 09:00'],
  ['mute until tomorrow morning', '/mute 2026-11-21 09:00'],
  ['mute until tonight', '/mute 2026-11-20 20:00'],
  ['mute tonight until 11pm', '/mute 2026-11-20 23:00'],
])('"%s" is silent until "%s", and a night ends in the morning', async (text, line) => {
  const decision = await decide(text);
  expect(decision).toMatchObject({ kind: 'propose' });
  expect('lines' in decision ? decision.lines[0] : undefined).toBe(line);
});

test.each(['no more alerts at night', 'quiet at night', "don't ping me at night"])('"%s" is about quiet hours', async (text) => {
  expect(await decide(text)).toMatchObject({ kind: 'run', line: '/settings quiet' });
});

test('at 2 am "tonight" ends this morning, in the timezone of the chat', () => {
  const here = { now: instant(Date.UTC(2026, 10, 20, 1)), zone: 'Europe/Berlin' };
  expect(nightEnd('mute tonight', here)?.at.toISO()).toBe('2026-11-20T09:00:00.000+01:00');
  expect(nightEnd('mute until tonight', here)).toBeUndefined();
});

test.each([
  ['quiet from 23 to 7 at night', '/settings quiet 23:00-07:00'],
  ['no pings 22 to 7 at night', '/settings quiet 22:00-07:00'],
])('"%s" ends in the morning', async (text, line) => {
  expect(await decide(text)).toMatchObject({ lines: [line] });
});
