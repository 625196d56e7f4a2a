import { expect, test } from 'vitest';
import { address } from '../../src/chat/address.js';
import { CHAT, GUEST, openAppHarness } from '../support/app-harness.js';

const KEEPERS = new Map([
  ['console', { kept: async () => ['this conversation: 3 messages; the latest 1000 stay'], forgetChat: async () => undefined }],
]);

test('it says what is kept about the chat and about whoever asks, and for how long, to them alone', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {}, dataOwners: KEEPERS });
  await say('/watch tide');
  const { text, reply } = await say('/privacy');
  expect(text.split('\n').slice(0, 11)).toEqual([
    'What I keep about this chat, and about you',
    'This chat',
    'its watchlist: 1 entry',
    '  until somebody deletes it, or I have been gone from here for 30 d',
    'its alerts: 0 waiting · 0 that went out',
    '  the latest 300 are remembered, for /why and /history',
    'this conversation: 3 messages; the latest 1000 stay',
    'nothing else of what is written here',
    'You',
    'your name and id, on what you set up: 1 entry of this chat',
    '  as long as the entry stands, or until you delete them',
  ]);
  expect(reply.audience).toBe('asker');
  expect(await deadButtons(reply)).toEqual([]);
  expect((await say('/privacy', GUEST)).text).toContain('your name and id: nowhere');
});

test('whoever asks is taken out of what they set up in every chat; the entries go on', async () => {
  const { say, ask, watchlists } = await openAppHarness({ answers: {} });
  const other = address('console', 'other');
  await say('/watch tide');
  await ask({ chat: other, ask: { line: '/watch heron' } });
  const { text, reply } = await say('/privacy delete me');
  expect(text).toContain('Take your name and id out of everything you set up, in every chat? That cannot be taken back');
  expect(text).toContain('1 entry of this chat and 1 entry of other chats would say “someone”. What they watch goes on.');
  expect(watchlists.read(CHAT).entries).toMatchObject([{ by: 'Ada' }]);
  expect((await say('/privacy delete me yes', GUEST)).text).toContain('Your name and id stood nowhere');
  expect((await say(reply.actions[0]?.line ?? '')).text).toContain('Your name and id are gone from 2 entries; they say “someone” now');
  expect([CHAT, other].map((chat) => watchlists.read(chat).entries)).toMatchObject([[{ by: 'someone' }], [{ by: 'someone' }]]);
  expect(JSON.stringify(watchlists.all())).not.toMatch(/Ada|console\/ada/u);
});

test('a chat is deleted by who manages it, and only after a second word', async () => {
  const { say, watchlists, deadButtons } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  for (const line of ['/privacy delete chat', '/privacy delete chat yes'])
    expect((await say(line, GUEST)).text).toContain('Only people who can manage this chat');
  const { text, reply } = await say('/privacy delete chat');
  expect(text).toContain('Delete everything about this chat? That cannot be taken back');
  expect(watchlists.read(CHAT).entries).toHaveLength(1);
  expect(await deadButtons(reply)).toEqual([]);
  expect((await say(reply.actions[0]?.line ?? '')).text).toContain('Everything about this chat is deleted');
  expect(watchlists.read(CHAT)).toEqual({ address: CHAT, entries: [] });
});

test('an incomplete deletion asks what to delete', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  for (const line of ['/privacy delete', '/privacy chat']) {
    const { text, reply } = await say(line);
    expect(text).toContain('What should be deleted?');
    expect(await deadButtons(reply)).toEqual([]);
  }
});
