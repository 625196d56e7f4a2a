import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handClock } from '../../support/clock.js';
import { ask, refuseBreaches, type Spoken, type Wanted } from './caller.js';
import { Permission, USUAL_BOT_PERMISSIONS } from './flags.js';
import { startDiscord } from './start.js';
import type { DiscordStandIn, Id } from './types.js';

const clock = handClock();
let discord: DiscordStandIn;
let guild: Id;
let channel: Id;

beforeEach(async () => {
  discord = await startDiscord({ token: 'planted', clock, uploadBytes: 1000 });
  guild = discord.controls.addGuild();
  channel = discord.controls.addChannel({ guild });
});
afterEach(async () => {
  await discord.close();
  refuseBreaches(discord);
});

const post = async (body: unknown, { into = channel, ...more }: Wanted & { into?: Id } = {}): Promise<Spoken> =>
  ask(discord, `POST /channels/${into}/messages`, { body, ...more });
const idOf = ({ body }: Spoken): Id => (body as { readonly id: Id }).id;
const refused = (code: number) => ({ body: { code } });

describe('threads', () => {
  test('they have the permissions of the channel above, and one of their own for writing', async () => {
    const into = discord.controls.addThread({ parent: channel });
    expect((await post({ content: 'x' }, { into })).status).toBe(200);
    discord.controls.setPermission({ channel, target: 'bot', deny: Permission.SEND_MESSAGES });
    expect((await post({ content: 'x' }, { into })).status).toBe(200);
    discord.controls.setPermission({ channel, target: 'bot', deny: Permission.SEND_MESSAGES_IN_THREADS });
    expect(await post({ content: 'x' }, { into })).toMatchObject(refused(50013));
    expect(() => discord.controls.setPermission({ channel: into, target: 'bot', deny: 1n })).toThrow('no overwrites of their own');
  });
  test('writing opens an archived one again, but not a locked one', async () => {
    const into = discord.controls.addThread({ parent: channel, archived: true });
    const id = idOf(await post({ content: 'x' }, { into }));
    expect(await ask(discord, `GET /channels/${into}`)).toMatchObject({ body: { thread_metadata: { archived: false } } });
    discord.controls.setThread(into, { archived: true, locked: true });
    expect(await post({ content: 'x' }, { into })).toMatchObject({ status: 400, ...refused(50083) });
    expect(await ask(discord, `PATCH /channels/${into}/messages/${id}`, { body: { content: 'y' } })).toMatchObject(refused(50083));
    discord.controls.setBotPermissions(guild, USUAL_BOT_PERMISSIONS | Permission.MANAGE_THREADS);
    expect((await post({ content: 'x' }, { into })).status).toBe(200);
  });
  test('a private one is hidden from a bot that was not added', async () => {
    const into = discord.controls.addThread({ parent: channel, isPrivate: true, withBot: false });
    expect(await post({ content: 'x' }, { into })).toMatchObject({ status: 403, ...refused(50001) });
    expect((await post({ content: 'x' }, { into: discord.controls.addThread({ parent: channel, isPrivate: true }) })).status).toBe(200);
  });
  test('they go with the channel above them', async () => {
    const into = discord.controls.addThread({ parent: channel });
    discord.controls.deleteChannel(channel);
    expect(await post({ content: 'x' }, { into })).toMatchObject(refused(10003));
  });
});
