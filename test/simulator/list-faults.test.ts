import { describe, expect, test } from 'vitest';
import { HOUR } from '../../src/base/clock.js';
import { openBox, type Said } from './box.js';

type Box = Awaited<ReturnType<typeof openBox>>;
type Row = Readonly<Record<string, unknown>>;

const PROJECTS = '/v1/global-dashboard/projects-launch?limit=100';
const LIVE = '/v1/global-dashboard/projects/decision-markets?limit=100';
const LAUNCHES = '/v1/global-dashboard/recent-launches?limit=100';

const rows = ({ body }: Said): readonly Row[] => body.data;
const rowOf = async (box: Box, slug: string, list = PROJECTS): Promise<Row | undefined> =>
  rows(await box.get(list)).find(({ organizationSlug }) => organizationSlug === slug);
const treasury = async (box: Box, slug = 'tide') => (await box.get(`/v1/dao/treasury/overview?slug=${slug}`)).body.data;

/** Everything that a list can tell of tide changes. */
const change = async (box: Box): Promise<void> => {
  await box.sim([
    { kind: 'price', project: 'tide', price: '9' },
    { kind: 'nav', project: 'tide', factor: '2' },
    { kind: 'mint', project: 'tide', amount: '1000000' },
    { kind: 'allowance', project: 'tide', usd: '1000' },
  ]);
};
const FIGURES = ['tokenUsdPrice', 'netAssetValue', 'premDisc', 'monthsOfRunway', 'tokenTotalSupply'] as const;
const figures = (row: Row | undefined) => FIGURES.map((name) => row?.[name]);

describe('a list that lags', () => {
  test('answers what was true an hour ago, dated then, while the endpoints of a project are right', async () => {
    const box = await openBox();
    const before = await rowOf(box, 'tide');
    box.clock.turn(HOUR);
    await change(box);
    const now = await rowOf(box, 'tide');
    for (const [index, figure] of figures(now).entries()) expect(figure).not.toBe(figures(before)[index]);
    const detail = await treasury(box);
    await box.sim({ kind: 'list-lag', milliseconds: HOUR });
    expect(await rowOf(box, 'tide')).toEqual(before);
    expect(await treasury(box)).toEqual(detail);
    await box.sim({ clear: true });
    expect(await rowOf(box, 'tide')).toEqual(now);
  });

  test('or dates what is old as fresh', async () => {
    const box = await openBox();
    const before = await rowOf(box, 'tide');
    box.clock.turn(HOUR);
    await change(box);
    await box.sim({ kind: 'list-lag', milliseconds: HOUR, fresh: true });
    expect(await rowOf(box, 'tide')).toEqual({ ...before, updatedAt: '2026-11-21T13:00:00.000Z' });
  });

  test('does not show a market or a launch before its time', async () => {
    const box = await openBox();
    await box.sim([
      { kind: 'proposal', project: 'tide', title: 'New', draftSeconds: 60 },
      { kind: 'launch', project: 'marsh', title: 'New' },
    ]);
    const titles = async () =>
      [...rows(await box.get(LIVE)), ...rows(await box.get(LAUNCHES))].map((row) => row['proposalTitle'] ?? row['title']);
    await box.sim({ kind: 'list-lag', list: ['dashboard.live-markets', 'launches.recent'], milliseconds: 600_000 });
    box.clock.turn(60_000);
    expect((await titles()).filter((title) => title === 'New')).toEqual([]);
    box.clock.turn(600_000);
    expect((await titles()).filter((title) => title === 'New')).toEqual(['New', 'New']);
  });
});

describe('a list that lies', () => {
  const NAMED = ['tide', 'alder', 'heron'];

  test('has zeros for the named projects alone', async () => {
    const box = await openBox();
    const honest = rows(await box.get(PROJECTS));
    const detail = await treasury(box);
    await box.sim({ kind: 'list-lie', projects: NAMED, how: 'zero' });
    const told = rows(await box.get(PROJECTS));
    const isNamed = ({ organizationSlug }: Row): boolean => NAMED.includes(String(organizationSlug));
    expect(told.filter(isNamed).map(figures)).toEqual(NAMED.map(() => ['0', '0', '0', '0', '0']));
    expect(told.filter(isNamed).map(({ launchState }) => launchState)).toEqual(
      honest.filter(isNamed).map(({ launchState }) => launchState),
    );
    expect(told.filter((row) => !isNamed(row))).toEqual(honest.filter((row) => !isNamed(row)));
    expect(await treasury(box)).toEqual(detail);
  });

  test('or says what was true before, in some figures only, and dates it now', async () => {
    const box = await openBox();
    const before = await rowOf(box, 'tide');
    box.clock.turn(HOUR);
    await change(box);
    const now = await rowOf(box, 'tide');
    await box.sim({ kind: 'list-lie', projects: ['tide'], figures: ['premium', 'runway'] });
    const told = await rowOf(box, 'tide');
    expect(told).toEqual({ ...now, premDisc: before?.['premDisc'], mNAV: before?.['mNAV'], monthsOfRunway: before?.['monthsOfRunway'] });
  });

  test('shows a market with its old status, and one that is new not at all', async () => {
    const box = await openBox();
    const { body } = await box.sim({ kind: 'proposal', project: 'tide', draftSeconds: 60, liveSeconds: 7_200 });
    const [{ identity }] = body.injected;
    const market = async () => rows(await box.get(LIVE)).find(({ proposalPublicKey }) => proposalPublicKey === identity);
    box.clock.turn(HOUR);
    expect(await market()).toMatchObject({ status: 'live' });
    await box.sim({ kind: 'list-lie', projects: ['tide'], milliseconds: HOUR });
    expect(await market()).toMatchObject({ status: 'initiated' });
    await box.sim([{ clear: true }, { kind: 'list-lie', projects: ['tide'], milliseconds: HOUR + 1_000 }]);
    expect(await market()).toBeUndefined();
    await box.sim({ clear: true });
    box.clock.turn(2 * HOUR);
    expect(await market()).toBeUndefined();
    await box.sim({ kind: 'list-lie', projects: ['tide'], milliseconds: 2 * HOUR });
    expect(await market()).toMatchObject({ status: 'live' });
    expect((await box.get(`/v1/proposal/${identity}`)).body.data).toMatchObject({ status: 'resolved' });
  });
});

test('a list leaves the named projects out, and counts itself without them', async () => {
  const box = await openBox();
  const all = rows(await box.get(PROJECTS));
  await box.sim({ kind: 'list-omit', projects: ['tide', 'heron'], list: ['dashboard.projects-launch'] });
  const { body } = await box.get(PROJECTS);
  expect(body.data).toEqual(all.filter(({ organizationSlug }) => organizationSlug !== 'tide' && organizationSlug !== 'heron'));
  expect(body.meta.totalItems).toBe(all.length - 2);
  expect(await rowOf(box, 'tide', '/v1/global-dashboard/projects?limit=100')).toBeDefined();
});

test('completed launches, which name only their mint, can be left out too', async () => {
  const box = await openBox();
  const mint = box.world.mint('spindrift');
  const mints = async () => rows(await box.get('/v1/global-dashboard/completed-launches/info?limit=100')).map(({ baseMint }) => baseMint);
  expect(await mints()).toContain(mint);
  await box.sim({ kind: 'list-omit', projects: ['spindrift'] });
  expect(await mints()).not.toContain(mint);
});

test.each([404, 503])('a list is absent with %i, and what is no global list answers', async (status) => {
  const box = await openBox();
  await box.sim({ kind: 'list-absent', status });
  for (const path of [PROJECTS, LIVE, LAUNCHES]) expect((await box.get(path)).status).toBe(status);
  expect((await box.get('/v1/proposal?slug=tide')).status).toBe(200);
  expect((await box.get('/v1/global-dashboard/search?search=tide')).status).toBe(200);
});

test('a fault of one list spares the others, and a fault of paths does not take it for a path', async () => {
  const box = await openBox();
  await box.sim({ kind: 'list-absent', list: ['dashboard.live-markets'], times: 1 });
  expect((await box.get(PROJECTS)).status).toBe(200);
  expect((await box.get(LIVE)).status).toBe(404);
  expect((await box.get(LIVE)).status).toBe(200);
});

test.each([
  [{ kind: 'list-lag', list: ['supply.events'] }, 'list'],
  [{ kind: 'list-lie' }, 'projects'],
  [{ kind: 'list-omit', projects: [] }, 'projects'],
  [{ kind: 'list-absent', status: 500 }, 'status'],
])('%j is refused and says why', async (command, why) => {
  const said = await (await openBox()).sim(command);
  expect([said.status, said.body.error.message]).toEqual([400, expect.stringContaining(why)]);
});
