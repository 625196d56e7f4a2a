import { afterEach, describe, expect, test } from 'vitest';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import { openHouse, type House } from './house.js';

const EMBED = 1n << 14n;

let house: House;
afterEach(async () => house.close());

const here = () => address('discord', house.channel);
const mint = { id: 'd-1', reply: reply({ finding: ['a mint'] }) };

/** A chat that somebody has used, so that the bot knows it. */
async function open(): Promise<void> {
  house = await openHouse();
  await house.connect();
  await house.discord.controls
    .slash({ channel: house.channel, user: house.anna, command: 'premium', options: { project: 'tide' } })
    .reply();
}

describe('news of chats', () => {
  test('kicked, the chats of the server are gone; invited again, they are back', async () => {
    await open();
    house.discord.controls.kick(house.guild);
    expect(await house.told(1)).toMatchObject([{ kind: 'gone', chat: here() }]);
    house.discord.controls.invite(house.guild);
    expect(await house.told(2)).toMatchObject([{ kind: 'gone' }, { kind: 'back', chat: here() }]);
    expect(await house.platform.notifier.deliver(here(), mint)).toMatchObject({ kind: 'sent' });
  });

  test('an outage of a server takes nobody out of it', async () => {
    await open();
    house.discord.controls.setUnavailable(house.guild, true);
    house.discord.controls.setUnavailable(house.guild, false);
    house.discord.controls.deleteChannel(house.channel);
    expect(await house.told(1)).toMatchObject([{ kind: 'gone', because: 'the channel was deleted' }]);
  });

  test('kicked while we were away is noticed at the next start, and so is the return', async () => {
    await open();
    await house.restart();
    house.discord.controls.kick(house.guild);
    await house.connect();
    expect(await house.told(1)).toMatchObject([{ kind: 'gone', chat: here() }]);
    await house.restart();
    house.discord.controls.invite(house.guild);
    await house.connect();
    expect(await house.told(2)).toMatchObject([{ kind: 'gone' }, { kind: 'back' }]);
  });

  test('kicked and found out by an alert, it is back with the invitation', async () => {
    await open();
    await house.restart();
    house.discord.controls.kick(house.guild);
    expect(await house.platform.notifier.deliver(here(), mint)).toMatchObject({ kind: 'gone' });
    house.discord.controls.invite(house.guild);
    await house.connect();
    expect(await house.told(1)).toMatchObject([{ kind: 'back', chat: here() }]);
  });

  test('a deleted thread is gone', async () => {
    house = await openHouse();
    await house.connect();
    const { controls } = house.discord;
    const thread = controls.addThread({ parent: house.channel });
    await controls.slash({ channel: thread, user: house.anna, command: 'watch' }).reply();
    controls.deleteChannel(thread);
    expect(await house.told(1)).toMatchObject([{ kind: 'gone', chat: address('discord', thread) }]);
  });

  test.each(['channel', 'role'] as const)('a permission that comes back on the %s lets a held alert go', async (where) => {
    await open();
    const { controls } = house.discord;
    const before = controls.botPermissions(house.channel);
    if (where === 'channel') controls.setPermission({ channel: house.channel, target: 'bot', deny: EMBED });
    else controls.setBotPermissions(house.guild, before & ~EMBED);
    expect(await house.platform.notifier.deliver(here(), mint)).toMatchObject({ kind: 'held' });
    if (where === 'channel') controls.setPermission({ channel: house.channel, target: 'bot', inherit: EMBED });
    else controls.setBotPermissions(house.guild, before);
    expect(await house.told(1)).toEqual([{ kind: 'back', chat: here() }]);
  });

  test('a person who closed their messages is back when they ask', async () => {
    house = await openHouse();
    await house.connect();
    const { controls } = house.discord;
    const direct = controls.openDirect(house.anna);
    controls.closeDirect(house.anna, true);
    expect(await house.platform.notifier.deliver(address('discord', direct), mint)).toMatchObject({ kind: 'gone' });
    await controls.slash({ channel: direct, user: house.anna, command: 'watch' }).reply();
    expect(await house.told(1)).toEqual([{ kind: 'back', chat: address('discord', direct) }]);
  });

  test('told twice by the gateway, a removal is news once', async () => {
    await open();
    house.discord.controls.kick(house.guild);
    await house.told(1);
    house.discord.controls.gateway.repeat(1);
    house.discord.controls.invite(house.guild);
    expect((await house.told(2)).map(({ kind }) => kind)).toEqual(['gone', 'back']);
  });
});
