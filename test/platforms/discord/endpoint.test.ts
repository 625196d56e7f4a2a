import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { discord } from '../../../src/platforms/discord/descriptor.js';
import { openHarness, openPublicServer, textOf, TOKEN, type DiscordHarness } from './harness.js';

let server: Awaited<ReturnType<typeof openPublicServer>>;
let url: string;
let harness: DiscordHarness | undefined;

const opened = async (): Promise<DiscordHarness> => {
  harness = await openHarness({ interactionsUrl: url });
  return harness;
};
const isSetTo = async ({ discord: { controls } }: DiscordHarness, address: string | undefined) =>
  controls.waitFor(() => controls.endpoint.url === address);
const slash = ({ discord: { controls }, channel, anna: user }: DiscordHarness) =>
  controls.slash({ channel, user, command: 'premium', options: { project: 'tide' } });
const post = async (body: string, headers: Readonly<Record<string, string>>) =>
  (await fetch(url, { method: 'POST', body, headers })).status;

beforeEach(async () => {
  server = await openPublicServer(() => harness);
  ({ url } = server);
});
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  await server.close();
});

describe('with an address for interactions', () => {
  test('commands, buttons and completion come by it and none over the gateway', async () => {
    const { discord: standIn, inbounds, connect, ...rest } = await opened();
    const { controls } = standIn;
    await connect();
    await isSetTo(harness!, url);
    const asked = slash(harness!);
    expect(textOf(await asked.reply())).toContain('premium');
    expect(await asked.acknowledged()).toMatchObject({ kind: 'message' });
    const choices = await controls.autocomplete({
      channel: rest.channel,
      user: rest.anna,
      command: 'premium',
      focused: 'project',
      options: { project: 'ti' },
    });
    expect(choices.map(({ value }) => value)).toEqual(['tide', 'tideway']);
    expect(inbounds).toHaveLength(1);
    expect(standIn.transcript.events('INTERACTION_CREATE')).toEqual([]);
    await controls.waitFor(() => controls.endpoint.answers.length === 2);
    expect(controls.endpoint.answers).toEqual([202, 202]);
    expect(controls.endpoint.breaches).toEqual([]);
  });

  test('what Discord did not sign, or signed long ago, is refused and changes nothing', async () => {
    const { discord: standIn, inbounds, connect, clock } = await opened();
    expect(await post('{"type":1}', standIn.controls.endpoint.signed('{"type":1}'))).toBe(503);
    await connect();
    await isSetTo(harness!, url);
    const { signed } = standIn.controls.endpoint;
    const ping = '{"type":1}';
    const now = Math.floor(clock.now() / SECOND);
    expect(await post(ping, signed(ping))).toBe(200);
    expect(await post(ping, {})).toBe(401);
    expect(await post(ping, { ...signed(ping), 'x-signature-ed25519': '' })).toBe(401);
    expect(await post(ping, { ...signed(ping), 'x-signature-ed25519': 'ff'.repeat(64) })).toBe(401);
    expect(await post('{"type":2}', signed(ping))).toBe(401);
    expect(await post(ping, { ...signed(ping), 'x-signature-timestamp': String(now - 1) })).toBe(401);
    expect(await post(ping, signed(ping, now - 16 * 60))).toBe(401);
    expect(await post('no JSON', signed('no JSON'))).toBe(400);
    expect(await post('{"type":99}', signed('{"type":99}'))).toBe(202);
    const large = JSON.stringify({ type: 1, padding: 'x'.repeat(2_000_000) });
    expect(await post(large, signed(large))).toBe(413);
    expect(inbounds).toEqual([]);
  });

  test('an interaction that is posted twice is answered once', async () => {
    const { discord: standIn, inbounds, connect } = await opened();
    await connect();
    await isSetTo(harness!, url);
    const { endpoint, waitFor } = standIn.controls;
    const bodies: string[] = [];
    const { post: deliver } = endpoint;
    endpoint.post = async (data) => {
      bodies.push(JSON.stringify(data));
      await deliver.call(endpoint, data);
      await deliver.call(endpoint, data);
    };
    await slash(harness!).reply();
    await waitFor(() => endpoint.answers.length === 2);
    expect([bodies.length, inbounds.length]).toEqual([1, 1]);
  });

  test('it stays set over a restart, and is taken back when the setting is gone', async () => {
    const { restart, discord: standIn } = await opened();
    const changes = () => standIn.transcript.calls('PATCH', '/applications/@me');
    await harness!.connect();
    await isSetTo(harness!, url);
    await restart();
    await harness!.connect();
    expect(textOf(await slash(harness!).reply())).toContain('premium');
    expect(changes()).toHaveLength(1);
    await restart({ interactionsUrl: undefined });
    await harness!.connect();
    await isSetTo(harness!, undefined);
    expect(textOf(await slash(harness!).reply())).toContain('premium');
    expect(harness!.platform.routes).toBeUndefined();
    await restart();
    await harness!.connect();
    expect(changes()).toHaveLength(2);
  });

  test('an address that Discord cannot reach is a problem until it can', async () => {
    const { discord: standIn, platform, clock, logged } = await opened();
    standIn.controls.faults.next({ kind: 'refused', status: 400, code: 50_035 }, { method: 'PATCH', path: '/applications/@me' });
    await harness!.connect();
    await logged('discord.interactions-url-not-set');
    expect(await platform.notifier.diagnose()).toMatchObject({ ok: false, says: expect.stringContaining('DISCORD_INTERACTIONS_URL') });
    await clock.advance(MINUTE);
    await isSetTo(harness!, url);
    await logged('discord.interactions-url-set');
    expect(await platform.notifier.diagnose()).toMatchObject({ ok: true });
  });
});

test('the address of another program is left alone', async () => {
  harness = await openHarness();
  const { endpoint } = harness.discord.controls;
  endpoint.url = 'http://127.0.0.1:9/elsewhere';
  await harness.connect();
  await harness.restart();
  expect(endpoint.url).toBe('http://127.0.0.1:9/elsewhere');
});

test.each(['https://bot.example/discord', 'https://bot.example:8443/a/b-c'])('%s can be the address', (address) => {
  expect(discord.configure({ DISCORD_TOKEN: TOKEN, DISCORD_INTERACTIONS_URL: address })).not.toHaveProperty('issues');
});

test.each([
  'http://bot.example/discord',
  'https://bot.example',
  'https://bot.example/readyz',
  'https://bot.example/d?x=1',
  'bot.example/d',
])('%s cannot be the address', (address) => {
  expect(discord.configure({ DISCORD_TOKEN: TOKEN, DISCORD_INTERACTIONS_URL: address })).toMatchObject({
    issues: [{ path: ['DISCORD_INTERACTIONS_URL'] }],
  });
});
