import { afterEach, describe, expect, test } from 'vitest';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import { openHarness, type DiscordHarness } from './harness.js';

const EMBED = 1n << 14n;

let harness: DiscordHarness;
afterEach(async () => harness.close());

const here = () => address('discord', harness.channel);
const mint = { id: 'd-1', reply: reply({ finding: ['a mint'], blocks: [{ kind: 'line', line: ['Supply 12.90M'] }] }) };

/** A chat that somebody has used, so that the bot knows it. */
async function open(): Promise<void> {
  harness = await openHarness();
  await harness.connect();
  await harness.discord.controls
    .slash({ channel: harness.channel, user: harness.anna, command: 'premium', options: { project: 'tide' } })
    .reply();
}

describe('events of chats', () => {
  test('kicked, the chats of the server are gone; invited again, they are back', async () => {
    await open();
    harness.discord.controls.kick(harness.guild);
    expect(await harness.reportedEvents(1)).toMatchObject([{ kind: 'gone', chat: here() }]);
    harness.discord.controls.invite(harness.guild);
    expect(await harness.reportedEvents(2)).toMatchObject([{ kind: 'gone' }, { kind: 'back', chat: here() }]);
    expect(await harness.platform.notifier.deliver(here(), mint)).toMatchObject({ kind: 'sent' });
  });

  test('an outage of a server takes nobody out of it', async () => {
    await open();
    harness.discord.controls.setUnavailable(harness.guild, true);
    harness.discord.controls.setUnavailable(harness.guild, false);
    harness.discord.controls.deleteChannel(harness.channel);
    expect(await harness.reportedEvents(1)).toMatchObject([{ kind: 'gone', because: 'the channel was deleted' }]);
  });

  test('kicked while we were away is noticed at the next start, and so is the return', async () => {
    await open();
    await harness.restart();
    harness.discord.controls.kick(harness.guild);
    await harness.connect();
    expect(await harness.reportedEvents(1)).toMatchObject([{ kind: 'gone', chat: here() }]);
    await harness.restart();
    harness.discord.controls.invite(harness.guild);
    await harness.connect();
    expect(await harness.reportedEvents(2)).toMatchObject([{ kind: 'gone' }, { kind: 'back' }]);
  });

  test('kicked and found out by an alert, it is back with the invitation', async () => {
    await open();
    await harness.restart();
    harness.discord.controls.kick(harness.guild);
    expect(await harness.platform.notifier.deliver(here(), mint)).toMatchObject({ kind: 'gone' });
    harness.discord.controls.invite(harness.guild);
    await harness.connect();
    expect(await harness.reportedEvents(1)).toMatchObject([{ kind: 'back', chat: here() }]);
  });

  test('a deleted thread is gone', async () => {
    harness = await openHarness();
    await harness.connect();
    const { controls } = harness.discord;
    const thread = controls.addThread({ parent: harness.channel });
    await controls.slash({ channel: thread, user: harness.anna, command: 'watch' }).reply();
    controls.deleteChannel(thread);
    expect(await harness.reportedEvents(1)).toMatchObject([{ kind: 'gone', chat: address('discord', thread) }]);
  });

  test.each(['channel', 'role'] as const)('a permission that comes back on the %s lets a held alert go', async (where) => {
    await open();
    const { controls } = harness.discord;
    const before = controls.botPermissions(harness.channel);
    if (where === 'channel') controls.setPermission({ channel: harness.channel, target: 'bot', deny: EMBED });
    else controls.setBotPermissions(harness.guild, before & ~EMBED);
    expect(await harness.platform.notifier.deliver(here(), mint)).toMatchObject({ kind: 'not-permitted' });
    if (where === 'channel') controls.setPermission({ channel: harness.channel, target: 'bot', inherit: EMBED });
    else controls.setBotPermissions(harness.guild, before);
    expect(await harness.reportedEvents(1)).toEqual([{ kind: 'back', chat: here() }]);
  });

  test('a person who closed their messages is back when they ask', async () => {
    harness = await openHarness();
    await harness.connect();
    const { controls } = harness.discord;
    const direct = controls.openDirect(harness.anna);
    controls.closeDirect(harness.anna, true);
    expect(await harness.platform.notifier.deliver(address('discord', direct), mint)).toMatchObject({ kind: 'gone' });
    await controls.slash({ channel: direct, user: harness.anna, command: 'watch' }).reply();
    expect(await harness.reportedEvents(1)).toEqual([{ kind: 'back', chat: address('discord', direct) }]);
  });

  test('alerted twice by the gateway, a removal is events once', async () => {
    await open();
    harness.discord.controls.kick(harness.guild);
    await harness.reportedEvents(1);
    harness.discord.controls.gateway.repeat(1);
    harness.discord.controls.invite(harness.guild);
    expect((await harness.reportedEvents(2)).map(({ kind }) => kind)).toEqual(['gone', 'back']);
  });
});
