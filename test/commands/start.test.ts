import { describe, expect, test } from 'vitest';
import { CHAT, GUEST, openAppHarness } from '../support/app-harness.js';

const KEY = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';

test('/start alone says what can be typed', async () => {
  const { say, deadButtons } = await openAppHarness({ answers: {} });
  const { text, reply } = await say('/start');
  expect(text).toContain('I send alerts about ownership coins');
  expect(await deadButtons(reply)).toEqual([]);
  for (const link of ['help', 'watch_', 'unwatch_tide']) expect((await say(`/start ${link}`)).text).toBe(text);
});

describe('a link to the bot runs its command line', () => {
  test.each([
    ['watch_tide', { kind: 'project', slug: 'tide' }],
    ['watch_TIDE', { kind: 'project', slug: 'tide' }],
    ['watch_hern', { kind: 'project', slug: 'heron' }],
    ['watch_glass-pier', { kind: 'project', slug: 'glass-pier' }],
    // A slug whose letters a link cannot hold.
    ['watch_glass_pier', { kind: 'project', slug: 'glass-pier' }],
    ['watch_all', { kind: 'all' }],
    ['watch_launches', { kind: 'launches' }],
    [`watch_${KEY}`, { kind: 'wallet', address: KEY }],
    [`watch_${KEY}_fund-1`, { kind: 'wallet', address: KEY, label: 'fund-1' }],
  ])('%s', async (link, target) => {
    const { say, watchlists } = await openAppHarness({ answers: {} });
    expect((await say(`/start ${link}`)).text).toContain('Watching');
    expect(watchlists.read(CHAT).entries.map((entry) => entry.target)).toEqual([target]);
  });
});

test('a link gives nobody a right that they lack', async () => {
  const { say, watchlists } = await openAppHarness({ answers: {} });
  expect((await say('/start watch_tide', GUEST)).text).toContain('Only people who can manage this chat');
  expect(watchlists.read(CHAT).entries).toEqual([]);
});

test('a link to what nobody knows leads to the nearest names', async () => {
  const { say, directory } = await openAppHarness({ answers: {} });
  await directory.refresh();
  const { text, reply } = await say('/start watch_tidewtaer');
  expect(text).toContain('No project called "tidewtaer". Did you mean tide (Tidewater)');
  expect((await say(reply.actions[0]?.line ?? '')).text).toContain('Watching Tidewater');
});

test('a link to what is like nothing leads to a choice', async () => {
  const { say, deadButtons, directory } = await openAppHarness({ answers: {} });
  await directory.refresh();
  const { text, reply } = await say('/start watch_qqqxxqq');
  expect(text).toContain('No project called "qqqxxqq".');
  expect(reply.actions.map(({ line }) => line)).toEqual(['/watch']);
  expect(await deadButtons(reply)).toEqual([]);
});

test('a form may hold the link too, and where the service is down it is still understood', async () => {
  const harness = await openAppHarness();
  expect((await harness.ask({ ask: { command: 'start', options: { link: 'watch_launches' } } })).text).toContain('Watching launches');
  await harness.sim({ kind: 'down' });
  expect((await harness.say(`/start watch_${KEY}`)).text).toContain('Watching wallet 7Hq2…x9Pd');
});
