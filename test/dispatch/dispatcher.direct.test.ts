/** Commands that concern the asker's private chat, and chats where the bot is not. */
import { expect, test } from 'vitest';
import { address } from '../../src/chat/address.js';
import type { Person } from '../../src/chat/inbound.js';
import { CHAT, GUEST, openAppHarness, type AppHarness } from '../support/app-harness.js';

const DIRECT = address('console', 'direct');
const WITH_DIRECT: Person = { ...GUEST, direct: async () => DIRECT };
const entriesOf = (harness: AppHarness, chat = DIRECT): number => harness.watchlists.read(chat).entries.length;

test('whoever may not change the chat is offered the same in a DM, by a button that does it', async () => {
  const harness = await openAppHarness();
  const refused = (await harness.say('/watch tide', WITH_DIRECT)).reply;
  expect(refused).toMatchObject({ tone: 'warning', audience: 'asker', actions: [{ line: '/watch tide where:dm' }] });
  const { reply } = await harness.say(refused.actions[0]?.line ?? '', WITH_DIRECT);
  expect(reply).toMatchObject({ tone: 'live', audience: 'asker', actions: [] });
  expect([entriesOf(harness), entriesOf(harness, CHAT)]).toEqual([1, 0]);
  expect(harness.active).toContain(DIRECT);
});

test('a wallet keeps its label on the way to the DM', async () => {
  const harness = await openAppHarness();
  const wallet = '7Hq2mXZ4nS9bqcWtH3bD6fJrL8kVyPpTgE5uNaRwx9Pd';
  const [button] = (await harness.say(`/watch ${wallet} "fund one"`, WITH_DIRECT)).reply.actions;
  await harness.say(button?.line ?? '', WITH_DIRECT);
  expect(harness.watchlists.read(DIRECT).entries).toMatchObject([{ target: { kind: 'wallet', label: 'fund one' } }]);
});

test('where no private chat can be opened, nothing is changed, whoever asks', async () => {
  const harness = await openAppHarness();
  for (const from of [GUEST, { ...GUEST, direct: async () => undefined }, { ...GUEST, manages: async () => true }]) {
    const { reply } = await harness.say('/watch tide dm', from);
    expect(reply).toMatchObject({ tone: 'warning', audience: 'asker' });
    expect(entriesOf(harness, CHAT)).toBe(0);
  }
  expect((await harness.say('/watch tide', GUEST)).reply.actions).toEqual([]);
});

test('outside, the refusal says that the bot is not there and offers a DM, and the chat is not remembered', async () => {
  const harness = await openAppHarness();
  const ask = { ask: { line: '/watch tide' }, from: WITH_DIRECT, outside: true as const };
  const { reply } = await harness.ask(ask);
  expect(reply).toMatchObject({ audience: 'asker', actions: [{ line: '/watch tide where:dm' }] });
  expect(reply.finding).not.toEqual((await harness.say('/watch tide', WITH_DIRECT)).reply.finding);
  expect((await harness.ask({ ...ask, ask: { line: '/mute 1h' } })).reply).toMatchObject({ tone: 'warning', actions: [] });
  const quiet = await openAppHarness();
  await quiet.ask({ ...ask, ask: { line: '/premium tide' } });
  expect(quiet.active).toEqual([]);
});
