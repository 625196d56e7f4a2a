import { expect, test } from 'vitest';
import { withEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { HOUR } from '../../../src/base/clock.js';
import { fieldLines } from '../../support/fields.js';
import { CHAT, openAppHarness } from '../../support/app-harness.js';

test('each entry says its rules, what of it is muted and until when, its age and how many it mentions', async () => {
  const { say, watchlists, deadButtons } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  for (const line of ['supply usd>10000 percent>1', 'premium only below -10', 'growth off', 'age 1d']) await say(`/alerts tide ${line}`);
  await say('/mute tide movements 2h');
  await watchlists.change(CHAT, (chat) => {
    const [entry] = chat.entries;
    return entry === undefined ? chat : withEntry(chat, { ...entry, mentions: [{ kind: 'role', id: '123456789' }] });
  });
  const { text, reply } = await say('/watchlist');
  expect(text.split('\n')[2]?.trim().split(' · ')).toEqual([
    'Important',
    'off: growth',
    'supply: both $10K and 1% and up',
    'premium: below −10% (re-arms above −8%)',
    'movements muted, resumes 14:00 UTC',
    'drops alerts older than 1 d',
    '1 mention',
    'added 12:00 UTC by Ada',
  ]);
  expect(text).not.toContain('123456789');
  expect(
    await deadButtons({ ...reply, actions: [...reply.actions, ...fieldLines(reply).map((line) => ({ label: '', line, on: false }))] }),
  ).toEqual([]);
});

test('the digest, the board and the reminders of the chat are named', async () => {
  const { say } = await openAppHarness();
  await say('/watch tide');
  const lines = async () => (await say('/watchlist')).text.split('\n').slice(1);
  const without = await lines();
  for (const line of ['/digest weekly Mon 09:00', '/board on', '/remind 1h']) await say(line);
  expect(await lines()).toEqual(['Digest: weekly Mon 09:00 · Board: on · Reminders: 1h before', ...without]);
});

test('quiet hours of the chat come first, with their timezone', async () => {
  const { say, clock } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  await say('/settings timezone new york');
  await say('/settings quiet 22:00-07:00');
  await say('/mute growth 1h');
  const { text } = await say('/watchlist');
  expect(text).toContain('All entries: growth muted, resumes 08:00 EST');
  expect(text).toContain('Quiet hours: 22:00–07:00, America/New York');
  await clock.advance(HOUR);
  expect((await say('/watchlist')).text).not.toContain('growth muted');
});

test('a mute that ends within the quiet hours is said to last until they end', async () => {
  const { say } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  await say('/settings quiet 13:00-15:00');
  await say('/mute 2h');
  expect((await say('/watchlist')).text).toContain('Watchlist: 1 entry. Muted, alerts resume 15:00 UTC');
});
