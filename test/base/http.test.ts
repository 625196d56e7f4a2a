import { once } from 'node:events';
import { connect } from 'node:net';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { SECOND } from '../../src/base/clock.js';
import { closed, guard, limitedBody, listen } from '../../src/base/http.js';
import { signalOnce } from '../../src/base/when-ready.js';
import { OPERATOR, openHarness } from '../platforms/console/harness.js';
import { handClock } from '../support/clock.js';

test('a refusal of the guard is not sniffed for another type', async () => {
  const app = new Hono().use(guard([])).get('/', (c) => c.text('here'));
  const { status, headers } = await app.request('http://elsewhere.example/', { headers: { host: 'elsewhere.example' } });
  expect([status, headers.get('x-content-type-options')]).toEqual([403, 'nosniff']);
});

test('answers at its address until it is closed, and a second server on its port is refused', async () => {
  const app = new Hono().get('/', (c) => c.text('here'));
  const { server, url } = await listen(app, { host: '127.0.0.1', port: 0 });
  expect(await (await fetch(url)).text()).toBe('here');
  await expect(listen(app, { host: '127.0.0.1', port: Number(new URL(url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await closed(server, { clock: handClock() });
  await expect(fetch(url)).rejects.toThrow();
});

test.each([
  ['half of its header', 'GET / HTTP/1.1\r\nHost: '],
  ['half of its body', 'POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\nhalf'],
])('a request of which only %s has come is cut when the server closes', async (_, half) => {
  const clock = handClock();
  const begun = signalOnce();
  const app = new Hono().post('/', async (c) => {
    begun.signal();
    return c.text(await c.req.text());
  });
  const { server, url } = await listen(app, { host: '127.0.0.1', port: 0 });
  const connected = once(server, 'connection');
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  const cut = once(socket, 'close');
  await connected;
  socket.write(half);
  if (half.startsWith('POST')) await begun.done;
  const closing = closed(server, { clock });
  await clock.advance(2 * SECOND);
  await closing;
  await cut;
  expect(socket.destroyed).toBe(true);
});

test('a refusal before the body has come says that the connection closes, and one that has read the body does not', async () => {
  const app = new Hono()
    .post('/limited', limitedBody({ maxSize: 10, onError: (c) => c.text('too large', 413) }), (c) => c.text('here'))
    .post('/read', async (c) => c.text(await c.req.text(), 400));
  const { server, url } = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(async () => closed(server, { clock: handClock() }));
  const heads: Record<string, readonly unknown[]> = {};
  for (const [path, body] of [
    ['limited', 'half'],
    ['read', 'x'.repeat(100)],
  ] as const) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`POST /${path} HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\n${body}`);
    const [head]: unknown[] = await once(socket, 'data');
    heads[`${path} ${body.length}`] = [/ (\d+) /u.exec(String(head))?.[1], /^connection: (.*)$/imu.exec(String(head))?.[1]];
    socket.destroy();
  }
  expect(heads).toEqual({ 'limited 4': ['413', 'close'], 'read 100': ['400', 'keep-alive'] });
});

test('a body is limited whether or not its length is stated', async () => {
  const app = new Hono().post('/', limitedBody({ maxSize: 10, onError: (c) => c.text('too large', 413) }), async (c) =>
    c.text(await c.req.text()),
  );
  const { server, url } = await listen(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(async () => closed(server, { clock: handClock() }));
  const answerTo = async (body: string | ReadableStream) => {
    const response = await fetch(url, { method: 'POST', body, duplex: 'half' });
    return [response.status, await response.text()];
  };
  for (const sent of [(text: string) => text, (text: string) => new Blob([text]).stream()]) {
    expect(await answerTo(sent('x'.repeat(10)))).toEqual([200, 'x'.repeat(10)]);
    expect(await answerTo(sent('x'.repeat(11)))).toEqual([413, 'too large']);
  }
});

test('what is answered while the server closes has the time that it needs', async () => {
  const clock = handClock();
  const [asked, answered] = [signalOnce(), signalOnce()];
  const app = new Hono().get('/', async (c) => {
    asked.signal();
    await answered.done;
    return c.text('late');
  });
  const { server, url } = await listen(app, { host: '127.0.0.1', port: 0 });
  const response = fetch(url);
  await asked.done;
  const closing = closed(server, { clock, work: answered.done });
  await clock.advance(60 * SECOND);
  answered.signal();
  expect(await (await response).text()).toBe('late');
  await closing;
});

test.each(['localhost', 'localhost:1', '127.0.0.1:8787', '[::1]:8787', 'LOCALHOST'])('answers to the loopback name %s', async (host) => {
  await using harness = await openHarness();
  expect((await harness.raw({ path: '/api/chats', headers: { host } })).status).toBe(200);
});

test.each(['evil.example', 'evil.example:8787', 'localhost.evil.example', '127.0.0.1.nip.io', '10.0.0.5', 'a b'])(
  'a name that was made to resolve here is refused: "%s"',
  async (host) => {
    await using harness = await openHarness();
    for (const path of ['/', '/api/chats', '/page/page.js']) {
      const answer = await harness.raw({ path, headers: { host } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
  },
);

test('a request that names no host is refused', async () => {
  const app = new Hono().use(guard('any')).get('/', (c) => c.text('in'));
  expect((await app.request('/')).status).toBe(403);
});

test('a configured name is answered to, and any name when that is configured', async () => {
  await using named = await openHarness({ hosts: ['Watch.Example'] });
  expect((await named.raw({ path: '/api/chats', headers: { host: 'watch.example:443', ...OPERATOR } })).status).toBe(200);
  expect((await named.raw({ path: '/api/chats', headers: { host: 'other.example' } })).status).toBe(403);
  await using any = await openHarness({ hosts: 'any' });
  expect((await any.raw({ path: '/api/chats', headers: { host: 'other.example', ...OPERATOR } })).status).toBe(200);
  expect((await any.raw({ path: '/api/chats', headers: { host: 'other.example', origin: 'https://evil.example' } })).status).toBe(403);
});

test.each([
  ['http://localhost:8787', 'localhost:8787', 200],
  ['http://localhost', 'localhost:80', 200],
  ['https://localhost', 'localhost', 200],
  ['https://localhost', 'localhost:443', 200],
  ['http://localhost:3000', 'localhost:8787', 403],
  ['http://127.0.0.1:8787', 'localhost:8787', 403],
  ['https://evil.example', 'localhost:8787', 403],
  ['null', 'localhost:8787', 403],
  ['', 'localhost:8787', 403],
  ['file://', 'localhost:8787', 403],
])('a page from "%s" that talks to %s gets %i', async (origin, host, status) => {
  const app = new Hono().use(guard([])).get('/', (c) => c.text('in'));
  expect((await app.request('/', { headers: { origin, host } })).status).toBe(status);
});

test.each([
  ['cross-site', 'image', '/api/chats/main/events', 403],
  ['cross-site', 'document', '/api/chats', 403],
  ['same-site', 'script', '/page/page.js', 403],
  ['cross-site', 'iframe', '/', 403],
  ['cross-site', 'document', '/', 200],
  ['same-origin', 'empty', '/api/chats', 200],
  ['none', 'document', '/api/chats', 200],
])('what a browser loads %s as %s from %s, without an Origin, gets %i', async (site, dest, path, status) => {
  const app = new Hono().use(guard([])).get('*', (c) => c.text('in'));
  const headers = { host: 'localhost:8787', 'sec-fetch-site': site, 'sec-fetch-dest': dest };
  expect((await app.request(path, { headers })).status).toBe(status);
});

test('a page of another site cannot ask', async () => {
  let asked = 0;
  await using harness = await openHarness({
    answer: async () => {
      asked += 1;
      throw new Error('never reached');
    },
  });
  const answer = await harness.raw({
    path: '/api/chats/main/messages',
    method: 'POST',
    headers: { origin: 'https://evil.example' },
    body: '{"text":"/watch all"}',
  });
  expect(answer.status).toBe(403);
  expect(JSON.parse(answer.body)).toEqual({ error: expect.stringContaining('another site') });
  expect(asked).toBe(0);
});

test('the page may load its own files and nothing else, and run no script written into it', async () => {
  await using harness = await openHarness();
  const { headers, body } = await harness.raw({ path: '/' });
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-cache');
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|style=|https?:\/\//);
});

test.each(['/page/../console.ts', '/page/%2e%2e/console.ts', '/page/..%2fconsole.ts', '/page//etc/passwd', '/page/'])(
  "%s leads out of the page's folder nowhere",
  async (path) => {
    await using harness = await openHarness();
    expect((await harness.raw({ path })).body).not.toMatch(/createConsole|root:/);
  },
);

test.each([
  ['cross-site', 'application/json', 403],
  ['same-origin', 'application/json', 200],
  ['none', 'multipart/form-data; boundary=x', 200],
  [undefined, 'Application/JSON; charset=utf-8', 200],
  [undefined, 'application/jsonp', 415],
  ['same-origin', 'text/plain', 415],
  [undefined, 'application/x-www-form-urlencoded', 415],
  [undefined, undefined, 415],
])('a change with Sec-Fetch-Site %s and a body of type %s gets %i; reading needs no body type', async (site, type, status) => {
  const app = new Hono().use(guard([])).all('/', (c) => c.text('in'));
  const headers = { host: 'localhost', ...(site && { 'sec-fetch-site': site }), ...(type && { 'content-type': type }) };
  expect((await app.request('/', { method: 'POST', headers })).status).toBe(status);
  expect((await app.request('/', { method: 'DELETE', headers })).status).toBe(status);
  expect((await app.request('/', { headers })).status).toBe(status === 415 ? 200 : status);
});

test("what the page's tools read is not served", async () => {
  await using harness = await openHarness();
  expect((await harness.raw({ path: '/page/tsconfig.json' })).status).toBe(404);
  expect((await harness.raw({ path: '/page/page.js' })).status).toBe(200);
  expect((await harness.raw({ path: '/page/icon.svg' })).status).toBe(200);
});
