import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { closed, listen } from '../../src/base/http-server.js';

test('answers at its address until it is closed, and a second server on its port is refused', async () => {
  const app = new Hono().get('/', (c) => c.text('here'));
  const { server, url } = await listen(app, { host: '127.0.0.1', port: 0 });
  expect(await (await fetch(url)).text()).toBe('here');
  await expect(listen(app, { host: '127.0.0.1', port: Number(new URL(url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await closed(server);
  await expect(fetch(url)).rejects.toThrow();
});
