import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { checkDiscord } from '../../../src/platforms/discord/checkup.js';
import { startDiscord } from '../../stand-ins/discord/start.js';
import { reply, serve } from '../../support/service.js';

const ASK = { token: 'a-token-that-nobody-may-see', guildId: undefined, clock: systemClock };

/** Discord with an application whose interactions go to an address. */
const postingTo = async (url: string) =>
  serve((asked) => {
    const body = asked.path.endsWith('/applications/@me')
      ? { id: '9', interactions_endpoint_url: url }
      : asked.path.endsWith('/guilds')
        ? [{ id: '1' }, { id: '2' }]
        : { id: '7', username: 'navwatch' };
    reply(asked, JSON.stringify(body));
  });

test('an application that sends its commands elsewhere cannot be talked to', async () => {
  const discord = await postingTo('https://elsewhere.example/hook');
  const found = await checkDiscord({ ...ASK, apiUrl: discord.url });
  expect(found).toContainEqual(expect.objectContaining({ mark: 'fail', says: expect.stringContaining('Interactions Endpoint URL') }));
  expect(found).toContainEqual({ mark: 'ok', about: 'discord servers', says: 'it is in 2 servers' });
});

test('an application that posts interactions to the configured address can, and one that will do so at the start is a warning', async () => {
  const marks = async (current: string, interactionsUrl: string) => {
    const discord = await postingTo(current);
    const found = await checkDiscord({ ...ASK, apiUrl: discord.url, interactionsUrl });
    return found.filter(({ about }) => about === 'discord interactions').map(({ mark }) => mark);
  };
  expect(await marks('https://bot.example/discord', 'https://bot.example/discord')).toEqual(['ok']);
  expect(await marks('https://old.example/discord', 'https://bot.example/discord')).toEqual(['warn']);
});

test('the channel for notices is examined', async () => {
  const discord = await startDiscord({ token: ASK.token });
  onTestFinished(async () => discord.close());
  const channel = discord.controls.addChannel({ guild: discord.controls.addGuild() });
  const marks = async (id: string) => {
    const found = await checkDiscord({ ...ASK, apiUrl: discord.url, operatorChat: address('discord', id) });
    return found.filter(({ about }) => about === 'notices').map(({ mark }) => mark);
  };
  expect([await marks(channel), await marks('4')]).toEqual([['ok'], ['fail']]);
});

describe('slash commands', () => {
  async function found(options: { readonly guildId?: string; readonly scoped: boolean }) {
    const discord = await startDiscord({ token: ASK.token });
    onTestFinished(async () => discord.close());
    const server = discord.controls.addGuild();
    if (!options.scoped) {
      const path = new RegExp(`^/applications/\\d+/guilds/${server}/commands$`, 'u');
      discord.controls.faults.next({ kind: 'refused', status: 403, code: 50_001 }, { method: 'GET', path });
    }
    const findings = await checkDiscord({ ...ASK, guildId: options.guildId, apiUrl: discord.url });
    return { findings: findings.map(({ mark, about, says }) => `${mark} ${about}: ${says}`), server };
  }

  test('can be registered where the bot was invited with their scope', async () => {
    expect((await found({ scoped: true })).findings).toContain('ok discord commands: slash commands can be registered');
  });

  test('cannot be registered where the scope is missing, and the line says how to invite it', async () => {
    const { findings, server } = await found({ scoped: false });
    expect(findings).toContain(
      `fail discord commands: slash commands cannot be registered in server ${server}; invite the bot there again with the link above`,
    );
  });

  test('cannot be registered in a server of DISCORD_GUILD_ID in which the bot is not', async () => {
    const { findings } = await found({ scoped: true, guildId: '123456789012345678' });
    expect(findings).toContainEqual(expect.stringMatching(/^fail discord servers: it is not in the server of DISCORD_GUILD_ID/u));
    expect(findings).toContainEqual(expect.stringMatching(/^fail discord commands: .* server 123456789012345678; invite/u));
  });
});

test('what is not Discord, and what is away, are alerted apart', async () => {
  const other = await serve((asked) => reply(asked, JSON.stringify({ hello: 1 })));
  const [wrong] = await checkDiscord({ ...ASK, apiUrl: other.url });
  expect(wrong?.says).toContain('what answers at DISCORD_API_URL is not Discord');
  await other.close();
  const [gone] = await checkDiscord({ ...ASK, apiUrl: other.url });
  expect(gone?.says).toMatch(/^Discord cannot be reached .*; check the network and DISCORD_API_URL$/u);
  expect(`${wrong?.says} ${gone?.says}`).not.toContain(ASK.token);
});
