import { Client, Events, GatewayIntentBits } from 'discord.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handClock } from '../support/clock.js';
import { startDiscord } from './discord/start.js';
import type { DiscordStandIn } from './discord/types.js';

const TOKEN = 'planted.secret.token';
const clock = handClock();
let discord: DiscordStandIn;
let client: Client;

beforeEach(async () => {
  discord = await startDiscord({ token: TOKEN, clock });
  client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: discord.url } });
});
afterEach(async () => {
  await client.destroy();
  await discord.close();
});

describe('a conversation through discord.js', () => {
  test('a client logs in, learns of its servers, and answers a command', async () => {
    const guild = discord.controls.addGuild({ name: 'Harbour' });
    const channel = discord.controls.addChannel({ guild, name: 'alerts' });
    const anna = discord.controls.addUser({ name: 'anna' });
    client.on(Events.InteractionCreate, (interaction) => {
      if (interaction.isChatInputCommand()) void interaction.reply({ content: `Hello ${interaction.options.getString('who')}`, flags: 64 });
    });
    const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
    await client.login(TOKEN);
    await ready;
    expect(client.guilds.cache.get(guild)?.name).toBe('Harbour');
    await client.application?.commands.set([
      { name: 'hello', description: 'Greets', options: [{ type: 3, name: 'who', description: 'Whom', required: true }] },
    ]);
    const asked = discord.controls.slash({ channel, user: anna, command: 'hello', options: { who: 'sea' } });
    expect(await asked.reply()).toMatchObject({ content: 'Hello sea', ephemeral: true });
    expect(discord.transcript.calls().flatMap(({ breaches }) => breaches)).toEqual([]);
  });
});
