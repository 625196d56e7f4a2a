import { expect, test } from 'vitest';
import { lines } from '../../src/base/line-writer.js';

const failure = (code: string): Error => Object.assign(new Error(`${code}: the test says so`), { code });

/** A disk with room for so many bytes; `step`: as many are taken at once. */
function disk({ room = Number.POSITIVE_INFINITY, step = Number.POSITIVE_INFINITY, code = 'ENOSPC' } = {}) {
  let written = '';
  let left = room;
  let writes = 0;
  const waits: number[] = [];
  return {
    written: () => written,
    writes: () => writes,
    waits,
    free: (bytes: number) => (left = bytes),
    how: {
      write: (bytes: Uint8Array) => {
        writes += 1;
        const taken = Math.min(bytes.length, step, left);
        if (taken === 0) throw failure(code);
        left -= taken;
        written += Buffer.from(bytes.subarray(0, taken)).toString();
        return taken;
      },
      wait: (milliseconds: number) => void waits.push(milliseconds),
    },
  };
}

test('a line that is taken in parts is whole', () => {
  const to = disk({ step: 3 });
  const out = lines(2, to.how);
  out.write('one line\n');
  expect(to.written()).toBe('one line\n');
  expect(out.dropped()).toEqual({ count: 0, because: undefined, failing: false });
});

test('a full disk drops lines and counts them; with room again the next one begins on a line of its own', () => {
  const to = disk({ room: 8 });
  const out = lines(2, to.how);
  for (const line of ['first\n', 'second\n', 'third\n']) out.write(line);
  expect(out.dropped()).toEqual({ count: 2, because: 'ENOSPC', failing: true });
  to.free(100);
  out.write('fourth\n');
  expect(to.written()).toBe('first\nse\nfourth\n');
  expect(out.dropped()).toEqual({ count: 2, because: 'ENOSPC', failing: false });
});

test('a pipe that stays full is waited for once, not once a line', () => {
  const to = disk({ room: 0, code: 'EAGAIN' });
  const out = lines(2, to.how);
  for (let n = 0; n < 100; n += 1) out.write('line\n');
  expect(to.waits).toHaveLength(1);
  expect(to.writes()).toBe(101);
  expect(out.dropped()).toEqual({ count: 100, because: 'EAGAIN', failing: true });
});
