import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { recentLaunches } from '../../src/analytics/endpoints/launches.js';
import { projectUrl } from '../../src/analytics/endpoints/project.js';
import { supplyEvents, supplyOverview } from '../../src/analytics/endpoints/supply.js';
import { type Trouble } from '../../src/analytics/errors.js';
import { createTransport } from '../../src/analytics/transport.js';
import { OVERVIEW, answerWith, caught, connect, reply, serve, tide, type Asked } from '../support/service.js';

describe('a request', () => {
  test('carries the key, asks for plain JSON and puts each field where the interface wants it', async () => {
    const service = await serve((asked) => answerWith(asked, asked.path.startsWith('/base/v1/url/') ? null : []));
    const { analytics } = await connect(`${service.url}/base/`);
    await analytics.call(supplyEvents, { slug: 'a b&c', limit: 5 });
    await analytics.call(projectUrl, { project: 'x/../y' });
    expect(service.asked.map(({ response }) => response.req.url)).toEqual([
      '/base/v1/dao/token-supply?limit=5&slug=a+b%26c',
      '/base/v1/url/x%2F..%2Fy',
    ]);
    expect(service.asked[0]?.headers).toMatchObject({
      'x-api-key': 'key-of-the-test',
      accept: 'application/json',
      'accept-encoding': 'identity',
    });
  });

  test('never leaves the path of its row, whatever a name is made of', async () => {
    const service = await serve((asked) => answerWith(asked, null));
    const { analytics } = await connect(service.url);
    expect(await caught(analytics.call(projectUrl, { project: '..' }))).toMatchObject({ trouble: 'unknown' });
    expect(service.asked).toHaveLength(0);
  });

  test('follows no redirect, so the key reaches no other host', async () => {
    const other = await serve((asked) => answerWith(asked, OVERVIEW));
    const service = await serve((asked) =>
      reply(asked, '', { status: 302, headers: { location: `${other.url}/v1/dao/token-supply/overview` } }),
    );
    const { analytics } = await connect(service.url);
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ trouble: 'malformed' });
    expect(other.asked).toHaveLength(0);
  });
});

test.each([200, 503])('what the service says of the time is passed on, with the status %i too', async (status) => {
  const date = 'Fri, 20 Nov 2026 12:00:00 GMT';
  const service = await serve((asked) => reply(asked, '{}', { status, headers: { date } }));
  const dates: unknown[] = [];
  const transport = createTransport({
    ...{ baseUrl: service.url, apiKey: undefined, maxBytes: 1_000, connections: 1, onDate: (header) => dates.push(header) },
  });
  await transport.send({ path: '/v1/any', signal: new AbortController().signal });
  await transport.close();
  expect(dates).toEqual([date]);
});

test('a process that is active no longer changes nothing at the service, but still reads', async () => {
  const service = await serve((asked) => answerWith(asked, []));
  const transport = createTransport({ baseUrl: service.url, apiKey: 'key', maxBytes: 1_000, connections: 1, isActive: () => false });
  const { signal } = new AbortController();
  expect(await transport.send({ path: '/v1/refresh', body: '{}', signal })).toEqual({ kind: 'broken', code: 'NOT_ACTIVE' });
  expect(await transport.send({ path: '/v1/launches', signal })).toMatchObject({ kind: 'body' });
  expect(service.asked.map(({ path }) => path)).toEqual(['/v1/launches']);
  await transport.close();
});

describe('what an answer means', () => {
  const cases: readonly (readonly [string, (asked: Asked) => void, Trouble])[] = [
    ['401', (asked) => reply(asked, '{}', { status: 401 }), 'key-refused'],
    ['403', (asked) => reply(asked, '{}', { status: 403 }), 'forbidden'],
    ['404', (asked) => reply(asked, 'no', { status: 404 }), 'unknown'],
    ['400', (asked) => reply(asked, '', { status: 400 }), 'rejected'],
    ['no JSON', (asked) => reply(asked, '<html>busy</html>'), 'malformed'],
    ['an empty body', (asked) => reply(asked, ''), 'malformed'],
    ['a list where the envelope should be', (asked) => reply(asked, '[]'), 'malformed'],
    ['no data', (asked) => reply(asked, '{"meta":{}}'), 'malformed'],
    ['null for an object', (asked) => answerWith(asked, null), 'malformed'],
    ['bytes that are no text', (asked) => reply(asked, Buffer.from([0xff, 0xfe, 0x80])), 'malformed'],
    ['brackets beyond all measure', (asked) => reply(asked, `{"data":${'['.repeat(200_000)}`), 'malformed'],
    ['what only pretends to be packed', (asked) => reply(asked, 'plain', { headers: { 'content-encoding': 'gzip' } }), 'malformed'],
  ];
  for (const [what, answer, trouble] of cases) {
    test(`${what} is ${trouble}, asked once`, async () => {
      const service = await serve(answer);
      const { analytics } = await connect(service.url);
      expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ trouble, row: 'supply.overview' });
      expect(service.asked).toHaveLength(1);
    });
  }

  test('404 for a list that names nothing is no missing project', async () => {
    const service = await serve((asked) => reply(asked, '', { status: 404 }));
    const { analytics } = await connect(service.url);
    expect(await caught(analytics.call(recentLaunches, { limit: 10 }))).toMatchObject({ trouble: 'rejected' });
  });

  test('a field that does not fit is named by its path, and nothing of the body is quoted', async () => {
    const service = await serve((asked) => answerWith(asked, { totalItems: 'planted-secret' }));
    const { analytics } = await connect(service.url);
    const error = await caught(analytics.call(supplyEvents, tide));
    expect(error.message).toContain('"data"');
    expect(error.message).not.toContain('planted-secret');
  });

  test('a packed answer within the size is read all the same', async () => {
    const service = await serve((asked) =>
      reply(asked, gzipSync(JSON.stringify({ data: OVERVIEW })), { headers: { 'content-encoding': 'gzip' } }),
    );
    const { analytics } = await connect(service.url);
    expect((await analytics.call(supplyOverview, tide)).data.supply).toBe('100');
  });

  test('a bomb of packed zeros is stopped at the size it unpacks to', async () => {
    const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024, ' '));
    expect(bomb.byteLength).toBeLessThan(64 * 1024);
    const service = await serve((asked) => reply(asked, bomb, { headers: { 'content-encoding': 'gzip' } }));
    const { analytics } = await connect(service.url, { maxBytes: 64 * 1024 });
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({
      trouble: 'malformed',
      message: expect.stringContaining('larger') as string,
    });
  });

  test('a plain flood is left before its end', async () => {
    let flooding = true;
    const service = await serve(({ response }) => {
      response.on('close', () => (flooding = false));
      const pour = (): void => {
        if (flooding && response.write(Buffer.alloc(16 * 1024, ' '))) pour();
        else if (flooding) response.once('drain', pour);
      };
      pour();
    });
    const { analytics } = await connect(service.url, { maxBytes: 64 * 1024 });
    expect(await caught(analytics.call(supplyOverview, tide))).toMatchObject({ trouble: 'malformed' });
  });
});
