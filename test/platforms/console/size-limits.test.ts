import { expect, test } from 'vitest';
import { instant } from '../../../src/base/clock.js';
import { reply } from '../../../src/chat/reply.js';
import type { ConsoleMessage } from '../../../src/platforms/console/conversation-log.js';
import { MAX_FILES, MAX_PAGE, MAX_REPLY, bounded, page } from '../../../src/platforms/console/size-limits.js';

const rows = (count: number) => Array.from({ length: count }, (_, n) => [`row ${n}`, 'x'.repeat(50)]);
const table = (count: number) => ({ kind: 'table' as const, columns: [{ title: 'A' }, { title: 'B' }], rows: rows(count) });
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const message = (id: number, bytes: number): ConsoleMessage => ({ id, at: instant(0), kind: 'reply', text: 'x'.repeat(bytes) });

test('a reply that is small enough is left as it is', () => {
  const small = reply({ finding: ['few'], blocks: [table(3)], files: [{ name: 'a.csv', type: 'text/csv', text: 'a' }] });
  expect(bounded(small)).toBe(small);
});

test('a large reply keeps as many rows as fit and counts the others', () => {
  const all = 20_000;
  const large = bounded(reply({ finding: ['many'], blocks: [table(all)] }));
  const [block] = large.blocks;
  expect(bytesOf(large)).toBeLessThanOrEqual(MAX_REPLY);
  expect(bytesOf(large)).toBeGreaterThan(MAX_REPLY * 0.99);
  expect(block?.kind === 'table' && block.rows.length + block.more).toBe(all);
});

test('files that are too large together are left out with a sentence', () => {
  const file = (name: string, bytes: number) => ({ name, type: 'text/csv', text: 'x'.repeat(bytes) });
  const kept = bounded(reply({ finding: ['files'], files: [file('a.csv', MAX_FILES - 1), file('b.csv', 2), file('c.csv', 1)] }));
  expect(kept.files.map(({ name }) => name)).toEqual(['a.csv', 'c.csv']);
  expect(JSON.stringify(kept.blocks)).toContain('1 of 3 files are too large');
});

test('a list of messages ends where it would be too large, at the end at which a reader goes on, with at least one', () => {
  const third = MAX_PAGE / 3;
  const all = [1, 2, 3, 4, 5].map((id) => message(id, third));
  expect(page(all, 'first').map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(page(all, 'last').map(({ id }) => id)).toEqual([3, 4, 5]);
  expect(page([message(9, MAX_PAGE * 2)], 'first')).toHaveLength(1);
});
