import { expect, test } from 'vitest';
import fc from 'fast-check';
import { lanes } from '../../src/base/lanes.js';
import { settled } from '../support/clock.js';
import { runs } from '../support/properties.js';

/** A promise with its ends in hand. */
function gate() {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

test('work under one key runs in the order given, one at a time; other keys run beside it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), turns: fc.nat(4), fails: fc.boolean() })), async (work) => {
      const lane = lanes();
      const seen: { key: string; index: number }[] = [];
      const inside = new Set<string>();
      const results = await Promise.allSettled(
        work.map(async ({ key, turns, fails }, index) =>
          lane.run(key, async () => {
            expect(inside.has(key)).toBe(false);
            inside.add(key);
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
            seen.push({ key, index });
            inside.delete(key);
            if (fails) throw new Error(`no ${index}`);
            return index;
          }),
        ),
      );
      for (const key of ['a', 'b', 'c']) {
        const order = seen.filter((one) => one.key === key).map((one) => one.index);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }
      expect(results.map(({ status }) => status === 'rejected')).toEqual(work.map(({ fails }) => fails));
      await lane.idle();
    }),
    { numRuns: runs(50) },
  );
});

test('an error goes to whoever gave the work, and the next work under the key runs all the same', async () => {
  const lane = lanes();
  const first = lane.run('a', async () => Promise.reject(new Error('first')));
  const second = lane.run('a', async () => 2);
  await expect(first).rejects.toThrow('first');
  await expect(second).resolves.toBe(2);
});

test('one lane does not wait for another', async () => {
  const lane = lanes();
  const hold = gate();
  const held = lane.run('a', async () => hold.passed);
  await expect(lane.run('b', async () => 'through')).resolves.toBe('through');
  hold.open();
  await held;
});

test('work that leaves its lane lets the next begin, and its own result comes later', async () => {
  const lane = lanes();
  const hold = gate();
  const order: string[] = [];
  const first = lane.run('a', async (leave) => {
    leave();
    await hold.passed;
    order.push('first');
  });
  const second = lane.run('a', async () => void order.push('second'));
  const third = lane.run('a', async () => void order.push('third'));
  await Promise.all([second, third]);
  expect(order).toEqual(['second', 'third']);
  hold.open();
  await first;
  expect(order).toEqual(['second', 'third', 'first']);
});

test('idle waits for what runs and for what stands behind it', async () => {
  const lane = lanes();
  const hold = gate();
  const seen: string[] = [];
  const first = lane.run('a', async () => hold.passed);
  const second = lane.run('a', async () => void seen.push('second'));
  const idle = lane.idle().then(() => seen.push('idle'));
  await settled();
  expect(seen).toEqual([]);
  hold.open();
  await Promise.all([first, second, idle]);
  expect(seen).toEqual(['second', 'idle']);
});

test('idle resolves at once when nothing was ever given, and after everything failed', async () => {
  const lane = lanes();
  await lane.idle();
  await expect(lane.run('a', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await lane.idle();
});
