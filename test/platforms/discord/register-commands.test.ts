import { afterEach, describe, expect, test } from 'vitest';
import { MINUTE } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import type { Catalogue, CommandEntry } from '../../../src/chat/catalogue.js';
import { definitionsOf, syncCommands, WATCH_WALLET } from '../../../src/platforms/discord/register-commands.js';
import { openRest } from '../../../src/platforms/discord/rest.js';
import { CATALOGUE, openHarness, TOKEN, type DiscordHarness } from './harness.js';

/** With the message command. */
const REGISTERED = CATALOGUE.commands.length + 1;

let harness: DiscordHarness;
afterEach(async () => harness.close());

const writes = () => harness.discord.transcript.calls(undefined, '/commands').filter(({ method }) => method !== 'GET');

/** Brings the commands up to date as at the start of the bot. */
async function sync(commands: readonly CommandEntry[], guild?: string): Promise<void> {
  const rest = openRest({ token: TOKEN, apiUrl: harness.discord.url, clock: harness.clock, deadlineMs: 5_000, patienceMs: 0 });
  await syncCommands(harness.discord.applicationId, { call: rest.call, store: harness.store, commands, guild, log: silentLog });
  rest.close();
}

describe('registering commands', () => {
  test('all of them come from the catalogue, with options, choices and completion', async () => {
    harness = await openHarness();
    await harness.connect();
    const premium = harness.discord.controls.commands().find(({ name }) => name === 'premium');
    expect(premium?.raw).toMatchObject({
      description: 'How far the price is from NAV',
      contexts: [0, 1, 2],
      integration_types: [0, 1],
      default_member_permissions: null,
      options: [
        { type: 3, name: 'project', required: true, autocomplete: true },
        {
          type: 3,
          name: 'range',
          choices: [{ name: '1D', value: '1D' }, { value: '1W' }, { value: '1M' }, { value: '3M' }, { value: 'ALL' }],
        },
      ],
    });
    expect(harness.discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
  });

  test('a command for managers is hidden from other members, who may still be offered /watch', async () => {
    harness = await openHarness();
    await sync(CATALOGUE.commands.map((command) => (command.name === 'import' ? { ...command, managersOnly: true } : command)));
    const { controls } = harness.discord;
    const needed = (name: string) => controls.commands().find((command) => command.name === name)?.raw['default_member_permissions'];
    expect([needed('import'), needed('watch')]).toEqual([(1n << 4n).toString(), null]);
    expect(() => controls.slash({ channel: harness.channel, user: harness.anna, command: 'import', options: { how: 'look' } })).toThrow(
      /more permissions/u,
    );
  });

  test('the message command has neither description nor options, and a command of one server says no places', async () => {
    harness = await openHarness();
    await sync(CATALOGUE.commands);
    const raw = harness.discord.controls.commands().find(({ name }) => name === WATCH_WALLET)?.raw;
    expect(raw).toMatchObject({ type: 3, description: '', contexts: [0, 1, 2], integration_types: [0, 1] });
    expect(raw).not.toHaveProperty('options');
    await sync(CATALOGUE.commands, harness.guild);
    expect(harness.discord.controls.commands(harness.guild).map(({ raw: { contexts } }) => contexts)).toEqual(
      Array.from({ length: REGISTERED }, () => null),
    );
  });

  test('after a restart nothing is sent when nothing changed, and the ids stay', async () => {
    harness = await openHarness();
    await sync(CATALOGUE.commands);
    const before = harness.discord.controls.commands();
    harness.discord.transcript.clear();
    await sync(CATALOGUE.commands);
    expect(writes()).toEqual([]);
    expect(harness.discord.controls.commands()).toEqual(before);
  });

  test('only what differs is sent', async () => {
    harness = await openHarness();
    await sync(CATALOGUE.commands);
    harness.discord.transcript.clear();
    const [premium, ...rest] = CATALOGUE.commands;
    const fresh: CommandEntry = { name: 'help', summary: 'What can be asked', options: [], examples: ['/help'] };
    await sync([{ ...premium!, summary: 'The gap to NAV' }, ...rest.filter(({ name }) => name !== 'why'), fresh]);
    expect(writes().map(({ method, body }) => [method, (body as { name?: string } | undefined)?.name])).toEqual([
      ['DELETE', undefined],
      ['PATCH', 'premium'],
      ['POST', 'help'],
    ]);
    expect(
      harness.discord.controls
        .commands()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['Watch this wallet', 'help', 'import', 'premium', 'status', 'watch']);
  });

  test('an option that now takes a file is a difference', async () => {
    harness = await openHarness();
    const [premium] = CATALOGUE.commands;
    const list = { name: 'list', summary: 'a list', required: true, completes: false };
    await sync([{ ...premium!, options: [list] }]);
    harness.discord.transcript.clear();
    await sync([{ ...premium!, options: [{ ...list, file: true }] }]);
    expect(writes()).toMatchObject([
      {
        method: 'PATCH',
        body: {
          options: [
            { type: 11, name: 'file', required: false },
            { type: 3, name: 'list' },
          ],
        },
      },
    ]);
    await sync([
      {
        ...premium!,
        options: [
          { ...list, file: true },
          { ...list, name: 'file', required: false },
        ],
      },
    ]);
    // Its own name is the only one left for the field, so that it alone takes the option.
    expect(harness.discord.controls.commands()[0]?.raw['options']).toMatchObject([
      { type: 11, name: 'list', required: true },
      { type: 3, name: 'file' },
    ]);
    const before = harness.discord.transcript.calls().length;
    await sync([
      {
        ...premium!,
        options: [
          { ...list, file: true },
          { ...list, name: 'file', required: false },
        ],
      },
    ]);
    expect(harness.discord.transcript.calls().slice(before)).toMatchObject([{ method: 'GET' }]);
  });

  test('what somebody changed behind our back is mended', async () => {
    harness = await openHarness();
    await sync(CATALOGUE.commands);
    await sync([]);
    await sync(CATALOGUE.commands);
    expect(harness.discord.controls.commands()).toHaveLength(REGISTERED);
  });

  test('in one server only, where that is asked for; the others are taken away when it changes', async () => {
    harness = await openHarness();
    const { controls } = harness.discord;
    await sync(CATALOGUE.commands);
    await sync(CATALOGUE.commands, harness.guild);
    expect(controls.commands()).toEqual([]);
    expect(controls.commands(harness.guild)).toHaveLength(REGISTERED);
    await sync(CATALOGUE.commands);
    expect(controls.commands(harness.guild)).toEqual([]);
    expect(controls.commands()).toHaveLength(REGISTERED);
  });

  test('a server that we left is no reason not to register', async () => {
    harness = await openHarness();
    await sync(CATALOGUE.commands, harness.guild);
    harness.discord.controls.kick(harness.guild);
    await sync(CATALOGUE.commands);
    expect(harness.discord.controls.commands()).toHaveLength(REGISTERED);
  });

  test('a failure says why and is tried again, and the bot is connected meanwhile', async () => {
    harness = await openHarness();
    harness.discord.controls.faults.next({ kind: 'status', status: 500 }, { method: 'GET', path: '/commands' });
    harness.platform.start();
    const line = await harness.logged('discord.commands-not-registered');
    expect(line.fields['because']).toContain('500');
    expect(await harness.platform.notifier.diagnose()).toMatchObject({
      ok: false,
      says: expect.stringContaining('its slash commands are not registered') as string,
      problem: expect.stringContaining('tried again within the hour') as string,
    });
    await harness.clock.asleep();
    await harness.clock.advance(MINUTE);
    await harness.logged('discord.commands-registered');
    while (!(await harness.platform.notifier.diagnose()).ok) await harness.clock.advance(1);
    expect(harness.discord.controls.commands()).toHaveLength(REGISTERED);
  });

  test('a catalogue beyond every limit is registered within them', async () => {
    const many: Catalogue['commands'] = [
      {
        name: 'big',
        summary: 's'.repeat(300),
        examples: ['/big'],
        options: [
          ...Array.from({ length: 30 }, (_, at) => ({ name: `o${at}`, summary: '', required: false, completes: false })),
          { name: 'needed', summary: 'x', required: true, completes: true, choices: Array.from({ length: 40 }, (_, at) => `c${at}`) },
        ],
      },
    ];
    harness = await openHarness();
    await sync(many);
    const [big] = definitionsOf(many, undefined);
    expect(big?.options[0]).toMatchObject({ name: 'needed', autocomplete: true, choices: [] });
    expect(harness.discord.controls.commands()).toHaveLength(1);
  });
});
