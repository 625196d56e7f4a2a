import { expect, test } from 'vitest';
import type { Target } from '../../src/alerts/watchlist/entry.js';
import { HOUR, later, type Instant } from '../../src/base/clock.js';
import { address, type Address } from '../../src/chat/address.js';
import { slug } from '../../src/domain/scalars.js';
import { walletAddress } from '../../src/domain/wallet.js';
import { subjectKey } from '../../src/feeds/feed.js';
import { demand, taskKey, tasksFor, type Task } from '../../src/jobs/wanted-checks.js';
import { ALL, CHAT, LAUNCHES, TIDE } from '../alerts/harness.js';
import { openJobsHarness } from './harness.js';

const HERON: Target = { kind: 'project', slug: slug('heron') };
const keys = (tasks: readonly Task[]): readonly string[] => tasks.map(taskKey).toSorted();

async function openFloor() {
  const harness = await openJobsHarness();
  const { watchlists, feeds, directory } = harness;
  let known = true;
  const everyProject = async () => (known ? directory.all() : undefined);
  const wants = { feeds, directory, everyProject };
  return {
    ...harness,
    wants,
    nobodyKnows: () => {
      known = false;
    },
    demanded: async () => keys(await demand({ groups: watchlists.here.groups(), ...wants })),
  };
}

test('nobody who watches costs nothing', async () => {
  const { demanded, watchlists } = await openFloor();
  expect(await demanded()).toEqual([]);
  await watchlists.change(CHAT, (chat) => ({ ...chat, entries: [] }));
  expect(await demanded()).toEqual([]);
});

test('a hundred chats that watch the same cost as many checks as one', async () => {
  const { demanded, watch, watchlists } = await openFloor();
  await watch(TIDE);
  const one = await demanded();
  for (let chat = 1; chat < 100; chat += 1) await watch(TIDE, {}, address('console', `chat-${chat}`));
  expect(watchlists.all()).toHaveLength(100);
  expect(await demanded()).toEqual(one);
  expect(one).toEqual(['growth/tide', 'launches/all', 'supply/tide']);
});

test('projects watched by name and through everything are checked once', async () => {
  const { demanded, watch, directory } = await openFloor();
  await watch(TIDE);
  await watch(ALL);
  await watch(ALL, {}, address('console', 'other'));
  expect(await demanded()).toEqual(['growth/heron', 'growth/tide', 'launches/all', 'supply/heron', 'supply/tide']);
  expect(directory.asked).toBe(1);
});

test('whoever watches launches alone asks for launches alone', async () => {
  const { demanded, watch, directory } = await openFloor();
  await watch(LAUNCHES);
  expect(await demanded()).toEqual(['launches/all']);
  expect(directory.asked).toBe(0);
});

test('a kind that everyone switched off for a project is not checked there', async () => {
  const { demanded, watch } = await openFloor();
  await watch(TIDE, { modes: { supply: 'off', launches: 'off' } });
  await watch(TIDE, { modes: { supply: 'off' } }, address('console', 'other'));
  await watch(HERON, { modes: { growth: 'off', launches: 'off' } });
  expect(await demanded()).toEqual(['growth/tide', 'launches/all', 'supply/heron']);
});

test('a kind that one chat switched off is checked for the other that did not', async () => {
  const { demanded, watch } = await openFloor();
  await watch(TIDE, { modes: { supply: 'off', growth: 'off', launches: 'off' } });
  expect(await demanded()).toEqual([]);
  await watch(TIDE, { modes: { growth: 'off', launches: 'off' } }, address('console', 'other'));
  await watch(TIDE, { modes: { supply: 'off', growth: 'off', launches: 'off' } }, address('console', 'third'));
  expect(await demanded()).toEqual(['supply/tide']);
});

test('a kind switched off that no longer exists switches nothing else off', async () => {
  const { demanded, watch } = await openFloor();
  await watch(TIDE, { modes: { horoscope: 'off' } });
  expect(await demanded()).toEqual(['growth/tide', 'launches/all', 'supply/tide']);
});

test('a muted entry is checked all the same, because its alerts wait for the end of the mute', async () => {
  const { demanded, watch, clock } = await openFloor();
  await watch(TIDE, { modes: { growth: 'off', launches: 'off' }, mutedUntil: later(clock.now(), HOUR) });
  expect(await demanded()).toEqual(['supply/tide']);
});

test('while nobody knows the projects, the checks that need none are known and the rest is not certain', async () => {
  const { wants, nobodyKnows, demanded, watch } = await openFloor();
  nobodyKnows();
  const { tasks, certain } = await tasksFor(ALL, wants);
  expect(keys(tasks)).toEqual(['launches/all']);
  expect(certain).toBe(false);
  await watch(ALL);
  await watch(HERON, { modes: { growth: 'off' } });
  expect(await demanded()).toEqual(['launches/all', 'supply/heron']);
});

test('what needs no list of projects is certain without one', async () => {
  const { wants, nobodyKnows, directory } = await openFloor();
  nobodyKnows();
  expect(await tasksFor(TIDE, wants)).toMatchObject({ certain: true });
  expect(await tasksFor(LAUNCHES, wants)).toMatchObject({ certain: true });
  expect(await tasksFor(ALL, { ...wants, kinds: new Set(['launches']) })).toMatchObject({ certain: true });
  expect(directory.asked).toBe(0);
});

test('a project that no list shows is checked by its slug', async () => {
  const { wants } = await openFloor();
  const { tasks, certain } = await tasksFor({ kind: 'project', slug: slug('newcomer') }, { ...wants, kinds: new Set(['supply']) });
  expect(tasks.map(({ subject }) => subject)).toEqual([{ slug: 'newcomer', name: 'newcomer' }]);
  expect(certain).toBe(true);
});

test('a wallet is checked by the feeds of wallets, which is certain without a list of projects', async () => {
  const { wants, nobodyKnows, seen } = await openFloor();
  nobodyKnows();
  const wallet = walletAddress('11111111111111111111111111111111');
  const feeds = [...wants.feeds, seen.feed({ id: 'wallet', scope: 'wallet' })];
  const { tasks, certain } = await tasksFor({ kind: 'wallet', address: wallet }, { ...wants, feeds });
  expect(tasks.map(({ feed, subject }) => [feed.id, subject])).toEqual([['wallet', { address: wallet }]]);
  expect(certain).toBe(true);
});

test('a check that several entries want counts their chats together, and came back when the last of them did', async () => {
  const { wants, watch, watchlists, directory, clock } = await openFloor();
  const returned = async (chat: Address, back: Instant) =>
    watchlists.change(chat, (before) => ({ ...before, absence: { from: later(back, -HOUR), to: back } }));
  await watch(TIDE);
  await watch(ALL, {}, address('console', 'other'));
  await watch(ALL, {}, address('console', 'third'));
  await returned(CHAT, later(clock.now(), -2));
  await returned(address('console', 'other'), later(clock.now(), -1));
  const tasks = await demand({ groups: watchlists.here.groups(), ...wants, everyProject: async () => directory.all() });
  const wanted = tasks.flatMap(({ feed, subject, watchers, chats = [], returnedAt }) =>
    feed.id === 'supply' ? [[subjectKey(subject), watchers, new Set(chats.map(({ size }) => size)), returnedAt]] : [],
  );
  expect(new Set(wanted)).toEqual(
    new Set([
      ['tide', 3, new Set([1, 2]), later(clock.now(), -1)],
      ['heron', 2, new Set([2]), later(clock.now(), -1)],
    ]),
  );
});
