import { describe, expect, test } from 'vitest';
import { openBox } from './box.js';

const LEDGER = '/v1/dao/token-supply?slug=tide';

test('a latency is waited out by the clock before the answer comes', async () => {
  const box = await openBox();
  await box.sim({ kind: 'latency', milliseconds: 4_000 });
  expect((await box.get(LEDGER)).status).toBe(200);
  expect(box.clock.slept).toEqual([4_000]);
});

test('a fault strikes only the paths and the project it was set for', async () => {
  const box = await openBox();
  await box.sim({ kind: 'status', status: 502, path: '/v1/dao/*', slug: 'tide' });
  expect((await box.get(LEDGER)).status).toBe(502);
  expect((await box.get('/v1/dao/overview?slug=tide')).status).toBe(502);
  expect((await box.get('/v1/dao/token-supply?slug=alder')).status).toBe(200);
  expect((await box.get('/v1/proposal?slug=tide')).status).toBe(200);
});

test('a fault for two requests spares the third', async () => {
  const box = await openBox();
  await box.sim({ kind: 'limited', retryAfterSeconds: 30, times: 2 });
  const first = await box.get(LEDGER);
  expect([first.status, first.headers.get('retry-after')]).toEqual([429, '30']);
  expect((await box.get(LEDGER)).status).toBe(429);
  expect((await box.get(LEDGER)).status).toBe(200);
  expect(box.journal.faults()).toEqual([]);
});

test('a 429 may leave open for how long', async () => {
  const box = await openBox();
  await box.sim({ kind: 'limited' });
  const said = await box.get(LEDGER);
  expect([said.status, said.headers.get('retry-after')]).toEqual([429, null]);
});

test('a fault for ten minutes is over after them', async () => {
  const box = await openBox();
  await box.sim({ kind: 'status', seconds: 600 });
  expect((await box.get(LEDGER)).status).toBe(503);
  box.clock.turn(600_000);
  expect((await box.get(LEDGER)).status).toBe(200);
});

test('at a rate of a half some requests fail and some do not', async () => {
  const box = await openBox();
  await box.sim({ kind: 'status', rate: 0.5 });
  const seen = await Promise.all(Array.from({ length: 40 }, async () => (await box.get(LEDGER)).status));
  expect(seen.filter((status) => status === 503).length).toBeGreaterThan(8);
  expect(seen.filter((status) => status === 200).length).toBeGreaterThan(8);
});

test('clearing ends one fault by its number, or all of them', async () => {
  const box = await openBox();
  const { body } = await box.sim([
    { kind: 'status', path: '/v1/proposal*' },
    { kind: 'status', path: '/v1/dao/*' },
  ]);
  await box.sim({ clear: true, id: body.faults[0].id });
  expect([(await box.get('/v1/proposal?slug=tide')).status, (await box.get(LEDGER)).status]).toEqual([200, 503]);
  await box.sim({ clear: true });
  expect((await box.get(LEDGER)).status).toBe(200);
});

describe('a cut line', () => {
  test('comes in the middle of the body, after a length that promised more', async () => {
    const box = await openBox();
    await box.sim({ kind: 'cut' });
    await expect(box.get(LEDGER)).rejects.toThrow();
  });

  test('comes before any answer where the endpoint is down', async () => {
    const box = await openBox();
    await box.sim({ kind: 'down', path: '/v1/dao/token-supply' });
    await expect(box.get(LEDGER)).rejects.toThrow('fetch failed');
    expect((await box.get('/v1/dao/token-supply/overview?slug=tide')).status).toBe(200);
  });
});

test.each([
  ['envelope', { result: expect.any(Array), ok: true }],
  ['object', expect.objectContaining({ data: { unexpected: true } })],
  ['null', expect.objectContaining({ data: null })],
  ['html', expect.stringContaining('<!doctype')],
])('a wrong shape, %s, is a whole answer with status 200', async (shape, body) => {
  const box = await openBox();
  await box.sim({ kind: 'shape', shape });
  const said = await box.get(LEDGER);
  expect(said.status).toBe(200);
  expect(said.body).toEqual(body);
});

test('one row is broken, on whatever page it stands, until that is cleared', async () => {
  const box = await openBox();
  const { body: before } = await box.get(LEDGER);
  const { id } = before.data[3];
  await box.sim({ kind: 'broken-row', path: '/v1/dao/token-supply', field: 'id', value: id });
  const { body: broken } = await box.get(LEDGER);
  expect(broken.data[3].amount).toEqual({ unreadable: true });
  expect(broken.data.filter((_: unknown, index: number) => index !== 3)).toEqual(
    before.data.filter((_: unknown, index: number) => index !== 3),
  );
  await box.sim({ clear: true });
  expect((await box.get(LEDGER)).body).toEqual(before);
});

test('a reversed list has what is new on its last page', async () => {
  const box = await openBox();
  const { body: before } = await box.get(LEDGER);
  await box.sim({ kind: 'reversed', path: '/v1/dao/token-supply' });
  const last = Math.ceil(before.meta.totalItems / 20);
  const tail = [...(await box.get(`${LEDGER}&page=${last - 1}`)).body.data, ...(await box.get(`${LEDGER}&page=${last}`)).body.data];
  expect(tail.slice(-20).toReversed()).toEqual(before.data);
});

test('a plan can be put on a path: fewer rows, fewer pages, refused with 403 or 400', async () => {
  const box = await openBox();
  await box.sim({ kind: 'plan', maxRows: 10, maxPages: 3 });
  expect((await box.get(LEDGER)).body.data).toHaveLength(10);
  expect((await box.get(`${LEDGER}&limit=100`)).status).toBe(403);
  await box.sim({ kind: 'plan', maxRows: 10, refusesWith: 400 });
  expect((await box.get(`${LEDGER}&limit=100`)).status).toBe(400);
});
