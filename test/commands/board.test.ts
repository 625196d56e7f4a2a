import { expect, test } from 'vitest';
import type { Probe } from '../../src/chat/notifier.js';
import { CHAT, GUEST, openAppHarness } from '../support/app-harness.js';

async function watchingTide(probe?: Probe) {
  const harness = await openAppHarness(probe === undefined ? {} : { probe });
  await harness.say('/watch tide');
  return { ...harness, board: () => harness.watchlists.read(CHAT).board };
}

test('a board is switched on, unpinned and off by managers alone, and every button leads on', async () => {
  const { say, board, deadButtons, clock } = await watchingTide({ missing: [], pin: {} });
  const since = clock.now();
  expect((await say('/board on', GUEST)).text).toContain('Only people who can manage this chat');
  for (const [line, stored] of [
    ['/board', undefined],
    ['/board on', { since, pin: true }],
    ['/board unpinned', { since, pin: false }],
    ['/board off', undefined],
  ] as const) {
    const { reply } = await say(line);
    expect([line, board(), await deadButtons(reply)]).toEqual([line, stored, []]);
  }
});

test('a missing permission to pin is named before anything is stored, and the board works without', async () => {
  const { say, board } = await watchingTide({ missing: [], pin: { missing: 'Pin Messages' } });
  const { text, reply } = await say('/board on');
  expect(text).toContain("I can't pin here: I need Pin Messages.");
  expect(reply.actions.map(({ line }) => line)).toEqual(['/board on', '/board unpinned']);
  expect(board()).toBeUndefined();
  await say('/board unpinned');
  expect(board()).toMatchObject({ pin: false });
});

test('where nothing can be pinned a board is posted all the same, and a chat that watches nothing has none', async () => {
  const { say, board } = await watchingTide();
  expect((await say('/board on')).text).toContain('Messages cannot be pinned here, so the board is posted without a pin.');
  expect(board()).toMatchObject({ pin: false });
  expect((await (await openAppHarness()).say('/board on')).text).toContain('Nothing is watched here yet.');
});

test('what is stored of a board is counted, and forgotten with the chat', async () => {
  const { say, board } = await watchingTide();
  await say('/board on');
  expect((await say('/privacy')).text).toContain('a board');
  await say('/privacy delete chat yes');
  expect(board()).toBeUndefined();
});
