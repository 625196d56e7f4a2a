import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/base/clock.js';
import { silentLog, type Log } from '../../src/base/log.js';
import { createDirectory, UnknownProjectError, type DirectoryOptions } from '../../src/analytics/directory.js';
import { slug } from '../../src/domain/scalars.js';
import { answerPage, connect, reply, serve, type Asked } from '../support/service.js';

const RECENT = [
  { launchAddr: 'l1', baseMint: 'm1', title: 'Tide', organizationSlug: 'tide', tokenSymbol: 'TIDE', state: 'Live' },
  { launchAddr: 'l2', baseMint: 'm2', title: null, organizationSlug: 'reef-labs', tokenSymbol: null, state: 'Complete' },
];
const GRAVEYARD = [
  { launchAddr: 'l3', title: 'Wreck', organizationSlug: 'wreck', tokenSymbol: 'WRCK', state: 'Complete', reasonStatus: 'liquidated' },
];
const COMPLETED = [{ launchAddr: 'l9', baseMint: 'm2', title: 'Reef', tokenSymbol: 'REEF', state: 'Complete' }];

type Lists = Partial<
  Record<'recent-launches' | 'graveyard-launches' | 'info' | 'projects-launch' | 'projects', readonly unknown[] | number>
>;

/** A service that gives these lists; a number is a status, and a missing list is 403. */
const listing = (lists: Lists) => (asked: Asked) => {
  const list = lists[asked.path.split('/').at(-1) as keyof Lists] ?? 403;
  if (typeof list === 'number') reply(asked, '', { status: list });
  else answerPage(asked, list);
};

const open = async (lists: Lists, options: Partial<DirectoryOptions> = {}) => {
  const current = { lists };
  const service = await serve((asked) => listing(current.lists)(asked));
  const connected = await connect(service.url);
  const directory = createDirectory({ analytics: connected.analytics, store: connected.store, clock: connected.clock, ...options });
  return { ...connected, service, directory, current };
};

test('projects are known from the launch lists alone, and completed launches without a slug add what is missing', async () => {
  const { directory } = await open({ 'recent-launches': RECENT, 'graveyard-launches': GRAVEYARD, info: COMPLETED });
  await directory.refresh();
  expect(await directory.all()).toEqual([
    { slug: 'reef-labs', name: 'Reef', symbol: 'REEF', mint: 'm2' },
    { slug: 'tide', name: 'Tide', symbol: 'TIDE', mint: 'm1' },
    { slug: 'wreck', name: 'Wreck', symbol: 'WRCK' },
  ]);
});

test('the global lists add projects and names where they answer', async () => {
  const { directory } = await open({
    'recent-launches': RECENT,
    'graveyard-launches': [],
    info: [],
    projects: [
      { organizationSlug: 'cove', organizationName: 'Cove', tokenSymbol: 'COVE' },
      { organizationSlug: 'tide', organizationName: 'Tide Protocol' },
    ],
  });
  await directory.refresh();
  expect((await directory.all()).map(({ name }) => name)).toEqual(['Cove', 'reef-labs', 'Tide Protocol']);
});

test("a project's own name stays when a later refresh only shows its launches", async () => {
  const { directory, current, clock } = await open({
    'recent-launches': RECENT,
    'graveyard-launches': [],
    info: [],
    'projects-launch': [],
    projects: [{ organizationSlug: 'tide', organizationName: 'Tide Protocol' }],
  });
  await directory.refresh();
  current.lists = { ...current.lists, 'recent-launches': [{ ...RECENT[0], launchAddr: 'l7', title: 'Tide, second round' }], projects: 503 };
  await clock.advance(HOUR);
  const refreshed = directory.refresh();
  while (!(await Promise.race([refreshed.then(() => true), clock.advance(500).then(() => false)])));
  expect(await directory.find('tide')).toMatchObject({ name: 'Tide Protocol' });
});

test('a project is found by slug, symbol or name, however it is written', async () => {
  const { directory } = await open({ 'recent-launches': RECENT, 'graveyard-launches': GRAVEYARD, info: COMPLETED });
  await directory.refresh();
  for (const text of ['reef-labs', 'REEF', '$reef', ' Reef ', 'Reef-Labs', 'Reef Labs'])
    expect(await directory.find(text)).toMatchObject({ slug: 'reef-labs' });
});

test('a wrong name is refused with the nearest ones', async () => {
  const { directory } = await open({ 'recent-launches': RECENT, 'graveyard-launches': GRAVEYARD, info: COMPLETED });
  const error: unknown = await directory.find('tdie').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnknownProjectError);
  expect(error).toMatchObject({
    text: 'tdie',
    several: false,
    nearest: expect.arrayContaining([expect.objectContaining({ slug: 'tide' })]) as unknown,
  });
  expect((error as UnknownProjectError).nearest.length).toBeLessThanOrEqual(3);
});

test('a word that resembles no name gets none', async () => {
  const { directory } = await open({ 'recent-launches': RECENT, 'graveyard-launches': GRAVEYARD, info: COMPLETED });
  for (const nonsense of ['nosuch', 'zzzz', 'weekday'])
    await expect(directory.find(nonsense)).rejects.toMatchObject({ text: nonsense, nearest: [] });
});

test('a symbol that two projects share names both, and each is found by its slug', async () => {
  const twice = ['tide-v1', 'tide-v2'].map((organizationSlug, index) => ({ ...RECENT[0], launchAddr: `l${index}`, organizationSlug }));
  const { directory } = await open({ 'recent-launches': twice, 'graveyard-launches': [], info: [] });
  await expect(directory.find('TIDE')).rejects.toMatchObject({
    several: true,
    nearest: [expect.objectContaining({ slug: 'tide-v1' }), expect.objectContaining({ slug: 'tide-v2' })],
  });
  expect(await directory.find('tide-v2')).toMatchObject({ slug: 'tide-v2' });
});

test('typing is completed by beginnings first, without asking the service', async () => {
  const { directory, service } = await open({ 'recent-launches': RECENT, 'graveyard-launches': GRAVEYARD, info: COMPLETED });
  expect(await directory.complete('ti', 5)).toEqual([]);
  expect(service.asked).toHaveLength(0);
  await directory.refresh();
  expect((await directory.complete('TI', 1)).map((one) => one.slug)).toEqual(['tide']);
  expect((await directory.complete('', 2)).map((one) => one.slug)).toEqual(['reef-labs', 'tide']);
});

test('after a restart with the service away the names are still known; another service starts afresh', async () => {
  const first = await open({ 'recent-launches': RECENT, 'graveyard-launches': GRAVEYARD, info: COMPLETED });
  await first.directory.refresh();
  const away = await open(
    { 'recent-launches': 401, 'graveyard-launches': 401, info: 401, 'projects-launch': 401, projects: 401 },
    { store: first.store },
  );
  expect(await away.directory.find('tide')).toMatchObject({ name: 'Tide' });
  const other = await open(
    { 'recent-launches': 401, 'graveyard-launches': 401, info: 401, 'projects-launch': 401, projects: 401 },
    { store: first.store, source: 'other' },
  );
  await expect(other.directory.find('tide')).rejects.toMatchObject({ trouble: 'key-refused' });
});

test('an empty or shorter list deletes nothing', async () => {
  const { directory, current, clock } = await open({ 'recent-launches': RECENT, 'graveyard-launches': GRAVEYARD, info: COMPLETED });
  await directory.refresh();
  current.lists = { 'recent-launches': [], 'graveyard-launches': [], info: [] };
  await clock.advance(HOUR);
  await directory.refresh();
  expect(await directory.all()).toHaveLength(3);
});

test('unknown names ask the lists again at most every ten minutes, and known ones do not', async () => {
  const { directory, service, current, clock } = await open({
    'recent-launches': RECENT,
    'graveyard-launches': [],
    info: [],
    'projects-launch': [],
    projects: [],
  });
  await directory.refresh();
  await directory.find('tide');
  const calls = service.asked.length;
  await expect(directory.find('cove')).rejects.toBeInstanceOf(UnknownProjectError);
  await directory.find('TIDE');
  expect(service.asked).toHaveLength(calls);
  current.lists = { ...current.lists, projects: [{ organizationSlug: 'cove', organizationName: 'Cove' }] };
  await clock.advance(10 * MINUTE);
  expect(await directory.find('cove')).toMatchObject({ slug: 'cove' });
});

test('a list that this plan does not give is not asked for again at every refresh', async () => {
  const { directory, service, clock } = await open({ 'recent-launches': RECENT, 'graveyard-launches': [], info: [] });
  await directory.refresh();
  const before = service.asked.length;
  await clock.advance(20 * MINUTE);
  await directory.refresh();
  expect(new Set(service.asked.slice(before).map(({ path }) => path.split('/').at(-1)))).toEqual(
    new Set(['graveyard-launches', 'info', 'recent-launches']),
  );
  expect(service.asked).toHaveLength(before + 3);
});

test('with PROJECTS only those exist, whether or not a list shows them', async () => {
  const { directory } = await open(
    { 'recent-launches': RECENT, 'graveyard-launches': [], info: [] },
    { only: [slug('tide'), slug('unlisted')] },
  );
  expect(directory.unknown()).toEqual([]);
  await directory.refresh();
  expect(directory.unknown()).toEqual([{ slug: 'unlisted', nearest: [] }]);
  expect(await directory.all()).toEqual([
    { slug: 'tide', name: 'Tide', symbol: 'TIDE', mint: 'm1' },
    { slug: 'unlisted', name: 'unlisted' },
  ]);
  await expect(directory.find('reef-labs')).rejects.toBeInstanceOf(UnknownProjectError);
  expect(await directory.get(slug('never-heard-of'))).toEqual({ slug: 'never-heard-of', name: 'never-heard-of' });
});

test('PROJECTS may be written in any case, and are known by the slug that the lists have', async () => {
  const mixed = { ...RECENT[1], organizationSlug: 'Reef-Labs' };
  const { directory, service } = await open(
    { 'recent-launches': [RECENT[0], mixed], 'graveyard-launches': [], info: [] },
    { only: [slug('TIDE'), slug('reef-labs'), slug('Tide')] },
  );
  // A watchlist keeps the slug, so the first question waits for the lists.
  expect(await directory.find('TIDE')).toMatchObject({ slug: 'tide', name: 'Tide' });
  expect(directory.unknown()).toEqual([]);
  expect((await directory.all()).map((one) => one.slug)).toEqual(['Reef-Labs', 'tide']);
  const asked = service.asked.length;
  for (const [typed, found] of [
    ['tide', 'tide'],
    ['REEF-LABS', 'Reef-Labs'],
  ] as const)
    expect(await directory.find(typed)).toMatchObject({ slug: found });
  expect(service.asked).toHaveLength(asked);
});

test('of two slugs that differ in case only, PROJECTS mean the one that is written', async () => {
  const twin = { ...RECENT[1], organizationSlug: 'TIDE' };
  const { directory } = await open({ 'recent-launches': [RECENT[0], twin], 'graveyard-launches': [], info: [] }, { only: [slug('tide')] });
  await directory.refresh();
  expect((await directory.all()).map((one) => one.slug)).toEqual(['tide']);
});

test('a start says which names of PROJECTS are unknown, with the nearest ones, also where the lists were stored before', async () => {
  const log = listenerLog();
  const only = [slug('tidee')];
  const { directory, analytics, store, clock, service } = await open(
    { 'recent-launches': RECENT, 'graveyard-launches': [], info: [] },
    { only, log },
  );
  await directory.refresh();
  await clock.advance(20 * MINUTE);
  await directory.refresh();
  const warning = { slugs: ['tidee (did you mean tide?)'], remedy: 'correct PROJECTS' };
  expect(log.warned('directory.unknown-slugs')).toEqual([warning]);
  const asked = service.asked.length;
  const again = listenerLog();
  const started = createDirectory({ analytics, store, clock, only, log: again });
  await started.all();
  expect([again.warned('directory.unknown-slugs'), service.asked.length]).toEqual([[warning], asked]);
});

const listenerLog = (): Log & { warned(event: string): readonly unknown[] } => {
  const written: { readonly event: string; readonly fields: unknown }[] = [];
  return {
    ...silentLog,
    warn: (event, fields = {}) => void written.push({ event, fields }),
    warned: (event) => written.flatMap((one) => (one.event === event ? [one.fields] : [])),
  };
};

test('on a small month the lists are asked again as seldom as it can bear', async () => {
  const service = await serve(listing({ 'recent-launches': RECENT, 'graveyard-launches': GRAVEYARD, info: COMPLETED }));
  const { analytics, store, clock } = await connect(service.url, { requestsPerMonth: 500 });
  const directory = createDirectory({ analytics, store, clock });
  await directory.refresh();
  const asked = service.asked.length;
  for (let hour = 0; hour < 24; hour += 1) {
    await clock.advance(HOUR);
    await directory.all();
  }
  expect(service.asked).toHaveLength(asked);
  await clock.advance(7 * 24 * HOUR);
  await directory.all();
  await service.arrived(asked + 1);
});

describe('the name of a project that is to be checked', () => {
  /** A service whose lists answer when they are released. */
  const openSlow = async () => {
    const lists = { 'recent-launches': RECENT, 'graveyard-launches': GRAVEYARD, info: COMPLETED };
    const held: (() => void)[] = [];
    const state = { isSlow: true };
    const service = await serve((asked) => (state.isSlow ? void held.push(() => listing(lists)(asked)) : listing(lists)(asked)));
    const connected = await connect(service.url);
    const directory = createDirectory(connected);
    const release = (): void => {
      state.isSlow = false;
      for (const answer of held.splice(0)) answer();
    };
    return { ...connected, service, directory, release };
  };
  const isAsked = async (asked: readonly unknown[]): Promise<void> => {
    while (asked.length === 0) await new Promise(setImmediate);
  };

  test('is waited for while the lists are first read', async () => {
    const { directory, service, release } = await openSlow();
    const described = directory.described(slug('tide'));
    await isAsked(service.asked);
    expect(await directory.get(slug('tide'))).toEqual({ slug: 'tide', name: 'tide' });
    release();
    expect(await described).toMatchObject({ name: 'Tide', symbol: 'TIDE' });
  });

  test('is the slug where the lists take longer than ten seconds, for all that wait together', async () => {
    const { directory, service, clock, release } = await openSlow();
    const described = Promise.all(['tide', 'wreck'].map(async (one) => directory.described(slug(one))));
    await isAsked(service.asked);
    await clock.advance(10 * SECOND);
    expect(await described).toEqual(['tide', 'wreck'].map((one) => ({ slug: one, name: one })));
    expect(await directory.described(slug('tide'))).toEqual({ slug: 'tide', name: 'tide' });
    release();
    await directory.refresh();
    expect(await directory.described(slug('tide'))).toMatchObject({ name: 'Tide', symbol: 'TIDE' });
  });

  test('is the slug where no list has it, and the lists are not read again for it', async () => {
    const { directory, service } = await open({ 'recent-launches': RECENT, 'graveyard-launches': [], info: [] });
    expect(await directory.described(slug('cove'))).toEqual({ slug: 'cove', name: 'cove' });
    const { length } = service.asked;
    expect(await directory.described(slug('cove'))).toEqual({ slug: 'cove', name: 'cove' });
    expect(service.asked).toHaveLength(length);
  });

  test('is the slug where the lists cannot be read', async () => {
    const { directory } = await open({
      'recent-launches': 400,
      'graveyard-launches': 400,
      info: 400,
      projects: 400,
      'projects-launch': 400,
    });
    expect(await directory.described(slug('tide'))).toEqual({ slug: 'tide', name: 'tide' });
  });
});
