import { describe, expect, onTestFinished, test } from 'vitest';
import { address } from '../../../src/chat/address.js';
import { reply, type Mention } from '../../../src/chat/reply.js';
import { MAX_FIRST_LINE } from '../../../src/platforms/discord/markup.js';
import { pinging, type MessageBody } from '../../../src/platforms/discord/message.js';
import { openHarness, textOf, type DiscordHarness } from './harness.js';

const BITS = { VIEW: 1n << 10n, EMBED: 1n << 14n, EVERYONE: 1n << 17n, COMMANDS: 1n << 31n } as const;

let harness: DiscordHarness;

/** Closed at the end of the test. */
async function openHere(...needs: Parameters<typeof openHarness>): Promise<DiscordHarness> {
  const opened = await openHarness(...needs);
  onTestFinished(async () => opened.close());
  return opened;
}

const BELOW = { kind: 'line' as const, line: ['Supply 12.90M → 13.39M'] };
const role = (id: string): Mention => ({ kind: 'role', id });
const person = (id: string): Mention => ({ kind: 'person', id });
const deliver = async (mentions: readonly Mention[], words = 'Tidewater minted 486,210 TIDE') =>
  harness.platform.notifier.deliver(address('discord', harness.channel), {
    id: `d-${mentions.length}`,
    reply: reply({ tone: 'up', finding: [{ strong: words }], blocks: [BELOW], mentions: [...mentions] }),
  });
const standing = () => harness.discord.controls.messages(harness.channel);
const everyoneMayNotPing = (): void => harness.discord.controls.setRolePermissions(harness.guild, BITS.VIEW | BITS.COMMANDS);

describe('an alert that pings', () => {
  test('names exactly whom the entry names, each once, and allows no other mention', async () => {
    harness = await openHere();
    const traders = harness.discord.controls.addRole({ guild: harness.guild, mentionable: true });
    const ben = harness.discord.controls.addUser({ name: 'ben' });
    expect(await deliver([role(traders), person(ben), role(traders)])).toMatchObject({ kind: 'sent' });
    const [shown] = standing();
    expect(shown?.content.startsWith(`<@&${traders}> <@${ben}> `)).toBe(true);
    expect(shown?.content).toContain('486,210');
    expect(shown?.pings).toEqual({ everyone: false, users: [ben], roles: [traders], quiet: false });
    expect(harness.discord.transcript.calls('POST', '/messages')[0]?.body).toMatchObject({
      allowed_mentions: { parse: [], roles: [traders], users: [ben] },
    });
  });

  test('pings nobody else, whatever stands in its words', async () => {
    harness = await openHere();
    const traders = harness.discord.controls.addRole({ guild: harness.guild, mentionable: true });
    const others = harness.discord.controls.addRole({ guild: harness.guild, mentionable: true });
    await deliver([role(traders)], `@everyone @here <@&${others}> <@${harness.anna}> <@&${harness.guild}>`);
    expect(standing()[0]?.pings).toEqual({ everyone: false, users: [], roles: [traders], quiet: false });
    await deliver([], `@everyone @here <@&${others}> <@${harness.anna}>`);
    expect(standing()[1]?.pings.quiet).toBe(true);
  });

  test('never pings everybody, even where a list says so', async () => {
    harness = await openHere();
    await harness.connect();
    await deliver([role(harness.guild)]);
    expect(standing()[0]?.content).not.toContain('<@');
    expect(standing()[0]?.pings.quiet).toBe(true);
  });

  test('is held where its embed would be left out, instead of pinging people for nothing', async () => {
    harness = await openHere();
    const { controls } = harness.discord;
    const traders = controls.addRole({ guild: harness.guild, mentionable: true });
    controls.setPermission({ channel: harness.channel, target: 'bot', deny: BITS.EMBED });
    expect(await deliver([role(traders)])).toEqual({ kind: 'not-permitted', because: 'I need Embed Links there' });
    expect(standing()).toEqual([]);
    controls.setPermission({ channel: harness.channel, target: 'bot', inherit: BITS.EMBED });
    expect(await deliver([role(traders)])).toMatchObject({ kind: 'sent' });
  });

  test('goes out where nobody answers whether its embed may be shown', async () => {
    harness = await openHere();
    harness.discord.controls.faults.next({ kind: 'status', status: 503 }, { method: 'GET', path: '/channels/' });
    expect(await deliver([person(harness.anna)])).toMatchObject({ kind: 'sent' });
  });

  test('repeated after its line was cut, it stands once and pings once', async () => {
    harness = await openHere();
    harness.discord.controls.faults.next({ kind: 'store-then-cut' }, { method: 'POST', path: '/messages' });
    expect(await deliver([person(harness.anna)])).toMatchObject({ kind: 'unclear' });
    expect(await deliver([person(harness.anna)])).toMatchObject({ kind: 'sent' });
    expect(standing()).toHaveLength(1);
  });
});

test('an answer to a question pings nobody, even if it shows an alert that did', async () => {
  harness = await openHere({
    answer: async () => reply({ finding: ['alerted before'], mentions: [{ kind: 'person', id: harness.anna }] }),
  });
  await harness.connect();
  const shown = await harness.discord.controls.slash({ channel: harness.channel, user: harness.anna, command: 'watch' }).reply();
  expect(shown.content).not.toContain('<@');
  expect(shown.pings.quiet).toBe(true);
  expect(textOf(shown)).toContain('alerted before');
});

test('more mentions than fit into a message are not all named', () => {
  const body: MessageBody = { content: 'x'.repeat(MAX_FIRST_LINE), embeds: [], components: [], allowed_mentions: { parse: [] } };
  const mentions = Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? role : person)(`${10n ** 18n + BigInt(at)}`));
  const { content, allowed_mentions: allowed } = pinging(body, { mentions, guild: undefined });
  expect(content.length).toBeLessThanOrEqual(2_000);
  expect((allowed.roles?.length ?? 0) + (allowed.users?.length ?? 0)).toBe(60);
});

describe('who may choose whom to ping', () => {
  /** What this person may choose in this channel. */
  async function mayMention(user: string, mention: Mention, channel = harness.channel) {
    const count = harness.inbounds.length;
    await harness.discord.controls.slash({ channel, user, command: 'watch' }).reply();
    return harness.inbounds[count]?.from.mayMention?.(mention);
  }
  const open = async (): Promise<void> => {
    harness = await openHere();
    await harness.connect();
    everyoneMayNotPing();
  };

  test('a role that everybody may ping, else who may mention everyone here', async () => {
    await open();
    const { controls } = harness.discord;
    const open_ = controls.addRole({ guild: harness.guild, mentionable: true });
    const shut = controls.addRole({ guild: harness.guild });
    const loud = controls.addRole({ guild: harness.guild, permissions: BITS.EVERYONE });
    const captain = controls.addUser({ name: 'captain' });
    controls.addMember({ guild: harness.guild, user: captain, roles: [loud] });
    expect(await mayMention(harness.anna, role(open_))).toBe(true);
    expect(await mayMention(harness.anna, role(shut))).toBe(false);
    expect(await mayMention(captain, role(shut))).toBe(true);
    controls.setPermission({ channel: harness.channel, target: captain, deny: BITS.EVERYONE });
    expect(await mayMention(captain, role(shut))).toBe(false);
  });

  test('administrators any role, but nobody the role of everybody, and nobody one that is not there', async () => {
    await open();
    const { controls } = harness.discord;
    const admins = controls.addRole({ guild: harness.guild, permissions: 1n << 3n });
    const chief = controls.addUser({ name: 'chief' });
    controls.addMember({ guild: harness.guild, user: chief, roles: [admins] });
    const elsewhere = controls.addRole({ guild: controls.addGuild(), mentionable: true });
    expect(await mayMention(chief, role(controls.addRole({ guild: harness.guild })))).toBe(true);
    expect(await mayMention(chief, role(harness.guild))).toBe(false);
    expect(await mayMention(chief, role(elsewhere))).toBe(false);
  });

  test('a person who is in the server and sees the channel, and oneself', async () => {
    await open();
    const { controls } = harness.discord;
    const ben = controls.addUser({ name: 'ben' });
    expect(await mayMention(harness.anna, person(ben))).toBe(false);
    controls.addMember({ guild: harness.guild, user: ben });
    expect(await mayMention(harness.anna, person(ben))).toBe(true);
    expect(await mayMention(harness.anna, person(harness.anna))).toBe(true);
    controls.setPermission({ channel: harness.channel, target: ben, deny: BITS.VIEW });
    expect(await mayMention(harness.anna, person(ben))).toBe(false);
    expect(await mayMention(harness.anna, person('1'))).toBe(false);
  });

  test('in a thread as in its channel', async () => {
    await open();
    const { controls } = harness.discord;
    const thread = controls.addThread({ parent: harness.channel });
    const ben = controls.addUser({ name: 'ben' });
    controls.addMember({ guild: harness.guild, user: ben });
    expect(await mayMention(harness.anna, person(ben), thread)).toBe(true);
    controls.setPermission({ channel: harness.channel, target: ben, deny: BITS.VIEW });
    expect(await mayMention(harness.anna, person(ben), thread)).toBe(false);
  });

  test('in a private chat nobody but oneself, and no role', async () => {
    await open();
    const { controls } = harness.discord;
    const direct = controls.openDirect(harness.anna);
    const open_ = controls.addRole({ guild: harness.guild, mentionable: true });
    expect(await mayMention(harness.anna, person(harness.anna), direct)).toBe(true);
    expect(await mayMention(harness.anna, person(controls.addUser()), direct)).toBe(false);
    expect(await mayMention(harness.anna, role(open_), direct)).toBe(false);
  });

  test('where Discord does not say, it is a failure and no "no"', async () => {
    await open();
    harness.discord.controls.faults.next({ kind: 'status', status: 503 }, { path: '/roles' });
    await expect(mayMention(harness.anna, role('1'))).rejects.toThrow();
  });
});
