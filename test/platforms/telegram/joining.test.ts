import { afterEach, beforeEach, expect, test } from 'vitest';
import { SECOND } from '../../../src/base/clock.js';
import { at, openHarness, stopped, type TelegramHarness } from './harness.js';

let harness: TelegramHarness;
let telegram: TelegramHarness['telegram'];
beforeEach(async () => {
  harness = await openHarness();
  ({ telegram } = harness);
  await harness.listen();
});
afterEach(async () => harness.close());

const joined = (of = harness) => of.events.flatMap((events) => (events.kind === 'joined' ? [events.chat] : []));
const added = (chat: number) => {
  telegram.setBot(chat, 'left');
  telegram.addBot(chat);
};

test('added to a group, a supergroup or a channel, and taken into a new group, is joining, which is alerted after the chat is back', async () => {
  const group = telegram.group({ bot: 'left' });
  const supergroup = telegram.supergroup({ bot: 'left' });
  const channel = telegram.channel({ bot: 'left' });
  telegram.addBot(group);
  telegram.addBot(channel);
  const made = telegram.createGroup();
  telegram.addBot(supergroup);
  await harness.turnUntil(() => joined().length === 4);
  expect(joined()).toEqual([at(group), at(channel), at(made), at(supergroup)]);
  const places = (chat: string) =>
    ['back', 'joined'].map((kind) =>
      harness.events.findIndex((events) => events.kind === kind && 'chat' in events && events.chat === chat),
    );
  for (const chat of joined()) expect(places(chat)).toEqual(places(chat).toSorted((one, other) => one - other));
  expect(harness.events.slice(0, 2)).toEqual([
    { kind: 'back', chat: at(group) },
    { kind: 'joined', chat: at(group) },
  ]);
});

test('made an administrator or an ordinary member again is no joining, nor is an unblocked private chat', async () => {
  const group = telegram.group();
  const { chat } = harness.privately();
  telegram.setBot(group, 'administrator');
  telegram.setBot(group, 'member');
  telegram.blockBot(chat);
  telegram.unblockBot(chat);
  await telegram.waitFor(() => harness.events.length === 4);
  expect(harness.events.map(({ kind }) => kind)).toEqual(['back', 'back', 'gone', 'back']);
});

test('a channel where it may not post is not joined yet', async () => {
  const channel = telegram.channel({ bot: 'left' });
  telegram.setBot(channel, 'administrator', { can_post_messages: false });
  await harness.done();
  const group = telegram.group({ bot: 'left' });
  telegram.addBot(group);
  await telegram.waitFor(() => joined().length === 1);
  expect(joined()).toEqual([at(group)]);
});

test('a group that becomes a supergroup has not been joined, whichever of its messages comes first', async () => {
  const first = telegram.group();
  telegram.migrate(first);
  await telegram.waitFor(() => harness.events.length === 5);
  const second = telegram.group();
  const to = telegram.migrate(second);
  await telegram.waitFor(() => harness.events.length === 10);
  const user = telegram.me;
  const [old, now] = [{ status: 'left', user } as const, { status: 'member', user } as const];
  const chat = { id: to, type: 'supergroup', title: 'x' } as const;
  telegram.push({
    my_chat_member: { chat, from: user, date: Math.floor(harness.clock.now() / SECOND), old_chat_member: old, new_chat_member: now },
  });
  await telegram.waitFor(() => harness.events.length === 11);
  await harness.clock.advance(5 * SECOND);
  expect(joined()).toEqual([]);
  expect(harness.events.at(-1)).toEqual({ kind: 'back', chat: at(to) });
});

test('a restart while it is not known yet tells it afterwards, once', async () => {
  const supergroup = telegram.supergroup({ bot: 'left' });
  telegram.addBot(supergroup);
  await harness.done();
  await harness.platform.stop();
  expect(harness.events).toEqual([]);
  const next = await harness.again();
  await next.listen();
  await harness.turnUntil(() => joined(next).length === 1);
  await stopped(next.platform, harness.clock);
  const third = await harness.again();
  await third.listen();
  added(telegram.group());
  await telegram.waitFor(() => joined(third).length === 1);
  expect(joined(next)).toEqual([at(supergroup)]);
  expect(joined(third)).not.toContain(at(supergroup));
});
