import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { DAY, MINUTE } from '../../../src/base/clock.js';
import { handClock } from '../../support/clock.js';
import { JSON_TYPE, OPERATOR, openHarness, type ConsoleHarness } from './harness.js';
import { oneChat } from './one-chat.js';

const TOKEN = 'a token of some length';
const FORM = { 'content-type': 'multipart/form-data; boundary=edge' };
const fieldOf = (name: string, value: string) => `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const formOf = (token: string, to = '/') => `${fieldOf('token', token)}${fieldOf('to', to)}--edge--\r\n`;
const submit = async (harness: ConsoleHarness, token: string, { to = '/', headers = {} } = {}) =>
  harness.raw({ path: '/login', method: 'POST', headers: { ...FORM, ...headers }, body: formOf(token, to) });
const cookieOf = (headers: { readonly 'set-cookie'?: string[] }): string => headers['set-cookie']?.[0] ?? '';
const pairOf = (cookie: string): string => cookie.split(';')[0] ?? '';

async function codeOf(harness: ConsoleHarness): Promise<string> {
  const init = { method: 'POST', headers: { ...JSON_TYPE, ...OPERATOR }, body: '{}' };
  return z.object({ code: z.string() }).parse(await (await fetch(`${harness.url}/api/operator/code`, init)).json()).code;
}

/** What is the operator's: none of it may be open to a request only because it seems to come from this machine. */
const OPERATED: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/api/operator/chats'],
  ['GET', '/api/operator/chat?address=discord/42'],
  ['GET', '/api/operator/export'],
  ['GET', '/api/operator/pages'],
  ['POST', '/api/operator/run'],
  ['POST', '/api/operator/code'],
  ['POST', '/api/operator/webhook/endpoints'],
];

/** A reverse proxy as nginx is with `proxy_pass` alone: it adds no header and asks for the host that it forwards to. */
async function proxyTo({ port }: ConsoleHarness): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const forwarded = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, host: `127.0.0.1:${port}` } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('without CONSOLE_TOKEN', () => {
  test('this machine may ask without a login, also by a proxy that adds no header; nothing of the operator’s is open there', async () => {
    const { operator, ran } = oneChat();
    await using harness = await openHarness({ operator });
    for (const base of [harness.url, await proxyTo(harness)]) {
      const body = JSON.stringify({ text: '/help' });
      expect((await fetch(`${base}/api/chats/main/messages`, { method: 'POST', headers: JSON_TYPE, body })).status).toBe(200);
      for (const [method, path] of OPERATED) {
        const init = method === 'GET' ? { method } : { method, headers: JSON_TYPE, body: '{}' };
        expect([path, (await fetch(`${base}${path}`, init)).status]).toEqual([path, 401]);
      }
      const page = await fetch(`${base}/operator`, { redirect: 'manual' });
      expect([page.status, page.headers.get('location')]).toEqual([303, '/login?to=%2Foperator']);
    }
    expect(ran).toEqual([]);
  });

  test.each([
    ['via', '1.1 proxy'],
    ['forwarded', 'for=203.0.113.9'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-host', 'localhost'],
    ['x-forwarded-port', '443'],
    ['x-real-ip', '127.0.0.1'],
    ['x-client-ip', '127.0.0.1'],
    ['cf-connecting-ip', '203.0.113.9'],
    ['cf-ray', '1'],
    ['true-client-ip', '203.0.113.9'],
  ])('a request with the header %s comes from elsewhere and needs a login', async (name, value) => {
    await using harness = await openHarness();
    const status = async (headers: Record<string, string>) =>
      (await harness.raw({ path: '/api/chats', headers: { [name]: value, ...headers } })).status;
    expect([await status({}), await status(OPERATOR)]).toEqual([401, 200]);
  });

  test('another host name than that of this machine is never this machine', async () => {
    await using harness = await openHarness({ hosts: ['watch.example'] });
    const status = async (host: string) => (await harness.raw({ path: '/api/chats', headers: { host } })).status;
    expect([await status('watch.example'), await status('localhost')]).toEqual([401, 200]);
  });
});

describe('with CONSOLE_TOKEN', () => {
  test('a program needs it as a bearer', async () => {
    await using harness = await openHarness({ token: TOKEN });
    const ask = async (authorization?: string) =>
      (await harness.raw({ path: '/api/chats', headers: authorization === undefined ? {} : { authorization } })).status;
    expect(await ask()).toBe(401);
    expect(await ask(`Bearer ${TOKEN}x`)).toBe(401);
    expect(await ask('Bearer ')).toBe(401);
    expect(await ask(`Basic ${TOKEN}`)).toBe(401);
    expect(await ask(`Bearer ${TOKEN}`)).toBe(200);
    expect((await harness.raw({ path: '/api/chats/main/events' })).status).toBe(401);
  });

  test('a person logs in once and gets a cookie that is not the token', async () => {
    await using harness = await openHarness({ token: TOKEN });
    const door = await harness.raw({ path: '/' });
    expect([door.status, door.headers.location]).toEqual([303, '/login']);
    expect((await harness.raw({ path: '/login' })).body).toContain('<form');
    const wrong = await submit(harness, 'guess');
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined]);
    const right = await submit(harness, TOKEN);
    const cookie = cookieOf(right.headers);
    expect([right.status, right.headers.location]).toEqual([303, '/']);
    expect(cookie).toMatch(/HttpOnly/u);
    expect(cookie).toMatch(/SameSite=Strict/u);
    expect(decodeURIComponent(cookie)).not.toContain(TOKEN);
    const pair = pairOf(cookie);
    expect((await harness.raw({ path: '/api/chats', headers: { cookie: pair } })).status).toBe(200);
    expect((await harness.raw({ path: '/', headers: { cookie: pair } })).status).toBe(200);
    expect((await harness.raw({ path: '/api/chats', headers: { cookie: `${pair}x` } })).status).toBe(401);
    expect((await harness.raw({ path: '/api/chats', headers: { cookie: pair, origin: 'https://evil.example' } })).status).toBe(403);
  });

  test('a login of megabytes is refused', async () => {
    await using harness = await openHarness({ token: TOKEN });
    expect((await submit(harness, 'x'.repeat(10_000))).status).toBe(413);
  });
});

describe('a login link', () => {
  test('logs one browser in: its code is used up by that', async () => {
    const { operator } = oneChat();
    await using harness = await openHarness({ operator });
    const code = await codeOf(harness);
    expect(code).toMatch(/^[\w-]{43}$/u);
    const first = await submit(harness, code);
    expect(first.status).toBe(303);
    const cookie = pairOf(cookieOf(first.headers));
    expect((await harness.raw({ path: '/api/operator/chats', headers: { cookie } })).status).toBe(200);
    expect((await submit(harness, code)).status).toBe(401);
  });

  test('works for ten minutes, and opening its page uses nothing up', async () => {
    const clock = handClock();
    await using harness = await openHarness({ clock });
    const [early, late] = [await codeOf(harness), await codeOf(harness)];
    await harness.raw({ path: `/login?code=${early}` });
    await clock.advance(10 * MINUTE - 1);
    expect((await submit(harness, early)).status).toBe(303);
    await clock.advance(1);
    expect((await submit(harness, late)).status).toBe(401);
  });

  test('a login ends after thirty days, and with the token it was made by', async () => {
    const clock = handClock();
    await using harness = await openHarness({ clock, token: TOKEN });
    await using rotated = await openHarness({ clock, token: `${TOKEN}2` });
    const cookie = pairOf(cookieOf((await submit(harness, TOKEN)).headers));
    const status = async (bot: ConsoleHarness) => (await bot.raw({ path: '/api/chats', headers: { cookie } })).status;
    expect([await status(harness), await status(rotated)]).toEqual([200, 401]);
    // The date in the cookie cannot be changed.
    const longer = cookie.replace(/=(\d+)/u, (_, until: string) => `=${Number(until) + DAY}`);
    await clock.advance(30 * DAY);
    expect(await status(harness)).toBe(401);
    expect((await harness.raw({ path: '/api/chats', headers: { cookie: longer } })).status).toBe(401);
  });

  test.each([
    ['/operator', '/operator'],
    ['/operator/webhook', '/operator/webhook'],
    ['https://evil.example/', '/'],
    ['//evil.example', '/'],
    ['/operator/../../evil', '/'],
  ])('leads back to %s as %s', async (to, location) => {
    await using harness = await openHarness({ token: TOKEN });
    expect((await submit(harness, TOKEN, { to })).headers.location).toBe(location);
  });

  test.each([
    [{ host: 'watch.example', origin: 'https://watch.example' }, true],
    [{ 'x-forwarded-proto': 'https' }, true],
    [{ forwarded: 'for=203.0.113.9;proto=https' }, true],
    [{}, false],
  ])('with %j sets a cookie that is for TLS only: %s', async (headers, isSecure) => {
    await using harness = await openHarness({ token: TOKEN, hosts: ['watch.example'] });
    expect(/; Secure/u.test(cookieOf((await submit(harness, TOKEN, { headers })).headers))).toBe(isSecure);
  });

  test('is not taken from a page of another site', async () => {
    await using harness = await openHarness();
    const code = await codeOf(harness);
    expect((await submit(harness, code, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await submit(harness, code)).status).toBe(303);
  });
});
