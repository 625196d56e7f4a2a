import { once } from 'node:events';
import { connect } from 'node:net';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { closed, listen } from '../../src/base/http-server.js';
import { SECOND } from '../../src/base/clock.js';
import { signalOnce } from '../../src/base/when-ready.js';
import { handClock } from '../support/clock.js';

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
