import { expect, test } from 'vitest';
import { CHAT, openHouse } from '../support/house.js';

async function watching(...targets: readonly string[]) {
  const house = await openHouse({ answers: {} });
  for (const target of targets) await house.say(`/watch ${target}`);
  const off = () => house.watchlists.read(CHAT).entries.map((entry) => entry.off);
  return { ...house, off };
}

test('a kind is switched off and on, in any order of words, and the buttons switch the rest', async () => {
  const { say, off, deadButtons } = await watching('tide');
  const { text, reply } = await say('/alerts tide growth off');
  expect(text).toContain('Tidewater: growth is off now');
  expect(off()).toEqual([['growth']]);
  expect(await deadButtons(reply)).toEqual([]);
  expect(reply.actions.map(({ line }) => line)).toEqual([
    '/alerts tide supply off',
    '/alerts tide proposals off',
    '/alerts tide launches off',
    '/alerts tide growth on',
    '/alerts tide movements off',
    '/alerts tide vesting off',
    '/watchlist',
  ]);
  await say('/alerts off supply TIDE');
  await say('/alerts tide growth off');
  expect(off()).toEqual([['supply', 'growth']]);
  await say('/alerts tide growth on');
  expect(off()).toEqual([['supply']]);
});

test('with one entry the target may be left out; with several the asker chooses', async () => {
  const { say, off, deadButtons } = await watching('tide');
  expect((await say('/alerts growth off')).text).toContain('Tidewater: growth is off now');
  await say('/watch all');
  const { text, reply } = await say('/alerts growth on');
  expect(text).toContain('For which one should growth be on?');
  expect(reply.actions.map(({ line }) => line)).toEqual(['/alerts tide growth on', '/alerts all growth on']);
  expect(await deadButtons(reply)).toEqual([]);
  expect(off()).toEqual([['growth'], []]);
});

test('an entry for launches has launches alone', async () => {
  const { say } = await watching('launches');
  expect((await say('/alerts launches supply off')).text).toContain('There is no supply news of launches; it has launches.');
  expect((await say('/alerts launches')).text).toContain('launches: 1 of 1 kinds are on');
});

test('the overview sets every entry against every kind', async () => {
  const { say, deadButtons } = await watching('tide', 'launches');
  await say('/alerts tide supply off');
  const { text, reply } = await say('/alerts');
  expect(
    text
      .split('\n')
      .slice(1, 4)
      .map((row) => row.split(/\s{2,}/u)),
  ).toEqual([
    ['Watched', 'supply', 'proposals', 'launches', 'growth', 'movements', 'vesting'],
    ['Tidewater', 'off', 'on', 'on', 'on', 'on', 'on'],
    ['launches', 'on'],
  ]);
  expect(await deadButtons(reply)).toEqual([]);
});

test('a switch without a kind asks which', async () => {
  const { say } = await watching('tide');
  expect((await say('/alerts tide off')).text).toContain(
    'Which kind should be off? There is supply, proposals, launches, growth, movements or vesting.',
  );
});

test('a kind that is switched off while nobody else waits is not lost to one who changes another', async () => {
  const { say, off } = await watching('tide');
  await Promise.all([say('/alerts tide growth off'), say('/alerts tide supply off'), say('/mute tide 1h')]);
  expect(off()[0]?.toSorted()).toEqual(['growth', 'supply']);
});
