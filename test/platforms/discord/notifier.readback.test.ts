/** After Discord has forgotten the nonce of a delivery that may have arrived. */
import { afterEach, expect, test } from 'vitest';
import { HOUR } from '../../../src/base/clock.js';
import { address } from '../../../src/chat/address.js';
import type { RestEntry } from '../../stand-ins/discord/transcript.js';
import { mint, openHarness, type DiscordHarness } from './harness.js';

const HISTORY = 1n << 16n;

let harness: DiscordHarness;
afterEach(async () => harness.close());

const here = () => address('discord', harness.channel);
const posts = (): readonly RestEntry[] => harness.discord.transcript.calls('POST', /\/channels\/\d+\/messages$/u);
const standing = () => harness.discord.controls.messages(harness.channel);

test('an hour later the channel is read back, and what stands there is not posted again', async () => {
  harness = await openHarness();
  const since = harness.clock.now();
  harness.discord.controls.faults.next({ kind: 'store-then-cut' }, { method: 'POST' });
  expect((await harness.platform.notifier.deliver(here(), mint('d-1'))).kind).toBe('unclear');
  await harness.clock.advance(HOUR);
  for (let talk = 0; talk < 150; talk += 1)
    harness.discord.controls.say({ channel: harness.channel, user: harness.anna, content: 'waves' });
  await harness.restart();
  expect(await harness.platform.notifier.deliver(here(), mint('d-1', { earlier: { since, ifUnknown: 'repeat' } }))).toEqual({
    kind: 'sent',
    messageId: harness.discord.controls.everything()[0]?.id,
    earlier: { kind: 'found' },
  });
  expect(posts()).toHaveLength(1);
});

test('a reply of the bot that names the alert on a button is not taken for it', async () => {
  harness = await openHarness({ answer: async () => mint('d-1').reply });
  await harness.connect();
  const since = harness.clock.now();
  await harness.discord.controls
    .slash({ channel: harness.channel, user: harness.anna, command: 'premium', options: { project: 'tide' } })
    .reply();
  await harness.clock.advance(HOUR);
  expect(await harness.platform.notifier.deliver(here(), mint('d-1', { earlier: { since, ifUnknown: 'repeat' } }))).toMatchObject({
    kind: 'sent',
    earlier: { kind: 'absent' },
  });
  expect(posts()).toHaveLength(1);
});

test('a channel is read back to 2,000 messages after the first attempt, and what comes later is not known', async () => {
  harness = await openHarness();
  const since = harness.clock.now();
  await harness.clock.advance(HOUR);
  for (let talk = 0; talk < 2_000; talk += 1)
    harness.discord.controls.say({ channel: harness.channel, user: harness.anna, content: 'waves' });
  const outcome = await harness.platform.notifier.deliver(here(), mint('d-1', { earlier: { since, ifUnknown: 'hold' } }));
  expect(outcome).toMatchObject({ kind: 'maybe-sent', because: expect.stringContaining('2,000') });
  expect(posts()).toEqual([]);
});

test('an hour later nothing stands there, although another alert says the same: it is posted', async () => {
  harness = await openHarness();
  const since = harness.clock.now();
  harness.discord.controls.faults.next({ kind: 'cut' }, { method: 'POST' });
  await harness.platform.notifier.deliver(here(), mint('d-1'));
  await harness.platform.notifier.deliver(here(), mint('d-2'));
  await harness.clock.advance(HOUR);
  expect(await harness.platform.notifier.deliver(here(), mint('d-1', { earlier: { since, ifUnknown: 'repeat' } }))).toMatchObject({
    kind: 'sent',
    earlier: { kind: 'absent' },
  });
  expect(standing()).toHaveLength(2);
});

test.each([
  ['repeat', { kind: 'sent', earlier: { kind: 'unknown', because: expect.stringContaining('Read Message History') } }, 2],
  ['hold', { kind: 'maybe-sent', because: expect.stringContaining('Read Message History') }, 1],
] as const)('where the history may not be read, the operator chooses: %s', async (ifUnknown, outcome, count) => {
  harness = await openHarness();
  const since = harness.clock.now();
  harness.discord.controls.setPermission({ channel: harness.channel, target: 'bot', deny: HISTORY });
  harness.discord.controls.faults.next({ kind: 'store-then-cut' }, { method: 'POST' });
  await harness.platform.notifier.deliver(here(), mint('d-1'));
  await harness.clock.advance(HOUR);
  expect(await harness.platform.notifier.deliver(here(), mint('d-1', { earlier: { since, ifUnknown } }))).toMatchObject(outcome);
  expect(standing()).toHaveLength(count);
});

test('a channel that cannot be read back is posted in later, not blindly', async () => {
  harness = await openHarness();
  const since = harness.clock.now();
  await harness.clock.advance(HOUR);
  harness.discord.controls.faults.next({ kind: 'status', status: 500 }, { method: 'GET', path: '/messages' });
  expect(await harness.platform.notifier.deliver(here(), mint('d-1', { earlier: { since, ifUnknown: 'repeat' } }))).toEqual({
    kind: 'later',
    because: 'not-read-back',
  });
  expect(posts()).toEqual([]);
});
