/** Mutes in plain words. */
import { expect, test } from 'vitest';
import { HOUR } from '../../src/base/clock.js';
import { CHAT, openAppHarness } from '../support/app-harness.js';

test('a mute without a time is a page with a button for each time, so that one press does it', async () => {
  const { say, watchlists, clock } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  const { text, reply } = await say('please mute tide');
  expect(text).toContain('Mute for how long?');
  expect(watchlists.read(CHAT).entries[0]?.mutedUntil).toBeUndefined();
  const press = reply.actions.find(({ label }) => label === '24h')?.line ?? '';
  await say(press);
  expect(watchlists.read(CHAT).entries[0]?.mutedUntil).toBe(clock.now() + 24 * HOUR);
});

test.each(['mute tide until friday', 'mute tide friday', 'mute tide for 2h', 'mute tide tomorrow'])(
  '"%s" has a time and still waits for a press',
  async (words) => {
    const { say, watchlists } = await openAppHarness({ answers: {} });
    await say('/watch tide');
    const { reply } = await say(words);
    expect(watchlists.read(CHAT).entries[0]?.mutedUntil).toBeUndefined();
    expect(reply.actions.some(({ line }) => line.startsWith('/mute tide '))).toBe(true);
  },
);

test('where nothing is watched, no button is offered that can only fail', async () => {
  const { say } = await openAppHarness({ answers: {} });
  const { text, reply } = await say('mute tide and alder for 3 days');
  expect(text).toContain('Nothing is watched here');
  expect(reply.actions.map(({ line }) => line)).toEqual(['/watch']);
});

test('"mute tide and heron for 3 days" mutes both with one press', async () => {
  const { say, watchlists } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  await say('/watch heron');
  const { reply } = await say('mute tide and heron for 3 days');
  await say(reply.actions[0]?.line ?? '');
  expect(watchlists.read(CHAT).entries.filter(({ mutedUntil }) => mutedUntil !== undefined)).toHaveLength(2);
});
