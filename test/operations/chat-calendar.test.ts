import { expect, test } from 'vitest';
import type { CheckRecord, KnownDate } from '../../src/alerts/checks/check-records.js';
import type { Chat } from '../../src/alerts/watchlist/watchlists.js';
import { DAY, HOUR, instant, later } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { slug, type Instant } from '../../src/domain/scalars.js';
import { ChatCalendar } from '../../src/operations/chat-calendar.js';
import { updated } from '../../src/platforms/api/calendar.js';

const NOW = instant(Date.UTC(2026, 0, 1));
const TIDE = slug('tide');

const date = (parts: Partial<KnownDate> & Pick<KnownDate, 'topic' | 'what' | 'at'>): KnownDate => ({
  project: TIDE,
  readAt: NOW,
  title: 'Tidewater',
  facts: { name: 'Tidewater' },
  ...parts,
});
const recordOf = (feed: string, subject: string, dates: readonly KnownDate[] | undefined): CheckRecord => ({
  ...{ feed, subject, triedAt: NOW, okAt: NOW, failures: 0, hidden: 0, broken: 0, complete: true },
  ...(dates === undefined ? {} : { dates }),
});
const chatWith = (...entries: readonly Partial<Chat['entries'][number]>[]): Chat => ({
  address: address('console', 'main'),
  entries: entries.map((entry) => ({
    target: { kind: 'project', slug: TIDE },
    since: NOW,
    by: 'the test',
    preset: 'everything',
    ...entry,
  })),
});
const read = async (records: readonly CheckRecord[], chat = chatWith({}), now: Instant = NOW) =>
  new ChatCalendar({
    checkRecords: { all: () => records },
    analytics: { kept: async () => undefined },
    directory: { named: async () => [] },
    links: () => [],
    clock: { now: () => now, sleep: async () => {} },
  }).moments(chat);

const end = date({
  topic: 'proposals/tide/P1',
  what: 'end',
  at: later(NOW, 2 * DAY),
  facts: { name: 'Tidewater', title: 'Audit', twapStartsAt: later(NOW, DAY) },
});

test('a TWAP window stays while it is open, though its beginning is no date ahead any more', async () => {
  const records = [recordOf('proposals', 'tide', [end])];
  const window = { id: 'market/tide/P1/twap', at: later(NOW, DAY), until: later(NOW, 2 * DAY), title: 'Tidewater: TWAP window of "Audit"' };
  for (const now of [NOW, later(NOW, 1.5 * DAY)])
    expect((await read(records, chatWith({}), now)).moments).toMatchObject([window, { id: 'market/tide/P1/end', kind: 'market-end' }]);
  expect((await read(records, chatWith({}), later(NOW, 2 * DAY))).moments).toEqual([]);
});

test('a cliff that moves keeps its event', async () => {
  const cliff = (at: Instant) => [recordOf('vesting', 'tide', [date({ topic: 'vesting/tide/cliff/2', what: 'cliff', at })])];
  const before = updated({}, await read(cliff(later(NOW, DAY))), NOW);
  const after = updated(before, await read(cliff(later(NOW, 3 * DAY))), later(NOW, HOUR));
  expect(after).toMatchObject({ 'cliff/tide/2': { at: later(NOW, 3 * DAY), sequence: 1 } });
  expect(Object.keys(after)).toEqual(['cliff/tide/2']);
});

test('a chat sees the dates of the kinds that are on, by its most specific entry', async () => {
  const records = [
    recordOf('proposals', 'tide', [end]),
    recordOf('vesting', 'tide', [date({ topic: 'vesting/tide/cliff/0', what: 'cliff', at: later(NOW, DAY) })]),
  ];
  const kinds = async (...entries: readonly Partial<Chat['entries'][number]>[]) =>
    (await read(records, chatWith(...entries))).moments.map(({ kind }) => kind);
  expect(await kinds({ modes: { proposals: 'off' } })).toEqual(['cliff']);
  expect(await kinds({ target: { kind: 'all' } }, { modes: { vesting: 'off' } })).toEqual(['twap', 'market-end']);
  expect(await kinds()).toEqual([]);
});

test('a date is cancelled only where it was read that it does not exist', async () => {
  const isUnread = async (records: readonly CheckRecord[], id: string, chat = chatWith({})) => (await read(records, chat)).isUnread(id);
  const [market, cliff] = ['market/tide/P1/end', 'cliff/tide/0'];
  expect(await isUnread([recordOf('proposals', 'tide', [])], market)).toBe(false);
  expect(await isUnread([], market)).toBe(true);
  expect(await isUnread([recordOf('proposals', 'tide', undefined)], market)).toBe(true);
  expect(await isUnread([recordOf('proposals', 'tide', [])], cliff)).toBe(true);
  // What the chat does not follow any more goes, whatever is known of it.
  expect(await isUnread([], market, chatWith())).toBe(false);
  expect(await isUnread([], market, chatWith({ modes: { proposals: 'off' } }))).toBe(false);
  expect(await isUnread([], 'launch/L1')).toBe(true);
  expect(await isUnread([recordOf('launches', 'all', [])], 'launch/L1')).toBe(false);
});

test('more dates than are kept leave the later ones in the calendar, which says so', async () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ ...end, topic: `proposals/tide/P${index}`, at: later(NOW, (index + 2) * DAY) }));
  const { isCut, isUnread } = await read([recordOf('proposals', 'tide', many)]);
  expect([isCut, isUnread('market/tide/P99/end')]).toEqual([true, true]);
  expect((await read([recordOf('proposals', 'tide', many.slice(1))])).isCut).toBe(false);
});

test('a launch that has not begun yet and one without a project are shown to whoever follows launches', async () => {
  const close = { topic: 'launches/L1', what: 'close' as const, at: later(NOW, DAY), title: 'Heron (HRN)', project: undefined };
  const records = [recordOf('launches', 'all', [date(close)])];
  expect((await read(records, chatWith({ target: { kind: 'launches' } }))).moments).toMatchObject([
    { id: 'launch/L1', kind: 'launch-end', title: 'Launch of Heron (HRN) closes' },
  ]);
  expect((await read(records)).moments).toEqual([]);
});
