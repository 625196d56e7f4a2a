import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { MINUTE } from '../../../src/base/clock.js';
import { MAX_JOIN_AGE } from '../../../src/platforms/discord/guilds.js';
import { openHarness, type DiscordHarness } from './harness.js';

const BITS = { VIEW: 1n << 10n, SEND: 1n << 11n, EMBED: 1n << 14n } as const;

let harness: DiscordHarness;
afterEach(async () => harness.close());

/** A server with these channels that the bot is only now invited to. */
function found(
  ...channels: readonly { readonly name: string; readonly kind?: 'text' | 'voice' | 'category'; readonly position?: number }[]
) {
  const { controls } = harness.discord;
  const guild = controls.addGuild();
  controls.kick(guild);
  const ids = Object.fromEntries(channels.map((channel) => [channel.name, controls.addChannel({ guild, ...channel })]));
  return { guild, id: (name: string) => ids[name] ?? '' };
}
const open = async (): Promise<void> => {
  harness = await openHarness();
  await harness.connect();
};
/** Resolves when everything that the gateway said until now was heard. */
const caughtUp = async (): Promise<void> => {
  const { controls } = harness.discord;
  const count = harness.events.length;
  const passing = controls.addChannel({ guild: harness.guild });
  await controls.slash({ channel: passing, user: harness.anna, command: 'watch' }).reply();
  controls.deleteChannel(passing);
  await harness.reportedEvents(count + 1);
};

describe('an invitation', () => {
  test('is greeted where the server posts its notices', async () => {
    await open();
    const { guild, id } = found({ name: 'rules' }, { name: 'hello', position: 3 });
    harness.discord.controls.setSystemChannel(guild, id('hello'));
    harness.discord.controls.invite(guild);
    expect(await harness.greeted(1)).toEqual([
      { kind: 'joined', chat: `discord/${id('hello')}`, circles: [`discord/guild/${guild}`, `discord/channel/${id('hello')}`] },
    ]);
  });

  test('is greeted in the topmost text channel that it may post in where there is none, or none that it may post in', async () => {
    await open();
    const { controls } = harness.discord;
    const { guild, id } = found(
      { name: 'talk', kind: 'voice' },
      { name: 'second', position: 2 },
      { name: 'first', position: 1 },
      { name: 'hidden', position: 0 },
      { name: 'mute', position: 0 },
    );
    controls.setPermission({ channel: id('hidden'), target: 'everyone', deny: BITS.VIEW });
    controls.setPermission({ channel: id('mute'), target: 'bot', deny: BITS.EMBED });
    controls.setSystemChannel(guild, id('mute'));
    controls.invite(guild);
    expect(await harness.greeted(1)).toMatchObject([{ chat: `discord/${id('first')}` }]);
  });

  test('is greeted nowhere in a server where it may post nowhere', async () => {
    await open();
    const { guild, id } = found({ name: 'only' });
    harness.discord.controls.setPermission({ channel: id('only'), target: 'everyone', deny: BITS.SEND });
    harness.discord.controls.setPermission({ channel: id('only'), target: 'bot', deny: BITS.SEND });
    harness.discord.controls.invite(guild);
    await caughtUp();
    expect(harness.joined).toEqual([]);
  });

  test('is greeted once, however often it is alerted: repeated, after an outage, after restarts', async () => {
    await open();
    const { guild } = found({ name: 'hello' });
    const { controls } = harness.discord;
    controls.invite(guild);
    controls.gateway.repeat(1);
    await harness.greeted(1);
    controls.setUnavailable(guild, true);
    controls.setUnavailable(guild, false);
    for (let restarts = 0; restarts < 2; restarts += 1) {
      await harness.restart();
      await harness.connect();
    }
    await caughtUp();
    expect(harness.joined).toHaveLength(1);
  });

  test('is remembered for as long as it would be greeted, and not longer', async () => {
    await open();
    const { guild } = found({ name: 'hello' });
    harness.discord.controls.invite(guild);
    await harness.greeted(1);
    await caughtUp();
    const remembered = async () => {
      await harness.platform.sweep?.();
      return (await harness.store.collection({ prefix: 'discord-guild', version: 1, schema: z.unknown() }).list()).found.map(([id]) => id);
    };
    expect(await remembered()).toEqual([guild]);
    await harness.clock.advance(MAX_JOIN_AGE + MINUTE);
    expect(await remembered()).toEqual([]);
  });

  test('again, after somebody took the bot out, is greeted again', async () => {
    await open();
    const { guild } = found({ name: 'hello' });
    harness.discord.controls.invite(guild);
    await harness.greeted(1);
    await harness.clock.advance(MINUTE);
    harness.discord.controls.kick(guild);
    harness.discord.controls.invite(guild);
    expect(await harness.greeted(2)).toHaveLength(2);
  });

  test('while we were away is greeted when we are back soon, and left alone after long', async () => {
    harness = await openHarness();
    const [early, late] = [found({ name: 'early' }), found({ name: 'late' })];
    harness.discord.controls.invite(early.guild);
    await harness.clock.advance(MAX_JOIN_AGE);
    harness.discord.controls.invite(late.guild);
    await harness.clock.advance(MINUTE);
    await harness.connect();
    await caughtUp();
    expect(harness.joined).toMatchObject([{ chat: `discord/${late.id('late')}` }]);
  });
});

test('a server where somebody asked before is only back when the bot returns, and is not greeted', async () => {
  await open();
  const { controls } = harness.discord;
  await controls.slash({ channel: harness.channel, user: harness.anna, command: 'watch' }).reply();
  controls.kick(harness.guild);
  controls.invite(harness.guild);
  expect(await harness.reportedEvents(2)).toMatchObject([{ kind: 'gone' }, { kind: 'back' }]);
  await caughtUp();
  expect(harness.joined).toEqual([]);
});

test('a server that we have long been in is not greeted, not even at the first start', async () => {
  await open();
  await caughtUp();
  expect(harness.joined).toEqual([]);
});
