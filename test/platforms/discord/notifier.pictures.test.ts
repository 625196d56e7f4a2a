import { getGlobalDispatcher, Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { address } from '../../../src/chat/address.js';
import { reply } from '../../../src/chat/reply.js';
import { refuseBreaches } from '../../stand-ins/discord/caller.js';
import { bytesOf, chartOf } from '../pictures.js';
import { openHarness, type DiscordHarness } from './harness.js';

const ATTACH = 1n << 15n;

let harness: DiscordHarness;
afterEach(async () => harness.close());

const alert = (id: string) => ({
  id,
  reply: reply({ tone: 'down', finding: ['Below'], chart: chartOf('Premium'), actions: [{ label: 'Why?', line: `/why ${id}` }] }),
  picture: { bytes: bytesOf(chartOf('Premium')), title: 'Premium' },
});
const here = () => address('discord', harness.channel);
const standing = () => harness.discord.controls.messages(harness.channel);

test('an alert shows its picture in the embed, with a title for those who cannot see it, and rings no differently', async () => {
  harness = await openHarness();
  expect(harness.platform.notifier.pictureTheme).toBe('dark');
  expect(await harness.platform.notifier.deliver(here(), alert('d-1'))).toMatchObject({ kind: 'sent' });
  const [message] = standing();
  expect(message?.files).toMatchObject([{ name: 'chart.png', description: 'Premium' }]);
  expect(message?.embeds[0]?.image?.url).toContain('/chart.png');
  refuseBreaches(harness.discord);
});

test('an edit leaves the picture in the embed, and a message without one stays without', async () => {
  harness = await openHarness();
  const { notifier } = harness.platform;
  const { picture: _, ...plain } = alert('d-2');
  await notifier.deliver(here(), alert('d-1'));
  await notifier.deliver(here(), plain);
  for (const { id } of standing())
    expect(
      await notifier.revise!(here(), {
        id: `edit-${id}`,
        messageId: id,
        reply: reply({ finding: ['Over'], actions: plain.reply.actions, asOf: 0 }),
      }),
    ).toEqual({ kind: 'edited' });
  const [drawn, words] = standing();
  expect([drawn?.files.length, drawn?.embeds[0]?.image?.url]).toEqual([1, expect.stringContaining('/chart.png')]);
  expect([words?.files.length, words?.embeds[0]?.image]).toEqual([0, undefined]);
  refuseBreaches(harness.discord);
});

test('the same alert is never posted twice, with its picture or without', async () => {
  harness = await openHarness();
  const { picture: _, ...plain } = alert('d-1');
  await harness.platform.notifier.deliver(here(), alert('d-1'));
  await harness.platform.notifier.deliver(here(), { ...plain, earlier: { since: harness.clock.now(), ifUnknown: 'repeat' } });
  expect(standing()).toHaveLength(1);
});

test('without the permission to attach files the text comes alone', async () => {
  harness = await openHarness();
  harness.discord.controls.setPermission({ channel: harness.channel, target: 'bot', deny: ATTACH });
  expect(await harness.platform.notifier.deliver(here(), alert('d-1'))).toMatchObject({ kind: 'sent' });
  expect(standing()).toMatchObject([{ files: [] }]);
  expect(standing()[0]?.embeds[0]?.image).toBeUndefined();
});

test('an alert shows its picture where our version of undici set the global dispatcher, as in the running bot', async () => {
  expect(getGlobalDispatcher()).toBeInstanceOf(Agent);
  harness = await openHarness();
  expect(await harness.platform.notifier.deliver(here(), alert('d-1'))).toMatchObject({ kind: 'sent' });
  expect(standing()).toMatchObject([{ files: [{ name: 'chart.png', description: 'Premium' }] }]);
});
