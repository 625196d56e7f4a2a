import { OAuth2Scopes, PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import { applicationOf, INVITED_PERMISSIONS, inviteUrl } from '../../../src/platforms/discord/application.js';
import { discord } from '../../../src/platforms/discord/descriptor.js';
import { missingFrom } from '../../../src/platforms/discord/permissions.js';

const ID = '123456789012345678';
const TOKEN = `${Buffer.from(ID).toString('base64url')}.G-planted.secret`;

test('the link asks for exactly the permissions that are used, and for the commands', () => {
  const url = new URL(inviteUrl(ID));
  const { ViewChannel, SendMessages, SendMessagesInThreads, EmbedLinks, AttachFiles, ReadMessageHistory } = PermissionFlagsBits;
  const used = ViewChannel | SendMessages | SendMessagesInThreads | EmbedLinks | AttachFiles | ReadMessageHistory;
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: ID,
    scope: `${OAuth2Scopes.Bot} ${OAuth2Scopes.ApplicationsCommands}`,
    permissions: used.toString(),
  });
});

test('whoever follows it misses no permission for alerts', () => {
  const granted = Object.values(INVITED_PERMISSIONS).reduce((all, bit) => all | bit, 0n);
  for (const isThread of [false, true]) expect(missingFrom(granted, { where: isThread ? 'thread' : 'channel' })).toEqual([]);
});

test('the start prints it, without the secret part of the token', () => {
  const configured = discord.configure({ DISCORD_TOKEN: TOKEN });
  const lines = 'connected' in configured ? configured.connected?.startLines : undefined;
  expect(lines).toEqual([expect.stringContaining(inviteUrl(ID))]);
  expect(String(lines)).not.toContain('planted');
});

test.each(['', 'planted.secret.token', `${Buffer.from('12').toString('base64')}.x.y`])(
  'a token of another form, %j, names no application',
  (token) => {
    expect(applicationOf(token)).toBeUndefined();
  },
);
