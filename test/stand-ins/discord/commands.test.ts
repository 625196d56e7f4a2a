import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handClock } from '../../support/clock.js';
import { ask, refuseBreaches, type Spoken } from './caller.js';
import { startDiscord } from './start.js';
import type { DiscordStandIn } from './types.js';

let discord: DiscordStandIn;
let base: string;

beforeEach(async () => {
  discord = await startDiscord({ token: 'planted', clock: handClock() });
  base = `/applications/${discord.applicationId}/commands`;
});
afterEach(async () => {
  await discord.close();
  refuseBreaches(discord);
});

const put = async (...body: readonly object[]): Promise<Spoken> => ask(discord, `PUT ${base}`, { body });
const command = (more: object = {}) => ({ name: 'premium', description: 'Shows it', ...more });
const text = (name: string, more: object = {}) => ({ type: 3, name, description: 'd', ...more });
const choices = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `n${at}`, value: `v${at}` }));
const names = () => discord.controls.commands().map(({ name }) => name);

describe('what may be registered', () => {
  test.each([
    ['a name with a capital', command({ name: 'Premium' })],
    ['a name with a space', command({ name: 'pre mium' })],
    ['a name of 33', command({ name: 'x'.repeat(33) })],
    ['no description', { name: 'premium' }],
    ['a description of 101', command({ description: 'x'.repeat(101) })],
    ['a message command with a description', { name: 'Watch', type: 3, description: 'Shows it' }],
    ['a message command with options', { name: 'Watch', type: 3, options: [text('a')] }],
    ['one context twice', command({ contexts: [0, 0] })],
    ['private chats of others without an installation by people', command({ contexts: [0, 1, 2], integration_types: [0] })],
    ['26 options', command({ options: Array.from({ length: 26 }, (_, at) => text(`o${at}`)) })],
    ['26 choices', command({ options: [text('a', { choices: choices(26) })] })],
    ['a required option after an optional one', command({ options: [text('a'), text('b', { required: true })] })],
    ['one option twice', command({ options: [text('a'), text('a')] })],
    ['choices and autocomplete at once', command({ options: [text('a', { autocomplete: true, choices: choices(1) })] })],
    ['one choice name twice', command({ options: [text('a', { choices: [...choices(1), { name: 'n0', value: 'w' }] })] })],
    ['a choice of 101', command({ options: [text('a', { choices: [{ name: 'x'.repeat(101), value: 'v' }] })] })],
    ['an option without a description', command({ options: [{ type: 3, name: 'a' }] })],
    ['a subcommand beside an option', command({ options: [{ type: 1, name: 'sub', description: 'd' }, text('a')] })],
    [
      'more than 8,000 characters',
      command({
        options: Array.from({ length: 25 }, (_, at) =>
          text(`o${at}`, { choices: choices(25).map(({ value }) => ({ name: `${value}${'x'.repeat(20)}`, value })) }),
        ),
      }),
    ],
    ['an unknown type of option', command({ options: [{ type: 99, name: 'a', description: 'd' }] })],
  ])('%s is refused, and nothing is registered', async (_what, wrong) => {
    expect(await put(command({ name: 'fine' }), wrong)).toMatchObject({ status: 400, body: { code: 50035 } });
    expect(names()).toEqual([]);
  });
  test('two of one name are refused, and so is the hundred and first', async () => {
    expect(await put(command(), command())).toMatchObject({ status: 400, body: { code: 50035 } });
    expect(await put(...Array.from({ length: 101 }, (_, at) => command({ name: `c${at}` })))).toMatchObject({
      status: 400,
      body: { code: 30032 },
    });
  });
  test('one with everything a slash command may have', async () => {
    const options = [
      text('a', { required: true, autocomplete: true }),
      text('b', { choices: choices(25) }),
      { type: 5, name: 'c', description: 'd' },
    ];
    expect(await put(command({ options, contexts: [0, 1], default_member_permissions: '32' }))).toMatchObject({
      status: 200,
      body: [{ name: 'premium', default_member_permissions: '32', contexts: [0, 1] }],
    });
  });
});

describe('keeping them', () => {
  test('what keeps its name keeps its id, and its version while nothing changes', async () => {
    const [before] = (await put(command())).body as { id: string; version: string }[];
    const [same] = (await put(command())).body as { id: string; version: string }[];
    const [other] = (await put(command({ description: 'Else' }))).body as { id: string; version: string }[];
    expect(same).toEqual(before);
    expect(other).toMatchObject({ id: before?.id, description: 'Else' });
    expect(other?.version).not.toBe(before?.version);
  });
  test('a server has its own, and one of another application is refused', async () => {
    const guild = discord.controls.addGuild();
    const own = `/applications/${discord.applicationId}/guilds/${guild}/commands`;
    expect((await ask(discord, `POST ${own}`, { body: command({ name: 'own' }) })).status).toBe(201);
    expect((await ask(discord, `POST ${own}`, { body: command({ name: 'own', description: 'again' }) })).status).toBe(200);
    expect(names()).toEqual([]);
    expect(discord.controls.commands(guild)).toMatchObject([{ name: 'own', description: 'again' }]);
    discord.controls.kick(guild);
    expect(await ask(discord, `GET ${own}`)).toMatchObject({ status: 403, body: { code: 50001 } });
    expect(await ask(discord, 'GET /applications/1/commands')).toMatchObject({ status: 403, body: { code: 20012 } });
  });
  test("a server's own command says no places", async () => {
    const path = `/applications/${discord.applicationId}/guilds/${discord.controls.addGuild()}/commands`;
    expect((await ask(discord, `POST ${path}`, { body: command({ contexts: [0] }) })).status).toBe(400);
    expect((await ask(discord, `POST ${path}`, { body: command() })).status).toBe(201);
  });

  test('one is changed, read and taken away by its id', async () => {
    const { id } = (await ask(discord, `POST ${base}`, { body: command() })).body as { id: string };
    expect(await ask(discord, `PATCH ${base}/${id}`, { body: { description: 'Else' } })).toMatchObject({
      body: { id, description: 'Else' },
    });
    expect(await ask(discord, `PATCH ${base}/${id}`, { body: { name: 'Not So' } })).toMatchObject({ status: 400, body: { code: 50035 } });
    expect((await ask(discord, `DELETE ${base}/${id}`)).status).toBe(204);
    expect(await ask(discord, `GET ${base}/${id}`)).toMatchObject({ status: 404, body: { code: 10063 } });
  });
  test('two hundred are created in a day and no more', async () => {
    for (let round = 0; round < 2; round += 1) {
      await put(...Array.from({ length: 100 }, (_, at) => command({ name: `c${round}-${at}` })));
      await put();
    }
    expect(await put(command())).toMatchObject({ status: 400, body: { code: 30034 } });
  });
});
