/** Answers that concern one person leave no trace in the channel. */
import { expect, onTestFinished, test } from 'vitest';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import { openHarness, type DiscordHarness, type DiscordHarnessOptions } from './harness.js';

async function openHere(options: DiscordHarnessOptions = {}): Promise<DiscordHarness> {
  const opened = await openHarness(options);
  onTestFinished(async () => opened.close());
  await opened.connect();
  return opened;
}

const WHY = { label: 'Why?', line: '/why d-1' };

test('"Why?" under an alert is answered to who pressed it, and the alert stays', async () => {
  const { discord, platform, channel, anna } = await openHere();
  await platform.notifier.deliver(address('discord', channel), { id: 'd-1', reply: reply({ finding: ['a mint'], actions: [WHY] }) });
  const [alert] = discord.controls.messages(channel);
  const pressed = discord.controls.press({ message: alert!.id, user: anna, button: 'Why?' });
  expect(await pressed.reply()).toMatchObject({ ephemeral: true });
  expect(discord.controls.messages(channel)).toEqual([alert]);
});

test('typed, it is hidden from the first sign on, and its buttons edit it where it is', async () => {
  const { discord, channel, anna } = await openHere({ answer: async () => reply({ finding: ['because'], actions: [WHY] }) });
  const first = await discord.controls.slash({ channel, user: anna, command: 'why' }).reply();
  expect(first).toMatchObject({ ephemeral: true });
  const pressed = discord.controls.press({ message: first.id, user: anna, button: 'Why?' });
  expect(await pressed.acknowledged()).toMatchObject({ kind: expect.stringMatching(/message|update/u) });
  expect(discord.controls.messages(channel)).toEqual([]);
});

test('a message that everybody sees is edited for everybody', async () => {
  const actions = [WHY, { label: 'Again', line: '/why d-2' }];
  const { discord, channel, anna } = await openHere({ answer: async () => reply({ finding: ['seen by all'], actions }) });
  const first = await discord.controls.slash({ channel, user: anna, command: 'premium', options: { project: 'tide' } }).reply();
  const pressed = discord.controls.press({ message: first.id, user: anna, button: 'Why?' });
  expect(await pressed.acknowledged()).toMatchObject({ kind: 'update', ephemeral: false });
  expect(discord.controls.everything()).toHaveLength(1);
});
