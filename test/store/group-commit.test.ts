import PQueue from 'p-queue';
import { expect, test } from 'vitest';
import { yieldToEventLoop } from '../../src/base/yield.js';
import {
  MAX_BATCH_CHARACTERS,
  MAX_BATCH_WRITES,
  openGroupCommit,
  type WriteResults,
  type GroupCommit,
  type Write,
} from '../../src/store/group-commit.js';

const TEXT = 'text';
const write = (key: string, text: string = TEXT): Write => ({ key, text });

/** A group commit whose transactions end when the test says so; `batches` are the keys of each, in order. */
function harness(failuresOf: (writes: readonly Write[]) => WriteResults = () => []) {
  const line = new PQueue({ concurrency: 1 });
  const batches: string[][] = [];
  const waiting: (() => void)[] = [];
  const groups: GroupCommit = openGroupCommit({
    queue: async (job) => line.add(job),
    async commit(writes) {
      batches.push(writes.map(({ key }) => key));
      await new Promise<void>((resolve) => waiting.push(resolve));
      return failuresOf(writes);
    },
  });
  /** Ends the running transaction and every later one. */
  const finish = async (): Promise<void> => {
    for (let end = waiting.shift(); end !== undefined; end = waiting.shift()) {
      end();
      await yieldToEventLoop();
    }
  };
  return { groups, batches, finish };
}

test('an idle store writes at once, and what is called meanwhile goes in one transaction in the order of the calls', async () => {
  const { groups, batches, finish } = harness();
  const done = ['a', 'b', 'a', 'c'].map(async (key) => groups.add(write(key)));
  expect(batches).toEqual([['a']]);
  await finish();
  await Promise.all(done);
  expect(batches).toEqual([['a'], ['b', 'a', 'c']]);
});

test('a write resolves when its transaction is done, not before', async () => {
  const { groups, finish } = harness();
  const acknowledged: string[] = [];
  const done = ['a', 'b'].map(async (key) => groups.add(write(key)).then(() => acknowledged.push(key)));
  await yieldToEventLoop();
  expect(acknowledged).toEqual([]);
  await finish();
  await Promise.all(done);
  expect(acknowledged).toEqual(['a', 'b']);
});

test('each write gets its own failure, and its neighbours none', async () => {
  const { groups, finish } = harness((writes) => writes.map(({ key }) => (key === 'bad' ? new Error('refused') : undefined)));
  const done = Promise.allSettled(['a', 'b', 'bad', 'c'].map(async (key) => groups.add(write(key))));
  await finish();
  expect((await done).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});

test('a transaction holds no more than its bounds of documents and of text, but one document of any size', async () => {
  const { groups, batches, finish } = harness();
  const many = Array.from({ length: MAX_BATCH_WRITES + 2 }, (_, n) => write(`k${n}`));
  const large = [write('half', 'x'.repeat(MAX_BATCH_CHARACTERS / 2)), write('huge', 'x'.repeat(MAX_BATCH_CHARACTERS * 2)), write('z')];
  const done = [...many, ...large].map(async (each) => groups.add(each));
  await finish();
  await Promise.all(done);
  expect(batches.map(({ length }) => length)).toEqual([1, MAX_BATCH_WRITES, 2, 1, 1]);
  expect(batches.slice(2)).toEqual([['k501', 'half'], ['huge'], ['z']]);
});

test('a write of a key that a waiting read asks for is kept behind that read, one of another key joins the batch before it', async () => {
  const { groups, batches, finish } = harness();
  const calls = [groups.add(write('first')), groups.add(write('a'))];
  groups.readsKey('a');
  calls.push(groups.add(write('b')), groups.add(write('a')));
  groups.readsAll();
  calls.push(groups.add(write('c')));
  await finish();
  await Promise.all(calls);
  expect(batches).toEqual([['first'], ['a', 'b'], ['a'], ['c']]);
});
