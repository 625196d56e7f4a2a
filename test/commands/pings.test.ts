import { expect, test } from 'vitest';
import { address } from '../../src/chat/address.js';
import type { Person } from '../../src/chat/inbound.js';
import { CHAT, openAppHarness } from '../support/app-harness.js';
import { pingRolesInMemory } from '../support/ping-roles.js';

const MODERATOR: Person = { id: 'console/mo', name: 'Mo', manages: async () => true };

async function watchingTide(options: Parameters<typeof pingRolesInMemory>[0] = {}) {
  const harness = await openAppHarness();
  const pingRoles = pingRolesInMemory(options);
  await harness.say('/watch tide');
  const say = async (line: string, by: Partial<Person> = {}) => harness.say(line, { ...MODERATOR, pingRoles, ...by });
  return { ...harness, pingRoles, say, pings: () => harness.watchlists.read(CHAT).pings };
}

test('the roles are named first; set up, the channel mentions them, and a message with a button for each is posted', async () => {
  const { say, pingRoles, pings, deadButtons } = await watchingTide();
  const { text } = await say('/pings');
  for (const name of ['Proposal pings', 'Launch pings', 'Deep discount pings']) expect(text).toContain(name);
  expect([pings(), pingRoles.roles.size]).toEqual([undefined, 0]);
  const { reply } = await say('/pings on');
  expect(pings()).toEqual(Object.fromEntries(pingRoles.roles));
  expect(await deadButtons(reply)).toEqual([]);
  const [invitation] = pingRoles.posted;
  expect(invitation?.actions.map(({ line }) => line)).toEqual(['/pings take proposals', '/pings take launches', '/pings take discounts']);
  expect(await deadButtons(invitation!)).toEqual([]);
});

test('some of them can be chosen, and a word that is none is refused', async () => {
  const { say, pingRoles, pings } = await watchingTide();
  expect((await say('/pings on everything')).text).toContain('"everything" has no ping role');
  await say('/pings on discounts, proposals');
  expect(Object.keys(pings() ?? {})).toEqual(['proposals', 'discounts']);
  expect(pingRoles.posted.map(({ actions }) => actions.length)).toEqual([2]);
  expect((await say('/pings')).reply.actions.map(({ line }) => line)).toEqual(['/pings on proposals discounts', '/pings off']);
});

test('what prevents it is said before anything is made or stored', async () => {
  const { say, pingRoles, pings } = await watchingTide({ blocked: 'I need Manage Roles in this server.' });
  expect((await say('/pings on')).text).toContain('I need Manage Roles in this server.');
  expect((await say('/pings on', { manages: async () => false })).text).toContain('Only people who can manage this chat');
  expect([pings(), pingRoles.roles.size, pingRoles.posted]).toEqual([undefined, 0, []]);
});

test('a role that cannot be given as it is is said when they are set up', async () => {
  const { say, pings } = await watchingTide({ warning: 'This role is above mine.' });
  expect((await say('/pings on')).text).toContain('⚠ This role is above mine.');
  expect(Object.keys(pings() ?? {})).toHaveLength(3);
});

test('anybody takes a role and leaves it, and only they see it', async () => {
  const { say } = await watchingTide();
  await say('/pings on');
  const guest = { manages: async () => false };
  const { reply, text } = await say('/pings take proposals', guest);
  expect([text, reply.audience]).toEqual([expect.stringContaining("You're pinged for proposals now."), 'asker']);
  expect((await say('/pings take proposals', guest)).text).toContain("You're not pinged for proposals.");
  expect((await say('/pings take', guest)).reply.actions.map(({ line }) => line)).toContain('/pings take launches');
});

test('kinds are added to what is set up here, and Off ends all of them or those that are named', async () => {
  const { say, pings } = await watchingTide();
  await say('/pings on proposals');
  await say('/pings on launches');
  expect(Object.keys(pings() ?? {})).toEqual(['proposals', 'launches']);
  expect((await say('/pings off proposals')).text).toContain('Ping roles: on');
  expect(Object.keys(pings() ?? {})).toEqual(['launches']);
  await say('/pings off');
  expect(pings()).toBeUndefined();
});

test('the button of an old message after Off says that no channel pings for the role', async () => {
  const { say, watchlists, pingRoles } = await watchingTide();
  await say('/pings on');
  await say('/pings off');
  expect((await say('/pings take launches')).text).toContain('no channel pings for launches');
  await say('/pings take launches');
  await watchlists.change(address('console', 'other'), (chat) => ({ ...chat, pings: { launches: pingRoles.roles.get('launches')! } }));
  expect((await say('/pings take launches')).text).toContain("You're pinged for launches now.");
});

test('a role that is made again is mentioned by all channels that mentioned the deleted one', async () => {
  const { say, pingRoles, watchlists } = await watchingTide();
  await say('/pings on');
  const other = address('console', 'other');
  const before = pingRoles.roles.get('proposals')!;
  await watchlists.change(other, (chat) => ({ ...chat, pings: { proposals: before } }));
  pingRoles.roles.delete('proposals');
  await say('/pings on proposals');
  const now = pingRoles.roles.get('proposals');
  expect(now).not.toBe(before);
  expect(watchlists.read(other).pings).toEqual({ proposals: now });
});

test('a role that was deleted in the server is mentioned by none of its channels afterwards', async () => {
  const { say, pingRoles, pings, watchlists } = await watchingTide();
  await say('/pings on');
  const other = address('console', 'other');
  await watchlists.change(other, (chat) => ({ ...chat, pings: { proposals: pingRoles.roles.get('proposals')! } }));
  pingRoles.roles.delete('proposals');
  expect((await say('/pings take proposals')).text).toContain('The role for proposals was deleted');
  expect([Object.keys(pings() ?? {}), watchlists.read(other).pings]).toEqual([['launches', 'discounts'], undefined]);
  expect((await say('/pings take proposals')).text).toContain('There is no ping role for proposals here');
});

test('what is stored is shown by /alerts and /privacy, stays behind an export, and ends with Off and with the chat', async () => {
  const { say, pingRoles, pings } = await watchingTide();
  await say('/pings on');
  const role = `<@&${pingRoles.roles.get('launches')}>`;
  for (const line of ['/alerts', '/alerts tide']) expect((await say(line)).text).toContain(`Launches: ${role}`);
  expect((await say('/privacy')).text).toContain('which roles its alerts mention');
  expect((await say('/watchlist export')).text).toContain('Not in the file: the ping roles');
  await say('/pings off');
  expect(pings()).toBeUndefined();
  await say('/pings on');
  await say('/privacy delete chat yes');
  expect(pings()).toBeUndefined();
});

test('where a platform has no roles, and where nothing is watched, it says so', async () => {
  const { say } = await openAppHarness();
  expect((await say('/pings on')).text).toContain('Ping roles are for channels of a Discord server');
  expect((await say('/pings on', { ...MODERATOR, pingRoles: pingRolesInMemory() })).text).toContain('Nothing is watched here yet.');
});
