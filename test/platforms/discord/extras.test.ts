/** Threads and publishing through the notifier: nothing is made twice, and a failure of either is no failure of the message. */
import { afterEach, expect, test } from 'vitest';
import { addressOf } from '../../../src/platforms/discord/address.js';
import { Permission } from '../../stand-ins/discord/flags.js';
import { mint, openHarness, type DiscordHarness } from './harness.js';

let harness: DiscordHarness;
afterEach(async () => harness.close());

const THREADS = /\/messages\/\d+\/threads$/u;
const CROSSPOST = /\/crosspost$/u;

const open = async () => {
  harness = await openHarness();
  const { controls } = harness.discord;
  const channel = controls.addChannel({ guild: harness.guild, kind: 'announcement', name: 'news' });
  controls.setPermission({ channel, target: 'bot', allow: Permission.CREATE_PUBLIC_THREADS });
  const deliver = async (id: string, extras: readonly ('threads' | 'publish')[]) =>
    harness.platform.notifier.deliver(addressOf(channel), { ...mint(id), extras });
  const calls = (method: string, path: string | RegExp) => harness.discord.transcript.calls(method, path);
  return { channel, controls, deliver, calls };
};

test('a repeat after a kill finds the message, its thread and that it is published, and makes no second one', async () => {
  const { channel, controls, deliver, calls } = await open();
  const first = await deliver('d1', ['threads', 'publish']);
  await harness.restart();
  expect(await deliver('d1', ['threads', 'publish'])).toMatchObject({
    kind: 'sent',
    messageId: 'messageId' in first ? first.messageId : '',
  });
  expect(controls.messages(channel)).toHaveLength(1);
  expect(calls('POST', THREADS).map(({ status, code }) => [status, code])).toEqual([
    [201, undefined],
    [400, 160_004],
  ]);
  expect(calls('POST', CROSSPOST).map(({ status, code }) => [status, code])).toEqual([
    [200, undefined],
    [400, 40_033],
  ]);
  // What stands already is nothing to warn of.
  expect(harness.lines.filter(({ level }) => level === 'warn')).toEqual([]);
});

test('the eleventh message of an hour is posted and stays in the channel alone', async () => {
  const { channel, controls, deliver, calls } = await open();
  for (let at = 0; at < 11; at += 1) expect(await deliver(`d${at}`, ['publish'])).toMatchObject({ kind: 'sent' });
  expect(controls.messages(channel)).toHaveLength(11);
  expect(calls('POST', CROSSPOST).filter(({ status }) => status === 200)).toHaveLength(10);
  expect(harness.lines.filter(({ event }) => event === 'discord.not-published')).toHaveLength(1);
});

test('an archiving that Discord stumbled over is tried again with the same edit', async () => {
  const { channel, deliver, calls } = await open();
  const sent = await deliver('d1', ['threads']);
  const messageId = 'messageId' in sent ? sent.messageId : '';
  const edit = { ...mint('d1'), id: 'e1', messageId, thread: 'over' as const };
  const archive = new RegExp(`/channels/${messageId}$`, 'u');
  harness.discord.controls.faults.next({ kind: 'status', status: 502 }, { method: 'PATCH', path: archive });
  const revise = async () => harness.platform.notifier.revise?.(addressOf(channel), edit);
  expect(await revise()).toMatchObject({ kind: 'later' });
  expect(await revise()).toEqual({ kind: 'edited' });
  expect(calls('PATCH', archive).at(-1)).toMatchObject({ status: 200, body: { archived: true } });
});

test('a thread that people deleted or archived keeps no edit from being done', async () => {
  const { channel, controls, deliver } = await open();
  const ids = await Promise.all(['d1', 'd2'].map(async (id) => deliver(id, ['threads'])));
  const [deleted = '', archived = ''] = ids.map((one) => ('messageId' in one ? one.messageId : ''));
  controls.deleteChannel(deleted);
  controls.setThread(archived, { archived: true });
  for (const messageId of [deleted, archived])
    expect(
      await harness.platform.notifier.revise?.(addressOf(channel), { ...mint('d'), id: `e${messageId}`, messageId, thread: 'over' }),
    ).toEqual({ kind: 'edited' });
  expect(await harness.platform.notifier.probe(addressOf(channel))).toMatchObject({ missing: [] });
});
