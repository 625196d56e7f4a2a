import { expect, test } from 'vitest';
import type { Action, Reply } from '../../../src/chat/reply.js';
import { CHAT, GUEST, openAppHarness } from '../../support/app-harness.js';

const HOUR = 3_600_000;
const undoIn = ({ actions }: Pick<Reply, 'actions'>): Action['line'] =>
  actions.find(({ label }) => label === 'Undo' || label === 'Redo')?.line ?? '';

async function watchingTide() {
  const harness = await openAppHarness();
  await harness.say('/watch tide');
  const stored = () => {
    const { lastChanges: _, entries, ...chat } = harness.watchlists.read(CHAT);
    const [entry] = entries;
    const until = (end: number | undefined): number | undefined => (end !== undefined && end > harness.clock.now() ? end : undefined);
    return {
      mutes: [chat.mutedUntil, entry?.mutedUntil, entry?.mutedKinds?.supply].map(until),
      ...{ timezone: chat.timezone, quiet: chat.quiet, preset: chat.preset, digest: chat.digest, board: chat.board },
      remind: (chat.remind ?? []).map(({ before }) => before),
    };
  };
  return { ...harness, stored };
}

test.each([
  ['/mute tide 3d', '/mute tide 1h'],
  ['/mute tide 3d', '/unmute tide'],
  ['/mute tide supply 3d', '/unmute tide'],
  ['/mute 2h', '/mute tide 3d'],
  ['/mute tide supply 1d', '/mute tide 3d'],
  ['/board on', '/board off'],
  ['/board', '/board unpinned'],
  ['/digest weekly Mon 09:00', '/digest off'],
  ['/digest weekly Mon 09:00', '/digest no-card'],
  ['/digest', '/digest daily 08:00'],
  ['/settings timezone Europe/Berlin', '/settings timezone UTC'],
  ['/settings quiet 22:00-07:00', '/settings quiet off'],
  ['/settings', '/settings alerts most'],
  ['/remind 1d,1h', '/remind off'],
  ['/remind', '/remind 2h'],
])('after %s, the Undo under %s restores what was set, and Redo the change', async (first, second) => {
  const { say, stored } = await watchingTide();
  await say(first);
  const before = stored();
  const { reply } = await say(second);
  const after = stored();
  expect(after).not.toEqual(before);
  const undone = await say(undoIn(reply));
  expect([undone.text, stored()]).toEqual([undone.text, before]);
  await say(undoIn(undone.reply));
  expect(stored()).toEqual(after);
});

test.each([
  ['/mute tide 1h', '/mute tide 3d'],
  ['/board on', '/board off'],
  ['/digest daily', '/digest weekly'],
  ['/settings alerts most', '/settings alerts everything'],
  ['/remind 1d', '/remind 2h'],
])('the Undo under %s does not take back %s of another person', async (mine, theirs) => {
  const { say, stored } = await watchingTide();
  const { reply } = await say(mine);
  await say(theirs, { ...GUEST, manages: async () => Promise.resolve(true) });
  const before = stored();
  expect((await say(undoIn(reply))).text).toContain('Nothing was undone');
  const proposed = await say('undo');
  await say(proposed.reply.actions[0]?.line ?? '');
  expect(stored()).toEqual(before);
});

test('/unmute undo takes back what /mute undo does', async () => {
  const { say, stored } = await watchingTide();
  const before = stored();
  await say('/mute tide 3d');
  const during = stored();
  await say('/unmute undo');
  expect(stored()).toEqual(before);
  const { reply } = await say('/mute tide 3d');
  await say('/unmute tide');
  expect((await say(undoIn(reply).replace('/mute', '/unmute'))).text).toContain('Nothing was undone');
  await say('/unmute undo');
  expect(stored()).toEqual(during);
});

test('a change without effect has no Undo, and without a change nothing is undone', async () => {
  const { say } = await watchingTide();
  for (const line of ['/mute undo', '/board undo', '/digest undo', '/settings undo', '/remind undo'])
    expect((await say(line)).text).toContain('Nothing to undo');
  await say('/digest daily');
  expect(undoIn((await say('/digest daily')).reply)).toBe('');
  for (const line of ['/mute undo x', '/board undo x', '/digest undo x', '/settings undo x', '/board on 2', '/unmute undo tide'])
    expect((await say(line)).reply.tone, line).toBe('warning');
  expect((await say('/digest undo', GUEST)).text).toContain('manage');
});

test('a mute that ended by itself can be undone, and does not come back', async () => {
  const { say, clock, stored } = await watchingTide();
  await say('/mute tide 1h');
  const { reply } = await say('/mute tide 2h');
  await clock.advance(3 * HOUR);
  await say(undoIn(reply));
  expect(stored().mutes).toEqual([undefined, undefined, undefined]);
});

test.each([
  '/mute tide 1h',
  '/board on',
  '/digest daily',
  '/settings alerts most',
  '/remind 1d',
  '/alerts tide premium below -5',
  '/unwatch tide',
])('the word undo after %s proposes to take it back', async (line) => {
  const { say, watchlists } = await watchingTide();
  await say(line);
  const changed = watchlists.read(CHAT);
  const { reply, text } = await say('undo');
  expect(text).toMatch(/^Undo the last change\?/u);
  expect((await say('yes')).text).toContain("It isn't done yet");
  // Words alone never change anything.
  expect(watchlists.read(CHAT)).toEqual(changed);
  const [undo] = reply.actions;
  expect(undo).toMatchObject({ label: 'Undo' });
  expect((await say(undo?.line ?? '')).reply.tone).not.toBe('warning');
  expect(watchlists.read(CHAT)).not.toEqual(changed);
});

test('the words undo and redo after an Undo propose to take that back, and redo alone proposes nothing', async () => {
  const { say } = await watchingTide();
  for (const line of ['/mute tide 1h', '/alerts tide premium below -5']) {
    const { reply } = await say(line);
    expect((await say('redo')).text).toMatch(/^What do you mean\?/u);
    const redo = undoIn((await say(undoIn(reply))).reply);
    for (const word of ['undo', 'redo']) expect((await say(word)).reply.actions[0]?.line).toBe(redo);
    expect((await say(redo)).text.split('\n')[0]).toMatch(/redone/iu);
  }
});
