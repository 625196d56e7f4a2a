import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { checkDiscord } from '../../../src/platforms/discord/checkup.js';
import { reply, serve } from '../../support/service.js';

const ASK = { token: 'a-token-that-nobody-may-see', guildId: undefined, clock: systemClock };

test('an application that sends its commands elsewhere cannot be talked to', async () => {
  const discord = await serve((asked) => {
    const body = asked.path.endsWith('/applications/@me')
      ? { interactions_endpoint_url: 'https://elsewhere.example/hook' }
      : asked.path.endsWith('/guilds')
        ? [{ id: '1' }, { id: '2' }]
        : { username: 'navwatch' };
    reply(asked, JSON.stringify(body));
  });
  const found = await checkDiscord({ ...ASK, apiUrl: discord.url });
  expect(found).toContainEqual(expect.objectContaining({ mark: 'fail', says: expect.stringContaining('Interactions Endpoint URL') }));
  expect(found).toContainEqual({ mark: 'ok', about: 'discord servers', says: 'it is in 2 servers' });
});

test('what is not Discord, and what is away, are told apart', async () => {
  const other = await serve((asked) => reply(asked, JSON.stringify({ hello: 1 })));
  const [wrong] = await checkDiscord({ ...ASK, apiUrl: other.url });
  expect(wrong?.says).toContain('what answers at DISCORD_API_URL is not Discord');
  await other.close();
  const [gone] = await checkDiscord({ ...ASK, apiUrl: other.url });
  expect(gone?.says).toMatch(/^Discord cannot be reached .*; check the network and DISCORD_API_URL$/u);
  expect(`${wrong?.says} ${gone?.says}`).not.toContain(ASK.token);
});
