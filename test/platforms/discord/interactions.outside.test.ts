/** Where a person takes the bot along, and it is not in the server. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import { readInteraction } from '../../../src/platforms/discord/interaction.js';
import { walletsIn, WATCH_WALLET } from '../../../src/platforms/discord/register-commands.js';
import { openHarness, textOf, type DiscordHarness, type DiscordHarnessOptions } from './harness.js';

const ANYTHING = z.unknown();

async function openHere(options: DiscordHarnessOptions = {}): Promise<DiscordHarness> {
  const opened = await openHarness(options);
  onTestFinished(async () => opened.close());
  await opened.connect();
  return opened;
}

/** The bot is registered and connected, and then taken out of the server. */
async function openOutside(options: DiscordHarnessOptions = {}): Promise<DiscordHarness> {
  const harness = await openHere(options);
  harness.discord.controls.kick(harness.guild);
  harness.discord.controls.installFor(harness.anna);
  return harness;
}

describe('a person who installed the bot for themselves, in a server where it is not', () => {
  test('gets an ephemeral answer without a follow-up, and is judged alone', async () => {
    const harness = await openOutside();
    const { controls, transcript } = harness.discord;
    const asked = controls.slash({ channel: harness.channel, user: harness.anna, command: 'premium', options: { project: 'tide' } });
    expect(await asked.reply()).toMatchObject({ ephemeral: true });
    expect(harness.inbounds[0]).toMatchObject({ outside: true, circles: [`discord/user/${harness.anna}`] });
    expect(await harness.inbounds[0]?.from.manages()).toBe(false);
    expect(transcript.calls('POST', /^\/webhooks\//u)).toEqual([]);
    expect(transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
  });

  test('can have alerts in a private chat, which is opened for them', async () => {
    const harness = await openOutside();
    const { controls } = harness.discord;
    await controls.slash({ channel: harness.channel, user: harness.anna, command: 'watch' }).reply();
    expect(await harness.inbounds[0]?.from.direct?.()).toBe(address('discord', controls.openDirect(harness.anna)));
  });

  test('presses buttons there too, and the message stays theirs', async () => {
    const actions = [{ label: 'More', line: '/premium tide 1W' }];
    const harness = await openOutside({ answer: async ({ ask }) => reply({ finding: ['line' in ask ? ask.line : ask.command], actions }) });
    const { controls } = harness.discord;
    const first = await controls.slash({ channel: harness.channel, user: harness.anna, command: 'status' }).reply();
    const pressed = controls.press({ message: first.id, user: harness.anna, button: 'More' });
    expect(await pressed.reply()).toMatchObject({ ephemeral: true, content: expect.stringContaining('/premium tide 1W') });
    expect(controls.everything().every(({ ephemeral }) => ephemeral)).toBe(true);
  });

  test('is no member of the chats that the bot remembers', async () => {
    const harness = await openOutside();
    const before = await harness.store.collection({ prefix: 'discord-chat', version: 1, schema: ANYTHING }).list();
    await harness.discord.controls.slash({ channel: harness.channel, user: harness.anna, command: 'status' }).reply();
    expect(await harness.store.collection({ prefix: 'discord-chat', version: 1, schema: ANYTHING }).list()).toEqual(before);
  });
});

test('in a server with the bot, and in its own private chats, nothing is outside', async () => {
  const harness = await openHere();
  const { controls } = harness.discord;
  controls.installFor(harness.anna);
  const direct = controls.openDirect(harness.anna);
  for (const channel of [harness.channel, direct]) await controls.slash({ channel, user: harness.anna, command: 'status' }).reply();
  expect(harness.inbounds.map(({ outside }) => outside)).toEqual([undefined, undefined]);
  expect(await harness.inbounds[1]?.from.direct?.()).toBe(address('discord', direct));
});

test('in a private chat it is known in which servers and channels the person is', async () => {
  const harness = await openHere();
  const { controls } = harness.discord;
  const asked = async (user: string) => {
    await controls.slash({ channel: controls.openDirect(user), user, command: 'status' }).reply();
    return harness.inbounds.at(-1)?.from;
  };
  const places = [`discord/guild/${harness.guild}`, `discord/channel/${harness.channel}`];
  const isIn = async (user: string): Promise<readonly unknown[]> => {
    const from = await asked(user);
    return Promise.all([...places, 'discord/guild/1', `discord/user/${user}`, 'telegram/chat/1'].map(async (place) => from?.isIn?.(place)));
  };
  // Whoever writes in a channel is a member.
  controls.say({ channel: harness.channel, user: harness.anna, content: 'hello' });
  expect(await isIn(harness.anna)).toEqual([true, true, false, false, false]);
  expect(await isIn(controls.addUser({ name: 'stranger' }))).toEqual([false, false, false, false, false]);
});

test('a private chat of other people is outside', () => {
  const interaction = readInteraction({
    ...{ id: '1', token: 't', application_id: '2', type: 2, channel_id: '3', context: 2 },
    ...{ authorizing_integration_owners: { '1': '4' }, user: { id: '4', username: 'anna' }, data: { name: 'premium' } },
  });
  expect(interaction).toMatchObject({ isOutside: true, manages: false, circles: ['discord/user/4'] });
});

const FUND = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
const MINT = 'So11111111111111111111111111111111111111112';

describe('the message command "Watch this wallet"', () => {
  const run = async (content: string) => {
    const harness = await openHere();
    const message = harness.discord.controls.say({ channel: harness.channel, user: harness.anna, content });
    const said = await harness.discord.controls.onMessage({ message, user: harness.anna, command: WATCH_WALLET }).reply();
    return { harness, said };
  };

  test('watches the only wallet in it', async () => {
    const { harness } = await run(`look at https://solscan.io/account/${FUND}?x=1, @everyone`);
    expect(harness.inbounds.map(({ ask }) => ask)).toEqual([{ line: `/watch ${FUND}` }]);
  });

  test('asks which of several, seen only by who asked', async () => {
    const { harness, said } = await run(`${FUND} and ${MINT}`);
    expect(harness.inbounds).toEqual([]);
    expect(said).toMatchObject({ ephemeral: true, rows: [[{ options: [{ value: `/watch ${FUND}` }, { value: `/watch ${MINT}` }] }]] });
  });

  test('says so where there is none', async () => {
    const { harness, said } = await run(`no key, and a signature ${'5'.repeat(88)}`);
    expect(harness.inbounds).toEqual([]);
    expect(said.ephemeral).toBe(true);
    expect(textOf(said)).not.toBe('');
  });

  test('reads a bounded part of what stands there', () => {
    const many = Array.from({ length: 60 }, (_, at) => `${MINT.slice(0, -2)}${'23456789ABCDEFGHJKLMNPQRSTUVWXYZ'[at % 32]}2`);
    expect(walletsIn(many).length).toBeLessThanOrEqual(25);
    expect(walletsIn(['x'.repeat(1_000_000), FUND])).toEqual([]);
  });
});
