import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Backend, StoredText } from '../../src/store/backend.js';
import { openMemory } from '../../src/store/memory.js';
import { Snapshots } from '../../src/store/snapshot.js';
import { runs } from '../support/properties.js';

/** Answers in the order of the calls, some turns of the event loop later. */
function slow(turns: readonly number[]): Backend {
  const inner = openMemory();
  let line: Promise<unknown> = Promise.resolve();
  let calls = 0;
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    const wait = turns[(calls += 1) % turns.length] ?? 0;
    const done = line.then(async () => {
      for (let turn = 0; turn < wait; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
      return work();
    });
    line = done.catch(() => undefined);
    return done;
  };
  return {
    ...inner,
    get: async (key) => later(async () => inner.get(key)),
    set: async (key, text) => later(async () => inner.set(key, text)),
    setIfAbsent: async (key, text) => later(async () => inner.setIfAbsent(key, text)),
    delete: async (key) => later(async () => inner.delete(key)),
    range: async (range) => later(async () => inner.range(range)),
  };
}

const keyOf = (n: number): string => `box/${String(n).padStart(3, '0')}`;
const KEYS = 180;
const change = fc.record({
  key: fc.nat({ max: KEYS }).map(keyOf),
  kind: fc.constantFrom('set', 'delete', 'setIfAbsent'),
  /** Before which page of the snapshot. */
  at: fc.nat({ max: 4 }),
  isAwaited: fc.boolean(),
});

test('whatever is changed while a snapshot is read, it is the store of its beginning, and every change is made in its order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat({ max: KEYS }).map(keyOf), { minLength: 60 }),
      fc.array(change, { maxLength: 60 }),
      fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 5 }),
      async (keys, changes, turns) => {
        const snapshots = new Snapshots(slow(turns));
        const { backend } = snapshots;
        const expected = new Map<string, string>();
        for (const key of keys) {
          await backend.set(key, `first ${key}`);
          expected.set(key, `first ${key}`);
        }
        const before = [...expected].toSorted(([a], [b]) => (a < b ? -1 : 1));
        const found: StoredText[] = [];
        const pending: Promise<unknown>[] = [];
        let page = 0;
        for await (const texts of snapshots.snapshot()) {
          found.push(...texts);
          for (const [index, { key, kind, isAwaited }] of changes.entries()) {
            if (changes[index]?.at !== page) continue;
            const text = `change ${index}`;
            const made = kind === 'delete' ? backend.delete(key) : kind === 'set' ? backend.set(key, text) : backend.setIfAbsent(key, text);
            if (kind === 'delete') expected.delete(key);
            else if (kind === 'set' || !expected.has(key)) expected.set(key, text);
            if (isAwaited) await made;
            else pending.push(made);
          }
          page += 1;
        }
        await Promise.all(pending);
        expect(found).toEqual(before);
        const now = await backend.range({ from: '', to: '\u{10FFFF}' });
        expect(now).toEqual([...expected].toSorted(([a], [b]) => (a < b ? -1 : 1)));
      },
    ),
    { numRuns: runs(30) },
  );
});

test('one snapshot is read at a time, and one that is left early makes room for the next', async () => {
  const snapshots = new Snapshots(openMemory());
  const { backend } = snapshots;
  await backend.set('box/a', 'x');
  const first = snapshots.snapshot();
  await first.next();
  await expect(snapshots.snapshot().next()).rejects.toMatchObject({ trouble: 'locked' });
  await first.return(undefined);
  expect((await snapshots.snapshot().next()).value).toEqual([['box/a', 'x']]);
});

test('a snapshot ends with a sentence when more is written beside it than memory is good for, and the writes go on', async () => {
  const snapshots = new Snapshots(openMemory(), 1_000);
  const { backend } = snapshots;
  for (let n = 0; n < 200; n += 1) await backend.set(keyOf(n), 'x'.repeat(100));
  const reading = snapshots.snapshot();
  await reading.next();
  for (let n = 100; n < 150; n += 1) await backend.set(keyOf(n), 'changed');
  await expect(reading.next()).rejects.toThrow('too much was written');
  expect(await backend.get(keyOf(149))).toBe('changed');
  expect((await snapshots.snapshot().next()).done).toBe(false);
});

test('the store’s own keys are in no snapshot', async () => {
  const snapshots = new Snapshots(openMemory());
  const { backend } = snapshots;
  await backend.set('.probe', '1');
  await backend.set('box/a', 'x');
  const found: StoredText[] = [];
  for await (const page of snapshots.snapshot()) found.push(...page);
  expect(found).toEqual([['box/a', 'x']]);
});
