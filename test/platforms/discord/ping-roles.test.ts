/** Ping roles: nobody gets a role that may do something, whatever happened to it, and a kill makes none a second time. */
import { afterEach, expect, test } from 'vitest';
import type { PingRoles } from '../../../src/chat/ping-roles.js';
import { reply } from '../../../src/chat/reply.js';
import { MAX_PRESSES_OF_PERSON } from '../../../src/platforms/discord/ping-roles.js';
import { addressOf } from '../../../src/platforms/discord/address.js';
import { Permission, USUAL_BOT_PERMISSIONS } from '../../stand-ins/discord/flags.js';
import { openHarness, type DiscordHarness } from './harness.js';

let harness: DiscordHarness;
afterEach(async () => harness.close());

const WANTED = [
  { purpose: 'proposals', name: 'Proposal pings' },
  { purpose: 'launches', name: 'Launch pings' },
];
const CREATED = /\/guilds\/\d+\/roles$/u;

const open = async () => {
  harness = await openHarness();
  const { controls } = harness.discord;
  controls.setBotPermissions(harness.guild, USUAL_BOT_PERMISSIONS | Permission.MANAGE_ROLES);
  const helpers = controls.addRole({ guild: harness.guild, name: 'Helpers', permissions: Permission.MANAGE_ROLES });
  controls.addMember({ guild: harness.guild, user: harness.anna, roles: [helpers] });
  await harness.connect();
  const ben = controls.addUser({ name: 'ben' });
  /** What the bot offers somebody who asks in the channel. */
  const of = async (user = harness.anna): Promise<PingRoles> => {
    await controls.slash({ channel: harness.channel, user, command: 'status' }).reply();
    const { pingRoles } = harness.inbounds.at(-1)!.from;
    if (pingRoles === undefined) throw new Error('No ping roles are offered here.');
    return pingRoles;
  };
  const made = async (): Promise<string> => {
    const outcome = await (await of()).make(WANTED);
    return outcome.kind === 'made' ? outcome.roles['proposals']! : '';
  };
  const rolesOf = (user: string) => controls.rolesOfMember(harness.guild, user);
  const named = (name: string) => controls.roles(harness.guild).filter((role) => role.name === name);
  return { controls, ben, of, made, rolesOf, named };
};

test('roles are made once, without permissions and not for everybody to mention', async () => {
  const { of, made, named } = await open();
  const role = await made();
  expect(await made()).toBe(role);
  expect(named('Proposal pings')).toEqual([{ id: role, name: 'Proposal pings', permissions: 0n, mentionable: false }]);
  expect(await (await of()).blocked()).toBeUndefined();
  expect(harness.discord.transcript.calls('POST', CREATED)).toHaveLength(2);
  expect(harness.discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
});

test('a press gives the role, the next one takes it away', async () => {
  const { ben, of, made, rolesOf } = await open();
  const role = await made();
  const roles = await of(ben);
  expect(await roles.toggle('proposals')).toMatchObject({ kind: 'given' });
  expect(rolesOf(ben)).toEqual([role]);
  expect(await roles.toggle('proposals')).toEqual({ kind: 'taken' });
  expect(rolesOf(ben)).toEqual([]);
  expect(await roles.toggle('discounts')).toEqual({ kind: 'absent' });
});

test('somebody without Manage Roles in the whole server sets nothing up, whatever a channel lets them do', async () => {
  const { controls, ben, of } = await open();
  controls.addMember({ guild: harness.guild, user: ben });
  controls.setPermission({ channel: harness.channel, target: ben, allow: Permission.MANAGE_ROLES });
  expect(await (await of(ben)).blocked()).toContain('You need Manage Roles');
});

test('what the bot lacks is named: Manage Roles, and to mention roles in this channel', async () => {
  const { controls, of } = await open();
  const roles = await of();
  controls.setPermission({ channel: harness.channel, target: 'everyone', deny: Permission.MENTION_EVERYONE });
  expect(await roles.blocked()).toContain('"Mention @everyone, @here, and All Roles"');
  controls.setBotPermissions(harness.guild, USUAL_BOT_PERMISSIONS);
  expect(await roles.blocked()).toContain('I need Manage Roles');
  expect(await roles.make(WANTED)).toMatchObject({ kind: 'refused', says: expect.stringContaining('I need Manage Roles') });
});

test('a role that was given a permission later is given to nobody, and may still be left', async () => {
  const { controls, ben, of, made, rolesOf } = await open();
  const role = await made();
  await (await of(ben)).toggle('proposals');
  controls.setRolePermissions(role, Permission.ADMINISTRATOR);
  expect(await (await of()).toggle('proposals')).toMatchObject({ kind: 'refused', says: expect.stringContaining('has permissions now') });
  expect(rolesOf(harness.anna)).not.toContain(role);
  expect(await (await of(ben)).toggle('proposals')).toEqual({ kind: 'taken' });
});

test('a role that opens a channel is given to nobody, and the channel is not named', async () => {
  const { controls, ben, of, made, rolesOf } = await open();
  const role = await made();
  const secret = controls.addChannel({ guild: harness.guild, name: 'treasury-keys' });
  controls.setPermission({ channel: secret, target: 'everyone', deny: Permission.VIEW_CHANNEL });
  controls.setPermission({ channel: secret, target: role, allow: Permission.VIEW_CHANNEL });
  controls.setPermission({ channel: secret, target: 'bot', allow: Permission.VIEW_CHANNEL });
  const change = await (await of(ben)).toggle('proposals');
  expect(change).toMatchObject({ kind: 'refused', says: expect.stringContaining('A channel has permission settings') });
  expect(JSON.stringify(change)).not.toContain('treasury-keys');
  expect(rolesOf(ben)).toEqual([]);
});

test('where a channel is hidden from the bot no role is given, because it could open that one, until the bot sees all of them', async () => {
  const { controls, ben, of, made, rolesOf } = await open();
  const role = await made();
  const secret = controls.addChannel({ guild: harness.guild, name: 'treasury-keys' });
  controls.setPermission({ channel: secret, target: role, allow: Permission.VIEW_CHANNEL });
  controls.setPermission({ channel: secret, target: 'everyone', deny: Permission.VIEW_CHANNEL });
  const roles = await of(ben);
  const refused = { kind: 'refused', says: expect.stringContaining("channels that I can't see") };
  expect(await roles.toggle('proposals')).toMatchObject(refused);
  // It is said at once to who sets them up.
  expect(await (await of()).blocked()).toContain("channels that I can't see");
  await harness.restart();
  await harness.connect();
  const after = await of(ben);
  expect(await after.toggle('proposals')).toMatchObject(refused);
  expect(rolesOf(ben)).toEqual([]);
  controls.setPermission({ channel: secret, target: role, inherit: Permission.VIEW_CHANNEL });
  controls.setBotPermissions(harness.guild, Permission.ADMINISTRATOR);
  expect(await after.toggle('proposals')).toMatchObject({
    kind: 'refused',
    says: expect.stringContaining('A channel has permission settings'),
  });
  controls.deleteChannel(secret);
  controls.setBotPermissions(harness.guild, USUAL_BOT_PERMISSIONS | Permission.MANAGE_ROLES);
  expect(await (await of(ben)).toggle('proposals')).toMatchObject({ kind: 'given' });
});

test('while the gateway does not say which channels there are, a role is given only by an administrator', async () => {
  const { controls, ben, of, made } = await open();
  await made();
  controls.setUnavailable(harness.guild, true);
  const roles = await of(ben);
  expect(await roles.toggle('proposals')).toMatchObject({ kind: 'refused', says: expect.stringContaining("can't tell right now") });
  controls.setBotPermissions(harness.guild, Permission.ADMINISTRATOR);
  expect(await roles.toggle('proposals')).toMatchObject({ kind: 'given' });
});

test('a role in the same place as the bot’s is given if the bot’s is the older one, as Discord orders them', async () => {
  const { controls, ben, of, made } = await open();
  controls.moveRole(await made(), 'bottom');
  const roles = await of(ben);
  expect((await roles.toggle('proposals')).kind).toBe('given');
  expect((await roles.toggle('proposals')).kind).toBe('taken');
});

test('a role that was moved above the bot is refused with the reason', async () => {
  const { controls, ben, of, made, rolesOf } = await open();
  controls.moveRole(await made(), 'top');
  expect(await (await of(ben)).toggle('proposals')).toMatchObject({ kind: 'refused', says: expect.stringContaining('above mine') });
  expect(await (await of()).make(WANTED)).toMatchObject({ kind: 'made', warning: expect.stringContaining('above mine') });
  expect(rolesOf(ben)).toEqual([]);
});

test('a deleted role is said to be deleted and is forgotten, and can be made again', async () => {
  const { controls, ben, of, made, named } = await open();
  const role = await made();
  controls.deleteRole(role);
  const roles = await of(ben);
  expect(await roles.toggle('proposals')).toEqual({ kind: 'deleted', role });
  expect(await roles.toggle('proposals')).toEqual({ kind: 'absent' });
  expect(await made()).not.toBe(role);
  expect(named('Proposal pings')).toHaveLength(1);
  // Made again without a press, it replaces the old one where that is mentioned.
  const [again] = named('Proposal pings');
  controls.deleteRole(again!.id);
  expect(await (await of()).make(WANTED)).toMatchObject({ kind: 'made', replaced: new Map([[again!.id, named('Proposal pings')[0]?.id]]) });
});

test('fifty presses of one person are six changes a minute, and another person is not held up', async () => {
  const { ben, of, made, rolesOf } = await open();
  const role = await made();
  const roles = await of(ben);
  const changes = [];
  for (let press = 0; press < 50; press += 1) changes.push((await roles.toggle('proposals')).kind);
  expect(changes.filter((kind) => kind !== 'refused')).toHaveLength(MAX_PRESSES_OF_PERSON);
  expect(harness.discord.transcript.calls('PUT', `/members/${ben}/roles/${role}`)).toHaveLength(3);
  expect(await (await of()).toggle('proposals')).toMatchObject({ kind: 'given' });
  await harness.clock.advance(60_000);
  expect(await roles.toggle('proposals')).toMatchObject({ kind: 'given' });
  expect(rolesOf(ben)).toEqual([role]);
});

test('a kill after Discord made the role makes no second one: it is found by its name and when it came', async () => {
  const { of, made, named } = await open();
  harness.discord.controls.faults.next({ kind: 'store-then-cut' }, { method: 'POST', path: CREATED });
  expect(await (await of()).make(WANTED)).toMatchObject({ kind: 'refused' });
  await harness.restart();
  await harness.connect();
  const [only, ...others] = named('Proposal pings');
  expect(await made()).toBe(only?.id);
  expect([others, named('Launch pings').length]).toEqual([[], 1]);
});

test('a role of the same name that people made before is none of the bot', async () => {
  const { controls, made, named } = await open();
  const theirs = controls.addRole({ guild: harness.guild, name: 'Proposal pings' });
  const role = await made();
  expect(role).not.toBe(theirs);
  expect(named('Proposal pings')).toHaveLength(2);
});

test('an attempt that Discord refused makes no later role of that name the bot’s own', async () => {
  const { controls, of, made } = await open();
  controls.faults.next({ kind: 'refused', status: 403, code: 50_013 }, { method: 'POST', path: CREATED });
  expect(await (await of()).make(WANTED)).toMatchObject({ kind: 'refused' });
  const theirs = controls.addRole({ guild: harness.guild, name: 'Proposal pings' });
  expect(await made()).not.toBe(theirs);
});

test.each([
  [60_003, 'two-factor authentication'],
  [10_011, 'This role was deleted'],
  [50_001, 'View Channel'],
  [40_333, 'Discord refused this (code 40333)'],
])('what Discord refuses with %i is said in words', async (code, says) => {
  const { controls, ben, of, made } = await open();
  await made();
  controls.faults.next({ kind: 'refused', status: 403, code }, { method: 'PUT', path: '/members/' });
  expect(await (await of(ben)).toggle('proposals')).toEqual({ kind: 'refused', says: expect.stringContaining(says) });
});

test('a message that a locked thread or the automatic moderation refuses says what to change', async () => {
  const { controls, of } = await open();
  const roles = await of();
  for (const [code, says] of [
    [160_005, 'Unlock it'],
    [200_000, 'automatic moderation'],
  ] as const) {
    controls.faults.next({ kind: 'refused', status: 400, code }, { method: 'POST', path: '/messages' });
    expect(await roles.post(reply({ finding: ['Choose'] }))).toContain(says);
  }
});

test('the message of one question is posted once', async () => {
  const { controls, of } = await open();
  const roles = await of();
  const invitation = reply({ finding: ['Choose'], actions: [{ label: 'Proposals', line: '/pings take proposals' }] });
  expect([await roles.post(invitation), await roles.post(invitation)]).toEqual([undefined, undefined]);
  expect(controls.messages(harness.channel)).toHaveLength(1);
});

test('what is stored of a server is named for its channels, and forgotten with the last of them', async () => {
  const { made } = await open();
  await made();
  const { dataOwner } = harness.platform;
  const here = addressOf(harness.channel);
  expect((await dataOwner?.kept(here))?.join()).toContain('which roles of this server I made for pings');
  await dataOwner?.forgetChat(here);
  const left: string[] = [];
  for await (const page of harness.store.copies.snapshot()) left.push(...page.map(([key]) => key));
  expect(left.filter((key) => key.includes('discord-pings'))).toEqual([]);
  expect(await dataOwner?.kept(here)).toEqual([]);
});

test('in a private chat and where the bot is not installed there are no ping roles', async () => {
  const { controls } = await open();
  await controls.slash({ channel: controls.openDirect(harness.anna), user: harness.anna, command: 'status' }).reply();
  expect(harness.inbounds.at(-1)?.from.pingRoles).toBeUndefined();
});
