import { expect, test } from 'vitest';
import { z } from 'zod';
import { DAY, later } from '../../src/base/clock.js';
import { silentLog } from '../../src/base/log.js';
import { address } from '../../src/chat/address.js';
import { reply } from '../../src/chat/reply.js';
import { percentChange } from '../../src/domain/decimal.js';
import { percent } from '../../src/domain/format.js';
import { decimal } from '../../src/domain/scalars.js';
import { openRecorder } from '../../src/sources/recorder.js';
import { MAX_PER_CHAT, MAX_REMEMBERED_CHATS, Sources } from '../../src/sources/kept-sources.js';
import type { Store } from '../../src/store/store.js';
import { openStore } from '../../src/store/open.js';
import { handClock } from '../support/clock.js';

const HERE = address('telegram', '-100');
/** A topic of that group: its address begins with the group's. */
const TOPIC = address('telegram', '-100', '7');
const ADA = 'telegram/1';
const BO = 'telegram/2';

function counting(store: Store): { readonly store: Store; readonly writes: () => number } {
  let writes = 0;
  const collection: Store['collection'] = (spec) => {
    const real = store.collection(spec);
    const set: typeof real.set = async (key, document) => {
      writes += 1;
      return real.set(key, document);
    };
    return { ...real, set };
  };
  return { store: { ...store, collection }, writes: () => writes };
}

let readings = 0;
const nextReading = () => later(handClock().now(), (readings += 1));

async function open() {
  const clock = handClock();
  const { store, writes } = counting(await openStore('memory://'));
  return { clock, store, writes, sources: new Sources({ store, clock, log: silentLog }) };
}

/** A reply with one computed figure, and what was recorded for it. `readAt` is when the response arrived, by default another time each time. */
async function answered(line: string, chat = HERE, person?: string, readAt = nextReading()): Promise<Parameters<Sources['keep']>[0]> {
  const recorder = openRecorder();
  recorder.add({ record: { what: 'GET /v1/x', at: readAt }, data: { price: '0.5848', nav: '0.494' } });
  const made = await recorder.run(async () => reply({ finding: [percent(percentChange(decimal('0.494'), decimal('0.5848')))] }));
  return { chat, person, line, reply: made, recorder };
}

test('a reply waits for no write, and its sources are there at once and after a restart', async () => {
  const { clock, store, writes, sources } = await open();
  const key = sources.keep(await answered('/premium tide')) ?? '';
  expect(writes()).toBe(0);
  expect(await sources.read(key, { chat: HERE, person: ADA })).toMatchObject({ kind: 'found', snapshot: { line: '/premium tide' } });
  await sources.flush();
  expect(writes()).toBe(1);
  await sources.flush();
  expect(writes()).toBe(1);
  expect(await new Sources({ store, clock, log: silentLog }).read(key, { chat: HERE, person: ADA })).toMatchObject({
    kind: 'found',
    snapshot: { figures: [{ text: '+18.4%', formula: '(0.5848 / 0.494 − 1) × 100', inputs: [{ name: 'price' }, { name: 'NAV' }] }] },
  });
});

test('the same answer from the same response is composed and written once; another chat, person, response or timezone has its own', async () => {
  const { clock, writes, sources } = await open();
  const readAt = clock.now();
  const keys = new Set<string | undefined>();
  for (let asked = 0; asked < 20; asked += 1) {
    keys.add(sources.keep(await answered('/premium tide', HERE, undefined, readAt)));
    await clock.advance(5);
  }
  expect(keys.size).toBe(1);
  await sources.flush();
  expect(writes()).toBe(1);
  for (const other of [
    await answered('/premium tide', TOPIC, undefined, readAt),
    await answered('/premium tide', HERE, ADA, readAt),
    await answered('/premium tide', HERE, BO, readAt),
    await answered('/premium tide', HERE, undefined, clock.now()),
  ])
    keys.add(sources.keep(other));
  const here = await answered('/premium tide', HERE, undefined, readAt);
  keys.add(sources.keep({ ...here, reply: { ...here.reply, zone: 'Asia/Tokyo' } }));
  expect(keys.size).toBe(6);
  await sources.flush();
  expect(writes()).toBe(6);
});

test('a reply without figures of the service has no sources', async () => {
  const { sources } = await open();
  const { recorder, ...rest } = await answered('/premium tide');
  expect(sources.keep({ ...rest, recorder: openRecorder() })).toBeUndefined();
  expect(sources.keep({ ...rest, recorder, reply: reply({ finding: ['No data'] }) })).toBeUndefined();
});

test('sources are shown in the chat of the reply only, and to the person only whom it was for', async () => {
  const { sources } = await open();
  const key = sources.keep(await answered('/premium tide', HERE, ADA)) ?? '';
  await sources.flush();
  expect(await sources.read(key, { chat: TOPIC, person: ADA })).toEqual({ kind: 'unknown' });
  expect(await sources.read(key, { chat: HERE, person: BO })).toEqual({ kind: 'not-theirs' });
  expect(await sources.read(key, { chat: HERE, person: ADA })).toMatchObject({ kind: 'found', personal: true });
});

test('after 30 days only the command stays, and after 90 nothing', async () => {
  const { clock, store, sources } = await open();
  const key = sources.keep(await answered('/premium tide', HERE, ADA)) ?? '';
  await sources.flush();
  await clock.advance(30 * DAY);
  await sources.sweep();
  expect(await sources.read(key, { chat: HERE, person: ADA })).toEqual({ kind: 'expired', line: '/premium tide' });
  expect(await sources.read(key, { chat: HERE, person: BO })).toEqual({ kind: 'not-theirs' });
  const text = JSON.stringify(await store.collection({ prefix: 'sources', version: 1, schema: z.unknown() }).list());
  expect(text).toContain('/premium tide');
  expect(text).not.toContain('0.5848');
  await clock.advance(60 * DAY);
  await sources.sweep();
  expect(await sources.read(key, { chat: HERE, person: ADA })).toEqual({ kind: 'unknown' });
});

test('a chat keeps its latest, also after a restart, and another chat all of its own', async () => {
  const { clock, store, sources } = await open();
  const ask = async (of: Sources, index: number) => {
    await clock.advance(1_000);
    return of.keep(await answered(`/premium tide page:${index}`)) ?? '';
  };
  const other = sources.keep(await answered('/premium tide', TOPIC)) ?? '';
  const first = await ask(sources, 0);
  const second = await ask(sources, 1);
  for (let index = 2; index < MAX_PER_CHAT; index += 1) await ask(sources, index);
  await sources.flush();
  expect(await sources.count(HERE)).toBe(MAX_PER_CHAT);
  const restarted = new Sources({ store, clock, log: silentLog });
  await ask(restarted, MAX_PER_CHAT);
  await restarted.flush();
  expect(await restarted.count(HERE)).toBe(MAX_PER_CHAT);
  expect(await restarted.read(first, { chat: HERE, person: ADA })).toEqual({ kind: 'unknown' });
  expect(await restarted.read(second, { chat: HERE, person: ADA })).toMatchObject({ kind: 'found' });
  expect(await restarted.read(other, { chat: TOPIC, person: ADA })).toMatchObject({ kind: 'found' });
});

test('a chat keeps no more although many others asked since', async () => {
  const { clock, store, sources } = await open();
  const documents = store.collection({ prefix: 'sources', version: 1, schema: z.unknown() });
  for (let count = 0; count < MAX_PER_CHAT; count += 1) {
    await clock.advance(1);
    sources.keep(await answered(`/premium tide ${count}`));
  }
  await sources.flush();
  for (let count = 0; count < MAX_REMEMBERED_CHATS; count += 1)
    sources.keep(await answered('/premium tide', address('telegram', `${count}`)));
  await clock.advance(1);
  const latest = sources.keep(await answered('/premium tide last')) ?? '';
  await sources.flush();
  expect((await documents.list()).found).toHaveLength(MAX_PER_CHAT + MAX_REMEMBERED_CHATS);
  expect(await sources.count(HERE)).toBe(MAX_PER_CHAT);
  expect(await sources.read(latest, { chat: HERE, person: ADA })).toMatchObject({ kind: 'found' });
});

test('a chat or a person that is deleted leaves no sources, written or waiting', async () => {
  const { sources } = await open();
  const theirs = sources.keep(await answered('/privacy', HERE, ADA)) ?? '';
  const shared = sources.keep(await answered('/premium tide')) ?? '';
  await sources.forgetPerson(ADA);
  expect(await sources.read(theirs, { chat: HERE, person: ADA })).toEqual({ kind: 'unknown' });
  expect(await sources.read(shared, { chat: HERE, person: ADA })).toMatchObject({ kind: 'found' });
  await sources.forgetChat(HERE);
  expect(await sources.read(shared, { chat: HERE, person: ADA })).toEqual({ kind: 'unknown' });
  expect(await sources.count(HERE)).toBe(0);
});

test('what a failed write did not store is written by the next flush', async () => {
  const { clock, store } = await open();
  let isFull = true;
  const collection: Store['collection'] = (spec) => {
    const real = store.collection(spec);
    return { ...real, set: async (key, document) => (isFull ? Promise.reject(new Error('full')) : real.set(key, document)) };
  };
  const sources = new Sources({ store: { ...store, collection }, clock, log: silentLog });
  const key = sources.keep(await answered('/premium tide')) ?? '';
  await expect(sources.flush()).rejects.toThrow('full');
  isFull = false;
  await sources.flush();
  expect(await new Sources({ store, clock, log: silentLog }).read(key, { chat: HERE, person: ADA })).toMatchObject({ kind: 'found' });
});

test('a store that fails for long costs the oldest, and no more memory', async () => {
  const { clock, store } = await open();
  const collection: Store['collection'] = (spec) => ({ ...store.collection(spec), set: async () => Promise.reject(new Error('full')) });
  const written: string[] = [];
  const write = (event: string) => void written.push(event);
  const sources = new Sources({ store: { ...store, collection }, clock, log: { error: write, warn: write, info: write, debug: write } });
  const keys: string[] = [];
  for (let index = 0; index < 410; index += 1) {
    await clock.advance(1);
    keys.push(sources.keep(await answered(`/premium tide page:${index}`)) ?? '');
  }
  expect(await sources.read(keys[0] ?? '', { chat: HERE, person: ADA })).toEqual({ kind: 'unknown' });
  expect(await sources.read(keys.at(-1) ?? '', { chat: HERE, person: ADA })).toMatchObject({ kind: 'found' });
  await expect(sources.flush()).rejects.toThrow('full');
  expect(written).toContain('sources.not-written');
});

test('a very long command is not kept', async () => {
  const { clock, sources } = await open();
  const key = sources.keep(await answered(`/screen ${'x'.repeat(600)}`)) ?? '';
  expect(await sources.read(key, { chat: HERE, person: ADA })).toMatchObject({ kind: 'found', snapshot: { records: [{}] } });
  await clock.advance(30 * DAY);
  expect(await sources.read(key, { chat: HERE, person: ADA })).toEqual({ kind: 'expired', line: undefined });
});
