import { describe, expect, onTestFinished, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import { Intent } from '../../stand-ins/discord/flags.js';
import { openHarness, textOf, TOKEN, type DiscordHarness, type DiscordHarnessOptions } from './harness.js';

let harness: DiscordHarness;
async function open(needs?: DiscordHarnessOptions): Promise<void> {
  harness = await openHarness(needs);
  onTestFinished(async () => harness.close());
}

const ask = async (): Promise<string> => {
  const { discord, channel, anna: user } = harness;
  const { controls } = discord;
  await controls.waitFor(() => controls.commands().length > 0);
  return textOf(await controls.slash({ channel, user, command: 'premium', options: { project: 'tide' } }).reply());
};
const diagnosis = async () => harness.platform.notifier.diagnose();
/** The library pauses before it connects again, by a timer that no clock of ours turns; a second connection would show after it. */
const librarySettles = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

describe('connecting', () => {
  test('asks for no privileged intent, keeps neither people nor messages, and says how it stands', async () => {
    await open();
    expect(await diagnosis()).toEqual({ ok: false, says: 'not started' });
    await harness.connect();
    expect(harness.discord.controls.gateway.intents()).toBe(Intent.GUILDS | Intent.DIRECT_MESSAGES);
    expect(await diagnosis()).toEqual({ ok: true, says: 'in 1 server' });
  });

  test('takes as many shards as Discord asks for, and stands only when all of them do', async () => {
    await open({ standIn: { shards: 2 } });
    const { controls, transcript } = harness.discord;
    // Neighbouring ids of servers fall on both shards.
    const guilds = [0n, 1n].map((shard) => controls.addGuild({ id: String((10n * 2n + shard) << 22n) }));
    const channels = guilds.map((guild) => controls.addChannel({ guild, name: 'alerts' }));
    harness.platform.start();
    await harness.logged('discord.connected');
    expect(await diagnosis()).toEqual({ ok: false, says: 'connecting' });
    await controls.waitFor(() => controls.gateway.counts().identifies === 2);
    while (!(await diagnosis()).ok) await new Promise((resolve) => setImmediate(resolve));
    expect(await diagnosis()).toEqual({ ok: true, says: 'in 3 servers' });
    await controls.waitFor(() => controls.commands().length > 0);
    for (const channel of channels) {
      const asked = controls.slash({ channel, user: harness.anna, command: 'premium', options: { project: 'tide' } });
      expect(textOf(await asked.reply())).toContain('premium');
    }
    expect(transcript.events('INTERACTION_CREATE')).toHaveLength(2);
  });

  test('a wrong token is named, tried again with growing pauses, and takes nothing else down', async () => {
    await open({ token: `${TOKEN}.wrong` });
    harness.platform.start();
    const line = await harness.logged('discord.not-connected');
    expect(line.fields['because']).toContain('DISCORD_TOKEN');
    expect(JSON.stringify(harness.lines)).not.toContain(TOKEN);
    expect(await diagnosis()).toMatchObject({ ok: false, says: expect.stringContaining('token') as string });
    const tries = () => harness.discord.transcript.calls('GET', '/gateway/bot').length;
    for (const pause of [2, 4, 8]) {
      const before = tries();
      await harness.clock.asleep(1);
      await harness.clock.advance((pause - 1) * SECOND);
      expect(tries()).toBe(before);
      await harness.clock.advance(SECOND);
      await harness.discord.controls.waitFor(() => tries() === before + 1);
      while ((await diagnosis()).says === 'connecting') await new Promise((resolve) => setImmediate(resolve));
    }
    expect(harness.lines.filter(({ event }) => event === 'discord.not-connected')).toHaveLength(1);
  });

  test('intents that are not allowed are named, and once they are allowed it connects', async () => {
    await open();
    harness.discord.controls.gateway.refuseIdentifies(4014, 1);
    harness.platform.start();
    expect((await harness.logged('discord.not-connected')).fields['because']).toContain('intents');
    await harness.clock.asleep();
    await harness.clock.advance(2 * SECOND);
    await harness.logged('discord.connected');
    expect(await ask()).toContain('premium');
  });

  test('a gateway that is down at the start leaves no second connection behind', async () => {
    await open();
    const { gateway } = harness.discord.controls;
    gateway.setDown(true);
    harness.platform.start();
    expect((await harness.logged('discord.not-connected')).fields['because']).toContain('cannot be reached');
    // Alerts need no gateway.
    expect(
      await harness.platform.notifier.deliver(address('discord', harness.channel), { id: 'd', reply: reply({ finding: ['x'] }) }),
    ).toMatchObject({ kind: 'sent' });
    gateway.setDown(false);
    await harness.clock.asleep();
    await harness.clock.advance(2 * SECOND);
    await harness.logged('discord.connected');
    await librarySettles();
    expect(gateway.connections()).toBe(1);
    expect(gateway.counts().identifies).toBe(1);
    expect(await ask()).toContain('premium');
    expect(harness.inbounds).toHaveLength(1);
  });
});

describe('a gateway that drops', () => {
  test.each(['drop', 'reconnect'] as const)('by "%s" is taken up again, and what was asked meanwhile is answered', async (how) => {
    await open();
    await harness.connect();
    const { gateway } = harness.discord.controls;
    gateway[how]();
    await harness.discord.controls.waitFor(() => gateway.connections() === 0);
    const meanwhile = harness.discord.controls.slash({
      channel: harness.channel,
      user: harness.anna,
      command: 'premium',
      options: { project: 'tide' },
    });
    expect(textOf(await meanwhile.reply())).toContain('premium');
    await harness.logged('discord.resumed');
    expect(gateway.counts()).toMatchObject({ identifies: 1, resumes: 1 });
    expect(await diagnosis()).toMatchObject({ ok: true });
  });

  test('for good, by a token that was changed, is named and tried again', async () => {
    await open();
    await harness.connect();
    harness.discord.controls.gateway.close(4004);
    expect((await harness.logged('discord.not-connected')).fields['because']).toContain('DISCORD_TOKEN');
    const from = harness.lines.length;
    await harness.clock.asleep();
    await harness.clock.advance(2 * SECOND);
    await harness.discord.controls.waitFor(() => harness.discord.controls.gateway.connections() === 1);
    await harness.logged('discord.connected', from);
    expect(await ask()).toContain('premium');
  });

  test('and does not come back in two minutes is begun again', async () => {
    await open();
    await harness.connect();
    const { gateway } = harness.discord.controls;
    gateway.setDown(true);
    gateway.drop();
    await harness.logged('discord.dropped');
    expect((await diagnosis()).ok).toBe(false);
    await harness.clock.advance(2 * MINUTE);
    expect((await harness.logged('discord.not-connected')).fields['because']).toBe('Discord does not answer');
    gateway.setDown(false);
    const from = harness.lines.length;
    await harness.clock.asleep();
    await harness.clock.advance(2 * SECOND);
    await harness.logged('discord.connected', from);
    await librarySettles();
    expect(gateway.connections()).toBe(1);
    expect(await ask()).toContain('premium');
  });

  test('whose session is forgotten is begun again', async () => {
    await open();
    await harness.connect();
    const { controls } = harness.discord;
    controls.gateway.invalidate(false);
    await controls.waitFor(() => controls.gateway.counts().identifies === 2);
    expect(await ask()).toContain('premium');
  });

  test('an invalid session right behind a resumption does not end the process', async () => {
    await open();
    await harness.connect();
    const { controls } = harness.discord;
    controls.gateway.drop();
    await controls.waitFor(() => controls.gateway.counts().resumes === 1);
    controls.gateway.invalidate(false);
    await controls.waitFor(() => controls.gateway.counts().identifies === 2);
    expect(await ask()).toContain('premium');
  });
});

test('stopping twice is stopping once, and nothing stays connected', async () => {
  await open();
  await harness.connect();
  await Promise.all([harness.platform.stop(), harness.platform.stop()]);
  await harness.discord.controls.waitFor(() => harness.discord.controls.gateway.connections() === 0);
  expect(await diagnosis()).toEqual({ ok: false, says: 'not started' });
});
