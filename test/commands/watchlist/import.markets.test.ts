/** These tests are about single proposals and launches in the file of a watchlist. */
import { expect, test } from 'vitest';
import { withEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { proposalDetail } from '../../../src/analytics/endpoints/proposals.js';
import { CHAT, openAppHarness } from '../../support/app-harness.js';

const KEY = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const OTHER = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

const sent = (text: string) => ({ name: 'list.txt', size: text.length, read: async () => text });

test('a followed proposal of a file has the title that is known, not the one of the file, and what is over or wrong is left out by name', async () => {
  const row = { publicKey: OTHER, title: 'Fund the second audit', organizationSlug: 'tide', status: 'live' };
  const over = '4Fg7hJk2mN5pQrStUvWxYz3aBcDeFgHiJkLmNpQrStUv';
  const harness = await openAppHarness({
    answers: {
      [`/v1/proposal/${OTHER}`]: row,
      [`/v1/proposal/${over}`]: { ...row, publicKey: over, title: 'Retire the old multisig', status: 'passed' },
    },
  });
  for (const publicKey of [OTHER, over]) await harness.analytics.call(proposalDetail, { publicKey });
  const file = (entries: readonly object[]) => JSON.stringify({ navwatch: 'watchlist', version: 2, entries });
  const follow = (market: string, title = 'Free money') => ({ market, title, preset: 'important' });
  const { text, reply } = await harness.ask({
    ask: { line: '/watchlist import' },
    files: [
      sent(
        file([
          follow(`proposals/tide/${OTHER}`),
          follow(`proposals/tide/${KEY}`),
          follow(`proposals/heron/${OTHER}`),
          follow(`proposals/nowhere/${KEY}`),
          follow(`proposals/tide/${over}`),
        ]),
      ),
    ],
  });
  expect(text).toContain('that is a proposal of tide');
  expect(text).toContain('no project called "nowhere"');
  expect(text).toContain('"Retire the old multisig" is over');
  expect(text).not.toContain('Free money');
  await harness.say(reply.actions.find(({ label }) => label === 'Import')?.line ?? '');
  expect(harness.watchlists.read(CHAT).entries.map((entry) => entry.target)).toEqual([
    { kind: 'market', topic: `proposals/tide/${OTHER}`, title: 'Fund the second audit' },
    { kind: 'market', topic: `proposals/tide/${KEY}` },
  ]);
});

test('an export says what is left out: reminders of the whole chat, and what is over', async () => {
  const { say, watchlists, clock } = await openAppHarness({ answers: {} });
  await say('/watch tide');
  await say('/remind 8m');
  await watchlists.change(CHAT, (chat) =>
    withEntry(chat, {
      target: { kind: 'market', topic: `proposals/tide/${OTHER}`, title: 'Fund the second audit', endedAt: clock.now() },
      ...{ since: clock.now(), by: 'Ana', preset: 'important' },
    }),
  );
  const { text, reply } = await say('/watchlist export');
  expect(text).toContain('Watchlist exported: 1 entry');
  expect(text).toContain("Not in the file: this chat's reminders, 8min before. Set them again with /remind.");
  expect(text).toContain('Not in the file: "Fund the second audit", because it is over.');
  expect(text).not.toContain('the proposal "Fund');
  expect(reply.files[0]?.text).not.toContain(OTHER);
});
