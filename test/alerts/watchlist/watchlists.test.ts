import { describe, expect, test } from 'vitest';
import { entryFor, muted, openWatchlists, unmuted, withEntry, withoutEntry } from '../../../src/alerts/watchlist/watchlists.js';
import { HOUR, later } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { openStore } from '../../../src/store/open.js';
import { NOON } from '../../feeds/reading.js';
import { ALL, CHAT, entry, LAUNCHES, openAlertsHarness, TIDE } from '../harness.js';
import { crashStore } from '../crash-store.js';

test('an unknown chat is one that watches nothing, and does not count among those that do', async () => {
  const lists = await openWatchlists(await openStore('memory://'));
  expect(lists.read(CHAT)).toEqual({ address: CHAT, entries: [] });
  await lists.change(CHAT, (chat) => ({ ...chat, mutedUntil: NOON }));
  expect(lists.all()).toEqual([]);
});

test('what is changed stands after a restart', async () => {
  const store = await openStore('memory://');
  await (await openWatchlists(store)).change(CHAT, (chat) => withEntry(chat, entry(TIDE, NOON)));
  expect((await openWatchlists(store)).read(CHAT).entries).toEqual([entry(TIDE, NOON)]);
});

test('changes of one chat run one after another, so none is lost', async () => {
  const lists = await openWatchlists(await openStore('memory://'));
  const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
  await Promise.all(
    names.map(async (name) => lists.change(CHAT, (chat) => ({ ...chat, entries: [...chat.entries, { ...entry(ALL, NOON), by: name }] }))),
  );
  expect(lists.read(CHAT).entries.map(({ by }) => by)).toEqual(names);
});

test('a change that was not stored did not happen', async () => {
  const lists = await openWatchlists(crashStore(await openStore('memory://'), { until: 1 }));
  await expect(lists.change(CHAT, (chat) => withEntry(chat, entry(TIDE, NOON)))).rejects.toThrow('at write 1');
  expect(lists.read(CHAT).entries).toEqual([]);
});

test('a list that cannot be read stops the start, with a remedy', async () => {
  const store = await openStore('memory://');
  const { watchlists } = await openAlertsHarness({ store });
  await watchlists.change(CHAT, (chat) => withEntry(chat, entry(TIDE, NOON)));
  const { z } = await import('zod');
  await store.collection({ prefix: 'chat', schema: z.unknown(), version: 1 }).set('console/broken', { entries: 'many' });
  await expect(openWatchlists(store)).rejects.toThrow(/console\/broken cannot be read .*restore a backup/);
});

test('what is watched is known for all chats together', async () => {
  const { watchlists, watch } = await openAlertsHarness();
  expect(watchlists.here.watched).toEqual({ slugs: new Set(), wallets: new Set(), screens: new Set(), all: false, launches: false });
  await watch(TIDE);
  await watch(LAUNCHES, {}, address('console', 'other'));
  expect(watchlists.here.watched).toEqual({ slugs: new Set(['tide']), wallets: new Set(), screens: new Set(), all: false, launches: true });
});

test('an entry replaces the one for the same target in its place, and goes alone', () => {
  const chat = { address: CHAT, entries: [entry(TIDE, NOON), entry(ALL, NOON)] };
  const changed = withEntry(chat, entry(TIDE, NOON, { modes: { supply: 'off' } }));
  expect(changed.entries.map(({ modes }) => modes)).toEqual([{ supply: 'off' }, undefined]);
  expect(withoutEntry(changed, TIDE).entries).toEqual([entry(ALL, NOON)]);
  expect(entryFor(withoutEntry(changed, TIDE), TIDE)).toBeUndefined();
});

describe('a mute', () => {
  const until = later(NOON, HOUR);
  const chat = { address: CHAT, entries: [entry(TIDE, NOON), entry(ALL, NOON)] };

  test('is of the chat, of a kind in it, of an entry, or of a kind of an entry', () => {
    expect(muted(chat, { until })).toEqual({ ...chat, mutedUntil: until });
    expect(muted(chat, { kind: 'supply', until })).toEqual({ ...chat, mutedKinds: { supply: until } });
    expect(muted(chat, { target: ALL, until }).entries).toEqual([entry(TIDE, NOON), entry(ALL, NOON, { mutedUntil: until })]);
    const twice = muted(muted(chat, { target: TIDE, kind: 'supply', until }), { target: TIDE, kind: 'growth', until: later(until, 1) });
    expect(twice.entries[0]?.mutedKinds).toEqual({ supply: until, growth: later(until, 1) });
  });

  test('replaces the one before, also with an earlier end', () => {
    const [long, short] = [later(NOON, 2 * HOUR), later(NOON, HOUR)];
    const chat = withEntry({ address: CHAT, entries: [] }, entry(TIDE, NOON));
    expect(muted(muted(chat, { until: long }), { until: short }).mutedUntil).toBe(short);
    const entryOf = (kind: string | undefined) =>
      muted(muted(chat, { target: TIDE, kind, until: long }), { target: TIDE, kind, until: short }).entries[0];
    expect(entryOf(undefined)?.mutedUntil).toBe(short);
    expect(entryOf('supply')?.mutedKinds).toEqual({ supply: short });
  });

  test('of what is not watched changes nothing', () => {
    expect(muted(chat, { target: LAUNCHES, until })).toBe(chat);
    expect(unmuted(chat, { target: LAUNCHES, now: NOON })).toBe(chat);
  });

  test('that is ended keeps the moment it ended; without a kind those of its kinds end too', () => {
    const now = later(NOON, 1);
    const both = muted(muted(chat, { until }), { kind: 'supply', until });
    expect(unmuted(both, { now })).toEqual({ ...chat, mutedUntil: now, mutedKinds: { supply: now } });
    expect(unmuted(both, { kind: 'supply', now })).toEqual({ ...chat, mutedUntil: until, mutedKinds: { supply: now } });
    const kinds = muted(muted(chat, { kind: 'supply', until }), { kind: 'growth', until });
    expect(unmuted(kinds, { kind: 'supply', now }).mutedKinds).toEqual({ supply: now, growth: until });
    const own = muted(chat, { target: TIDE, kind: 'supply', until });
    expect(unmuted(own, { target: TIDE, now }).entries[0]).toEqual(entry(TIDE, NOON, { mutedKinds: { supply: now } }));
  });

  test('that is not in force is not ended again', () => {
    const over = muted(muted(chat, { until: NOON }), { target: TIDE, kind: 'supply', until: NOON });
    const now = later(NOON, 1);
    expect(unmuted(over, { now })).toBe(over);
    expect(unmuted(over, { target: TIDE, now })).toBe(over);
    expect(unmuted(chat, { now })).toBe(chat);
  });
});
