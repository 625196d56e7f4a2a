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
  expect(text.split('\n').slice(0, 15)).toEqual([
    'Data stored about this chat and you',
    'This chat',
    'Watchlist: 1 entry',
    expect.stringContaining('30 d'),
    'Alerts: 0 waiting · 0 sent',
    expect.stringContaining('300'),
    expect.stringContaining('operator'),
    expect.stringContaining('/history'),
    'Sources of replies: 0',
    expect.stringContaining('30 d'),
    'This conversation: 3 messages; the latest 1000 stay',
    'Other messages of this chat: none',
    'You',
    'Your name and id: on 1 entry in this chat',
    expect.stringMatching(/^ {2}\w/u),
  ]);
  expect(reply.audience).toBe('asker');
  expect(await deadButtons(reply)).toEqual([]);
  expect((await say('/privacy', GUEST)).text).toContain('Your name and id: not stored');
});

test('whoever asks is taken out of what they set up in every chat; the entries go on', async () => {
  const { say, ask, watchlists } = await openAppHarness({ answers: {} });
  const other = address('console', 'other');
  await say('/watch tide');
  await ask({ chat: other, ask: { line: '/watch heron' } });
  const { text, reply } = await say('/privacy delete me');
  expect(text).toContain("Delete your name and id in every chat? This can't be undone");
  expect(text).toContain('1 entry in this chat and 1 entry in other chats will show "someone" instead. Their alerts continue.');
  expect(watchlists.read(CHAT).entries).toMatchObject([{ by: 'Ada' }]);
  expect((await say('/privacy delete me yes', GUEST)).text).toContain("Your name and id weren't stored");
  expect((await say(reply.actions[0]?.line ?? '')).text).toContain('Your name and id are deleted from 2 entries. They now show "someone"');
  expect([CHAT, other].map((chat) => watchlists.read(chat).entries)).toMatchObject([[{ by: 'someone' }], [{ by: 'someone' }]]);
  expect(JSON.stringify(watchlists.all())).not.toMatch(/Ada|console\/ada/u);
});

test('a chat is deleted by who manages it, and only after a second word', async () => {
  const { say, watchlists, deadButtons } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  for (const line of ['/privacy delete chat', '/privacy delete chat yes'])
    expect((await say(line, GUEST)).text).toContain('Only people who can manage this chat');
  const { text, reply } = await say('/privacy delete chat');
  expect(text).toContain("Delete everything about this chat? This can't be undone");
  expect(watchlists.read(CHAT).entries).toHaveLength(1);
  expect(await deadButtons(reply)).toEqual([]);
  expect((await say(reply.actions[0]?.line ?? '')).text).toContain('Everything about this chat is deleted');
  expect(watchlists.read(CHAT)).toEqual({ address: CHAT, entries: [] });
});

test('an incomplete deletion asks what to delete', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  for (const line of ['/privacy delete', '/privacy chat']) {
    const { text, reply } = await say(line);
    expect(text).toContain('Delete what?');
    expect(await deadButtons(reply)).toEqual([]);
  }
});

test('whoever wants to delete the data of somebody else is told that they do it themselves', async () => {
  const { say } = await openAppHarness({ answers: {} });
  expect((await say('/privacy delete @bob')).text).toContain('they type /privacy delete me themselves');
});
