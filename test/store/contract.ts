/** What every backend must keep to. A new backend calls this with a way to open an empty store. */
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { StoreError, type CollectionSpec, type Store } from '../../src/store/store.js';
import { containing } from './containing.js';
import { scanContract } from './scan-contract.js';
import { runs } from '../support/properties.js';

const note = z.object({ text: z.string(), tags: z.array(z.string()).optional() });
type Note = z.infer<typeof note>;
const notes = (prefix: string, version = 1): CollectionSpec<Note> => ({ prefix, schema: note, version });
const loose = (prefix: string, version = 1): CollectionSpec<unknown> => ({ prefix, schema: z.unknown(), version });

/** The key of an entry, as a database that orders by UTF-8 bytes sorts it. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const keysOf = (listing: { found: readonly (readonly [string, unknown])[] }) => listing.found.map(([key]) => key);

async function* brokenPages(): AsyncGenerator<readonly (readonly [string, string])[]> {
  yield [['box/b', '{}']];
  throw new Error('the file is cut off');
}

/** Runs the suite; `open` gives a new, empty store each time. `share`: of the usual runs of properties. */
export function storeContract(name: string, open: () => Promise<Store>, { share = 1 }: { readonly share?: number } = {}): void {
  scanContract(name, open);
  describe(`any store: ${name}`, () => {
    const opened: Store[] = [];
    const fresh = async () => {
      const store = await open();
      opened.push(store);
      return store;
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(async (store) => store.close()));
    });

    test('a document that was set comes back, one that was not is undefined', async () => {
      const chats = (await fresh()).collection(notes('chat'));
      await chats.set('console/1', { text: 'tide' });
      expect(await chats.get('console/1')).toEqual({ text: 'tide' });
      expect(await chats.get('console/2')).toBeUndefined();
    });

    test('a second set replaces the first, a delete forgets it, deleting nothing is fine', async () => {
      const chats = (await fresh()).collection(notes('chat'));
      await chats.set('a', { text: 'one' });
      await chats.set('a', { text: 'two' });
      expect(await chats.get('a')).toEqual({ text: 'two' });
      await chats.delete('a');
      await chats.delete('a');
      expect(await chats.get('a')).toBeUndefined();
      expect(await chats.list()).toEqual({ found: [], unreadable: [] });
    });

    test('setIfAbsent writes only where no document is, also among many at once and beside other writes', async () => {
      const box = (await fresh()).collection(notes('box'));
      expect(await box.setIfAbsent('a', { text: 'first' })).toBe(true);
      expect(await box.setIfAbsent('a', { text: 'second' })).toBe(false);
      expect(await box.get('a')).toEqual({ text: 'first' });
      await box.delete('a');
      expect(await box.setIfAbsent('a', { text: 'third' })).toBe(true);
      const written = await Promise.all(Array.from({ length: 20 }, async (_, n) => box.setIfAbsent('b', { text: `${n}` })));
      expect(written.filter(Boolean)).toHaveLength(1);
      expect(await box.get('b')).toEqual({ text: `${written.indexOf(true)}` });
      for (let round = 0; round < 10; round += 1) {
        const key = `c${round}`;
        const [, isWritten] = await Promise.all([box.set(key, { text: 'set' }), box.setIfAbsent(key, { text: 'absent' })]);
        expect([isWritten, await box.get(key)]).toEqual([false, { text: 'set' }]);
        const [again] = await Promise.all([box.setIfAbsent(`${key}+`, { text: 'absent' }), box.set(`${key}+`, { text: 'set' })]);
        expect([again, await box.get(`${key}+`)]).toEqual([true, { text: 'set' }]);
      }
    });

    test('setIfAbsent leaves a document that cannot be read alone', async () => {
      const store = await fresh();
      await store.collection(notes('box', 2)).set('a', { text: 'tomorrow' });
      expect(await store.collection(notes('box', 1)).setIfAbsent('a', { text: 'today' })).toBe(false);
      expect(await store.collection(notes('box', 2)).get('a')).toEqual({ text: 'tomorrow' });
    });

    test('a snapshot holds what was there when it began, whatever is written and deleted while it is read', async () => {
      const store = await fresh();
      const box = store.collection(notes('box'));
      const keyOf = (n: number) => `k${String(n).padStart(3, '0')}`;
      await Promise.all(Array.from({ length: 120 }, async (_, n) => box.set(keyOf(n), { text: 'before' })));
      const found: (readonly [string, string])[] = [];
      for await (const page of store.copies.snapshot()) {
        if (found.length === 0)
          await Promise.all([
            box.set(keyOf(0), { text: 'after' }),
            ...[60, 119].map(async (n) => box.set(keyOf(n), { text: 'after' })),
            ...[61, 118].map(async (n) => box.delete(keyOf(n))),
            box.setIfAbsent('k061a', { text: 'new' }),
            box.set('k999', { text: 'new' }),
            box.delete(keyOf(119)),
          ]);
        found.push(...page);
      }
      expect(found.map(([key]) => key)).toEqual(Array.from({ length: 120 }, (_, n) => `box/${keyOf(n)}`));
      expect(found.filter(([, text]) => !text.includes('before'))).toEqual([]);
      expect(await box.get(keyOf(60))).toEqual({ text: 'after' });
      expect(keysOf(await box.list())).not.toContain(keyOf(61));
    });

    test('everything can be replaced by what a snapshot held, and the store says when that was interrupted', async () => {
      const [from, to] = [await fresh(), await fresh()];
      expect(await to.copies.isEmpty()).toBe(true);
      await from.collection(notes('box')).set('a', { text: 'x'.repeat(5_000) });
      await from.collection(notes('chat')).set('b', { text: 'kept' });
      await to.collection(notes('box')).set('old', { text: 'old' });
      await to.check();
      await to.copies.replaceAll(from.copies.snapshot());
      expect(await to.copies.isInterrupted()).toBe(false);
      expect(await to.collection(notes('box')).list()).toEqual(await from.collection(notes('box')).list());
      expect(await to.collection(notes('chat')).get('b')).toEqual({ text: 'kept' });
      await expect(to.copies.replaceAll(brokenPages())).rejects.toThrow('cut off');
      expect(await to.copies.isInterrupted()).toBe(true);
    });

    test('prefixes that begin alike or hold wildcards do not see each other', async () => {
      const store = await fresh();
      const prefixes = ['chat', 'chats', 'cha', 'c_at', 'c%t', 'chat-', 'chat0', 'CHAT'];
      for (const prefix of prefixes) await store.collection(notes(prefix)).set('k', { text: prefix });
      for (const prefix of prefixes) {
        expect(await store.collection(notes(prefix)).list()).toEqual({ found: [['k', { text: prefix }]], unreadable: [] });
      }
      await store.collection(notes('c_at')).delete('k');
      expect(await store.collection(notes('chat')).get('k')).toEqual({ text: 'chat' });
    });

    test('a list under a beginning takes every key with it and no other', async () => {
      const marks = (await fresh()).collection(notes('mark'));
      for (const key of ['supply/tide', 'supply/ti', 'supply_x', 'supply', 'supplx', 'suppz', 'growth/tide', 'supply/\u{10FFFE}']) {
        await marks.set(key, { text: key });
      }
      expect(keysOf(await marks.list('supply/'))).toEqual(['supply/ti', 'supply/tide', 'supply/\u{10FFFE}']);
      expect(keysOf(await marks.list('supply'))).toEqual(['supply', 'supply/ti', 'supply/tide', 'supply/\u{10FFFE}', 'supply_x']);
      expect(keysOf(await marks.list('nothing'))).toEqual([]);
    });

    test('whatever keys stand there, a list gives exactly those that begin so, in the order of their bytes', async () => {
      const key = fc.string({
        unit: fc.constantFrom('a', 'B', '/', '_', '%', '0', 'é', '\uFFFD', '\uE000', '\u{1F30A}', '"', "'"),
        minLength: 1,
        maxLength: 4,
      });
      const store = await fresh();
      let round = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(key, { maxLength: 8 }),
          fc.string({ unit: fc.constantFrom('a', '/', '_', '%', '\u{1F30A}'), maxLength: 2 }),
          async (keys, under) => {
            const box = store.collection(notes(`box${(round += 1)}`));
            for (const each of keys) await box.set(each, { text: each });
            const listing = await box.list(under);
            expect(listing.found).toEqual(
              keys
                .filter((each) => each.startsWith(under))
                .toSorted(byBytes)
                .map((each) => [each, { text: each }]),
            );
          },
        ),
        { numRuns: runs(60 * share) },
      );
    });

    test('any value that JSON can carry comes back as it was', async () => {
      const box = (await fresh()).collection(loose('box'));
      await fc.assert(
        fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary' }), async (value) => {
          await box.set('k', value);
          expect(await box.get('k')).toEqual(JSON.parse(JSON.stringify(value)));
        }),
        { numRuns: runs(100 * share) },
      );
    });

    test.each([
      ['a Date', { at: new Date(0) }, '"at"'],
      ['NaN', { deep: [{ sum: Number.NaN }] }, '"deep.0.sum"'],
      ['Infinity', [Number.POSITIVE_INFINITY], '"0"'],
      ['a bigint', { amount: 5n }, '"amount"'],
      ['a Map', new Map([['a', 1]]), '"the whole document"'],
      ['a function', { run: () => 1 }, '"run"'],
      ['undefined in a list', { rows: [1, undefined] }, '"rows.1"'],
      ['nothing at all', undefined, '"the whole document"'],
    ])('%s is refused instead of mangled, and what stood there stays', async (_name, value, path) => {
      const box = (await fresh()).collection(loose('box'));
      await box.set('k', 'before');
      await expect(box.set('k', value)).rejects.toThrow(`store: box/k was not stored: ${path}`);
      expect(await box.get('k')).toBe('before');
    });

    test('a circle is refused by a sentence, the same value twice is not', async () => {
      const box = (await fresh()).collection(loose('box'));
      const shared = { text: 'tide' };
      const circle: { self?: unknown } = {};
      circle.self = { again: circle };
      await expect(box.set('k', circle)).rejects.toThrow('"self.again" is a circle');
      await box.set('k', [shared, shared]);
      expect(await box.get('k')).toEqual([shared, shared]);
    });

    test('a document its schema refuses is not written, and its content stays out of the message', async () => {
      const store = await fresh();
      const wrong: CollectionSpec<unknown> = { prefix: 'chat', schema: note, version: 1 };
      const error = await store
        .collection(wrong)
        .set('a', { text: ['planted-secret'] })
        .catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(StoreError);
      expect(error).toMatchObject({ trouble: 'failed', message: containing('"text" does not fit its schema (invalid_type)') });
      expect(String(error)).not.toContain('planted-secret');
      expect(await store.collection(notes('chat')).get('a')).toBeUndefined();
    });

    test('a default of the schema is stored, an undefined property comes back absent', async () => {
      const store = await fresh();
      const box = store.collection({
        prefix: 'box',
        schema: z.object({ tone: z.string().default('calm'), until: z.number().optional() }),
        version: 1,
      });
      await box.set('k', { tone: 'loud', until: undefined });
      expect(await store.collection(loose('box')).get('k')).toEqual({ tone: 'loud' });
    });

    test('an older document is brought up when it is read', async () => {
      const store = await fresh();
      await store.collection(loose('chat', 1)).set('a', 'tide');
      const upgraded = store.collection({
        ...notes('chat', 3),
        upgrade: (document: unknown, from: number) => ({ text: `${String(document)} from ${from}` }),
      });
      expect(await upgraded.get('a')).toEqual({ text: 'tide from 1' });
      await upgraded.set('a', { text: 'now 3' });
      expect(await upgraded.get('a')).toEqual({ text: 'now 3' });
    });

    test('an older document without a way up is unreadable, and so is one whose way up fails', async () => {
      const store = await fresh();
      await store.collection(loose('chat', 1)).set('a', 'planted-secret');
      await expect(store.collection(notes('chat', 2)).get('a')).rejects.toMatchObject({
        trouble: 'unreadable',
        message: containing('chat/a'),
      });
      const failing = store.collection({
        ...notes('chat', 2),
        upgrade: (document: unknown) => {
          throw new Error(String(document));
        },
      });
      const error = await failing.get('a').catch((caught: unknown) => caught);
      expect(error).toMatchObject({ trouble: 'unreadable' });
      expect(String(error)).not.toContain('planted-secret');
    });

    test('a document of a newer Navwatch is refused with the remedy, not read by guesswork', async () => {
      const store = await fresh();
      await store.collection(notes('chat', 2)).set('a', { text: 'tomorrow' });
      await expect(store.collection(notes('chat', 1)).get('a')).rejects.toMatchObject({
        trouble: 'newer',
        message: containing('run that newer Navwatch'),
      });
    });

    test('an unreadable document is reported by name in a list and hides no other', async () => {
      const store = await fresh();
      await store.collection(loose('chat')).set('b', { text: { token: 'planted-secret' } });
      await store.collection(notes('chat', 9)).set('c', { text: 'tomorrow' });
      const chats = store.collection(notes('chat'));
      await chats.set('a', { text: 'one' });
      await chats.set('d', { text: 'two' });
      const listing = await chats.list();
      expect(keysOf(listing)).toEqual(['a', 'd']);
      expect(listing.unreadable).toEqual([
        { key: 'b', because: '"text" does not fit its schema (invalid_type)' },
        { key: 'c', because: 'it was written by a newer Navwatch (document version 9, this one knows 1)' },
      ]);
      await expect(chats.get('b')).rejects.toMatchObject({ trouble: 'unreadable', message: containing(`chat/b`) });
    });

    test('many sets at once all stand, and of several to one key the last call wins', async () => {
      const box = (await fresh()).collection(notes('box'));
      const big = 'x'.repeat(100_000);
      await Promise.all(Array.from({ length: 200 }, async (_, n) => box.set(`k${n}`, { text: `${n}` })));
      expect((await box.list()).found).toHaveLength(200);
      for (let round = 0; round < 40; round += 1) {
        await Promise.all([box.set('same', { text: big }), box.set('same', { text: 'last' })]);
        expect(await box.get('same')).toEqual({ text: 'last' });
      }
    });

    test('a document of a megabyte comes back whole', async () => {
      const box = (await fresh()).collection(notes('box'));
      const text = 'naïve 🌊 \u0000 "quoted" '.repeat(50_000);
      await box.set('large', { text });
      expect(await box.get('large')).toEqual({ text });
    });

    test.each(['', 'line\nbreak', 'nul\u0000', 'half \uD800', 'last \u{10FFFF}'])('the key %j is refused', async (key) => {
      const box = (await fresh()).collection(notes('box'));
      await expect(box.set(key, { text: '' })).rejects.toThrow('is no key');
      await expect(box.setIfAbsent(key, { text: '' })).rejects.toThrow('is no key');
      await expect(box.get(key)).rejects.toThrow('is no key');
      await expect(box.delete(key)).rejects.toThrow('is no key');
    });

    test.each(['', 'a/b', '.probe', 'two words'])('the prefix %j is refused at once', async (prefix) => {
      const store = await fresh();
      expect(() => store.collection(notes(prefix))).toThrow('is no prefix');
    });

    test.each([0, 1.5, Number.NaN])('the version %d is refused at once', async (version) => {
      const store = await fresh();
      expect(() => store.collection(notes('chat', version))).toThrow('whole number');
    });

    test('a check passes as often as it is asked, also side by side', async () => {
      const store = await fresh();
      await expect(Promise.all([store.check(), store.check(), store.check()])).resolves.toBeDefined();
      await expect(store.check()).resolves.toBeUndefined();
    });

    test('closing finishes what is in hand, may be done twice, and what comes later is refused', async () => {
      const store = await fresh();
      const box = store.collection(notes('box'));
      const inHand = Array.from({ length: 20 }, async (_, n) => box.set(`k${n}`, { text: 'x' }));
      await Promise.all([store.close(), store.close(), ...inHand]);
      await store.close();
      for (const late of [
        box.get('k1'),
        box.set('k1', { text: 'y' }),
        box.setIfAbsent('k1', { text: 'y' }),
        box.delete('k1'),
        box.list(),
        box.scan()[Symbol.asyncIterator]().next(),
        store.check(),
      ]) {
        await expect(late).rejects.toMatchObject({ name: 'StoreError', message: containing('is closed') });
      }
    });
  });
}
