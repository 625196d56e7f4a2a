import { describe, expect, onTestFinished, test } from 'vitest';
import { address } from '../../../src/chat/address.js';
import { reply, type Mention } from '../../../src/chat/reply.js';
import { pinging, type MessageBody } from '../../../src/platforms/discord/message.js';
import { openHouse, textOf, type House } from './house.js';

const BITS = { VIEW: 1n << 10n, EMBED: 1n << 14n, EVERYONE: 1n << 17n, COMMANDS: 1n << 31n } as const;

let house: House;

/** Closed at the end of the test. */
async function openHere(...needs: Parameters<typeof openHouse>): Promise<House> {
  const opened = await openHouse(...needs);
  onTestFinished(async () => opened.close());
  return opened;
}

const role = (id: string): Mention => ({ kind: 'role', id });
const person = (id: string): Mention => ({ kind: 'person', id });
const deliver = async (mentions: readonly Mention[], words = 'Tidewater minted 486,210 TIDE') =>
  house.platform.notifier.deliver(address('discord', house.channel), {
    id: `d-${mentions.length}`,
    reply: reply({ tone: 'up', finding: [{ strong: words }], mentions: [...mentions] }),
  });
const standing = () => house.discord.controls.messages(house.channel);
const everyoneMayNotPing = (): void => house.discord.controls.setRolePermissions(house.guild, BITS.VIEW | BITS.COMMANDS);

describe('an alert that pings', () => {
  test('names exactly whom the entry names, each once, and allows no other mention', async () => {
    house = await openHere();
    const traders = house.discord.controls.addRole({ guild: house.guild, mentionable: true });
    const ben = house.discord.controls.addUser({ name: 'ben' });
    expect(await deliver([role(traders), person(ben), role(traders)])).toMatchObject({ kind: 'sent' });
    const [shown] = standing();
    expect(shown?.content).toBe(`<@&${traders}> <@${ben}>`);
    expect(shown?.pings).toEqual({ everyone: false, users: [ben], roles: [traders], quiet: false });
    expect(shown?.embeds[0]?.description).toContain('486,210');
    expect(house.discord.transcript.calls('POST', '/messages')[0]?.body).toMatchObject({
      allowed_mentions: { parse: [], roles: [traders], users: [ben] },
    });
  });

  test('pings nobody else, whatever stands in its words', async () => {
    house = await openHere();
    const traders = house.discord.controls.addRole({ guild: house.guild, mentionable: true });
    const others = house.discord.controls.addRole({ guild: house.guild, mentionable: true });
    await deliver([role(traders)], `@everyone @here <@&${others}> <@${house.anna}> <@&${house.guild}>`);
    expect(standing()[0]?.pings).toEqual({ everyone: false, users: [], roles: [traders], quiet: false });
    await deliver([], `@everyone @here <@&${others}> <@${house.anna}>`);
    expect(standing()[1]?.pings.quiet).toBe(true);
  });

  test('never pings everybody, even where a list says so', async () => {
    house = await openHere();
    await house.connect();
    await deliver([role(house.guild)]);
    expect(standing()[0]).toMatchObject({ content: '', pings: { quiet: true } });
  });

  test('is held where its embed would be left out, instead of pinging people for nothing', async () => {
    house = await openHere();
    const { controls } = house.discord;
    const traders = controls.addRole({ guild: house.guild, mentionable: true });
    controls.setPermission({ channel: house.channel, target: 'bot', deny: BITS.EMBED });
    expect(await deliver([role(traders)])).toEqual({ kind: 'held', because: 'I need Embed Links there' });
    expect(standing()).toEqual([]);
    controls.setPermission({ channel: house.channel, target: 'bot', inherit: BITS.EMBED });
    expect(await deliver([role(traders)])).toMatchObject({ kind: 'sent' });
  });

  test('goes out where nobody answers whether its embed may be shown', async () => {
    house = await openHere();
    house.discord.controls.faults.next({ kind: 'status', status: 503 }, { method: 'GET', path: '/channels/' });
    expect(await deliver([person(house.anna)])).toMatchObject({ kind: 'sent' });
  });

  test('repeated after its line was cut, it stands once and pings once', async () => {
    house = await openHere();
    house.discord.controls.faults.next({ kind: 'store-then-cut' }, { method: 'POST', path: '/messages' });
    expect(await deliver([person(house.anna)])).toMatchObject({ kind: 'unclear' });
    expect(await deliver([person(house.anna)])).toMatchObject({ kind: 'sent' });
    expect(standing()).toHaveLength(1);
  });
});

test('an answer to a question pings nobody, even if it shows an alert that did', async () => {
  house = await openHere({ answer: async () => reply({ finding: ['told before'], mentions: [{ kind: 'person', id: house.anna }] }) });
  await house.connect();
  const shown = await house.discord.controls.slash({ channel: house.channel, user: house.anna, command: 'watch' }).reply();
  expect(shown).toMatchObject({ content: '', pings: { quiet: true } });
  expect(textOf(shown)).toContain('told before');
});

test('more mentions than fit into a message are not all named', () => {
  const body: MessageBody = { embeds: [], components: [], allowed_mentions: { parse: [] } };
  const mentions = Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? role : person)(`${10n ** 18n + BigInt(at)}`));
  const { content, allowed_mentions: allowed } = pinging(body, { mentions, guild: undefined });
  expect(content?.length).toBeLessThanOrEqual(2_000);
  expect((allowed.roles?.length ?? 0) + (allowed.users?.length ?? 0)).toBe(80);
});

describe('who may choose whom to ping', () => {
  /** What this person may choose in this channel. */
  async function mayMention(user: string, mention: Mention, channel = house.channel) {
    const count = house.asked.length;
    await house.discord.controls.slash({ channel, user, command: 'watch' }).reply();
    return house.asked[count]?.from.mayMention?.(mention);
  }
  const open = async (): Promise<void> => {
    house = await openHere();
    await house.connect();
    everyoneMayNotPing();
  };

  test('a role that everybody may ping, else who may mention everyone here', async () => {
    await open();
    const { controls } = house.discord;
    const open_ = controls.addRole({ guild: house.guild, mentionable: true });
    const shut = controls.addRole({ guild: house.guild });
    const loud = controls.addRole({ guild: house.guild, permissions: BITS.EVERYONE });
    const captain = controls.addUser({ name: 'captain' });
    controls.addMember({ guild: house.guild, user: captain, roles: [loud] });
    expect(await mayMention(house.anna, role(open_))).toBe(true);
    expect(await mayMention(house.anna, role(shut))).toBe(false);
    expect(await mayMention(captain, role(shut))).toBe(true);
    controls.setPermission({ channel: house.channel, target: captain, deny: BITS.EVERYONE });
    expect(await mayMention(captain, role(shut))).toBe(false);
  });

  test('administrators any role, but nobody the role of everybody, and nobody one that is not there', async () => {
    await open();
    const { controls } = house.discord;
    const admins = controls.addRole({ guild: house.guild, permissions: 1n << 3n });
    const chief = controls.addUser({ name: 'chief' });
    controls.addMember({ guild: house.guild, user: chief, roles: [admins] });
    const elsewhere = controls.addRole({ guild: controls.addGuild(), mentionable: true });
    expect(await mayMention(chief, role(controls.addRole({ guild: house.guild })))).toBe(true);
    expect(await mayMention(chief, role(house.guild))).toBe(false);
    expect(await mayMention(chief, role(elsewhere))).toBe(false);
  });

  test('a person who is in the server and sees the channel, and oneself', async () => {
    await open();
    const { controls } = house.discord;
    const ben = controls.addUser({ name: 'ben' });
    expect(await mayMention(house.anna, person(ben))).toBe(false);
    controls.addMember({ guild: house.guild, user: ben });
    expect(await mayMention(house.anna, person(ben))).toBe(true);
    expect(await mayMention(house.anna, person(house.anna))).toBe(true);
    controls.setPermission({ channel: house.channel, target: ben, deny: BITS.VIEW });
    expect(await mayMention(house.anna, person(ben))).toBe(false);
    expect(await mayMention(house.anna, person('1'))).toBe(false);
  });

  test('in a thread as in its channel', async () => {
    await open();
    const { controls } = house.discord;
    const thread = controls.addThread({ parent: house.channel });
    const ben = controls.addUser({ name: 'ben' });
    controls.addMember({ guild: house.guild, user: ben });
    expect(await mayMention(house.anna, person(ben), thread)).toBe(true);
    controls.setPermission({ channel: house.channel, target: ben, deny: BITS.VIEW });
    expect(await mayMention(house.anna, person(ben), thread)).toBe(false);
  });

  test('in a private chat nobody but oneself, and no role', async () => {
    await open();
    const { controls } = house.discord;
    const direct = controls.openDirect(house.anna);
    const open_ = controls.addRole({ guild: house.guild, mentionable: true });
    expect(await mayMention(house.anna, person(house.anna), direct)).toBe(true);
    expect(await mayMention(house.anna, person(controls.addUser()), direct)).toBe(false);
    expect(await mayMention(house.anna, role(open_), direct)).toBe(false);
  });

  test('where Discord does not say, it is a failure and no "no"', async () => {
    await open();
    house.discord.controls.faults.next({ kind: 'status', status: 503 }, { path: '/roles' });
    await expect(mayMention(house.anna, role('1'))).rejects.toThrow();
  });
});
