/** The part of the store's contract that is about scans; `contract.ts` runs it for every backend. */
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Listing, Store } from '../../src/store/store.js';

const texts = (prefix: string) => ({ prefix, schema: z.string(), version: 1 });
const numbers = (prefix: string) => ({ prefix, schema: z.number(), version: 1 });

async function pagesOf<T>(scan: AsyncIterable<Listing<T>>): Promise<readonly Listing<T>[]> {
  const pages: Listing<T>[] = [];
  for await (const page of scan) pages.push(page);
  return pages;
}

export function scanContract(name: string, open: () => Promise<Store>): void {
  describe(`a scan of any store: ${name}`, () => {
    const opened: Store[] = [];
    const fresh = async () => {
      const store = await open();
      opened.push(store);
      return store;
    };
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(async (store) => store.close()));
    });

    test('a scan gives in pages what a list gives at once, in the same order, and nothing of a neighbour', async () => {
      const store = await fresh();
      const box = store.collection(texts('box'));
      await store.collection(texts('boxes')).set('a/1', 'of a neighbour');
      await Promise.all(Array.from({ length: 1_203 }, async (_, n) => box.set(`a/${n}`, `${n}`)));
      for (const key of ['a/\uE000', 'a/\u{1F30A}', 'a', 'b']) await box.set(key, key);
      await store.collection(numbers('box')).set('a/700x', 700);
      for (const under of ['', 'a/', 'a/1', 'a', 'nothing']) {
        const pages = await pagesOf(box.scan(under));
        const { found, unreadable } = await box.list(under);
        expect(pages.flatMap((page) => page.found)).toEqual(found);
        expect(pages.flatMap((page) => page.unreadable)).toEqual(unreadable);
        expect(pages.map((page) => page.found.length + page.unreadable.length).filter((length) => length > 100)).toEqual([]);
      }
    });

    test.each([{ sizes: [99] }, { sizes: [100] }, { sizes: [100, 1] }, { sizes: [100, 100] }])(
      'a scan of pages of $sizes documents ends after the last',
      async ({ sizes }) => {
        const box = (await fresh()).collection(texts('box'));
        const count = sizes.reduce((sum, size) => sum + size, 0);
        await Promise.all(Array.from({ length: count }, async (_, n) => box.set(`k${n}`, 'x')));
        expect((await pagesOf(box.scan())).map(({ found }) => found.length)).toEqual(sizes);
      },
    );

    test('documents that nobody touches appear once in a scan, whatever is written between its pages', async () => {
      const box = (await fresh()).collection(texts('box'));
      const untouched = Array.from({ length: 400 }, (_, n) => `k${String(n).padStart(4, '0')}`);
      await Promise.all(untouched.map(async (key) => box.set(key, 'untouched')));
      await box.set(`${untouched[98]}+`, 'the last of the first page');
      const seen: string[] = [];
      let page = 0;
      for await (const { found } of box.scan()) {
        seen.push(...found.map(([key]) => key));
        const [first = '', last = ''] = [found.at(0)?.[0], found.at(-1)?.[0]];
        page += 1;
        await Promise.all([
          box.set(`${first}!${page}`, 'behind the scan'),
          box.set(`${last}!${page}`, 'just before it'),
          box.set(`z${page}`, 'far before it'),
          box.delete(`${untouched[98]}+`),
        ]);
      }
      expect(seen.filter((key) => /^k\d+$/u.test(key))).toEqual(untouched);
      expect(new Set(seen).size).toBe(seen.length);
    });

    test('a scan lets other work run between its pages', async () => {
      const box = (await fresh()).collection(texts('box'));
      await Promise.all(Array.from({ length: 220 }, async (_, n) => box.set(`k${n}`, 'x')));
      let turns = 0;
      const seen: number[] = [];
      for await (const _ of box.scan()) {
        seen.push(turns);
        setImmediate(() => (turns += 1));
      }
      expect(seen).toEqual([0, 1, 2]);
    });
  });
}
