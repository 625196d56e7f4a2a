import { DiscordAPIError, HTTPError, RateLimitError, REST } from 'discord.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handClock } from '../../support/clock.js';
import { ask } from './caller.js';
import { startDiscord } from './start.js';
import type { DiscordStandIn, Id } from './types.js';

const MESSAGES = '/channels/:channel/messages';
let discord: DiscordStandIn;
let channel: Id;
let rest: REST;

const open = async (more = {}): Promise<void> => {
  discord = await startDiscord({ token: 'planted', clock: handClock(), ...more });
  channel = discord.controls.addChannel({ guild: discord.controls.addGuild() });
  rest = new REST({ api: discord.url, version: '10', rejectOnRateLimit: () => true, retries: 0 }).setToken('planted');
};
beforeEach(async () => open());
afterEach(async () => {
  rest.clearHashSweeper();
  rest.clearHandlerSweeper();
  await discord.close();
});

const post = async (content = 'x', more = {}) => rest.post(`/channels/${channel}/messages`, { body: { content, ...more } });
const thrown = async (call: Promise<unknown>): Promise<unknown> => call.then(() => undefined).catch((cause: unknown) => cause);
const standing = () => discord.controls.messages(channel).map(({ content }) => content);

describe('answers that fail', () => {
  test.each([500, 502, 503, 504] as const)('%i, before and after the message was stored', async (status) => {
    discord.controls.faults.next({ kind: 'status', status }, { method: 'POST' });
    expect(await thrown(post('lost'))).toBeInstanceOf(HTTPError);
    expect(standing()).toEqual([]);
    discord.controls.faults.next({ kind: 'store-then-status', status }, { method: 'POST' });
    expect(await thrown(post('stands'))).toMatchObject({ status });
    expect(standing()).toEqual(['stands']);
  });
  test('a line that is cut, before and after', async () => {
    discord.controls.faults.next({ kind: 'cut' });
    expect(await thrown(post('lost'))).toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(standing()).toEqual([]);
    discord.controls.faults.next({ kind: 'store-then-cut' });
    expect(await thrown(post('stands'))).toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(standing()).toEqual(['stands']);
    expect(discord.transcript.calls('POST').map(({ status }) => status)).toEqual([0, 0]);
  });
  test('a client that tries again under its nonce gets the message that stands', async () => {
    rest.options.retries = 1;
    discord.controls.faults.next({ kind: 'store-then-status', status: 502 });
    expect(await post('once', { nonce: 'n', enforce_nonce: true })).toMatchObject({ content: 'once' });
    expect(discord.transcript.calls('POST')).toHaveLength(2);
    expect(standing()).toEqual(['once']);
  });
  test.each(['hang', 'store-then-hang'] as const)('a call that hangs ends when the test lets go: %s', async (kind) => {
    const planned = discord.controls.faults.next({ kind });
    const call = thrown(post('hung'));
    await planned.hit;
    await discord.transcript.waitForCall(({ status }) => status === 0);
    expect(standing()).toEqual(kind === 'hang' ? [] : ['hung']);
    planned.clear();
    expect(await call).toBeInstanceOf(Error);
  });
  test('a slow one is answered when the test says so', async () => {
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    const planned = discord.controls.faults.next({ kind: 'slow', until });
    const call = post('slow');
    await planned.hit;
    expect(standing()).toEqual([]);
    release();
    expect(await call).toMatchObject({ content: 'slow' });
  });
  test("a refusal of the test's own, so many times, on one route", async () => {
    const planned = discord.controls.faults.next(
      { kind: 'refused', status: 403, code: 50013 },
      { times: 2, method: 'POST', path: /messages$/ },
    );
    await rest.get(`/channels/${channel}`);
    for (let round = 0; round < 2; round += 1) expect(await thrown(post())).toBeInstanceOf(DiscordAPIError);
    expect(planned.left()).toBe(0);
    expect(await post()).toMatchObject({ content: 'x' });
  });
  test('a fault taken back never strikes', async () => {
    discord.controls.faults.next({ kind: 'cut' }).clear();
    expect(await post()).toMatchObject({ content: 'x' });
  });
});

describe('rate limits', () => {
  test('headers count a bucket down, and the call too many gets 429', async () => {
    discord.controls.limit('POST', MESSAGES, { limit: 2, windowMs: 600_000 });
    const say = async (to = channel) => ask(discord, `POST /channels/${to}/messages`, { body: { content: 'x' } });
    const first = await say();
    expect(Object.fromEntries(first.headers)).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' });
    expect((await say()).headers.get('x-ratelimit-remaining')).toBe('0');
    const over = await say();
    const { retry_after: wait } = over.body as { retry_after: number };
    expect(over).toMatchObject({ status: 429, body: { global: false } });
    expect(wait).toBeGreaterThan(590);
    expect(Number(over.headers.get('retry-after'))).toBe(Math.ceil(wait));
    expect(over.headers.get('x-ratelimit-scope')).toBe('user');
    expect(over.headers.get('x-ratelimit-bucket')).toBe(first.headers.get('x-ratelimit-bucket'));
    expect(standing()).toHaveLength(2);
    expect(discord.controls.invalidRequests()).toBe(1);
    // Another channel has a bucket of its own.
    const other = discord.controls.addChannel({ guild: discord.controls.addGuild() });
    expect((await say(other)).status).toBe(200);
  });
  test('the library reads the headers and does not even ask', async () => {
    discord.controls.limit('POST', MESSAGES, { limit: 2, windowMs: 600_000 });
    // From the first answer it learns the bucket, from the second that it is empty.
    await post();
    await post();
    expect(await thrown(post())).toBeInstanceOf(RateLimitError);
    expect(discord.transcript.calls('POST')).toHaveLength(2);
  });
  test('one for everything, which interactions do not count', async () => {
    await discord.close();
    await open({ globalBucket: { limit: 1, windowMs: 600_000 } });
    await ask(discord, `GET /channels/${channel}`);
    const over = await ask(discord, `GET /channels/${channel}`);
    expect(over).toMatchObject({ status: 429, body: { global: true } });
    expect(over.headers.get('x-ratelimit-global')).toBe('true');
    expect(over.headers.get('x-ratelimit-scope')).toBe('global');
    expect(await ask(discord, 'POST /interactions/1/t/callback', { body: { type: 4 } })).toMatchObject({ status: 404 });
  });
  test.each(['user', 'shared', 'global'] as const)('a planned 429 of scope %s', async (scope) => {
    discord.controls.faults.next({ kind: 'limited', retryAfter: 43_837.5, scope });
    const limited = await thrown(post());
    expect(limited).toBeInstanceOf(RateLimitError);
    expect(limited).toMatchObject({ global: scope === 'global', scope, retryAfter: expect.closeTo(43_838_000, -4) as unknown });
    // Of a limit that others share the platform does not hold us guilty.
    expect(discord.controls.invalidRequests()).toBe(scope === 'shared' ? 0 : 1);
  });
});

describe('the transcript', () => {
  test('keeps what was sent, with its files, and what was answered', async () => {
    await ask(discord, `POST /channels/${channel}/messages`, {
      body: { content: 'x' },
      files: { 'a.png': new TextEncoder().encode('abc') },
    });
    const [call] = discord.transcript.calls('POST', /messages$/);
    expect(call).toMatchObject({
      path: `/channels/${channel}/messages`,
      body: { content: 'x' },
      files: [{ name: 'a.png', size: 3 }],
      status: 200,
    });
    expect(call?.breaches).toEqual([]);
    expect(JSON.stringify(discord.transcript.entries)).not.toContain('planted');
    discord.transcript.clear();
    expect(discord.transcript.calls()).toEqual([]);
  });
  test('a wait that cannot end any more says so', async () => {
    const waiting = thrown(discord.controls.waitFor(() => false));
    await discord.close();
    expect(await waiting).toMatchObject({ message: expect.stringContaining('closed') as unknown });
    await discord.close();
  });
});
