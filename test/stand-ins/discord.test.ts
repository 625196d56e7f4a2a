import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  DiscordAPIError,
  Events,
  GatewayIntentBits,
  MessageFlags,
  Options,
  StringSelectMenuBuilder,
  type Interaction as Received,
} from 'discord.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECOND } from '../../src/base/clock.js';
import { handClock } from '../support/clock.js';
import { refuseBreaches } from './discord/caller.js';
import { Permission } from './discord/flags.js';
import { startDiscord } from './discord/start.js';
import type { DiscordStandIn, Id } from './discord/types.js';

const TOKEN = 'planted.secret.token';
const clock = handClock();
let discord: DiscordStandIn;
let client: Client;
let guild: Id;
let channel: Id;
let anna: Id;
/** What went wrong in a handler; a test that expects nothing else finds it empty. */
let troubles: unknown[];

/** A client as the bot has it: no caches of members or messages, and no five seconds between two identifies. */
const newClient = (): Client =>
  new Client({
    intents: [GatewayIntentBits.Guilds],
    makeCache: Options.cacheWithLimits({ MessageManager: 0, GuildMemberManager: 0 }),
    rest: { api: discord.url },
    ws: { buildIdentifyThrottler: () => Promise.resolve({ waitForIdentify: () => Promise.resolve() }) },
  });

/** Logs in and waits until every server is there. */
async function login(): Promise<void> {
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(TOKEN);
  await ready;
}
const on = (act: (interaction: Received) => Promise<unknown>): void =>
  void client.on(Events.InteractionCreate, (interaction) => void act(interaction).catch((trouble: unknown) => troubles.push(trouble)));

beforeEach(async () => {
  troubles = [];
  discord = await startDiscord({ token: TOKEN, clock });
  guild = discord.controls.addGuild({ name: 'Harbour' });
  channel = discord.controls.addChannel({ guild, name: 'alerts' });
  anna = discord.controls.addUser({ name: 'anna' });
  client = newClient();
});
afterEach(async () => {
  await client.destroy();
  await discord.close();
  refuseBreaches(discord);
});

describe('a conversation through discord.js', () => {
  const premium = {
    name: 'premium',
    description: 'Shows it',
    options: [{ type: 3, name: 'project', description: 'Which', autocomplete: true }],
  };

  test('a command is deferred, answered, followed up, edited and taken away', async () => {
    on(async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      await interaction.deferReply();
      await interaction.editReply({ content: interaction.options.getString('project') ?? 'none' });
      const aside = await interaction.followUp({ content: 'aside', flags: MessageFlags.Ephemeral });
      await interaction.editReply({ message: aside, content: 'edited aside' });
      await interaction.deleteReply();
    });
    await login();
    expect(client.guilds.cache.get(guild)).toMatchObject({ name: 'Harbour' });
    await client.application?.commands.set([premium]);
    const asked = discord.controls.slash({ channel, user: anna, command: 'premium', options: { project: 'tide' } });
    expect(await asked.acknowledged()).toMatchObject({ kind: 'deferred', ephemeral: false });
    expect(await asked.reply()).toMatchObject({ content: 'tide' });
    const last = await discord.controls.waitFor(() => {
      const shown = asked.shown();
      return shown.length === 1 && shown[0]?.content === 'edited aside' && shown[0];
    });
    expect(last).toMatchObject({ ephemeral: true, edits: 1 });
    expect(discord.controls.messages(channel)).toEqual([]);
    expect(troubles).toEqual([]);
  });

  test('an answer after three seconds comes too late', async () => {
    on(async (interaction) => {
      await clock.advance(3 * SECOND + 1);
      if (interaction.isChatInputCommand()) await interaction.reply('late');
    });
    await login();
    await client.application?.commands.set([premium]);
    discord.controls.slash({ channel, user: anna, command: 'premium' });
    await discord.controls.waitFor(() => discord.transcript.calls('POST', '/callback').length === 1);
    expect(discord.transcript.calls('POST', '/callback')[0]).toMatchObject({ status: 404, code: 10062 });
    expect(discord.controls.messages(channel)).toEqual([]);
  });

  test('typing offers choices, twenty-five at most', async () => {
    let offered = 25;
    on(async (interaction) => {
      if (!interaction.isAutocomplete()) return;
      const { name, value } = interaction.options.getFocused(true);
      await interaction.respond(Array.from({ length: offered }, (_, at) => ({ name: `${name} ${value}${at}`, value: `v${at}` })));
    });
    await login();
    await client.application?.commands.set([premium]);
    const type = async () =>
      discord.controls.autocomplete({ channel, user: anna, command: 'premium', focused: 'project', options: { project: 'ti' } });
    const choices = await type();
    expect(choices).toHaveLength(25);
    expect(choices[0]).toEqual({ name: 'project ti0', value: 'v0' });
    offered = 26;
    const more = type().catch(() => 'never');
    await discord.controls.waitFor(() => discord.transcript.calls('POST', '/callback')[1]?.code === 50035);
    await discord.close();
    expect(await more).toBe('never');
  });

  test('a button edits its message, and a menu too', async () => {
    const menu = new StringSelectMenuBuilder()
      .setCustomId('pick')
      .addOptions({ label: 'A week', value: '1W' }, { label: 'A month', value: '1M' });
    on(async (interaction) => {
      if (interaction.isButton())
        await interaction.update({
          content: interaction.customId,
          components: [new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu)],
        });
      if (!interaction.isStringSelectMenu()) return;
      await interaction.deferUpdate();
      await interaction.editReply({ content: interaction.values.join(), components: [] });
    });
    await login();
    const button = new ButtonBuilder().setCustomId('/premium 1W').setLabel('Week').setStyle(ButtonStyle.Primary);
    const row = new ActionRowBuilder<ButtonBuilder>().addComponents(button);
    const { id } = (await client.rest.post(`/channels/${channel}/messages`, { body: { content: 'x', components: [row.toJSON()] } })) as {
      id: Id;
    };
    expect(await discord.controls.press({ message: id, user: anna, button: 'Week' }).reply()).toMatchObject({ id, content: '/premium 1W' });
    expect(await discord.controls.select({ message: id, user: anna, values: ['1M'] }).reply()).toMatchObject({
      id,
      content: '1M',
      rows: [],
    });
    expect(troubles).toEqual([]);
  });

  test('a command in a private chat and in a thread', async () => {
    on(async (interaction) => {
      if (interaction.isChatInputCommand())
        await interaction.reply(`${interaction.guildId} ${interaction.channel?.isThread()} ${interaction.user.username}`);
    });
    await login();
    await client.application?.commands.set([premium]);
    const run = async (where: Id) => (await discord.controls.slash({ channel: where, user: anna, command: 'premium' }).reply()).content;
    expect(await run(discord.controls.openDirect(anna))).toBe('null undefined anna');
    expect(await run(discord.controls.addThread({ parent: channel }))).toBe(`${guild} true anna`);
    expect(troubles).toEqual([]);
  });

  test('who asks, and what they may do, comes with the command', async () => {
    const role = discord.controls.addRole({ guild, permissions: Permission.MANAGE_GUILD });
    discord.controls.addMember({ guild, user: anna, roles: [role] });
    const asked: unknown[] = [];
    on(async (interaction) => {
      asked.push([interaction.memberPermissions?.has('ManageGuild'), interaction.appPermissions.has('EmbedLinks')]);
      if (interaction.isChatInputCommand()) await interaction.reply('x');
    });
    await login();
    await client.application?.commands.set([{ ...premium, defaultMemberPermissions: '32' }]);
    discord.controls.setPermission({ channel, target: 'bot', deny: Permission.EMBED_LINKS });
    await discord.controls.slash({ channel, user: anna, command: 'premium' }).reply();
    expect(asked).toEqual([[true, false]]);
    expect(() => discord.controls.slash({ channel, user: discord.controls.addUser(), command: 'premium' })).toThrow('more permissions');
  });
});

describe('what the client is alerted', () => {
  /** Resolves when the client has heard of it. */
  const emitted = async (event: string): Promise<void> => new Promise((resolve) => client.once(event, () => resolve()));

  test('of servers that come, go and are away', async () => {
    await login();
    const joined = emitted(Events.GuildCreate);
    const other = discord.controls.addGuild({ name: 'Other' });
    await joined;
    expect(client.guilds.cache.get(other)?.name).toBe('Other');
    const left = emitted(Events.GuildDelete);
    discord.controls.kick(other);
    await left;
    expect(client.guilds.cache.has(other)).toBe(false);
    const back = emitted(Events.GuildCreate);
    discord.controls.invite(other);
    await back;
    const away = emitted(Events.GuildUnavailable);
    discord.controls.setUnavailable(other, true);
    await away;
    expect(client.guilds.cache.get(other)?.available).toBe(false);
    const again = emitted(Events.GuildAvailable);
    discord.controls.setUnavailable(other, false);
    await again;
  });
  test('of channels, threads and permissions that change', async () => {
    await login();
    const made = emitted(Events.ThreadCreate);
    const thread = discord.controls.addThread({ parent: channel });
    await made;
    expect(client.channels.cache.get(thread)?.isThread()).toBe(true);
    const changed = emitted(Events.ChannelUpdate);
    discord.controls.setPermission({ channel, target: 'bot', deny: Permission.SEND_MESSAGES });
    await changed;
    const known = client.channels.cache.get(channel);
    const overwrite = known && 'permissionOverwrites' in known && known.permissionOverwrites.cache.get(discord.applicationId);
    expect(overwrite && overwrite.deny.toArray()).toEqual(['SendMessages']);
    const archived = emitted(Events.ThreadUpdate);
    discord.controls.setThread(thread, { archived: true });
    await archived;
    const gone = emitted(Events.ChannelDelete);
    discord.controls.deleteChannel(channel);
    await gone;
    expect(client.channels.cache.has(channel)).toBe(false);
  });
  test('of no words without the intents for them', async () => {
    await login();
    discord.controls.say({ channel, user: anna, content: 'hello' });
    expect(discord.transcript.events('MESSAGE_CREATE')).toEqual([]);
  });
  test('it may leave a server, and is alerted of it', async () => {
    await login();
    const left = emitted(Events.GuildDelete);
    await client.guilds.cache.get(guild)?.leave();
    await left;
    await expect(client.rest.post(`/channels/${channel}/messages`, { body: { content: 'x' } })).rejects.toBeInstanceOf(DiscordAPIError);
  });
});

describe('the line to the gateway', () => {
  const resumed = async (): Promise<void> => new Promise((resolve) => client.once(Events.ShardResume, () => resolve()));

  test('what happens while it is cut is replayed, in order, and nothing twice', async () => {
    await login();
    const names: string[] = [];
    client.on(Events.ChannelCreate, ({ name }) => names.push(name));
    const back = resumed();
    discord.controls.gateway.drop();
    for (const name of ['a', 'b', 'c']) discord.controls.addChannel({ guild, name });
    await back;
    expect(names).toEqual(['a', 'b', 'c']);
    expect(discord.controls.gateway.counts()).toEqual({ identifies: 1, resumes: 1, refused: 0 });
  });
  test('asked to reconnect it resumes', async () => {
    await login();
    const back = resumed();
    discord.controls.gateway.reconnect();
    await back;
    await discord.controls.gateway.ready();
    expect(discord.controls.gateway.connections()).toBe(1);
  });
  test('a session that is no more is begun again', async () => {
    await login();
    // A client that is destroyed before it has read its READY connects again, and `destroy` never resolves: so this waits for it.
    const again = new Promise((resolve) => client.once(Events.ShardReady, resolve));
    discord.controls.gateway.invalidate(false);
    await discord.controls.gateway.ready();
    await again;
    expect(discord.controls.gateway.counts()).toEqual({ identifies: 2, resumes: 0, refused: 0 });
  });
  test('an invalidation that leaves the session is followed by a resume', async () => {
    await login();
    const back = resumed();
    discord.controls.gateway.invalidate(true);
    await back;
    expect(discord.controls.gateway.counts()).toMatchObject({ identifies: 1, resumes: 1 });
  });
  test('the platform may tell an event twice', async () => {
    await login();
    const names: string[] = [];
    client.on(Events.GuildRoleCreate, ({ name }) => names.push(name));
    discord.controls.addRole({ guild, name: 'once' });
    discord.controls.gateway.repeat(1);
    await client.application?.fetch();
    expect(discord.transcript.events('GUILD_ROLE_CREATE')).toHaveLength(2);
  });
  test('a zombie is noticed by its missing acknowledgements', async () => {
    await discord.close();
    discord = await startDiscord({ token: TOKEN, clock, heartbeatMs: 50 });
    client = newClient();
    await login();
    const back = resumed();
    discord.controls.gateway.withholdAcks(true);
    await discord.controls.waitFor(() => discord.controls.gateway.connections() === 0);
    discord.controls.gateway.withholdAcks(false);
    await back;
    expect(discord.controls.gateway.counts()).toMatchObject({ identifies: 1, resumes: 1 });
  });
  test('a wrong token, a session refused and an intent not granted end the login', async () => {
    await expect(client.login('other')).rejects.toThrow('invalid token');
    client = new Client({ intents: [GatewayIntentBits.MessageContent], rest: { api: discord.url } });
    await expect(client.login(TOKEN)).rejects.toThrow('disallowed intents');
    client = newClient();
    discord.controls.gateway.refuseIdentifies(4004, 1);
    await expect(client.login(TOKEN)).rejects.toThrow('Authentication failed');
    expect(discord.controls.gateway.counts()).toMatchObject({ identifies: 0, refused: 2 });
  });
  test('the token is in no frame of the transcript', async () => {
    await login();
    expect(JSON.stringify(discord.transcript.entries)).not.toContain(TOKEN);
  });
});
