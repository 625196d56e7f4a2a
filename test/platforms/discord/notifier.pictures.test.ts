import { getGlobalDispatcher, Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { HOUR } from '../../../src/base/clock.js';
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

const edit = (messageId: string, title: string) => ({
  ...{ id: `e-${title}`, messageId, reply: reply({ tone: 'live' as const, finding: [title], subject: { name: 'Tidewater' } }) },
  picture: { bytes: bytesOf(chartOf(title)), title },
});
async function posted(to = here()): Promise<string> {
  const { picture: _, ...text } = alert('d-1');
  const sent = await harness.platform.notifier.deliver(to, text);
  return sent.kind === 'sent' ? sent.messageId : '';
}
const revise = async (request: ReturnType<typeof edit>, to = here()) => harness.platform.notifier.revise?.(to, request);
const edits = () => harness.discord.transcript.calls('PATCH', '/messages');

test('an edit adds a picture to a message without one, and the next one replaces it', async () => {
  harness = await openHarness();
  const message = await posted();
  for (const title of ['Passing', 'Failing', 'Failing']) {
    expect(await revise(edit(message, title))).toEqual({ kind: 'edited' });
    expect(standing()).toMatchObject([{ content: expect.stringContaining(title), files: [{ name: 'chart.png', description: title }] }]);
    expect(standing()[0]?.embeds[0]?.image?.url).toContain('/chart.png');
  }
  refuseBreaches(harness.discord);
});

test('an edit without a picture keeps the one that is there', async () => {
  harness = await openHarness();
  const message = await posted();
  await revise(edit(message, 'Passing'));
  const { picture: _, ...text } = edit(message, 'Failing');
  expect(await harness.platform.notifier.revise?.(here(), text)).toEqual({ kind: 'edited' });
  expect(standing()).toMatchObject([{ content: expect.stringContaining('Failing'), files: [{ description: 'Passing' }] }]);
});

test('without the permission to attach files an edit changes the text, and the next one does not try the picture again', async () => {
  harness = await openHarness();
  const message = await posted();
  harness.discord.controls.setPermission({ channel: harness.channel, target: 'bot', deny: ATTACH });
  expect(await revise(edit(message, 'Passing'))).toEqual({ kind: 'edited' });
  expect(edits().map(({ status }) => status)).toEqual([403, 200]);
  expect(await revise(edit(message, 'Failing'))).toEqual({ kind: 'edited' });
  expect(edits().map(({ status }) => status)).toEqual([403, 200, 200]);
  await harness.clock.advance(HOUR);
  harness.discord.controls.setPermission({ channel: harness.channel, target: 'bot', allow: ATTACH });
  expect(await revise(edit(message, 'Failing'))).toEqual({ kind: 'edited' });
  expect(standing()).toMatchObject([{ content: expect.stringContaining('Failing'), files: [{ description: 'Failing' }] }]);
});

test('an edit of a post has its picture, also after the post was archived', async () => {
  harness = await openHarness();
  const { controls } = harness.discord;
  const forum = controls.addChannel({ guild: harness.guild, kind: 'forum', name: 'governance' });
  const to = address('discord', forum);
  const message = await posted(to);
  expect(await revise(edit(message, 'Passing'), to)).toEqual({ kind: 'edited' });
  const post = { tags: ['Proposal'], isOver: true };
  expect(await harness.platform.notifier.revise?.(to, { ...edit(message, 'Passed'), post })).toEqual({ kind: 'edited' });
  expect(controls.posts(forum)).toMatchObject([{ archived: true }]);
  expect(await revise(edit(message, 'Passed after all'), to)).toEqual({ kind: 'edited' });
  expect(controls.message(message)).toMatchObject({ files: [{ name: 'chart.png', description: 'Passed after all' }] });
  refuseBreaches(harness.discord);
});
