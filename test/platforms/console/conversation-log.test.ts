import { expect, test } from 'vitest';
import { instant } from '../../../src/base/clock.js';
import { silentLog, type Log } from '../../../src/base/log.js';
import { MAX_MESSAGES, openConversationLog, MAX_DELIVERY_IDS } from '../../../src/platforms/console/conversation-log.js';
import { openStore } from '../../../src/store/open.js';
import { z } from 'zod';

const at = instant(Date.UTC(2026, 10, 20, 12));
const open = async (store = openStore('memory://'), log: Log = silentLog) => openConversationLog({ store: await store, log });
const said = (text: string) => ({ at, kind: 'question' as const, text });
const alerted = (deliveryId: string) => ({ at, kind: 'alert' as const, text: deliveryId, deliveryId });

test('ids count up from 1 within each chat, also when many speak at once', async () => {
  const conversations = await open();
  const ids = await Promise.all(Array.from({ length: 20 }, async (_, index) => (await conversations.post('main', said(`${index}`))).id));
  expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect((await conversations.post('harness', said('hello'))).id).toBe(1);
});

test('a conversation stands after a restart, and its ids go on', async () => {
  const store = openStore('memory://');
  const before = await open(store);
  for (let index = 1; index <= 12; index += 1) await before.post('main', said(`line ${index}`));
  const after = await open(store);
  expect(after.messages('main')).toEqual(before.messages('main'));
  expect((await after.post('main', said('next'))).id).toBe(13);
});

test('chats whose names begin alike stay apart', async () => {
  const store = openStore('memory://');
  const before = await open(store);
  await before.post('a', said('in a'));
  await before.post('a-b', said('in a-b'));
  const after = await open(store);
  expect(after.messages('a').map(({ text }) => text)).toEqual(['in a']);
  expect(after.chats().map(({ name, last }) => [name, last])).toEqual([
    ['main', 0],
    ['a', 1],
    ['a-b', 1],
  ]);
});

test('the last thousand are kept, older ones leave the store too, and their ids are not used again', async () => {
  const store = openStore('memory://');
  const conversations = await open(store);
  for (let index = 1; index <= MAX_MESSAGES + 250; index += 1) await conversations.post('main', said(`${index}`));
  expect(conversations.messages('main')).toHaveLength(MAX_MESSAGES);
  expect(conversations.messages('main')[0]?.id).toBe(251);
  const kept = (await store).collection({ prefix: 'conversation', schema: z.unknown(), version: 1 });
  expect((await kept.list()).found.length).toBeLessThan(MAX_MESSAGES + 100);
  const again = await open(store);
  expect(again.messages('main')).toEqual(conversations.messages('main'));
  expect((await again.post('main', said('next'))).id).toBe(MAX_MESSAGES + 251);
});

test('a delivery is recognised long after its message was pruned, also after a restart', async () => {
  const store = openStore('memory://');
  const conversations = await open(store);
  const id = await conversations.postOnce('main', alerted('d-first'));
  for (let index = 1; index <= MAX_MESSAGES + 300; index += 1) await conversations.postOnce('main', alerted(`d-${index}`));
  expect(conversations.messages('main')[0]?.id).toBeGreaterThan(id);
  expect(await conversations.postOnce('main', alerted('d-first'))).toBe(id);
  const again = await open(store);
  expect(await again.postOnce('main', alerted('d-first'))).toBe(id);
  expect(again.last('main')).toBe(conversations.last('main'));
});

test('what is remembered of pruned deliveries does not grow for ever', async () => {
  const store = openStore('memory://');
  const conversations = await open(store);
  for (let index = 1; index <= MAX_MESSAGES + MAX_DELIVERY_IDS + 500; index += 1)
    await conversations.postOnce('main', alerted(`d-${index}`));
  const pruned = (await store).collection({
    prefix: 'conversation-pruned',
    schema: z.object({ deliveries: z.array(z.unknown()) }),
    version: 1,
  });
  expect((await pruned.get('main'))?.deliveries).toHaveLength(MAX_DELIVERY_IDS);
});

test('a message that cannot be read is left alone, its number is not given away, and the rest is shown', async () => {
  const store = openStore('memory://');
  const before = await open(store);
  for (const text of ['one', 'two', 'three']) await before.post('main', said(text));
  await (await store).collection({ prefix: 'conversation', schema: z.unknown(), version: 1 }).set('main/0000000003', { broken: true });
  const warned: string[] = [];
  const after = await open(store, { ...silentLog, warn: (event) => warned.push(event) });
  expect(after.messages('main').map(({ text }) => text)).toEqual(['one', 'two']);
  expect((await after.post('main', said('four'))).id).toBe(4);
  expect(warned).toEqual(['console.message-unreadable']);
});

test('a page begins after one id, or ends before another', async () => {
  const conversations = await open();
  for (let index = 1; index <= 10; index += 1) await conversations.post('main', said(`${index}`));
  const ids = (page: Parameters<typeof conversations.messages>[1]) => conversations.messages('main', page).map(({ id }) => id);
  expect(ids({ after: 7 })).toEqual([8, 9, 10]);
  expect(ids({ after: 2, limit: 3 })).toEqual([3, 4, 5]);
  expect(ids({ before: 5, limit: 3 })).toEqual([2, 3, 4]);
  expect(ids({ limit: 2 })).toEqual([9, 10]);
  expect(ids({ after: 99 })).toEqual([]);
});

test('a conversation that is forgotten leaves nothing in the store; its ids go on, and other chats stay', async () => {
  const store = openStore('memory://');
  const conversations = await open(store);
  for (let index = 0; index < MAX_MESSAGES + 150; index += 1) await conversations.post('main', said(`line ${index}`));
  await conversations.postOnce('main', alerted('d1'));
  await conversations.post('harness', said('elsewhere'));
  const last = conversations.last('main');
  await conversations.forget('main');
  expect(conversations.messages('main')).toEqual([]);
  const after = await open(store);
  expect(after.chats().map(({ name, last: id }) => [name, id])).toEqual([
    ['main', 0],
    ['harness', 1],
  ]);
  expect((await conversations.post('main', said('next'))).id).toBe(last + 1);
});
