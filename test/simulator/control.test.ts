import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { HOUR } from '../../src/base/clock.js';
import { NOON, openBox, type Said } from './box.js';

const LEDGER = '/v1/dao/token-supply?slug=tide&limit=100';
const ids = ({ body }: Said): number[] => body.data.map((row: { id: number }) => row.id);

describe('an injected mint', () => {
  test('stands in the ledger, in the overview and in the chart, under the number that was alerted', async () => {
    const box = await openBox();
    const before = (await box.get('/v1/dao/token-supply/overview?slug=tide')).body.data;
    const { body } = await box.sim({ kind: 'mint', project: 'tide', amount: '486210.25' });
    expect(body.injected).toEqual([{ feed: 'supply', project: 'tide', identity: expect.stringMatching(/^\d+$/), at: NOON }]);
    const row = (await box.get(LEDGER)).body.data[0];
    expect(row).toMatchObject({
      id: Number(body.injected[0].identity),
      type: 'Mint',
      amount: '486210.25',
      timestamp: '2026-11-21T12:00:00.000Z',
    });
    const after = (await box.get('/v1/dao/token-supply/overview?slug=tide')).body.data;
    expect(after.resultingSupply).toBe(row.resultingSupply);
    expect(Number(after.totalMint) - Number(before.totalMint)).toBeCloseTo(486_210.25, 4);
  });

  test('of a hundred at once each has a number of its own', async () => {
    const box = await openBox();
    const { body } = await box.sim(
      Array.from({ length: 100 }, (_, index) => ({ kind: index % 2 ? 'mint' : 'burn', project: 'tide', amount: `${index + 1}` })),
    );
    const alerted = body.injected.map((one: { identity: string }) => Number(one.identity));
    expect(new Set(alerted).size).toBe(100);
    const seen = new Set([...ids(await box.get(LEDGER)), ...ids(await box.get(`${LEDGER}&page=2`))]);
    expect(alerted.every((id: number) => seen.has(id))).toBe(true);
  });

  test('entered late has a lower number than rows that stood there before', async () => {
    const box = await openBox();
    const dated = await box.sim({ kind: 'mint', project: 'spindrift', amount: '5', at: '2026-11-21T11:00:00Z' });
    const late = await box.sim({ kind: 'burn', project: 'spindrift', amount: '7', late: true });
    const all = ids(await box.get('/v1/dao/token-supply?slug=spindrift&limit=100'));
    const [a, b] = [dated, late].map(({ body }) => Number(body.injected[0].identity));
    expect(all).toEqual(expect.arrayContaining([a, b]));
    expect(b).toBeLessThan(Math.max(...all));
    expect(a).toBeLessThan(Math.max(...all));
  });

  test('a running sum goes on through it for the rows that are dated after it', async () => {
    const box = await openBox();
    await box.sim({ kind: 'mint', project: 'spindrift', amount: '1000', at: '2026-11-21T10:00:00Z' });
    const { body } = await box.get('/v1/dao/token-supply?slug=spindrift&limit=100');
    const rows: { amount: string; type: string; resultingSupply: string }[] = body.data;
    for (const [index, row] of rows.slice(0, -1).entries()) {
      const gap = Number(row.resultingSupply) - Number(rows[index + 1]?.resultingSupply);
      expect(gap).toBeCloseTo(row.type === 'Mint' ? Number(row.amount) : -Number(row.amount), 3);
    }
  });
});

test('an injected proposal goes through its life and ends as alerted', async () => {
  const box = await openBox();
  const { body } = await box.sim({
    kind: 'proposal',
    project: 'tide',
    title: 'Test it',
    draftSeconds: 60,
    liveSeconds: 600,
    thresholdBps: -300,
    outcome: 'failed',
  });
  const key: string = body.injected[0].identity;
  const status = async () => (await box.get(`/v1/proposal/${key}`)).body.data;
  expect(await status()).toMatchObject({ status: 'initiated', stakedAmount: '0', twapStatus: 'not-open', passThresholdBps: -300 });
  box.clock.turn(61_000);
  expect(await status()).toMatchObject({ status: 'live', twapThresholdMargin: null });
  box.clock.turn(300_000);
  expect(await status()).toMatchObject({ status: 'live', twapStatus: 'open', twapThresholdMargin: expect.any(Number) });
  box.clock.turn(300_000);
  const end = await status();
  expect(end).toMatchObject({ status: 'resolved', result: 'rejected', title: 'Test it' });
  expect(end.twapThresholdMargin).toBeLessThan(0);
  const listed = (await box.get('/v1/proposal?slug=tide')).body.data.find((row: { publicKey: string }) => row.publicKey === key);
  expect(listed).toMatchObject({ result: 'rejected' });
});

test('an injected launch opens, is extended, closes, completes and is wound up', async () => {
  const box = await openBox();
  const { body } = await box.sim({
    kind: 'launch',
    project: 'marsh',
    waitSeconds: 60,
    liveSeconds: 600,
    extension: { afterSeconds: 300, seconds: 300 },
    minimum: '750000',
    committed: '1500000.5',
    accepted: '800000',
    settleSeconds: 120,
    ended: { afterSeconds: 3_600, reason: 'liquidated' },
  });
  const address: string = body.injected[0].identity;
  const find = async (list: string) =>
    (await box.get(`/v1/global-dashboard/${list}?limit=100`)).body.data.find((row: { launchAddr: string }) => row.launchAddr === address);
  expect(await find('recent-launches')).toMatchObject({
    state: 'Initialized',
    fundsAccepted: null,
    secondsForLaunch: '600',
    minimumRaiseAmount: 750_000_000_000,
    organizationSlug: 'marsh',
  });
  box.clock.turn(400_000);
  expect(await find('recent-launches')).toMatchObject({ state: 'Live', fundsAccepted: null, secondsForLaunch: '900' });
  box.clock.turn(600_000);
  expect(await find('recent-launches')).toMatchObject({
    state: 'Closed',
    fundsAccepted: 800_000_000_000,
    committedAmount: 1_500_000_500_000,
  });
  expect(await find('completed-launches/info')).toBeUndefined();
  box.clock.turn(120_000);
  const complete = await find('completed-launches/info');
  expect(complete).toMatchObject({ state: 'Complete', fundsAccepted: '800000000000' });
  expect(complete).not.toHaveProperty('organizationSlug');
  expect(await find('graveyard-launches')).toBeUndefined();
  box.clock.turn(HOUR);
  expect(await find('graveyard-launches')).toMatchObject({ reasonStatus: 'liquidated', fundRaised: '800000', organizationSlug: 'marsh' });
});

test('an injected growth day appears, and a second value restates it', async () => {
  const box = await openBox();
  const value = async () =>
    (await box.get('/v1/growth-feed?slug=tide&from=2026-11-20&to=2026-11-20')).body.data.metrics.find(
      (one: { metricId: string }) => one.metricId === 'daily-traders',
    ).observations;
  await box.sim({ kind: 'growth', project: 'tide', metricId: 'daily-traders', date: '2026-11-20', value: '120' });
  expect(await value()).toEqual([{ date: '2026-11-20', value: 120 }]);
  box.clock.turn(1_000);
  await box.sim({ kind: 'growth', project: 'tide', metricId: 'daily-traders', date: '2026-11-20', value: '0' });
  expect(await value()).toEqual([{ date: '2026-11-20', value: 0 }]);
  expect((await box.get('/v1/growth-feed?slug=moss-harbor')).body.data).toMatchObject({ status: 'no_source', metrics: [] });
  await box.sim({ kind: 'growth', project: 'moss-harbor', metricId: 'fees-usd', date: '2026-11-20', value: '1.5' });
  expect((await box.get('/v1/growth-feed?slug=moss-harbor')).body.data.metrics).toHaveLength(1);
});

test.each([
  [{ kind: 'mint', project: 'nobody', amount: '1' }, 'nobody'],
  [{ kind: 'mint', project: 'tide', amount: '-1' }, 'amount'],
  [{ kind: 'mint', project: 'tide', amount: '0' }, 'amount'],
  [{ kind: 'mint', project: 'tide', amount: '1', at: '2030-01-01T00:00:00Z' }, 'future'],
  [{ kind: 'burn', project: 'tide', amount: '99999999999' }, 'half'],
  [{ kind: 'mint', project: 'tide', amount: '1', colour: 'red' }, 'colour'],
  [{ kind: 'growth', project: 'tide', metricId: 'fees-usd', date: '2026-11-21', value: '1' }, 'completed'],
  [{ kind: 'latency' }, 'milliseconds'],
  [{ kind: 'status', status: 200 }, 'status'],
  [{ kind: 'weather' }, 'kind'],
  [{ clear: 'please' }, 'clear'],
  [[], 'command'],
])('%j is refused and says why', async (command, why) => {
  const box = await openBox();
  const said = await box.sim(command);
  expect(said.status).toBe(400);
  expect(said.body.error.message).toContain(why);
  expect((await box.get('/__sim')).body.journal.facts).toBe(0);
});

test('where one of several commands cannot be, none is carried out', async () => {
  const box = await openBox();
  expect(
    (
      await box.sim([
        { kind: 'mint', project: 'tide', amount: '1' },
        { kind: 'mint', project: 'nobody', amount: '1' },
      ])
    ).status,
  ).toBe(400);
  expect((await box.sim([{ kind: 'mint', project: 'tide', amount: '1' }, { kind: 'latency' }])).status).toBe(400);
  expect((await box.get('/__sim')).body.injected).toEqual([]);
});

test('a page of another origin cannot command it: only JSON that says so is read', async () => {
  const box = await openBox();
  expect((await box.get('/__sim', { method: 'POST', body: '{"clear":true}', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
});

test('its state tells how often each path was asked for and what was injected', async () => {
  const box = await openBox();
  await box.get(LEDGER);
  await box.get('/v1/dao/token-supply?slug=alder');
  const { body: made } = await box.sim({ kind: 'mint', project: 'tide', amount: '1' });
  expect((await box.get('/__sim')).body).toMatchObject({
    at: NOON,
    pace: 1,
    requests: { '/v1/dao/token-supply': 2 },
    faults: [],
    journal: { facts: 1 },
    injected: made.injected,
  });
});

test('it tells what happens between two moments, injected or not, and how each is called', async () => {
  const box = await openBox();
  const { body: made } = await box.sim([
    { kind: 'mint', project: 'tide', amount: '1' },
    { kind: 'growth', project: 'tide', metricId: 'fees-usd', date: '2026-11-20', value: '1' },
  ]);
  const { body } = await box.get('/__sim/happenings?from=2026-11-21T11:30:00Z&to=2026-11-21T12:30:00Z');
  const alerted = body.happenings.map((one: { feed: string; subject: string; identity: string; at: number }) => ({
    feed: one.feed,
    project: one.subject,
    identity: one.identity,
    at: one.at,
  }));
  expect(alerted).toEqual(expect.arrayContaining(made.injected));
  expect(alerted.length).toBeGreaterThan(60);
  expect((await box.get('/__sim/happenings?from=2026-11-21T11:30:00Z&to=2026-11-23T12:30:00Z')).status).toBe(400);
});

test('what is said to happen to a ledger in an hour is just what its readers come to see', async () => {
  const box = await openBox();
  const all = async (): Promise<number[]> => {
    const pages = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async (page) => box.get(`/v1/dao/token-supply?slug=spindrift&limit=100&page=${page}`)),
    );
    return pages.flatMap(ids);
  };
  const before = new Set(await all());
  box.clock.turn(HOUR);
  const seen = (await all()).filter((id) => !before.has(id));
  const { body } = await box.get('/__sim/happenings?from=2026-11-21T12:00:00.001Z&to=2026-11-21T13:00:00.001Z');
  const alerted = body.happenings.filter((one: { feed: string; subject: string }) => one.feed === 'supply' && one.subject === 'spindrift');
  expect(seen.length).toBeGreaterThan(10);
  expect(new Set(seen)).toEqual(new Set(alerted.map((one: { identity: string }) => Number(one.identity))));
});

test('an injected movement is listed under its number, classed where its counterparty is alerted', async () => {
  const box = await openBox();
  const { body } = await box.sim([
    { kind: 'movement', project: 'tide', amount: '18400.25', counterparty: 'Quill Counsel' },
    { kind: 'movement', project: 'tide', amount: '7', late: true },
  ]);
  const [classed, late] = body.injected.map(({ identity }: { identity: string }) => Number(identity));
  expect(body.injected[0]).toMatchObject({ feed: 'movements', project: 'tide', at: NOON });
  expect(late).toBeLessThan(classed);
  const { data } = (await box.get('/v1/movement?slug=tide&limit=10')).body;
  expect(data.find(({ id }: { id: number }) => id === classed)).toMatchObject({ amount: '18400.25', status: 'classified' });
  expect((await box.get(`/v1/movement/${late}`)).body.data).toMatchObject({ amount: '7', status: 'unclassified', counterparty: null });
});

test.each([
  [{ kind: 'movement', project: 'tide', amount: '0' }, 'amount'],
  [{ kind: 'movement', project: 'tide', amount: '1', counterparty: 'Nobody' }, 'Quill Counsel'],
  [{ kind: 'movement', project: 'tide', amount: '1', counterparty: 'Quill Counsel', direction: 'internal' }, 'within'],
  [{ kind: 'movement', project: 'tide', amount: '1', at: '2025-01-01T00:00:00Z' }, 'accounts'],
])('%j is a movement that cannot be', async (command, why) => {
  const said = await (await openBox()).sim(command);
  expect([said.status, said.body.error.message]).toEqual([400, expect.stringContaining(why)]);
});

test('the control endpoint is refused under a name that was made to resolve here, and from a page of another site', async () => {
  const box = await openBox();
  const post = async (more: Readonly<Record<string, string>>) =>
    new Promise((resolve, reject) => {
      const { hostname: host, port } = new URL(box.url);
      const headers = { 'content-type': 'application/json', ...more };
      const sent = request({ host, port, path: '/__sim', method: 'POST', headers }, (answer) => resolve(answer.resume().statusCode));
      sent.on('error', reject).end('{"clear":true}');
    });
  expect(await post({})).toBe(200);
  expect(await post({ host: 'evil.example' })).toBe(403);
  expect(await post({ 'sec-fetch-site': 'cross-site' })).toBe(403);
});
