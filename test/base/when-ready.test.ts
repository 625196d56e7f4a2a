import { expect, test } from 'vitest';
import { whenReady, signalOnce } from '../../src/base/when-ready.js';

test('calls wait until it is ready, and pass their arguments and result on', async () => {
  const calls: number[] = [];
  const ready = signalOnce();
  const double = whenReady(ready.done)(async (value: number) => {
    calls.push(value);
    return value * 2;
  });
  const doubled = double(2);
  await Promise.resolve();
  expect(calls).toEqual([]);
  ready.signal();
  expect(await doubled).toBe(4);
  expect(await double(3)).toBe(6);
});

test('calls reject, and do nothing, where it never gets ready', async () => {
  const failed = Promise.reject(new Error('not read'));
  const work = whenReady(failed)(async () => expect.unreachable());
  await expect(work()).rejects.toThrow('not read');
});
