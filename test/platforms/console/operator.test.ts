import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { JSON_TYPE, OPERATOR, openHarness } from './harness.js';
import { CHANNEL, oneChat } from './one-chat.js';

const TOKEN = 'planted-token-of-the-console';

describe('the operator’s API', () => {
  test('lists chats by pages and runs a line for one of them as JSON', async () => {
    const { operator, ran, queries } = oneChat();
    await using harness = await openHarness({ operator });
    const list = await fetch(`${harness.url}/api/operator/chats?search=tide&state=absent&page=1`, { headers: OPERATOR });
    expect(await list.json()).toMatchObject({ total: 51, pages: 2, page: 1, chats: [{ address: CHANNEL, state: 'not-permitted' }] });
    expect((await fetch(`${harness.url}/api/operator/chats?search=&state=&page=`, { headers: OPERATOR })).status).toBe(200);
    expect(queries).toEqual([
      { search: 'tide', state: 'absent', page: 1 },
      { search: '', page: 1 },
    ]);
    const detail = await fetch(`${harness.url}/api/operator/chat?address=${encodeURIComponent(CHANNEL)}`, { headers: OPERATOR });
    expect(await detail.json()).toMatchObject({
      chat: { missing: ['Embed Links'], edits: [] },
      watchlist: expect.stringContaining('/mute 1h'),
    });
    const body = JSON.stringify({ address: CHANNEL, line: ' /mute 24h ' });
    const run = await fetch(`${harness.url}/api/operator/run`, { method: 'POST', headers: { ...JSON_TYPE, ...OPERATOR }, body });
    expect(await run.json()).toMatchObject({ text: expect.stringContaining('ran /mute 24h') });
    expect(ran.at(-1)).toEqual({ address: CHANNEL, line: '/mute 24h', by: 'operator, logged in' });
  });

  test.each([
    ['GET', 'chats?page=0', 400],
    ['GET', 'chats?page=1e9', 400],
    ['GET', `chats?search=${'x'.repeat(101)}`, 400],
    ['GET', 'chats?state=gone', 400],
    ['GET', 'chat?address=nowhere', 404],
    ['GET', `chat?address=discord/${'9'.repeat(300)}`, 404],
    ['POST', 'run', 400],
  ])('%s %s is answered with %i and changes nothing', async (method, path, status) => {
    const { operator, ran } = oneChat();
    await using harness = await openHarness({ operator });
    const headers = { ...JSON_TYPE, ...OPERATOR };
    const init = method === 'POST' ? { method, headers, body: '{"address":"discord/42"}' } : { method, headers };
    expect((await fetch(`${harness.url}/api/operator/${path}`, init)).status).toBe(status);
    expect(ran).toEqual([]);
  });

  test('is refused to another site, to a form and to a foreign host name, also with the token', async () => {
    const { operator, ran } = oneChat();
    await using harness = await openHarness({ operator });
    const own = { host: `127.0.0.1:${harness.port}`, ...JSON_TYPE, ...OPERATOR };
    const body = JSON.stringify({ address: CHANNEL, line: '/mute 24h' });
    const run = async (headers: Record<string, string>) =>
      (await harness.raw({ path: '/api/operator/run', method: 'POST', headers, body })).status;
    expect(await run({ ...own, origin: 'https://evil.example' })).toBe(403);
    expect(await run({ ...own, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await run({ ...own, host: 'evil.example' })).toBe(403);
    expect(await run({ ...own, 'content-type': 'text/plain' })).toBe(415);
    expect(await run({ ...own, 'content-type': 'multipart/form-data; boundary=x' })).toBe(400);
    expect(ran).toEqual([]);
    expect(await run(own)).toBe(200);
  });

  test('is the same with the token of the configuration, page and API', async () => {
    const { operator, ran } = oneChat();
    await using harness = await openHarness({ operator, token: TOKEN });
    expect((await fetch(`${harness.url}/api/operator/chats`)).status).toBe(401);
    expect((await fetch(`${harness.url}/operator`, { redirect: 'manual' })).status).toBe(303);
    const headers = { ...JSON_TYPE, authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.9' };
    const run = await fetch(`${harness.url}/api/operator/run`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ address: CHANNEL, line: '/mute' }),
    });
    expect(run.status).toBe(200);
    expect(await run.text()).not.toContain(TOKEN);
    expect(ran.at(-1)?.by).toBe('operator, logged in');
  });

  test('names the pages of platforms, which are as protected as it is', async () => {
    const { operator } = oneChat();
    const pages = [
      {
        platform: 'pigeon',
        title: 'Pigeons',
        files: new Hono().get('/', (c) => c.text('coop')),
        api: new Hono().get('/all', (c) => c.json([])),
      },
    ];
    await using open = await openHarness({ operator, pages });
    expect(await (await fetch(`${open.url}/api/operator/pages`, { headers: OPERATOR })).json()).toEqual({
      pages: [{ title: 'Pigeons', path: '/operator/pigeon' }],
    });
    expect(await (await fetch(`${open.url}/operator/pigeon`, { headers: OPERATOR })).text()).toBe('coop');
    const api = await fetch(`${open.url}/api/operator/pigeon/all`, { headers: OPERATOR });
    expect([api.status, api.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect((await fetch(`${open.url}/api/operator/pigeon/all`, { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(401);
    expect((await fetch(`${open.url}/api/operator/pigeon/all`, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    await using closed = await openHarness({ operator, pages, token: TOKEN });
    expect((await fetch(`${closed.url}/api/operator/pigeon/all`)).status).toBe(401);
    expect((await fetch(`${closed.url}/operator/pigeon`, { redirect: 'manual' })).status).toBe(303);
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect((await fetch(`${closed.url}/api/operator/pigeon/all`, { headers })).status).toBe(200);
  });

  test('is nowhere where there is no operator view', async () => {
    await using harness = await openHarness();
    for (const path of ['/operator', '/api/operator/chats'])
      expect((await fetch(`${harness.url}${path}`, { headers: OPERATOR })).status).toBe(404);
  });
});
