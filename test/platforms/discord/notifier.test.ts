import { afterEach, describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import type { RestEntry } from '../../stand-ins/discord/transcript.js';
import { mint, openHarness, TOKEN, type DiscordHarness } from './harness.js';

const BITS = { VIEW: 1n << 10n, SEND: 1n << 11n, EMBED: 1n << 14n, IN_THREADS: 1n << 38n } as const;

let harness: DiscordHarness;
afterEach(async () => harness.close());

const here = () => address('discord', harness.channel);
const posts = (): readonly RestEntry[] => harness.discord.transcript.calls('POST', /\/channels\/\d+\/messages$/u);
const standing = () => harness.discord.controls.messages(harness.channel);

describe('what is posted', () => {
  test('an alert is one embed with its buttons, a nonce of at most 25 characters that is enforced, and no mention', async () => {
    harness = await openHarness();
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toMatchObject({ kind: 'sent' });
    const body = posts()[0]?.body as Record<string, unknown>;
    expect(body).toMatchObject({ enforce_nonce: true, allowed_mentions: { parse: [] } });
    expect(String(body['nonce']).length).toBeLessThanOrEqual(25);
    expect(body).toMatchObject({ content: expect.stringContaining('Tidewater minted 486,210 TIDE') });
    expect(
      standing()[0]
        ?.rows.flat()
        .map(({ custom_id: id }) => id),
    ).toEqual(['/mute tide 24h', '/why d-1']);
    expect(harness.discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
  });

  test('only a silent alert carries the flag that suppresses notifications', async () => {
    harness = await openHarness();
    await harness.platform.notifier.deliver(here(), { ...mint('d-1'), silent: true });
    await harness.platform.notifier.deliver(here(), mint('d-2'));
    expect(posts().map(({ body }) => (body as Record<string, unknown>)['flags'])).toEqual([4096, undefined]);
    expect(standing().map(({ silent }) => silent)).toEqual([true, false]);
    expect(harness.discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
  });

  test('two alerts that say the same are two messages', async () => {
    harness = await openHarness();
    await harness.platform.notifier.deliver(here(), mint('d-1'));
    await harness.platform.notifier.deliver(here(), mint('d-2'));
    expect(standing()).toHaveLength(2);
  });

  test('a thread and a private chat are chats as any other', async () => {
    harness = await openHarness();
    const { controls } = harness.discord;
    const thread = controls.addThread({ parent: harness.channel });
    const direct = controls.openDirect(harness.anna);
    for (const channel of [thread, direct]) {
      const to = address('discord', channel);
      expect(await harness.platform.notifier.probe(to)).toMatchObject({ missing: [] });
      expect(await harness.platform.notifier.deliver(to, mint('d-1'))).toMatchObject({ kind: 'sent' });
      expect(controls.messages(channel)).toHaveLength(1);
    }
  });

  test('a button whose line is too long for its payload is kept, and nothing in the message is too long', async () => {
    harness = await openHarness();
    const long = `/premium ${'x'.repeat(200)}`;
    await harness.platform.notifier.deliver(here(), {
      id: 'd',
      reply: reply({ finding: ['x'], actions: [{ label: 'Long', line: long }] }),
    });
    expect(standing()[0]?.rows[0]?.[0]?.custom_id).toMatch(/^#.{10,99}$/u);
  });

  test('an address of another platform is refused', async () => {
    harness = await openHarness();
    expect(await harness.platform.notifier.deliver(address('telegram', '1'), mint('d'))).toMatchObject({ kind: 'refused' });
  });
});

describe('what becomes of an attempt that went wrong', () => {
  test.each([
    ['store-then-cut', { kind: 'unclear', because: 'line-cut' }],
    ['cut', { kind: 'unclear', because: 'line-cut' }],
  ] as const)('%s: the line was cut after it was sent, and the repeat under the same nonce leaves one message', async (kind, outcome) => {
    harness = await openHarness();
    harness.discord.controls.faults.next({ kind }, { method: 'POST' });
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toEqual(outcome);
    await harness.clock.advance(10 * SECOND);
    const { now } = harness.clock;
    expect(await harness.platform.notifier.deliver(here(), mint('d-1', { earlier: { since: now(), ifUnknown: 'repeat' } }))).toMatchObject({
      kind: 'sent',
    });
    expect(standing()).toHaveLength(1);
    const [first, second] = posts().map(({ body }) => (body as { nonce: string }).nonce);
    expect(second).toBe(first);
  });

  test.each([
    [500, 'unclear'],
    [502, 'later'],
    [503, 'later'],
    [504, 'unclear'],
  ] as const)('a %i is not repeated behind our back; it is %s', async (status, kind) => {
    harness = await openHarness();
    harness.discord.controls.faults.next({ kind: 'store-then-status', status }, { method: 'POST', times: 5 });
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toEqual({ kind, because: 'server-error' });
    expect(posts()).toHaveLength(1);
  });

  test('a post that hangs is given up as unclear, and what it left is recognised', async () => {
    harness = await openHarness();
    const plan = harness.discord.controls.faults.next({ kind: 'store-then-hang' }, { method: 'POST' });
    const first = harness.platform.notifier.deliver(here(), mint('d-1'));
    await plan.hit;
    await harness.clock.advance(15 * SECOND);
    expect(await first).toEqual({ kind: 'unclear', because: 'timeout' });
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toMatchObject({ kind: 'sent', messageId: standing()[0]?.id });
    expect(standing()).toHaveLength(1);
  });

  test('twelve hours of 429 are handed back at once with their length, and nobody sits them out in memory', async () => {
    harness = await openHarness();
    harness.discord.controls.faults.next({ kind: 'limited', retryAfter: 43_200 }, { method: 'POST' });
    const outcome = await harness.platform.notifier.deliver(here(), mint('d-1'));
    expect(outcome).toMatchObject({ kind: 'later', because: 'rate-limited' });
    const { afterMs } = outcome as { afterMs: number };
    expect(afterMs).toBeGreaterThanOrEqual(12 * HOUR);
    expect(afterMs).toBeLessThan(12 * HOUR + MINUTE);
    expect(posts()).toHaveLength(1);
  });

  test('a bucket that is used up is a wait, and nothing is sent into it', async () => {
    harness = await openHarness();
    harness.discord.controls.limit('POST', '/channels/:channel/messages', { limit: 2, windowMs: 60_000 });
    const kinds = [];
    for (const id of ['a', 'b', 'c']) kinds.push((await harness.platform.notifier.deliver(here(), mint(id))).kind);
    expect(kinds).toEqual(['sent', 'sent', 'later']);
    expect(posts()).toHaveLength(2);
  });

  test('nobody answers at all: nothing was posted', async () => {
    harness = await openHarness();
    await harness.discord.close();
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toEqual({ kind: 'later', because: 'unreachable' });
  });

  test('a token that is refused costs no alert', async () => {
    harness = await openHarness({ token: 'another.wrong.token' });
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toEqual({ kind: 'later', because: 'unreachable' });
  });
});

test.each([
  [404, 10_003, 'gone'],
  [404, 10_004, 'gone'],
  [403, 50_007, 'gone'],
  [403, 50_001, 'not-permitted'],
  [403, 50_013, 'not-permitted'],
  [400, 50_083, 'not-permitted'],
  [400, 160_005, 'not-permitted'],
  [400, 20_028, 'later'],
  [403, 40_004, 'later'],
  [400, 50_035, 'refused'],
  [400, 50_006, 'refused'],
  [413, 40_005, 'refused'],
] as const)('a %i with code %i, through the library, is %s', async (status, code, kind) => {
  harness = await openHarness();
  harness.discord.controls.faults.next({ kind: 'refused', status, code }, { method: 'POST' });
  expect((await harness.platform.notifier.deliver(here(), mint('d-1'))).kind).toBe(kind);
  expect(posts()).toHaveLength(1);
});

describe('what people must mend', () => {
  test('a lost Embed Links is named, and mended it goes out', async () => {
    harness = await openHarness();
    const { controls } = harness.discord;
    controls.setPermission({ channel: harness.channel, target: 'bot', deny: BITS.EMBED });
    expect(await harness.platform.notifier.probe(here())).toMatchObject({ missing: ['Embed Links'] });
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toEqual({
      kind: 'not-permitted',
      because: 'I need Embed Links there',
      incomplete: true,
    });
    controls.setPermission({ channel: harness.channel, target: 'bot', inherit: BITS.EMBED });
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toMatchObject({ kind: 'sent' });
    expect(standing()[0]?.embeds).toHaveLength(1);
  });

  test('a message whose embed was dropped is completed by an edit, not posted twice', async () => {
    harness = await openHarness();
    const { controls } = harness.discord;
    const since = harness.clock.now();
    controls.setPermission({ channel: harness.channel, target: 'bot', deny: BITS.EMBED });
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toMatchObject({ kind: 'not-permitted', incomplete: true });
    expect(standing()).toMatchObject([{ content: expect.stringContaining('486,210'), embeds: [] }]);
    controls.setPermission({ channel: harness.channel, target: 'bot', inherit: BITS.EMBED });
    await harness.clock.advance(HOUR);
    expect(await harness.platform.notifier.deliver(here(), mint('d-1', { earlier: { since, ifUnknown: 'repeat' } }))).toMatchObject({
      kind: 'sent',
    });
    expect(standing()).toMatchObject([{ embeds: [{ description: expect.stringContaining('13.39M') }] }]);
  });

  test('a channel’s permissions are asked once, and again only after the gateway announced a change', async () => {
    harness = await openHarness();
    await harness.connect();
    const { controls, transcript } = harness.discord;
    const asked = (): number => transcript.calls('GET', `/channels/${harness.channel}`).length;
    const mentions = [{ kind: 'person' as const, id: harness.anna }];
    const pinging = (id: string) => ({ ...mint(id), reply: { ...mint(id).reply, mentions } });
    for (const id of ['d-1', 'd-2', 'd-3']) await harness.platform.notifier.deliver(here(), pinging(id));
    expect(asked()).toBe(1);
    controls.setPermission({ channel: harness.channel, target: 'bot', deny: BITS.EMBED });
    // Events arrive in order, so the change has arrived when this is answered.
    await controls.slash({ channel: harness.channel, user: harness.anna, command: 'status' }).reply();
    await harness.platform.notifier.probe(here());
    const count = asked();
    for (const id of ['d-4', 'd-5'])
      expect(await harness.platform.notifier.deliver(here(), pinging(id))).toEqual({
        kind: 'not-permitted',
        because: 'I need Embed Links there',
      });
    expect(asked()).toBe(count);
    expect(posts()).toHaveLength(3);
  });

  test('a right whose name cannot be found out at the moment is still a right that is missing', async () => {
    harness = await openHarness();
    harness.discord.controls.setPermission({ channel: harness.channel, target: 'bot', deny: BITS.SEND });
    harness.discord.controls.faults.next({ kind: 'status', status: 503 }, { method: 'GET', times: 5 });
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toMatchObject({
      kind: 'not-permitted',
      because: expect.stringContaining('may not post'),
    });
    expect(await harness.platform.notifier.probe(here())).toMatchObject({
      missing: [],
      blocked: "Discord isn't responding, so I can't check my permissions here. Try again in a minute.",
    });
  });

  test('every right that is missing is named', async () => {
    harness = await openHarness();
    const { controls } = harness.discord;
    controls.setPermission({ channel: harness.channel, target: 'everyone', deny: BITS.VIEW | BITS.SEND | BITS.EMBED });
    expect(await harness.platform.notifier.probe(here())).toMatchObject({ missing: ['View Channel'] });
    controls.setPermission({ channel: harness.channel, target: 'everyone', inherit: BITS.VIEW });
    controls.setBotPermissions(harness.guild, BITS.VIEW);
    expect(await harness.platform.notifier.probe(here())).toMatchObject({
      missing: ['Send Messages', 'Embed Links'],
      pictures: 'Attach Files',
    });
  });

  test('a thread asks for its own right, and a locked and archived one to be opened', async () => {
    harness = await openHarness();
    const { controls } = harness.discord;
    const thread = controls.addThread({ parent: harness.channel });
    const to = address('discord', thread);
    controls.setPermission({ channel: harness.channel, target: 'bot', deny: BITS.IN_THREADS });
    expect(await harness.platform.notifier.probe(to)).toMatchObject({ missing: ['Send Messages in Threads'] });
    controls.setPermission({ channel: harness.channel, target: 'bot', inherit: BITS.IN_THREADS });
    controls.setThread(thread, { archived: true, locked: true });
    expect((await harness.platform.notifier.probe(to)).missing).toEqual(['an unlocked thread']);
    expect(await harness.platform.notifier.deliver(to, mint('d-1'))).toMatchObject({ kind: 'not-permitted' });
    controls.setThread(thread, { archived: true, locked: false });
    expect(await harness.platform.notifier.deliver(to, mint('d-1'))).toMatchObject({ kind: 'sent' });
  });

  test('a category is no place for messages', async () => {
    harness = await openHarness();
    const category = harness.discord.controls.addChannel({ guild: harness.guild, kind: 'category' });
    expect((await harness.platform.notifier.probe(address('discord', category))).missing).toHaveLength(1);
  });
});

describe('what is gone', () => {
  test('a deleted channel', async () => {
    harness = await openHarness();
    harness.discord.controls.deleteChannel(harness.channel);
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toMatchObject({ kind: 'gone' });
    expect((await harness.platform.notifier.probe(here())).missing).toHaveLength(1);
  });

  test('a server that we were taken out of, and not merely a channel that we cannot see', async () => {
    harness = await openHarness();
    await harness.platform.notifier.probe(here());
    harness.discord.controls.setPermission({ channel: harness.channel, target: 'bot', deny: BITS.VIEW });
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toEqual({
      kind: 'not-permitted',
      because: 'I need View Channel there',
    });
    harness.discord.controls.kick(harness.guild);
    expect(await harness.platform.notifier.deliver(here(), mint('d-1'))).toMatchObject({ kind: 'gone' });
  });

  test('a person who takes no messages', async () => {
    harness = await openHarness();
    const direct = harness.discord.controls.openDirect(harness.anna);
    harness.discord.controls.closeDirect(harness.anna, true);
    expect(await harness.platform.notifier.deliver(address('discord', direct), mint('d-1'))).toMatchObject({ kind: 'gone' });
  });
});

test('the token stands in no line of the log, whatever fails', async () => {
  harness = await openHarness({ token: `${TOKEN}.wrong` });
  harness.discord.controls.faults.next({ kind: 'cut' });
  for (const id of ['a', 'b', 'c']) await harness.platform.notifier.deliver(here(), mint(id));
  await harness.platform.notifier.probe(here());
  expect(harness.lines.length).toBeGreaterThan(0);
  expect(JSON.stringify(harness.lines)).not.toContain(TOKEN);
});
