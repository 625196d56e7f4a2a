import { expect, test } from 'vitest';
import type { Answer } from '../../src/analytics/analytics.js';
import type { CheckRecord } from '../../src/alerts/checks/check-records.js';
import { DAY, HOUR, MINUTE, later } from '../../src/base/clock.js';
import { address } from '../../src/chat/address.js';
import { MAX_WATCHED_SHOWN } from '../../src/chat/watched-projects.js';
import type { Project } from '../../src/domain/project.js';
import { decimal, slug as toSlug } from '../../src/domain/scalars.js';
import { KeptProjects, type WatchedDeps } from '../../src/operations/watched-projects.js';
import { openWatchlists } from '../../src/alerts/watchlist/watchlists.js';
import { openStore } from '../../src/store/open.js';
import { handClock } from '../support/clock.js';

const CHAT = address('console', 'main');
const project = (slug: string): Project => ({ slug: toSlug(slug), name: slug.toUpperCase(), symbol: slug.slice(0, 4) });

/** A chat that watches all of `projects`. */
async function open(
  projects: readonly Project[],
  {
    records = [],
    kept,
    own = [],
    without,
  }: { records?: readonly CheckRecord[]; kept?: unknown; own?: readonly string[]; without?: string } = {},
) {
  const clock = handClock();
  const watchlists = await openWatchlists(await openStore('memory://'));
  const entry = { target: { kind: 'all' }, since: clock.now(), by: 'you', preset: 'important' } as const;
  const exceptions = without === undefined ? {} : { exceptions: { [without]: { excluded: true as const } } };
  const owned = own.map((name) => ({ ...entry, target: { kind: 'project' as const, slug: toSlug(name) } }));
  if (projects.length > 0) await watchlists.change(CHAT, (chat) => ({ ...chat, entries: [{ ...entry, ...exceptions }, ...owned] }));
  const asked: string[] = [];
  const analytics: WatchedDeps['analytics'] = {
    kept: async <D>(row: { readonly id: string }) => {
      asked.push(row.id);
      return row.id === 'treasury.overview' ? (kept as Answer<D> | undefined) : undefined;
    },
  };
  const list = new KeptProjects({
    watchlists,
    directory: { complete: async () => projects, named: async () => [] },
    checkRecords: { read: (feed, subject) => records.find((one) => one.feed === feed && one.subject === subject) },
    analytics,
    clock,
  });
  return { list, clock, asked };
}

const checked = (feed: string, parts: Partial<CheckRecord>): CheckRecord => ({
  ...{ feed, subject: 'tide', triedAt: later(handClock().now(), -MINUTE), okAt: later(handClock().now(), -MINUTE), failures: 0 },
  ...{ hidden: 0, broken: 0, complete: true, ...parts },
});

test('what was never read is unknown, and not zero', async () => {
  const { list } = await open([project('tide')]);
  const [tide] = (await list.read(CHAT, '')).projects;
  expect(tide).toMatchObject({ slug: 'tide', history: [], deadline: undefined });
  expect(tide).not.toHaveProperty('price');
  expect(tide).not.toHaveProperty('premium');
});

test('the newest of the last check and the last answer is shown with its time', async () => {
  const now = handClock().now();
  const measured = { series: 'premium/tide', at: later(now, -HOUR), values: { premium: decimal('-17.2'), price: decimal('0.828') } };
  const records = [checked('premium', { measurements: [measured] })];
  const before = await open([project('tide')], { records });
  expect((await before.list.read(CHAT, '')).projects[0]).toMatchObject({
    price: { text: '$0.8280', at: measured.at },
    premium: { text: '−17.2%', at: measured.at, isDiscount: true },
  });
  const kept = { data: { price: decimal('0.9'), navPerShare: decimal('0.6') }, meta: {}, at: later(now, -MINUTE) };
  const after = await open([project('tide')], { records, kept });
  expect((await after.list.read(CHAT, '')).projects[0]).toMatchObject({ premium: { text: '+50.0%', at: kept.at } });
});

test('the next deadline is the nearest that is ahead; nothing ahead is no deadline', async () => {
  const now = handClock().now();
  const windows = [-HOUR, 3 * DAY, 2 * HOUR].map((after) => ({ kind: 'market' as const, endsAt: later(now, after) }));
  const some = await open([project('tide')], { records: [checked('proposals', { priorityWindows: windows })] });
  expect((await some.list.read(CHAT, '')).projects[0]?.deadline).toMatchObject({ kind: 'market', endsAt: later(now, 2 * HOUR) });
  const none = await open([project('tide')], { records: [checked('proposals', {})] });
  expect((await none.list.read(CHAT, '')).projects[0]?.deadline).toBeNull();
});

test('of 300 projects a bounded part is shown, and a search finds the others', async () => {
  const { list, asked } = await open(Array.from({ length: 300 }, (_, index) => project(`coin-${String(index).padStart(3, '0')}`)));
  const { total, projects } = await list.read(CHAT, '');
  expect([total, projects.length]).toEqual([300, MAX_WATCHED_SHOWN]);
  expect((await list.read(CHAT, 'COIN-299')).projects.map(({ slug }) => slug)).toEqual(['coin-299']);
  // Several pages that ask at once cost no more.
  const before = asked.length;
  await list.read(CHAT, '');
  expect(asked.length).toBe(before);
});

test('a chat that watches nothing is told apart from a search that finds nothing', async () => {
  expect(await (await open([])).list.read(CHAT, '')).toEqual({ total: 0, isAny: false, projects: [] });
  expect(await (await open([project('tide')])).list.read(CHAT, 'moss')).toEqual({ total: 0, isAny: true, projects: [] });
});

test('a project that is excluded from all is neither listed nor counted, unless it has an entry of its own', async () => {
  const projects = [project('heron'), project('tide')];
  const slugsOf = async (own: readonly string[]) => {
    const { total, projects: listed } = await (await open(projects, { without: 'heron', own })).list.read(CHAT, '');
    return [total, ...listed.map(({ slug, isOwn }) => `${slug} ${isOwn === true}`)];
  };
  expect(await slugsOf([])).toEqual([1, 'tide false']);
  expect(await slugsOf(['heron'])).toEqual([2, 'heron true', 'tide false']);
});

test('where there is no room for all, an entry of its own and a checked project keep their places', async () => {
  const projects = Array.from({ length: MAX_WATCHED_SHOWN + 2 }, (_, index) => project(`a${index + 100}`));
  const measured = { series: 'premium/zebra', at: handClock().now(), values: { premium: decimal('-1') } };
  const records = [checked('premium', { subject: 'zebra', measurements: [measured] })];
  const { list } = await open([...projects, project('zebra'), project('tide')], { own: ['tide'], records });
  expect((await list.read(CHAT, '')).projects.slice(-2).map(({ slug }) => slug)).toEqual(['tide', 'zebra']);
});
