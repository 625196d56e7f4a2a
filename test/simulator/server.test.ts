import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/analytics/endpoints/index.js';
import { parseJson } from '../../src/analytics/field-reader.js';
import type { Row } from '../../src/analytics/endpoint-row.js';
import { KEY, NOON, openBox } from './box.js';

const rows: readonly (readonly [string, Row])[] = ENDPOINTS.map((row) => [row.id, row]);

/** A question that fits a row: the fields that must stand there. */
function question(row: Row, known: Readonly<Record<string, string>>): readonly [path: string, init: RequestInit] {
  const fields = Object.keys(row.input.shape).filter((name) => name in known && !row.path.includes(`{${name}}`));
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? '');
  const given = fields.map((name): [string, string] => [name, known[name] ?? '']);
  if (row.method === 'GET') return [given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`, {}];
  return [path, { method: 'POST', body: JSON.stringify(Object.fromEntries(given)) }];
}

/** The others answer every project alike. */
const OF_A_PROJECT = ['slug', 'project', 'daoSlug', 'publicKey', 'proposalPublicKey', 'baseMint', 'tokenAddress', 'id'];
const isOfAProject = (row: Row): boolean => OF_A_PROJECT.some((name) => name in row.input.shape);

test('operations are about one project, or about all', () => {
  const about = rows.filter(([, row]) => isOfAProject(row)).length;
  expect(about).toBeGreaterThan(40);
  expect(about).toBeLessThan(rows.length - 10);
});

describe.each([
  ['tide', rows],
  ...['spindrift', 'quarry-lane', 'lark-hollow', 'cinder-quay', 'birch-brine'].map(
    (project) => [project, rows.filter(([, row]) => isOfAProject(row))] as const,
  ),
] as const)('asked about %s', (project, asked) => {
  test('every operation answers what its row can read, without a broken row', async () => {
    const box = await openBox();
    const found = await box.get(`/v1/proposal?slug=${project}`);
    const { publicKey } = found.body.data[0];
    const known: Record<string, string> = {
      ...{ slug: project, project, publicKey, proposalPublicKey: publicKey, search: 'ti' },
      ...{ daoSlug: project, timeInterval: '1h', baseMint: box.world.mint(project) },
      ...{ walletPublicKey: box.world.wallets.some(1), tokenAddress: box.world.mint(project) },
    };
    const who = box.world.find(project)!;
    /** Numbers in a path mean something else in each family. */
    const numbers: Readonly<Record<string, number | undefined>> = {
      accounts: box.world.accounts.all(who, NOON)[0]?.id,
      counterparties: box.world.counterparties.all(who)[0]?.id,
      movements: box.world.movements.list(who, NOON)[0]?.id,
    };
    for (const [id, row] of asked) {
      const [path, init] = question(row, { ...known, id: String(numbers[id.split('.')[0] ?? '']) });
      const answer = await fetch(`${box.url}${path}`, { ...init, headers: { 'x-api-key': KEY } });
      expect([id, answer.status]).toEqual([id, row.method === 'POST' ? 202 : 200]);
      const text = await answer.text();
      const body = row.answers === 'csv' ? { data: text } : (parseJson(text) as { data: unknown });
      const read = row.data.safeParse(body.data);
      expect([id, read.error?.message]).toEqual([id, undefined]);
      const broken = typeof read.data === 'object' && read.data !== null && 'broken' in read.data ? read.data.broken : 0;
      expect([id, broken]).toEqual([id, 0]);
      // A refresh names the job whose state is asked for next.
      if (typeof read.data === 'object' && read.data !== null && 'jobId' in read.data) known['jobId'] = String(read.data.jobId);
    }
  });
});

test('a list is met exactly once by walking its pages, whatever their size', async () => {
  const box = await openBox();
  for (const path of [
    '/v1/dao/token-supply?slug=spindrift',
    '/v1/proposal?slug=kestrel-yard',
    '/v1/global-dashboard/decision-markets?',
    '/v1/global-dashboard/recent-launches?',
    '/v1/movement?slug=tide',
    '/v1/counterparty?slug=tide',
  ]) {
    const { body: first } = await box.get(`${path}&limit=100`);
    const seen: string[] = [];
    for (let page = 1; seen.length < first.meta.totalItems; page += 1) {
      const { body } = await box.get(`${path}&limit=7&page=${page}`);
      expect(body.data.length).toBeGreaterThan(0);
      seen.push(...body.data.map((row: Record<string, unknown>) => String(row['id'] ?? row['publicKey'] ?? row['launchAddr'])));
    }
    expect(new Set(seen).size).toBe(first.meta.totalItems);
    expect((await box.get(`${path}&limit=100&page=99`)).body.data).toEqual([]);
  }
});

test('a page has twenty rows unless asked otherwise, and the ledger tells only how many there are', async () => {
  const box = await openBox();
  const { body } = await box.get('/v1/dao/token-supply?slug=tide');
  expect(body.data).toHaveLength(20);
  expect(Object.keys(body.meta)).toEqual(['totalItems']);
  expect(body.data[0].timestamp > body.data[19].timestamp).toBe(true);
});

test.each([
  ['/v1/dao/token-supply', 400],
  ['/v1/dao/token-supply?slug=', 400],
  ['/v1/dao/token-supply?slug=nobody', 404],
  ['/v1/dao/token-supply?slug=marsh', 404],
  ['/v1/dao/token-supply?slug=tide&limit=0', 400],
  ['/v1/dao/token-supply?slug=tide&limit=ten', 400],
  ['/v1/dao/token-supply?slug=tide&limit=101', 400],
  ['/v1/dao/token-supply?slug=tide&page=-1', 400],
  ['/v1/dao/token-supply?slug=tide&page=1.5', 400],
  ['/v1/growth-feed?slug=tide&from=2025-01-01&to=2026-06-01', 400],
  ['/v1/growth-feed?slug=tide&from=2026-06-02&to=2026-06-01', 400],
  ['/v1/growth-feed?slug=tide&from=yesterday', 400],
  ['/v1/dao/treasury/nav-as-chart?slug=tide&range=1Y', 400],
  ['/v1/dao/treasury/nav-as-breakdown?slug=tide&timestamp=now', 400],
  ['/v1/global-dashboard/search', 400],
  ['/v1/proposal/9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', 404],
  ['/v1/nothing', 404],
  ['/elsewhere', 404],
])('%s is refused with %i and a sentence', async (path, status) => {
  const box = await openBox();
  const said = await box.get(path);
  expect(said.status).toBe(status);
  expect(said.body.error.message).toMatch(/\w+ \w+/);
});

test('the longest growth range, 366 days, is answered', async () => {
  const box = await openBox();
  expect((await box.get('/v1/growth-feed?slug=tide&from=2025-11-20&to=2026-11-20')).status).toBe(200);
  expect((await box.get('/v1/growth-feed?slug=tide&from=2025-11-19&to=2026-11-20')).status).toBe(400);
});

test('without the key, or with another, nothing is answered', async () => {
  const box = await openBox();
  expect((await fetch(`${box.url}/v1/url/tide`)).status).toBe(401);
  expect((await box.get('/v1/url/tide', { headers: { 'x-api-key': 'another' } })).status).toBe(401);
  expect((await box.get('/v1/url/tide')).body).toEqual({ data: null });
});

test('legal entities are alerted of all projects when no project is named, of none for those without', async () => {
  const box = await openBox();
  const projects = (body: { data: { project: string }[] }) => new Set(body.data.map((row) => row.project));
  expect(projects((await box.get('/v1/legal-entity')).body).size).toBeGreaterThan(5);
  expect((await box.get('/v1/legal-entity?slug=glass-pier')).body.data).toEqual([]);
});

test('a small plan refuses larger and later pages', async () => {
  const box = await openBox({ plan: { maxRows: 10, maxPages: 3, refusesWith: 403 } });
  expect((await box.get('/v1/dao/token-supply?slug=tide')).body.data).toHaveLength(10);
  expect((await box.get('/v1/dao/token-supply?slug=tide&limit=11')).status).toBe(403);
  expect((await box.get('/v1/dao/token-supply?slug=tide&page=4')).status).toBe(403);
});
