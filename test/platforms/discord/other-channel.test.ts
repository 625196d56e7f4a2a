/** Another channel is one that a mention names, and what Discord refuses about it is said in words. */
import { afterEach, expect, test } from 'vitest';
import { openHarness, type DiscordHarness } from './harness.js';

let harness: DiscordHarness;
afterEach(async () => harness.close());

const open = async () => {
  harness = await openHarness();
  await harness.connect();
  const { controls } = harness.discord;
  await controls.slash({ channel: harness.channel, user: harness.anna, command: 'status' }).reply();
  const inChannel = async (channel: string) => harness.inbounds.at(-1)?.from.inChannel?.(channel);
  return { controls, inChannel };
};

test('a name is no channel of Discord and is asked of nobody', async () => {
  const { inChannel } = await open();
  for (const name of ['@harbour_news', '../users/@me', '-1001'])
    expect(await inChannel(name)).toEqual({ kind: 'refused', says: expect.stringContaining('choose the channel') });
  expect(harness.discord.transcript.calls('GET', /\/channels\//u)).toEqual([]);
});

test('a refusal names what to do, and otherwise its code', async () => {
  const { controls, inChannel } = await open();
  const other = controls.addChannel({ guild: harness.guild, name: 'governance' });
  for (const [code, says] of [
    [60_003, 'two-factor'],
    [40_333, 'code 40333'],
  ] as const) {
    controls.faults.next({ kind: 'refused', status: 403, code }, { method: 'GET', path: `/channels/${other}` });
    expect(await inChannel(other)).toEqual({ kind: 'refused', says: expect.stringContaining(says) });
  }
});
