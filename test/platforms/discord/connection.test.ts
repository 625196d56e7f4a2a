import { describe, expect, onTestFinished, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import { openHouse, textOf, TOKEN, type House, type HouseNeeds } from './house.js';

let house: House;
async function open(needs?: HouseNeeds): Promise<void> {
  house = await openHouse(needs);
  onTestFinished(async () => house.close());
}

const ask = async ({ discord, channel, anna: user } = house): Promise<string> => {
  const { controls } = discord;
  await controls.waitFor(() => controls.commands().length > 0);
  return textOf(await controls.slash({ channel, user, command: 'premium', options: { project: 'tide' } }).reply());
};
const diagnosis = async () => house.platform.notifier.diagnose();
/** The library waits half a second before it connects again, by a timer that no clock of ours turns; a second connection would show after it. */
const librarySettles = async (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 700));

describe('connecting', () => {
  test('asks for one intent, keeps neither people nor messages, and says how it stands', async () => {
    await open();
    expect(await diagnosis()).toEqual({ ok: false, says: 'not started' });
    await house.connect();
    expect(house.discord.controls.gateway.intents()).toBe(1);
    expect(await diagnosis()).toEqual({ ok: true, says: 'in 1 server' });
  });

  test('a wrong token is named, tried again with growing pauses, and takes nothing else down', async () => {
    await open({ token: `${TOKEN}.wrong` });
    house.platform.start();
    const line = await house.logged('discord.not-connected');
    expect(line.fields['because']).toContain('DISCORD_TOKEN');
    expect(JSON.stringify(house.lines)).not.toContain(TOKEN);
    expect(await diagnosis()).toMatchObject({ ok: false, says: expect.stringContaining('token') as string });
    const tries = () => house.discord.transcript.calls('GET', '/gateway/bot').length;
    for (const pause of [2, 4, 8]) {
      const before = tries();
      await house.clock.asleep(1);
      await house.clock.advance((pause - 1) * SECOND);
      expect(tries()).toBe(before);
      await house.clock.advance(SECOND);
      await house.discord.controls.waitFor(() => tries() === before + 1);
      while ((await diagnosis()).says === 'connecting') await new Promise((resolve) => setImmediate(resolve));
    }
    expect(house.lines.filter(({ event }) => event === 'discord.not-connected')).toHaveLength(1);
  });

  test('intents that are not allowed are named, and once they are allowed it connects', async () => {
    await open();
    house.discord.controls.gateway.refuseIdentifies(4014, 1);
    house.platform.start();
    expect((await house.logged('discord.not-connected')).fields['because']).toContain('intents');
    await house.clock.asleep();
    await house.clock.advance(2 * SECOND);
    await house.logged('discord.connected');
    expect(await ask()).toContain('premium');
  });

  test('a gateway that is down at the start leaves no second connection behind', async () => {
    await open();
    const { gateway } = house.discord.controls;
    gateway.setDown(true);
    house.platform.start();
    expect((await house.logged('discord.not-connected')).fields['because']).toContain('cannot be reached');
    // Alerts need no gateway.
    expect(
      await house.platform.notifier.deliver(address('discord', house.channel), { id: 'd', reply: reply({ finding: ['x'] }) }),
    ).toMatchObject({ kind: 'sent' });
    gateway.setDown(false);
    await house.clock.asleep();
    await house.clock.advance(2 * SECOND);
    await house.logged('discord.connected');
    await librarySettles();
    expect(gateway.connections()).toBe(1);
    expect(gateway.counts().identifies).toBe(1);
    expect(await ask()).toContain('premium');
    expect(house.asked).toHaveLength(1);
  });
});

describe('a gateway that drops', () => {
  test.each(['drop', 'reconnect'] as const)('by "%s" is taken up again, and what was asked meanwhile is answered', async (how) => {
    await open();
    await house.connect();
    const { gateway } = house.discord.controls;
    gateway[how]();
    await house.discord.controls.waitFor(() => gateway.connections() === 0);
    const meanwhile = house.discord.controls.slash({
      channel: house.channel,
      user: house.anna,
      command: 'premium',
      options: { project: 'tide' },
    });
    expect(textOf(await meanwhile.reply())).toContain('premium');
    await house.logged('discord.resumed');
    expect(gateway.counts()).toMatchObject({ identifies: 1, resumes: 1 });
    expect(await diagnosis()).toMatchObject({ ok: true });
  });

  test('for good, by a token that was changed, is named and tried again', async () => {
    await open();
    await house.connect();
    house.discord.controls.gateway.close(4004);
    expect((await house.logged('discord.not-connected')).fields['because']).toContain('DISCORD_TOKEN');
    const from = house.lines.length;
    await house.clock.asleep();
    await house.clock.advance(2 * SECOND);
    await house.discord.controls.waitFor(() => house.discord.controls.gateway.connections() === 1);
    await house.logged('discord.connected', from);
    expect(await ask()).toContain('premium');
  });

  test('and does not come back in two minutes is begun anew', async () => {
    await open();
    await house.connect();
    const { gateway } = house.discord.controls;
    gateway.setDown(true);
    gateway.drop();
    await house.logged('discord.dropped');
    expect((await diagnosis()).ok).toBe(false);
    await house.clock.advance(2 * MINUTE);
    expect((await house.logged('discord.not-connected')).fields['because']).toBe('Discord does not answer');
    gateway.setDown(false);
    const from = house.lines.length;
    await house.clock.asleep();
    await house.clock.advance(2 * SECOND);
    await house.logged('discord.connected', from);
    await librarySettles();
    expect(gateway.connections()).toBe(1);
    expect(await ask()).toContain('premium');
  });
});

/** The library lets five seconds pass between two sessions, by a timer that no clock of ours turns; the tests wait for it side by side. */
describe.concurrent('a gateway that drops', () => {
  test('whose session is forgotten is begun anew', async ({ onTestFinished: atTheEnd }) => {
    const own = await openHouse();
    atTheEnd(async () => own.close());
    await own.connect();
    const { controls } = own.discord;
    controls.gateway.invalidate(false);
    await controls.waitFor(() => controls.gateway.counts().identifies === 2);
    expect(await ask(own)).toContain('premium');
  }, 20_000);

  test('an invalid session right behind a resumption does not end the process', async ({ onTestFinished: atTheEnd }) => {
    const own = await openHouse();
    atTheEnd(async () => own.close());
    await own.connect();
    const { controls } = own.discord;
    controls.gateway.drop();
    await controls.waitFor(() => controls.gateway.counts().resumes === 1);
    controls.gateway.invalidate(false);
    await controls.waitFor(() => controls.gateway.counts().identifies === 2);
    expect(await ask(own)).toContain('premium');
  }, 20_000);
});

test('stopping twice is stopping once, and nothing stays connected', async () => {
  await open();
  await house.connect();
  await Promise.all([house.platform.stop(), house.platform.stop()]);
  await house.discord.controls.waitFor(() => house.discord.controls.gateway.connections() === 0);
  expect(await diagnosis()).toEqual({ ok: false, says: 'not started' });
});
